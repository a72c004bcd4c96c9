import { sql, type Placeholder, type SQL } from "drizzle-orm";
import {
  DELIVERY_STATUSES,
  DELIVERY_TARGETS,
  events,
  type StoredDelivery,
} from "./schema/webhooks.ts";
import { IS_BALANCE_RELEASED } from "./event-columns.ts";
import { transactions } from "./schema/transactions.ts";
import { withdraws } from "./schema/withdraws.ts";
import type { DeliveryTarget } from "../domain/delivery.ts";
import { assert } from "../lib/assert.ts";

/**
 * One try of a delivery: when it began, how long it took (milliseconds), the HTTP status or null, why
 * none came (`timeout`, `connection`, `private_address`, `signing`, or the target policy's sentence),
 * and the answer's first kibibyte.
 */
export type Try = [
  at: number,
  durationMs: number,
  httpStatus: number | null,
  fault: string | null,
  answer: string,
];

/** How far an event is on its way to one target. Times in Unix milliseconds. */
export interface Delivery {
  url: string;
  status: (typeof DELIVERY_STATUSES)[number];
  /** When the next attempt is due. Null once the status is final. */
  dueAt: number | null;
  updatedAt: number;
  /** Attempts so far; the last of them is the last of `tries`. */
  attempts: number;
  tries: Try[];
}

/** One event on its way to one target. */
export interface DeliveryRow extends Delivery {
  companyId: number;
  companySequence: number;
  objectId: string;
  /** When the event happened. */
  createdAt: number;
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
  createdAt: events.createdAt,
  postback: events.postback,
  endpoint: events.endpoint,
};

export type EventDeliveries = Pick<typeof events.$inferSelect, keyof typeof DELIVERIES>;

/** The deliveries that stand in an event's row, that to its transaction's own URL last. */
export function deliveriesIn(row: EventDeliveries): DeliveryRow[] {
  return DELIVERY_TARGETS.toReversed().flatMap((target) => deliveryIn(row, target) ?? []);
}

/** The delivery of an event to a target; null where it does not go there. */
export function deliveryIn(row: EventDeliveries, target: DeliveryTarget): DeliveryRow | null {
  const stored = row[target];
  if (stored === null) return null;
  const { companyId, companySequence, objectId, createdAt } = row;
  const [url, place, updated, attempts, tries, dueAt = null] = stored;
  const status = DELIVERY_STATUSES[place];
  assert(status !== undefined, `no status of a delivery is number ${place}`);
  return {
    companyId,
    companySequence,
    objectId,
    createdAt,
    target,
    url,
    status,
    dueAt,
    updatedAt: createdAt + updated,
    attempts,
    tries: tries.map(([at, durationMs, httpStatus, fault = null, answer = ""]) => {
      return [createdAt + at, durationMs, httpStatus, fault, answer];
    }),
  };
}

/** A delivery that is due at once, as it stands in the row of an event that happened at `createdAt`. */
export function newDelivery(url: string, nowMs: number, createdAt: number): StoredDelivery {
  return [url, DELIVERY_STATUSES.indexOf("pending"), nowMs - createdAt, 0, [], nowMs];
}

/** The tries of a delivery that are kept, oldest first. */
export function attemptsIn({ attempts, tries }: Delivery): AttemptRow[] {
  return tries.map(([createdAt, durationMs, httpStatus, fault, answer], index) => {
    const number = attempts - tries.length + index + 1;
    return { number, createdAt, durationMs, httpStatus, fault, answer };
  });
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
 * theirs; those of a balance have an index; a test has one, which whoever asks must know. The object's
 * id as text, or as SQL for what stands in `object_id`.
 */
export function newestNumbers(companyId: number, object: SQL | string, limit: number): SQL {
  const objectId = typeof object === "string" ? sql`${sql.param(object, events.objectId)}` : object;
  return sql`SELECT value FROM json_each(coalesce(
    (SELECT event_numbers FROM transactions WHERE id = ${objectId}),
    (SELECT event_numbers FROM withdraws WHERE typeof(${objectId}) = 'text'
      AND ${objectId} LIKE 'withdraw:%' AND company_id = ${companyId}
      AND id = CAST(substr(${objectId}, 10) AS INTEGER)),
    (SELECT json_group_array(company_sequence) FROM (
      SELECT company_sequence FROM events INDEXED BY events_balance
      WHERE ${IS_BALANCE_RELEASED} AND company_id = ${companyId} AND object_id = ${objectId}
      ORDER BY company_sequence DESC LIMIT ${limit})))) ORDER BY value DESC LIMIT ${limit}`;
}
