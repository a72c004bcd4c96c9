import { sql, type SQL } from "drizzle-orm";
import type { Delivery, DeliveryRow, Try } from "../db/event-rows.ts";
import { DELIVERY_STATUSES, events, type StoredTry } from "../db/schema/webhooks.ts";
import type { DeliveryTarget } from "../domain/delivery.ts";

/** Tries of one delivery that are kept, and those of them whose answers are: a row has its limit. */
const TRIES_MAX = 1_000;
const ANSWERS_MAX = 20;

/** The tries of a delivery after one more. */
export function withTry(tries: Try[], next: Try): Try[] {
  const kept = [...tries, next].slice(-TRIES_MAX);
  const bare = kept.length - ANSWERS_MAX;
  return kept.map(([at, durationMs, httpStatus, fault, answer], index) => {
    return [at, durationMs, httpStatus, fault, index < bare ? "" : answer];
  });
}

/** A delivery (`StoredDelivery`) with some of it changed, in SQL. As JSON texts: D1 binds a number as a fraction. */
export function changed(
  { target, createdAt }: Pick<DeliveryRow, "target" | "createdAt">,
  { status, updatedAt, attempts, tries, dueAt }: Partial<Omit<Delivery, "url">>,
): SQL {
  const since = updatedAt === undefined ? undefined : updatedAt - createdAt;
  const places = [
    [1, status === undefined ? undefined : DELIVERY_STATUSES.indexOf(status)],
    [2, since],
    [3, attempts],
    [4, tries?.map((each) => storedTry(each, createdAt))],
    [5, dueAt ?? undefined],
  ] as const;
  let delivery = sql`${events[target]}`;
  for (const [place, value] of places) {
    if (value === undefined) continue;
    delivery = sql`json_set(${delivery}, ${sql.raw(`'$[${place}]'`)}, json(${JSON.stringify(value)}))`;
  }
  return dueAt === null ? sql`json_remove(${delivery}, '$[5]')` : delivery;
}

/** A try as it stands in the row of an event that happened at `createdAt`. */
function storedTry([at, durationMs, httpStatus, ...said]: Try, createdAt: number): StoredTry {
  const [fault, answer] = said;
  const rest = answer !== "" ? said : fault !== null ? [fault] : [];
  return [at - createdAt, durationMs, httpStatus, ...rest] as StoredTry;
}

/** When a delivery is due, in SQL; NULL where it is final or is none. */
export function dueAtOf(target: DeliveryTarget): SQL {
  return sql`${events[target]} ->> 5`;
}

/** Whether a delivery has had so many attempts, in SQL. */
export function hasAttempts(target: DeliveryTarget, attempts: number): SQL {
  return sql`${events[target]} ->> 3 = ${attempts}`;
}

/** Whether a try is a delivery's last, in SQL. */
export function isLastTry({ target, createdAt }: DeliveryRow, last: Try | undefined): SQL {
  const stored = last === undefined ? null : storedTry(last, createdAt);
  return sql`${events[target]} -> '$[4][#-1]' = ${JSON.stringify(stored)}`;
}
