import { queueHints } from "../../company/hints.ts";
import type { Company } from "../../domain/company.ts";
import { deliveryId, parseDeliveryId } from "../../domain/delivery.ts";
import { isTestObject } from "../../domain/object-id.ts";
import type { Env } from "../../env.ts";
import { requireOwnCompany } from "../../http/auth.ts";
import { notFound } from "../../http/problems.ts";
import { newestOfObject } from "../../webhooks/repository.ts";
import { assert } from "../../lib/assert.ts";
import { deliveriesIn, type DeliveryRow } from "../../db/event-rows.ts";
import {
  eventsBetween,
  findDelivery,
  firstEventSince,
  resendDeliveries,
} from "../events/repository.ts";

/** Newer events that may come between looking for the newest and making it due. */
const OVERTAKEN_MAX = 20;
/** Events one call reads, and deliveries it sends again: what is left is for the next call. */
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
): Promise<DeliveryRow> {
  const ref = parseDeliveryId(id);
  if (ref === null) throw notFound("delivery");
  requireOwnCompany(company, ref.companyId);
  const asked = await findDelivery(env, ref);
  if (asked === null) throw notFound("delivery");
  for (let round = 0; round < OVERTAKEN_MAX; round++) {
    const [sent] = await sendAgain(
      env,
      [(await newestOfObject(env, asked))?.delivery ?? asked],
      nowMs,
    );
    if (sent !== undefined) return sent;
  }
  assert(false, "an object has only so many events");
}

export interface ResendRange {
  /** When the events happened, both ends included. Unix milliseconds. */
  from: number;
  to: number;
  /** Deliveries that ended so. */
  statuses: DeliveryRow["status"][];
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
): Promise<{ sent: DeliveryRow[]; after: number | null }> {
  const [since, end] = await Promise.all([
    firstEventSince(env, company.id, range.from),
    firstEventSince(env, company.id, range.to + 1),
  ]);
  const first = Math.max(since, range.after + 1);
  const scanned = await eventsBetween(env, company.id, first, end, SCAN_MAX);
  const asked: DeliveryRow[] = [];
  for (const event of scanned) {
    if (asked.length >= RESEND_MAX) {
      const after = event.companySequence - 1;
      return { sent: await sendAgain(env, asked, nowMs), after };
    }
    // A test was for its moment.
    if (isTestObject(event.objectId)) continue;
    asked.push(...deliveriesIn(event).filter((row) => range.statuses.includes(row.status)));
  }
  const more = scanned.length < SCAN_MAX ? null : (scanned.at(-1)?.companySequence ?? null);
  return { sent: await sendAgain(env, asked, nowMs), after: more };
}

async function sendAgain(env: Env, asked: DeliveryRow[], nowMs: number): Promise<DeliveryRow[]> {
  const due = await resendDeliveries(env, asked, nowMs);
  await queueHints(env).deliveries(due.map(deliveryId));
  return due;
}
