import { and, eq, inArray, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { DeliveryTarget } from "../../domain/events/delivery.ts";
import { EntryRejected } from "../../domain/events/outbox-entry.ts";
import { eventBody } from "../../domain/events/event-body.ts";
import type { EventType } from "../../domain/events/event-types.ts";
import { FIRST_ENDPOINT } from "../../domain/events/webhook-endpoint.ts";
import type { Database } from "../client.ts";
import { isEvent } from "./event-rows.ts";
import { deliveries, events } from "../schema/webhooks.ts";

/** An event with the targets of its deliveries. */
export interface NewEvent {
  companyId: number;
  type: EventType;
  companySequence: number;
  sequence: number;
  /** When it happened, Unix milliseconds. */
  timestamp: number;
  objectId: string;
  /** Missing in an entry from before they were counted. */
  endedCharges?: number | null;
  /** The trace id of what caused it; null if none is known. */
  traceId?: string | null;
  /** The object as its webhook shows it. */
  data: object;
  targets: { target: DeliveryTarget; url: string }[];
}

/**
 * The statements that insert an event and its deliveries, due at once. They change nothing if D1 has the
 * event: it may be delivered already, and the company's URL may have changed.
 */
export function insertEventStatements(
  db: Database,
  event: NewEvent,
  nowMs: number,
): BatchItem<"sqlite">[] {
  const { companyId, companySequence, type, objectId, sequence, timestamp: createdAt } = event;
  const { endedCharges = null, traceId = null } = event;
  const body = eventBody(event);
  const isNew = sql`NOT EXISTS (SELECT 1 FROM ${events} WHERE ${isEvent(event)})`;
  const isUsual = ({ target }: NewEvent["targets"][number]) =>
    target === "postback" || target === FIRST_ENDPOINT;
  const further = event.targets.filter((each) => !isUsual(each));
  return [
    // Before the event, because their condition is that the event is not there yet.
    ...event.targets.filter(isUsual).map(({ target, url }) =>
      // In the order of the table's columns.
      db.insert(deliveries).select(sql`
        SELECT ${companyId}, ${companySequence}, ${target}, ${url}, 'pending', 0, ${nowMs}, ${nowMs}, '[]'
        WHERE ${isNew}`),
    ),
    // One statement however many endpoints a company adds: a batch has only so many.
    ...(further.length === 0
      ? []
      : [
          db.insert(deliveries).select(sql`
            SELECT ${companyId}, ${companySequence}, value ->> 'target', value ->> 'url', 'pending', 0, ${nowMs},
              ${nowMs}, '[]'
            FROM json_each(${JSON.stringify(further)}) WHERE ${isNew}`),
        ]),
    db
      .insert(events)
      .values({
        companyId,
        companySequence,
        type,
        objectId,
        sequence,
        createdAt,
        body,
        endedCharges,
        traceId,
      })
      .onConflictDoNothing(),
  ];
}

/**
 * Throws `EntryRejected` if D1 has another event under the number of one of these. A repeated write finds its
 * own event there.
 */
export async function requireSameEvents(db: Database, repeated: NewEvent[]): Promise<void> {
  const [first] = repeated;
  if (first === undefined) return;
  const stored = await db
    .select({
      companySequence: events.companySequence,
      type: events.type,
      objectId: events.objectId,
      sequence: events.sequence,
      createdAt: events.createdAt,
    })
    .from(events)
    .where(
      and(
        eq(events.companyId, first.companyId),
        inArray(
          events.companySequence,
          repeated.map((event) => event.companySequence),
        ),
      ),
    );
  for (const event of repeated) {
    const row = stored.find((each) => each.companySequence === event.companySequence);
    const isSame =
      row?.type === event.type &&
      row.objectId === event.objectId &&
      row.sequence === event.sequence &&
      row.createdAt === event.timestamp;
    if (!isSame) throw new EntryRejected(`event ${event.companySequence} is another one in D1`);
  }
}
