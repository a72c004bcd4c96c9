import type { z } from "@hono/zod-openapi";
import { numberedAttempts, type DeliverySummary } from "../../db/projection/event-rows.ts";
import { deliveryId, eventId } from "../../domain/events/delivery.ts";
import { isoTime } from "../../domain/shared/clock.ts";
import type { EventRow, EventWithDeliveries } from "./repository.ts";
import type { Event } from "./schemas.ts";

/** An event with its deliveries and their attempts, as the API shows it. */
export function detailView({ event, deliveries }: EventWithDeliveries) {
  return {
    ...eventView(event),
    deliveries: deliveries.map((delivery) =>
      Object.assign(deliveryView(delivery), { tries: numberedAttempts(delivery).map(attemptView) }),
    ),
  };
}

/**
 * An event as its webhook sent it, with its sequence numbers; without its data if there is no content. The data are as
 * the code of their time wrote them.
 */
export function eventView(row: EventRow) {
  const view = {
    id: eventId(row.companyId, row.companySequence),
    companySequence: row.companySequence,
    type: row.type,
    timestamp: isoTime(row.createdAt),
    sequence: row.sequence,
    data: row.content === null ? null : dataOf(row.content),
    ...(row.archiveFile === null ? {} : { archived: true as const }),
  };
  return view as z.output<typeof Event>;
}

function dataOf(body: string): Record<string, unknown> {
  return (JSON.parse(body) as { data: Record<string, unknown> }).data;
}

/** A delivery as the API shows it. */
export function deliveryView(row: DeliverySummary) {
  return {
    id: deliveryId(row),
    eventId: eventId(row.companyId, row.companySequence),
    target: row.target,
    url: row.url,
    status: row.status,
    attempts: row.attempts,
    nextAttemptAt: row.nextAttemptAt === null ? null : isoTime(row.nextAttemptAt),
    updatedAt: isoTime(row.updatedAt),
  };
}

function attemptView(row: ReturnType<typeof numberedAttempts>[number]) {
  return {
    number: row.number,
    createdAt: isoTime(row.at),
    durationMs: row.durationMs,
    httpStatus: row.httpStatus,
    fault: row.fault,
    answer: row.answer,
  };
}
