import { queueNotifier } from "../../../company/outbox/queue-notifier.ts";
import type { Company } from "../../../domain/shared/company.ts";
import { deliveryId, parseDeliveryId } from "../../../domain/events/delivery.ts";
import { isTestSubject } from "../../../domain/shared/event-subject.ts";
import type { Env } from "../../../config.ts";
import { requireOwnCompany } from "../../../http/auth/auth.ts";
import { notFound } from "../../../http/problems.ts";
import { newestOfObject, type ResendRequest } from "../../../webhooks/delivery/repository.ts";
import { assert } from "../../../lib/assert.ts";
import type { DeliverySummary } from "../../../db/projection/event-rows.ts";
import {
  deliveriesBetween,
  findDelivery,
  firstEventSince,
  findObjectIds,
  resendDeliveries,
} from "../../events/repository.ts";
import { groupCompleteEvents } from "./service.ts";

/** Attempts to find the newest event and make it due before a newer one is written. */
const ATTEMPTS_MAX = 20;
/** Deliveries read and resent per call; the next call continues. */
const SCAN_MAX = 500;
export const RESEND_MAX = 50;

/**
 * Resends a delivery under the same `webhook-id`, or the delivery of the object's newest event: an old state
 * never follows a newer one. Throws 404, or 403 for another company's.
 */
export async function resend(
  env: Env,
  company: Company,
  id: string,
  nowMs: number,
): Promise<DeliverySummary> {
  const ref = parseDeliveryId(id);
  if (ref === null) throw notFound("delivery");
  requireOwnCompany(company, ref.companyId);
  const requested = await findDelivery(env, ref);
  if (requested === null) throw notFound("delivery");
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const newest = await newestOfObject(env, requested);
    const [sent] = await resendNow(env, [newest?.delivery ?? requested], nowMs);
    if (sent !== undefined) return sent;
  }
  assert(false, "an object has only so many events");
}

export interface ResendRange {
  /** Range of the events' times, both ends included. Unix milliseconds. */
  from: number;
  to: number;
  /** Statuses of the deliveries to resend. */
  statuses: DeliverySummary["status"][];
  /** The `after` of an earlier call, up to which events are done. */
  after: number;
}

/**
 * Resends the deliveries of a time range, a bounded number per call. It skips an event whose object has a
 * newer one: an old state never follows a newer one.
 */
export async function resendRange(
  env: Env,
  company: Company,
  range: ResendRange,
  nowMs: number,
): Promise<{ sent: DeliverySummary[]; after: number | null }> {
  const [since, end] = await Promise.all([
    firstEventSince(env, company.id, range.from),
    firstEventSince(env, company.id, range.to + 1),
  ]);
  const first = Math.max(since, range.after + 1);
  const scanned = await deliveriesBetween(env, company.id, first, end, SCAN_MAX);
  const isTruncated = scanned.length === SCAN_MAX;
  const requested: DeliverySummary[] = [];
  let after: number | null = null;
  let hasMore = isTruncated;
  for (const eventDeliveries of groupCompleteEvents(scanned, isTruncated)) {
    if (requested.length >= RESEND_MAX) {
      hasMore = true;
      break;
    }
    after = eventDeliveries[0]?.companySequence ?? after;
    requested.push(...eventDeliveries.filter(({ status }) => range.statuses.includes(status)));
  }
  const sent = await resendNow(env, await withObjects(env, requested), nowMs);
  return { sent, after: hasMore ? after : null };
}

/** Deliveries with the objects of their events, without test events: those are sent once. */
async function withObjects(env: Env, requested: DeliverySummary[]): Promise<ResendRequest[]> {
  const [first] = requested;
  if (first === undefined) return [];
  const numbers = requested.map(({ companySequence }) => companySequence);
  const objects = await findObjectIds(env, first.companyId, numbers);
  return requested.flatMap((delivery) => {
    const objectId = objects.get(delivery.companySequence);
    return objectId === undefined || isTestSubject(objectId) ? [] : [{ ...delivery, objectId }];
  });
}

async function resendNow(
  env: Env,
  requested: ResendRequest[],
  nowMs: number,
): Promise<DeliverySummary[]> {
  const due = await resendDeliveries(env, requested, nowMs);
  await queueNotifier(env).notifyDeliveries(due.map(deliveryId));
  return due;
}
