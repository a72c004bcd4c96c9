import {
  KEPT_MAX,
  removeCallback,
  storeCallbacks,
  type NewCallback,
} from "../../db/reconciliation/callbacks.ts";
import type { Told } from "../../domain/reconciliation/callback.ts";
import type { Company } from "../../domain/shared/company.ts";
import type { Env } from "../../config.ts";
import type { Dependencies } from "../../http/context.ts";
import { Problem } from "../../domain/shared/problem.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { errorFields, log } from "../../lib/log.ts";
import { withTimeLimit } from "../../lib/time-limit.ts";
import { callbackHints, type CallbackHint } from "../../providers/pix-api/callback.ts";
import {
  operationObject,
  paymentObject,
  payoutObject,
  recordObject,
  transactionOfCharge,
} from "./objects.ts";
import { readBack, type ReadBack } from "./service.ts";

/** When the cron reads back what could not be read back at once. */
const READ_BACK_MS = 60_000;
/** How long a PSP waits for its answer while what it names is read back: PSPs give it ten and more. */
const ANSWER_WITHIN_MS = 5_000;
/** How long a request goes on reading back after its answer: the platform ends it at 30 s. */
const FOLLOW_TIME_MS = 10_000;
/** Notices of one callback; PSPs batch a few. Payments beyond them are found by the reconciliation. */
const NOTICES_MAX = 100;
/** What is kept of a notice as it came: a PIX with all of its refunds takes a tenth. */
const KEPT_LENGTH = 4_096;

/** Who called back: the company, and which of its PSP accounts. */
export interface CallingBack {
  company: Company;
  account: string;
}

/**
 * Reads back from the PSP each thing that it says has happened, before it is answered: what the PSP's own
 * answer says too needs no row. The rest is kept as it came until it is seen there; where that fails, or
 * too much is kept already, the PSP gets no success, and tells it again. Answers what is kept and was not
 * come to.
 */
export async function takeNotices(
  env: Env,
  deps: Dependencies,
  caller: CallingBack,
  body: unknown,
): Promise<NewCallback[]> {
  const startedAt = deps.clock.now();
  const told = await callbacksOf(caller, body, startedAt);
  const open: NewCallback[] = [];
  for (const [index, callback] of told.entries()) {
    const leftMs = startedAt + ANSWER_WITHIN_MS - deps.clock.now();
    if (leftMs <= 0) {
      const untried = told.slice(index);
      await keep(env, caller, [...open, ...untried]);
      return untried;
    }
    const reading = readNow(env, deps, caller, callback);
    const outcome = await withTimeLimit(reading, leftMs).catch(() => "unknown");
    if (outcome === "booked") continue;
    open.push(callback);
    // A PSP that does not answer for one is not asked for the others while it waits for its own answer.
    if (outcome === "unknown") {
      open.push(...told.slice(index + 1));
      break;
    }
  }
  await keep(env, caller, open);
  return [];
}

/** Throws 503 where there is no room: whatever is kept is older. */
async function keep(env: Env, { company }: CallingBack, open: NewCallback[]): Promise<void> {
  if (await storeCallbacks(env, company.id, open)) return;
  log("error", "callbacks_full", { companyId: company.id, keptMax: KEPT_MAX });
  throw new Problem({
    code: "STORAGE_UNAVAILABLE",
    detail: "Too many callbacks wait to be seen at the PSP. Call back again later.",
  });
}

/** Reads back what was kept, one after the other; what is left is due to the cron. Never throws. */
export async function followNotices(
  env: Env,
  deps: Dependencies,
  caller: CallingBack,
  kept: NewCallback[],
): Promise<void> {
  const startedAt = deps.clock.now();
  for (const callback of kept) {
    if (deps.clock.now() - startedAt > FOLLOW_TIME_MS) return;
    if ((await readNow(env, deps, caller, callback)) !== "booked") continue;
    await removeCallback(env, callback).catch((error: unknown) => failed(caller.company, error));
  }
}

/** `unknown` as well where our own storage failed: it is all kept then. */
async function readNow(
  env: Env,
  deps: Dependencies,
  { company, account }: CallingBack,
  callback: NewCallback,
): Promise<ReadBack> {
  try {
    const { objectId, told = null } = callback;
    return await readBack(env, deps, company, objectId, { told, account });
  } catch (error) {
    failed(company, error);
    return "unknown";
  }
}

function failed(company: Company, error: unknown): void {
  log("warn", "callback_failed", { ...errorFields(error), companyId: company.id });
}

/** What a callback names, each once: one that was told before, in the same words, is one row. */
async function callbacksOf(
  { company, account }: CallingBack,
  body: unknown,
  nowMs: number,
): Promise<NewCallback[]> {
  const callbacks = new Map<string, NewCallback>();
  for (const notice of noticesOf(body)) {
    const text = JSON.stringify(notice);
    for (const hint of callbackHints({ pix: [notice] })) {
      const objectId = await objectOf(company, hint, text);
      const id = await sha256Hex(JSON.stringify([company.id, objectId, text]));
      callbacks.set(id, {
        id,
        companyId: company.id,
        objectId,
        body: text.slice(0, KEPT_LENGTH),
        dueAt: nowMs + READ_BACK_MS,
        attempts: 0,
        told: toldBy(hint),
        toldAt: nowMs,
        account,
      });
    }
  }
  return [...callbacks.values()].slice(0, NOTICES_MAX);
}

/** One that is no list is a notice all the same: it is read, or shown to operators. */
function noticesOf(body: unknown): unknown[] {
  const pix = typeof body === "object" && body !== null && "pix" in body ? body.pix : [];
  return Array.isArray(pix) ? pix.slice(0, NOTICES_MAX) : [pix];
}

async function objectOf(company: Company, hint: CallbackHint, text: string): Promise<string> {
  switch (hint.kind) {
    case "charge": {
      const transaction = transactionOfCharge(hint.chargeId);
      const isOwn = transaction?.companyId === company.id;
      return isOwn ? transaction.id : paymentObject(hint.told.paymentId);
    }
    case "payment":
      return paymentObject(hint.told.paymentId);
    case "refund":
      return operationObject(hint.refundId);
    case "payout":
      return payoutObject(hint.payoutId);
    case "unreadable":
      return recordObject(await sha256Hex(text));
  }
}

/** A refund that we asked for is told with its payment: its own hint only wakes its operation. */
function toldBy(hint: CallbackHint): Told | null {
  return hint.kind === "refund" ? null : hint.told;
}
