import { queueHints } from "../../company/outbox/hints.ts";
import type { Company } from "../../domain/shared/company.ts";
import { deliveryId, parseDeliveryId } from "../../domain/events/delivery.ts";
import { isTestObject } from "../../domain/shared/object-id.ts";
import type { Env } from "../../config.ts";
import { requireOwnCompany } from "../../http/auth/auth.ts";
import { notFound } from "../../http/problems.ts";
import { newestOfObject, type ResendRequest } from "../../webhooks/delivery/repository.ts";
import { assert } from "../../lib/assert.ts";
import type { DeliverySummary } from "../../db/projection/event-rows.ts";
import {
  deliveriesBetween,
  findDelivery,
  firstEventSince,
  objectsOf,
  resendDeliveries,
} from "../events/repository.ts";
import { wholeEvents } from "./deliveries.ts";

/** Newer events that may come between looking for the newest and making it due. */
const OVERTAKEN_MAX = 20;
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
  for (let round = 0; round < OVERTAKEN_MAX; round++) {
    const newest = await newestOfObject(env, requested);
    const [sent] = await sendAgain(env, [newest?.delivery ?? requested], nowMs);
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
  const isCut = scanned.length === SCAN_MAX;
  const requested: DeliverySummary[] = [];
  let after: number | null = null;
  let hasMore = isCut;
  for (const itsDeliveries of wholeEvents(scanned, isCut)) {
    if (requested.length >= RESEND_MAX) {
      hasMore = true;
      break;
    }
    after = itsDeliveries[0]?.companySequence ?? after;
    requested.push(...itsDeliveries.filter(({ status }) => range.statuses.includes(status)));
  }
  const sent = await sendAgain(env, await withObjects(env, requested), nowMs);
  return { sent, after: hasMore ? after : null };
}

/** Deliveries with the objects of their events. Leaves tests out: a test was for its moment. */
async function withObjects(env: Env, requested: DeliverySummary[]): Promise<ResendRequest[]> {
  const [first] = requested;
  if (first === undefined) return [];
  const numbers = requested.map(({ companySequence }) => companySequence);
  const objects = await objectsOf(env, first.companyId, numbers);
  return requested.flatMap((delivery) => {
    const objectId = objects.get(delivery.companySequence);
    return objectId === undefined || isTestObject(objectId) ? [] : [{ ...delivery, objectId }];
  });
}

async function sendAgain(
  env: Env,
  requested: ResendRequest[],
  nowMs: number,
): Promise<DeliverySummary[]> {
  const due = await resendDeliveries(env, requested, nowMs);
  await queueHints(env).deliveries(due.map(deliveryId));
  return due;
}
