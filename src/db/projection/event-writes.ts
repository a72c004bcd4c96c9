import { sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { DeliveryTarget } from "../../domain/events/delivery.ts";
import { eventBody } from "../../domain/events/event-body.ts";
import type { EventType } from "../../domain/events/event-types.ts";
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
  return [
    // Before the event, because their condition is that the event is not there yet.
    ...event.targets.map(({ target, url }) =>
      // In the order of the table's columns.
      db.insert(deliveries).select(sql`
        SELECT ${companyId}, ${companySequence}, ${target}, ${url}, 'pending', 0, ${nowMs}, ${nowMs}, '[]'
        WHERE NOT EXISTS (SELECT 1 FROM ${events} WHERE ${isEvent(event)})`),
    ),
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
