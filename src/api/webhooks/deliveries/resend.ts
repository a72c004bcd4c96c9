import { queueNotifier } from "../../../company/outbox/queue-notifier.ts";
import { deliveryId, parseDeliveryId } from "../../../domain/events/delivery.ts";
import { visibleEventTypes } from "../../../domain/events/event-scopes.ts";
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
  findSubjects,
  resendDeliveries,
} from "../../events/repository.ts";
import { requireEventScope, type EventReader } from "../../events/service.ts";
import { groupCompleteEvents } from "./service.ts";

/** Attempts to find the newest event and make it due before a newer one is written. */
const ATTEMPTS_MAX = 20;
/** Deliveries read and resent per call; the next call continues. */
const SCAN_MAX = 500;
export const RESEND_MAX = 50;

/**
 * Resends a delivery under the same `webhook-id`, or the delivery of the object's newest event: an old state
 * never follows a newer one. Throws 404, or 403 for another company's and without the scope of its object.
 */
export async function resend(
  env: Env,
  { company, scopes }: EventReader,
  id: string,
  nowMs: number,
): Promise<DeliverySummary> {
  const ref = parseDeliveryId(id);
  if (ref === null) throw notFound("delivery");
  requireOwnCompany(company, ref.companyId);
  const requested = await findDelivery(env, ref);
  if (requested === null) throw notFound("delivery");
  requireEventScope(scopes, requested.type);
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
 * newer one, because an old state never follows a newer one, and one whose object's scope is missing.
 */
export async function resendRange(
  env: Env,
  reader: EventReader,
  range: ResendRange,
  nowMs: number,
): Promise<{ sent: DeliverySummary[]; after: number | null }> {
  const { id: companyId } = reader.company;
  const [since, end] = await Promise.all([
    firstEventSince(env, companyId, range.from),
    firstEventSince(env, companyId, range.to + 1),
  ]);
  const first = Math.max(since, range.after + 1);
  const scanned = await deliveriesBetween(env, companyId, first, end, SCAN_MAX);
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
  const sent = await resendNow(env, await withObjects(env, reader, requested), nowMs);
  return { sent, after: hasMore ? after : null };
}

/**
 * Deliveries with the objects of their events, of those that the reader may see and without test events, which
 * are sent once.
 */
async function withObjects(
  env: Env,
  { company, scopes }: EventReader,
  requested: DeliverySummary[],
): Promise<ResendRequest[]> {
  if (requested.length === 0) return [];
  const numbers = requested.map(({ companySequence }) => companySequence);
  const subjects = await findSubjects(env, company.id, numbers);
  const visible = visibleEventTypes(scopes);
  return requested.flatMap((delivery) => {
    const subject = subjects.get(delivery.companySequence);
    if (subject === undefined || isTestSubject(subject.objectId)) return [];
    return visible.has(subject.type) ? [{ ...delivery, objectId: subject.objectId }] : [];
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
