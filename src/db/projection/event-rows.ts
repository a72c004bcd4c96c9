import { and, eq, getTableColumns, sql, type SQL } from "drizzle-orm";
import type { DeliveryRef } from "../../domain/events/delivery.ts";
import { deliveries, events, type Attempt } from "../schema/webhooks.ts";

export type StoredDelivery = typeof deliveries.$inferSelect;

/** A delivery without its attempts one by one: a list reads none of their answers. */
export type DeliverySummary = Omit<StoredDelivery, "attemptsLog">;

/** A delivery with what its event says of itself. */
export interface DeliveryRow extends StoredDelivery {
  objectId: string;
  /** When the event happened, Unix milliseconds. */
  eventAt: number;
}

const { attemptsLog, ...summary } = getTableColumns(deliveries);
/** The columns of a `DeliverySummary`. */
export const DELIVERY_SUMMARY = summary;

/** The columns of a `DeliveryRow`; its query joins `events` by `isEventOfDelivery`. */
export const DELIVERY_ROW = {
  ...summary,
  attemptsLog,
  objectId: events.objectId,
  eventAt: events.createdAt,
};

/** What joins a delivery and its event. */
export const isEventOfDelivery = and(
  eq(events.companyId, deliveries.companyId),
  eq(events.companySequence, deliveries.companySequence),
);

export function isEvent(ref: Omit<DeliveryRef, "target">): SQL | undefined {
  return and(eq(events.companyId, ref.companyId), eq(events.companySequence, ref.companySequence));
}

export function isDelivery(ref: DeliveryRef): SQL | undefined {
  return and(
    eq(deliveries.companyId, ref.companyId),
    eq(deliveries.companySequence, ref.companySequence),
    eq(deliveries.target, ref.target),
  );
}

/**
 * A subquery of the numbers of an object's newest events, `limit` at most, of those that meet a
 * condition where one is given. The index `events_object` answers it.
 */
export function newestEventsOf(
  { companyId, objectId }: Pick<DeliveryRow, "companyId" | "objectId">,
  limit: number,
  condition?: SQL,
): SQL {
  const isObjects = and(eq(events.companyId, companyId), eq(events.objectId, objectId), condition);
  return sql`(SELECT ${events.companySequence} FROM ${events} WHERE ${isObjects}
    ORDER BY ${events.companySequence} DESC LIMIT ${limit})`;
}

/** The attempts of a delivery that are kept, oldest first, each with its number from 1. */
export function numberedAttempts({
  attempts,
  attemptsLog: log,
}: Pick<StoredDelivery, "attempts" | "attemptsLog">): (Attempt & { number: number })[] {
  const before = attempts - log.length;
  return log.map((attempt, index) => Object.assign({ number: before + index + 1 }, attempt));
}
