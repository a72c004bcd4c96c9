import { and, eq, getTableColumns, sql, type SQL } from "drizzle-orm";
import type { DeliveryRef } from "../../domain/events/delivery.ts";
import { deliveries, events, type Attempt } from "../schema/webhooks.ts";

export type StoredDelivery = typeof deliveries.$inferSelect;

/** A delivery without its log of attempts, which a list does not show. */
export type DeliverySummary = Omit<StoredDelivery, "attemptsLog">;

/** A delivery with its event's object and time. */
export interface DeliveryRow extends StoredDelivery {
  objectId: string;
  /** When the event happened, Unix milliseconds. */
  eventAt: number;
  /** The trace id of what caused it; null if none is known. */
  eventTraceId: string | null;
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
  eventTraceId: events.traceId,
};

/** The join condition of a delivery and its event. */
export const isEventOfDelivery = and(
  eq(events.companyId, deliveries.companyId),
  eq(events.companySequence, deliveries.companySequence),
);

/** The columns that an event's body is found by (`bodiesOf`). */
export const EVENT_BODY = {
  companySequence: events.companySequence,
  body: events.body,
  archiveFile: events.archiveFile,
};

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
 * A subquery of the `company_sequence` of an object's newest events, at most `limit`, filtered by the
 * condition. It uses the index `events_object`.
 */
export function newestEventsOf(
  { companyId, objectId }: Pick<DeliveryRow, "companyId" | "objectId">,
  limit: number,
  condition?: SQL,
): SQL {
  const isOfObject = and(eq(events.companyId, companyId), eq(events.objectId, objectId), condition);
  return sql`(SELECT ${events.companySequence} FROM ${events} WHERE ${isOfObject}
    ORDER BY ${events.companySequence} DESC LIMIT ${limit})`;
}

/** The stored attempts of a delivery, oldest first, each with its number from 1. */
export function numberedAttempts({
  attempts,
  attemptsLog: log,
}: Pick<StoredDelivery, "attempts" | "attemptsLog">): (Attempt & { number: number })[] {
  const before = attempts - log.length;
  return log.map((attempt, index) => Object.assign({ number: before + index + 1 }, attempt));
}
