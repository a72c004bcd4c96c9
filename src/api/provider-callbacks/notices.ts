import { removeCallback, storeCallbacks, type NewCallback } from "../../db/callbacks.ts";
import type { Company } from "../../domain/company.ts";
import type { Env } from "../../env.ts";
import type { Dependencies } from "../../http/context.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { errorFields, log } from "../../lib/log.ts";
import { callbackHints, type CallbackHint } from "../../providers/pix-api/callback.ts";
import { operationObject, paymentObject, payoutObject, transactionOfCharge } from "./objects.ts";
import { readBack } from "./service.ts";

/** When the cron reads back what the request that took it did not live to. */
const READ_BACK_MS = 60_000;
/** How long a request goes on reading back after its answer: the platform ends it at 30 s. */
const FOLLOW_TIME_MS = 10_000;
/** Notices of one callback; PSPs batch a few. Payments beyond them are found by the reconciliation. */
const NOTICES_MAX = 100;
/** What is kept of a notice as it came: a PIX with all of its refunds takes a tenth. */
const KEPT_MAX = 4_096;

/**
 * Keeps each thing that a PSP says something has happened to, until it was read back. One that was
 * told before, in the same words, is one row. Answers what is kept.
 */
export async function keepNotices(
  env: Env,
  company: Company,
  body: unknown,
  nowMs: number,
): Promise<NewCallback[]> {
  const told = new Map<string, NewCallback>();
  for (const notice of noticesOf(body)) {
    const text = JSON.stringify(notice);
    for (const hint of callbackHints({ pix: [notice] })) {
      const objectId = objectOf(company, hint);
      const id = await sha256Hex(JSON.stringify([company.id, objectId, text]));
      told.set(id, {
        id,
        companyId: company.id,
        objectId,
        body: text.slice(0, KEPT_MAX),
        dueAt: nowMs + READ_BACK_MS,
        attempts: 0,
      });
    }
  }
  const kept = [...told.values()].slice(0, NOTICES_MAX);
  await storeCallbacks(env, kept);
  return kept;
}

/** Reads back what was kept, one after the other; what is left is due to the cron. Never throws. */
export async function followNotices(
  env: Env,
  deps: Dependencies,
  company: Company,
  kept: NewCallback[],
): Promise<void> {
  const startedAt = deps.clock.now();
  for (const callback of kept) {
    if (deps.clock.now() - startedAt > FOLLOW_TIME_MS) return;
    try {
      const outcome = await readBack(env, deps, company, callback.objectId);
      if (outcome === "booked") await removeCallback(env, callback);
    } catch (error) {
      log("warn", "callback_failed", { ...errorFields(error), companyId: company.id });
    }
  }
}

function noticesOf(body: unknown): unknown[] {
  const pix = typeof body === "object" && body !== null && "pix" in body ? body.pix : [];
  return Array.isArray(pix) ? pix.slice(0, NOTICES_MAX) : [];
}

function objectOf(company: Company, hint: CallbackHint): string {
  switch (hint.kind) {
    case "charge": {
      const transaction = transactionOfCharge(hint.chargeId);
      const isOwn = transaction?.companyId === company.id;
      return isOwn ? transaction.id : paymentObject(hint.paymentId);
    }
    case "payment":
      return paymentObject(hint.paymentId);
    case "refund":
      return operationObject(hint.refundId);
    case "payout":
      return payoutObject(hint.payoutId);
  }
}
