import { sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { DeliveryTarget } from "../../domain/events/delivery.ts";
import { eventBody } from "../../domain/events/event-body.ts";
import type { EventType } from "../../domain/events/event-types.ts";
import type { Database } from "../client.ts";
import { isEvent } from "./event-rows.ts";
import { deliveries, events } from "../schema/webhooks.ts";

/** An event that is announced, and where it goes. */
export interface NewEvent {
  companyId: number;
  type: EventType;
  companySequence: number;
  sequence: number;
  /** When it happened, Unix milliseconds. */
  timestamp: number;
  objectId: string;
  /** The object as its webhook shows it. */
  data: object;
  targets: { target: DeliveryTarget; url: string }[];
}

/**
 * The statements that write an event and its deliveries, which are due at once. Where D1 has the event
 * already they change nothing: it may be delivered by now, and the company's URL may be another.
 */
export function insertEventStatements(
  db: Database,
  event: NewEvent,
  nowMs: number,
): BatchItem<"sqlite">[] {
  const { companyId, companySequence, type, objectId, sequence, timestamp: createdAt } = event;
  const body = eventBody(event);
  return [
    // The deliveries come first, so that whether the event is new is still to be seen.
    ...event.targets.map(({ target, url }) =>
      // In the order of the table's columns.
      db.insert(deliveries).select(sql`
        SELECT ${companyId}, ${companySequence}, ${target}, ${url}, 'pending', 0, ${nowMs}, ${nowMs}, '[]'
        WHERE NOT EXISTS (SELECT 1 FROM ${events} WHERE ${isEvent(event)})`),
    ),
    db
      .insert(events)
      .values({ companyId, companySequence, type, objectId, sequence, createdAt, body })
      .onConflictDoNothing(),
  ];
}
