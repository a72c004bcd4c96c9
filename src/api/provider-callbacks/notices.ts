import { removeCallback, storeCallbacks, type NewCallback } from "../../db/callbacks.ts";
import type { Company } from "../../domain/company.ts";
import type { Env } from "../../env.ts";
import type { Dependencies } from "../../http/context.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { errorFields, log } from "../../lib/log.ts";
import { withTimeLimit } from "../../lib/time-limit.ts";
import { callbackHints, type CallbackHint } from "../../providers/pix-api/callback.ts";
import type { ReadBack } from "../withdraws/payout.ts";
import { operationObject, paymentObject, payoutObject, transactionOfCharge } from "./objects.ts";
import { readBack } from "./service.ts";

/** When the cron reads back what could not be read back at once. */
const READ_BACK_MS = 60_000;
/** How long a PSP waits for its answer while what it names is read back: PSPs give it ten and more. */
const ANSWER_WITHIN_MS = 5_000;
/** How long a request goes on reading back after its answer: the platform ends it at 30 s. */
const FOLLOW_TIME_MS = 10_000;
/** Notices of one callback; PSPs batch a few. Payments beyond them are found by the reconciliation. */
const NOTICES_MAX = 100;
/** What is kept of a notice as it came: a PIX with all of its refunds takes a tenth. */
const KEPT_MAX = 4_096;

/**
 * Reads back from the PSP each thing that it says has happened, before it is answered: what is booked
 * then needs no row. The rest is kept as it came until it was read back; where that fails too the PSP
 * gets no success, and tells it again. Answers what is kept and was not come to.
 */
export async function takeNotices(
  env: Env,
  deps: Dependencies,
  company: Company,
  body: unknown,
): Promise<NewCallback[]> {
  const startedAt = deps.clock.now();
  const told = await callbacksOf(company, body, startedAt);
  const open: NewCallback[] = [];
  for (const [index, callback] of told.entries()) {
    const leftMs = startedAt + ANSWER_WITHIN_MS - deps.clock.now();
    if (leftMs <= 0) {
      const untried = told.slice(index);
      await storeCallbacks(env, [...open, ...untried]);
      return untried;
    }
    const reading = readNow(env, deps, company, callback);
    const outcome = await withTimeLimit(reading, leftMs).catch(() => "unknown");
    if (outcome === "booked") continue;
    open.push(callback);
    // A PSP that does not answer for one is not asked for the others while it waits for its own answer.
    if (outcome === "unknown") {
      open.push(...told.slice(index + 1));
      break;
    }
  }
  await storeCallbacks(env, open);
  return [];
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
    if ((await readNow(env, deps, company, callback)) !== "booked") continue;
    await removeCallback(env, callback).catch((error: unknown) => failed(company, error));
  }
}

/** `unknown` as well where our own storage failed: it is all kept then. */
async function readNow(
  env: Env,
  deps: Dependencies,
  company: Company,
  callback: NewCallback,
): Promise<ReadBack> {
  try {
    return await readBack(env, deps, company, callback.objectId);
  } catch (error) {
    failed(company, error);
    return "unknown";
  }
}

function failed(company: Company, error: unknown): void {
  log("warn", "callback_failed", { ...errorFields(error), companyId: company.id });
}

/** What a callback names, each once: one that was told before, in the same words, is one row. */
async function callbacksOf(company: Company, body: unknown, nowMs: number): Promise<NewCallback[]> {
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
  return [...told.values()].slice(0, NOTICES_MAX);
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
