import { and, asc, desc, eq, getTableColumns, gt, gte, isNull, lt, sql } from "drizzle-orm";
import { bodiesOf, bodyOf, type StoredEvent } from "../../db/archive/archived-texts.ts";
import { databaseFor } from "../../db/client.ts";
import {
  DELIVERY_SUMMARY,
  EVENT_BODY,
  isDelivery,
  isEvent,
  isEventOfDelivery,
  type DeliverySummary,
  type StoredDelivery,
} from "../../db/projection/event-rows.ts";
import { runIdempotent } from "../../db/storage-errors.ts";
import { inList } from "../../db/in-list.ts";
import { deliveries, events } from "../../db/schema/webhooks.ts";
import type { DeliveryRef } from "../../domain/events/delivery.ts";
import type { EventType } from "../../domain/events/event-types.ts";
import type { Env } from "../../config.ts";
import type { ListOrder } from "../../http/fields/fields.ts";
import { rescheduleNow, type ResendRequest } from "../../webhooks/delivery/repository.ts";

/**
 * An event with its body under another name, wherever that was; null where the archive could not be read. So no row of
 * D1, which may lack its body, passes for one.
 */
export type EventRow = Omit<StoredEvent, "body"> & { content: string | null };

/** An event with its deliveries; the one to the transaction's `postbackUrl` is last. */
export interface EventWithDeliveries {
  event: EventRow;
  deliveries: StoredDelivery[];
}

/** A body up to this size comes with its row; a typical one has a kilobyte or two. */
const INLINE_BYTES = 4_096;

/** An event of a page. `content` is null if it is large, archived or of another type than requested. */
export type ScannedEvent = EventRow & { bytes: number };

/** A company's events after one, in its gap-free order or backwards, 0 for its beginning; without large bodies. */
export async function eventsAfter(
  env: Env,
  companyId: number,
  request: { after: number; limit: number; order: ListOrder; type?: EventType | undefined },
): Promise<ScannedEvent[]> {
  const { after, limit, order, type } = request;
  const isNewestFirst = order === "newest";
  const number = events.companySequence;
  const fromNewest = after === 0 ? undefined : lt(number, after);
  const { body, ...columns } = getTableColumns(events);
  // An archived one counts as much as one that comes with its row.
  const bytes = sql<number>`iif(${events.archiveFile} IS NULL, octet_length(${body}), ${INLINE_BYTES})`;
  const isInline = and(
    sql`${bytes} <= ${INLINE_BYTES}`,
    isNull(events.archiveFile),
    type === undefined ? undefined : eq(events.type, type),
  );
  return databaseFor(env, companyId)
    .select({
      ...columns,
      bytes: bytes.as("bytes"),
      content: sql<string | null>`iif(${isInline}, ${body}, NULL)`.as("small_body"),
    })
    .from(events)
    .where(and(eq(events.companyId, companyId), isNewestFirst ? fromNewest : gt(number, after)))
    .orderBy(isNewestFirst ? desc(number) : asc(number))
    .limit(limit);
}

/** The bodies of some of a company's events, by `companySequence`; null where the archive could not be read. */
export async function findBodies(
  env: Env,
  companyId: number,
  companySequences: number[],
): Promise<Map<number, string | null>> {
  if (companySequences.length === 0) return new Map();
  const rows = await databaseFor(env, companyId)
    .select(EVENT_BODY)
    .from(events)
    .where(and(eq(events.companyId, companyId), inList(events.companySequence, companySequences)));
  return bodiesOf(env, rows);
}

/** An event with its deliveries; null if there is none. */
export async function findEvent(
  env: Env,
  companyId: number,
  companySequence: number,
): Promise<EventWithDeliveries | null> {
  const db = databaseFor(env, companyId);
  const [[event], eventDeliveries] = await db.batch([
    db.select().from(events).where(isEvent({ companyId, companySequence })),
    db
      .select()
      .from(deliveries)
      .where(
        and(eq(deliveries.companyId, companyId), eq(deliveries.companySequence, companySequence)),
      )
      .orderBy(asc(deliveries.target)),
  ]);
  if (event === undefined) return null;
  return { event: { ...event, content: await bodyOf(env, event) }, deliveries: eventDeliveries };
}

