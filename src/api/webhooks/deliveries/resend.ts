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

/** Newer events that may come between looking for the newest and making it due. */
const ATTEMPTS_MAX = 20;
/** Deliveries one call reads, and those it sends again: the rest is for the next call. */
const SCAN_MAX = 500;
const RESEND_MAX = 50;

/**
 * Sends a delivery again, under the same `webhook-id`. Where its object has had a newer event since,
 * that one is sent: an old state never goes after a newer one. Throws 404 and 403.
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
  /** When the events happened, both ends included. Unix milliseconds. */
  from: number;
  to: number;
  /** Deliveries that ended so. */
  statuses: DeliverySummary["status"][];
  /** The `after` of an earlier call: events up to there are done. */
  after: number;
}

/**
 * Sends again what was not delivered of the events of a time, a bounded number a call. An event that
 * its object has had a newer one since is passed over: an old state never goes after it.
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

/** Deliveries with the objects of their events. Leaves tests out: a test was for its moment. */
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
