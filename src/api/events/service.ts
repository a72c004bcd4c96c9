import { parseEventId } from "../../domain/events/delivery.ts";
import { scopeOfEvent, visibleEventTypes } from "../../domain/events/event-scopes.ts";
import type { EventType } from "../../domain/events/event-types.ts";
import type { Env } from "../../config.ts";
import { requireOwnCompany } from "../../http/auth/auth.ts";
import type { Caller } from "../../http/context.ts";
import type { ListOrder } from "../../http/fields/fields.ts";
import { forbidden, notFound } from "../../http/problems.ts";
import { visibleAttempts, visibleData } from "./mask.ts";
import { findBodies, eventsAfter, findEvent, type ScannedEvent } from "./repository.ts";
import { detailView, eventView } from "./views.ts";

/** Events read per call if one type is requested: a page may be short while more follow. */
const SCAN_MAX = 500;

/** Bytes of large bodies per page; a page shows at least one event of any size. */
const LARGE_BYTES_MAX = 2 ** 21;

/** Who reads a company's events. */
export type EventReader = Pick<Caller, "company" | "scopes">;

/**
 * A page of the company's events in its gap-free order, forwards or, for `newest`, backwards; `data` is null without the scope of the event's object.
 * The page ends before `limit` if the events are large.
 */
export async function pageOfEvents(
  env: Env,
  reader: EventReader,
  request: { after: number; limit: number; order: ListOrder; type?: EventType | undefined },
) {
  const { company, scopes } = reader;
  const { after, limit, order, type } = request;
  const visible = visibleEventTypes(scopes);
  const window = type === undefined ? limit + 1 : SCAN_MAX;
  const scanned = await eventsAfter(env, company.id, { after, limit: window, order, type });
  const page: ScannedEvent[] = [];
  let last = after;
  let largeBytes = 0;
  for (const row of scanned) {
    if (page.length === limit) break;
    if (type === undefined || row.type === type) {
      if (row.content === null && visible.has(row.type)) largeBytes += row.bytes;
      if (largeBytes > LARGE_BYTES_MAX && page.length > 0) break;
      page.push(row);
    }
    last = row.companySequence;
  }
  const exhausted = scanned.length < window && scanned.at(-1)?.companySequence === last;
  const items = await toEventViews(env, company.id, page, visible);
  return {
    items: items.map((event) => visibleData(reader, event)),
    after: String(last),
    hasMore: scanned.length > 0 && !exhausted,
  };
}

async function toEventViews(
  env: Env,
  companyId: number,
  page: ScannedEvent[],
  visible: ReadonlySet<EventType>,
) {
  const large = page.filter(({ content, type }) => content === null && visible.has(type));
  const numbers = large.map(({ companySequence }) => companySequence);
  const bodies = await findBodies(env, companyId, numbers);
  return page.flatMap((row) => {
    if (!visible.has(row.type)) return [eventView({ ...row, content: null })];
    const content = row.content ?? bodies.get(row.companySequence);
    // A missing event was taken away since the first read, as by a restore of D1.
    return content === undefined ? [] : [eventView({ ...row, content })];
  });
}

/**
 * An event with its deliveries and each attempt. Throws 404, or 403 for another company's and without the scope
 * of its object.
 */
export async function eventDetail(env: Env, reader: EventReader, id: string) {
  const ref = parseEventId(id);
  if (ref === null) throw notFound("event");
  requireOwnCompany(reader.company, ref.companyId);
  const found = await findEvent(env, ref.companyId, ref.companySequence);
  if (found === null) throw notFound("event");
  requireEventScope(reader.scopes, found.event.type);
  const { deliveries, ...event } = detailView(found);
  return {
    ...visibleData(reader, event),
    deliveries: deliveries.map((delivery) =>
      Object.assign(delivery, { tries: visibleAttempts(reader, delivery.tries) }),
    ),
  };
}

/** Throws 403 without the scope of the event's object. */
export function requireEventScope(scopes: EventReader["scopes"], type: EventType): void {
  const scope = scopeOfEvent(type);
  if (!scopes.has(scope)) {
    throw forbidden(`This application does not have the scope ${scope}, which shows this event.`);
  }
}