/** An event's type, and the exact body that is signed and sent (as the content of an `EventRow`); null if there is none. */
export async function findEventBody(
  env: Env,
  companyId: number,
  companySequence: number,
): Promise<Pick<EventRow, "type" | "content"> | null> {
  const [event] = await databaseFor(env, companyId)
    .select({ type: events.type, ...EVENT_BODY })
    .from(events)
    .where(isEvent({ companyId, companySequence }));
  return event === undefined ? null : { type: event.type, content: await bodyOf(env, event) };
}

/** Deliveries of a company's events below a sequence, newest first; of one event the `postbackUrl`'s first. */
export async function deliveriesBefore(
  env: Env,
  companyId: number,
  before: number,
  limit: number,
): Promise<DeliverySummary[]> {
  return databaseFor(env, companyId)
    .select(DELIVERY_SUMMARY)
    .from(deliveries)
    .where(and(eq(deliveries.companyId, companyId), lt(deliveries.companySequence, before)))
    .orderBy(desc(deliveries.companySequence), desc(deliveries.target))
    .limit(limit);
}

/** What an event is about. */
export type EventSubject = Pick<EventRow, "objectId" | "type">;

/** A delivery with its event's subject; null if there is none. */
export async function findDelivery(
  env: Env,
  ref: DeliveryRef,
): Promise<(ResendRequest & EventSubject) | null> {
  const [row] = await databaseFor(env, ref.companyId)
    .select({ objectId: events.objectId, type: events.type })
    .from(deliveries)
    .innerJoin(events, isEventOfDelivery)
    .where(isDelivery(ref));
  return row === undefined ? null : { ...ref, ...row };
}

/** The subjects of a company's events, by `companySequence`. */
export async function findSubjects(
  env: Env,
  companyId: number,
  companySequences: number[],
): Promise<Map<number, EventSubject>> {
  // CROSS JOIN fixes the order: with IN, SQLite reads all of the company's entries in `events_object`.
  const rows = await databaseFor(env, companyId).all<{ number: number } & EventSubject>(sql`
    SELECT company_sequence AS number, object_id AS "objectId", events.type
    FROM json_each(${JSON.stringify(companySequences)}) AS wanted
    CROSS JOIN events ON company_id = ${companyId} AND company_sequence = wanted.value`);
  return new Map(rows.map(({ number, objectId, type }) => [number, { objectId, type }]));
}

/**
 * Makes deliveries of any status due now, except those whose object has a newer event for the same target.
 * Returns the due ones as updated.
 */
export async function resendDeliveries(
  env: Env,
  requested: ResendRequest[],
  nowMs: number,
): Promise<DeliverySummary[]> {
  const [first, ...others] = requested;
  if (first === undefined) return [];
  const db = databaseFor(env, first.companyId);
  const answers = await runIdempotent(() =>
    db.batch([
      rescheduleNow(db, first, nowMs),
      ...others.map((delivery) => rescheduleNow(db, delivery, nowMs)),
    ]),
  );
  return answers.flat();
}

/**
 * The sequence of a company's first event at or after a time, or the one after its newest. Times ascend with
 * the sequence, so one query bisects: it reads a logarithm of the rows.
 */
export async function firstEventSince(
  env: Env,
  companyId: number,
  sinceMs: number,
): Promise<number> {
  const [row] = await databaseFor(env, companyId).all<{ number: number }>(sql`
    WITH RECURSIVE bisect (low, high) AS (
      SELECT 1, 1 + coalesce(
        (SELECT max(company_sequence) FROM events WHERE company_id = ${companyId}), 0)
      UNION ALL
      SELECT
        iif(coalesce(created_at, 0) < ${sinceMs}, (low + high) / 2 + 1, low),
        iif(coalesce(created_at, 0) < ${sinceMs}, high, (low + high) / 2)
      FROM bisect LEFT JOIN events
        ON company_id = ${companyId} AND company_sequence = (low + high) / 2
      WHERE low < high
    )
    SELECT low AS number FROM bisect WHERE low = high`);
  return row?.number ?? 1;
}

/** Deliveries of a company's events from sequence `first` to before `end`, oldest first. */
export async function deliveriesBetween(
  env: Env,
  companyId: number,
  first: number,
  end: number,
  limit: number,
): Promise<DeliverySummary[]> {
  return databaseFor(env, companyId)
    .select(DELIVERY_SUMMARY)
    .from(deliveries)
    .where(
      and(
        eq(deliveries.companyId, companyId),
        gte(deliveries.companySequence, first),
        lt(deliveries.companySequence, end),
      ),
    )
    .orderBy(asc(deliveries.companySequence), asc(deliveries.target))
    .limit(limit);
}
