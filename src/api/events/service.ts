import { parseEventId } from "../../domain/events/delivery.ts";
import type { EventType } from "../../domain/events/event-types.ts";
import type { Env } from "../../config.ts";
import { requireOwnCompany } from "../../http/auth/auth.ts";
import type { Caller } from "../../http/context.ts";
import { notFound } from "../../http/problems.ts";
import { visibleAttempts, visibleData } from "./mask.ts";
import { findBodies, eventsAfter, findEvent, type ScannedEvent } from "./repository.ts";
import { detailView, eventView } from "./views.ts";

/** Events read per call if one type is requested: a page may be short while more follow. */
const SCAN_MAX = 500;

/** Bytes of large bodies per page; a page shows at least one event of any size. */
const LARGE_BYTES_MAX = 2 ** 21;

/** A page of a company's events in its gap-free order. It ends before `limit` if the events are large. */
export async function pageOfEvents(
  env: Env,
  caller: Caller,
  request: { after: number; limit: number; type?: EventType | undefined },
) {
  const { after, limit, type } = request;
  const window = type === undefined ? limit + 1 : SCAN_MAX;
  const scanned = await eventsAfter(env, caller.company.id, { after, limit: window, type });
  const page: ScannedEvent[] = [];
  let last = after;
  let largeBytes = 0;
  for (const row of scanned) {
    if (page.length === limit) break;
    if (type === undefined || row.type === type) {
      if (row.body === null) largeBytes += row.bytes;
      if (largeBytes > LARGE_BYTES_MAX && page.length > 0) break;
      page.push(row);
    }
    last = row.companySequence;
  }
  const exhausted = scanned.length < window && scanned.at(-1)?.companySequence === last;
  return {
    items: await toEventViews(env, caller, page),
    after: String(last),
    hasMore: scanned.length > 0 && !exhausted,
  };
}

async function toEventViews(env: Env, caller: Caller, page: ScannedEvent[]) {
  const large = page.filter(({ body }) => body === null);
  const numbers = large.map(({ companySequence }) => companySequence);
  const bodies = await findBodies(env, caller.company.id, numbers);
  return page.flatMap((row) => {
    const body = row.body ?? bodies.get(row.companySequence);
    // A missing event was archived since the first read.
    return body === undefined ? [] : [visibleData(caller, eventView({ ...row, body }))];
  });
}

/** An event with its deliveries and each attempt. Throws 404, or 403 for another company's. */
export async function eventDetail(env: Env, caller: Caller, id: string) {
  const ref = parseEventId(id);
  if (ref === null) throw notFound("event");
  requireOwnCompany(caller.company, ref.companyId);
  const found = await findEvent(env, ref.companyId, ref.companySequence);
  if (found === null) throw notFound("event");
  const { deliveries, ...event } = detailView(found);
  return {
    ...visibleData(caller, event),
    deliveries: deliveries.map((delivery) =>
      Object.assign(delivery, { tries: visibleAttempts(caller, delivery.tries) }),
    ),
  };
}
