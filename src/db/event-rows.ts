import { sql, type Placeholder, type SQL } from "drizzle-orm";
import {
  DELIVERY_TARGETS,
  events,
  type StoredDelivery,
  type StoredTry,
} from "./schema/webhooks.ts";
import { transactions } from "./schema/transactions.ts";
import { withdraws } from "./schema/withdraws.ts";
import type { DeliveryTarget } from "../domain/delivery.ts";

/** One event on its way to one target. */
export interface DeliveryRow extends StoredDelivery {
  companyId: number;
  companySequence: number;
  objectId: string;
  target: DeliveryTarget;
}

/** One try of a delivery, as it is shown. Times in milliseconds. */
export interface AttemptRow {
  /** From 1 for each delivery. */
  number: number;
  createdAt: number;
  durationMs: number;
  httpStatus: number | null;
  fault: string | null;
  answer: string;
}

/** What tells the deliveries of an event: without its body. */
export const DELIVERIES = {
  companyId: events.companyId,
  companySequence: events.companySequence,
  objectId: events.objectId,
  postback: events.postback,
  endpoint: events.endpoint,
};

export type EventDeliveries = Pick<typeof events.$inferSelect, keyof typeof DELIVERIES>;

/** Tries of one delivery that are kept, and those of them whose answers are: a row has its limit. */
const TRIES_MAX = 1_000;
const ANSWERS_MAX = 20;

/** The deliveries that stand in an event's row, that to its transaction's own URL last. */
export function deliveriesIn(row: EventDeliveries): DeliveryRow[] {
  return DELIVERY_TARGETS.toReversed().flatMap((target) => deliveryIn(row, target) ?? []);
}

/** The delivery of an event to a target; null where it does not go there. */
export function deliveryIn(row: EventDeliveries, target: DeliveryTarget): DeliveryRow | null {
  const stored = row[target];
  if (stored === null) return null;
  const { companyId, companySequence, objectId } = row;
  // What is final has no due time at all.
  return { companyId, companySequence, objectId, target, ...stored, dueAt: stored.dueAt ?? null };
}

/** The tries of a delivery that are kept, oldest first. */
export function attemptsIn({ attempts, tries }: StoredDelivery): AttemptRow[] {
  return tries.map(([createdAt, durationMs, httpStatus, fault, answer], index) => {
    const number = attempts - tries.length + index + 1;
    return { number, createdAt, durationMs, httpStatus, fault, answer };
  });
}

/** The tries of a delivery after one more. */
export function withTry(tries: StoredTry[], next: StoredTry): StoredTry[] {
  const kept = [...tries, next].slice(-TRIES_MAX);
  const bare = kept.length - ANSWERS_MAX;
  return kept.map(([at, durationMs, httpStatus, fault, answer], index) => {
    return [at, durationMs, httpStatus, fault, index < bare ? "" : answer];
  });
}

/** A delivery with some of it changed. One JSON text: D1 binds a number by itself as a fraction. */
export function changed(target: DeliveryTarget, change: Partial<StoredDelivery>): SQL {
  return sql`json_patch(${events[target]}, ${JSON.stringify(change)})`;
}

/** When a delivery is due, in SQL; NULL where it is final or is none. */
export function dueAtOf(target: DeliveryTarget): SQL {
  return sql`${events[target]} ->> 'dueAt'`;
}

/** The numbers of an object's events with one more, as JSON in SQL. */
export function withNumber(
  column: typeof transactions.eventNumbers | typeof withdraws.eventNumbers,
  companySequence: number | Placeholder,
): SQL {
  return sql`(SELECT json_group_array(value) FROM (
    SELECT value FROM json_each(${column}) UNION SELECT CAST(${companySequence} AS INTEGER)))`;
}

/**
 * A query of the numbers of an object's newest events, as `value`. A transaction and a withdraw know
 * theirs; those of a balance have an index; a test has one, which whoever asks must know.
 */
export function newestNumbers(companyId: number, objectId: SQL | string, limit: number): SQL {
  return sql`SELECT value FROM json_each(coalesce(
    (SELECT event_numbers FROM transactions WHERE id = ${objectId}),
    (SELECT event_numbers FROM withdraws WHERE company_id = ${companyId}
      AND id = CAST(substr(${objectId}, 10) AS INTEGER) AND ${objectId} LIKE 'withdraw:%'),
    (SELECT json_group_array(company_sequence) FROM (
      SELECT company_sequence FROM events INDEXED BY events_balance
      WHERE type = 'balance.released' AND company_id = ${companyId} AND object_id = ${objectId}
      ORDER BY company_sequence DESC LIMIT ${limit})))) ORDER BY value DESC LIMIT ${limit}`;
}
