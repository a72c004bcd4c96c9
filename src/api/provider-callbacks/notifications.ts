import {
  CALLBACKS_MAX,
  removeCallback,
  storeCallbacks,
  type NewCallback,
} from "../../db/reconciliation/callbacks.ts";
import type { CallbackReport } from "../../domain/reconciliation/callback.ts";
import type { Company } from "../../domain/shared/company.ts";
import type { Env } from "../../config.ts";
import type { Dependencies } from "../../http/context.ts";
import { Problem } from "../../domain/shared/problem.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { errorFields, log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/timeout.ts";
import { parseCallback, type CallbackNotification } from "../../providers/pix-api/callback.ts";
import {
  operationSubject,
  paymentSubject,
  payoutSubject,
  recordSubject,
  transactionOfCharge,
} from "./subjects.ts";
import { refresh, type RefreshOutcome } from "./service.ts";

/** When the cron reads back what could not be read back at once. */
const REFRESH_AFTER_MS = 60_000;
/** How long a PSP waits for its answer while what it names is read back: PSPs give it ten and more. */
const RESPONSE_DEADLINE_MS = 5_000;
/** How long a request goes on reading back after its answer: the platform ends it at 30 s. */
const DEFERRED_TIME_MS = 10_000;
/** Notices of one callback; PSPs batch a few. Payments beyond them are found by the reconciliation. */
const NOTIFICATIONS_MAX = 100;
/** What is kept of a notice as it came: a PIX with all of its refunds takes a tenth. */
const STORED_LENGTH = 4_096;

/** Who called back: the company, and which of its PSP accounts. */
export interface CallbackSender {
  company: Company;
  account: string;
}

/**
 * Reads back from the PSP each thing that it says has happened, before it is answered: what the PSP's own
 * answer says too needs no row. The rest is kept as it came until it is seen there; where that fails, or
 * too much is kept already, the PSP gets no success, and tells it again. Answers what is kept and was not
 * come to.
 */
export async function handleNotifications(
  env: Env,
  deps: Dependencies,
  caller: CallbackSender,
  body: unknown,
): Promise<NewCallback[]> {
  const startedAt = deps.clock.now();
  const callbacks = await toNewCallbacks(caller, body, startedAt);
  const unconfirmed: NewCallback[] = [];
  for (const [index, callback] of callbacks.entries()) {
    const leftMs = startedAt + RESPONSE_DEADLINE_MS - deps.clock.now();
    if (leftMs <= 0) {
      const deferred = callbacks.slice(index);
      await storeOrReject(env, caller, [...unconfirmed, ...deferred]);
      return deferred;
    }
    const refreshing = tryRefresh(env, deps, caller, callback);
    const outcome = await withTimeout(refreshing, leftMs).catch(() => "unknown");
    if (outcome === "booked") continue;
    unconfirmed.push(callback);
    // A PSP that does not answer for one is not asked for the others while it waits for its own answer.
    if (outcome === "unknown") {
      unconfirmed.push(...callbacks.slice(index + 1));
      break;
    }
  }
  await storeOrReject(env, caller, unconfirmed);
  return [];
}

/** Throws 503 where there is no room: whatever is kept is older. */
async function storeOrReject(
  env: Env,
  { company }: CallbackSender,
  unconfirmed: NewCallback[],
): Promise<void> {
  if (await storeCallbacks(env, company.id, unconfirmed)) return;
  log("error", "callback_limit_reached", { companyId: company.id, keptMax: CALLBACKS_MAX });
  throw new Problem({
    code: "STORAGE_UNAVAILABLE",
    detail:
      "Too many callbacks of this company wait for confirmation by the PSP. Send this callback again later.",
  });
}

/** Reads back what was kept, one after the other; what is left is due to the cron. Never throws. */
export async function processDeferred(
  env: Env,
  deps: Dependencies,
  caller: CallbackSender,
  deferred: NewCallback[],
): Promise<void> {
  const startedAt = deps.clock.now();
  for (const callback of deferred) {
    if (deps.clock.now() - startedAt > DEFERRED_TIME_MS) return;
    if ((await tryRefresh(env, deps, caller, callback)) !== "booked") continue;
    await removeCallback(env, callback).catch((error: unknown) =>
      logFailure(caller.company, error),
    );
  }
}

/** `unknown` as well where our own storage failed: it is all kept then. */
async function tryRefresh(
  env: Env,
  deps: Dependencies,
  { company, account }: CallbackSender,
  callback: NewCallback,
): Promise<RefreshOutcome> {
  try {
    const { objectId, report = null } = callback;
    return await refresh(env, deps, company, objectId, { report, account });
  } catch (error) {
    logFailure(company, error);
    return "unknown";
  }
}

function logFailure(company: Company, error: unknown): void {
  log("warn", "callback_failed", { ...errorFields(error), companyId: company.id });
}

/** What a callback names, each once: one that was told before, in the same words, is one row. */
async function toNewCallbacks(
  { company, account }: CallbackSender,
  body: unknown,
  nowMs: number,
): Promise<NewCallback[]> {
  const callbacks = new Map<string, NewCallback>();
  for (const item of notificationItems(body)) {
    const text = JSON.stringify(item);
    for (const notification of parseCallback({ pix: [item] })) {
      const objectId = await subjectOf(company, notification, text);
      const id = await sha256Hex(JSON.stringify([company.id, objectId, text]));
      callbacks.set(id, {
        id,
        companyId: company.id,
        objectId,
        body: text.slice(0, STORED_LENGTH),
        dueAt: nowMs + REFRESH_AFTER_MS,
        attempts: 0,
        report: reportedBy(notification),
        receivedAt: nowMs,
        account,
      });
    }
  }
  return [...callbacks.values()].slice(0, NOTIFICATIONS_MAX);
}

/** One that is no list is a notice all the same: it is read, or shown to operators. */
function notificationItems(body: unknown): unknown[] {
  const pix = typeof body === "object" && body !== null && "pix" in body ? body.pix : [];
  return Array.isArray(pix) ? pix.slice(0, NOTIFICATIONS_MAX) : [pix];
}

async function subjectOf(
  company: Company,
  notification: CallbackNotification,
  text: string,
): Promise<string> {
  switch (notification.kind) {
    case "charge": {
      const transaction = transactionOfCharge(notification.chargeId);
      const isOwn = transaction?.companyId === company.id;
      return isOwn ? transaction.id : paymentSubject(notification.told.paymentId);
    }
    case "payment":
      return paymentSubject(notification.told.paymentId);
    case "refund":
      return operationSubject(notification.refundId);
    case "payout":
      return payoutSubject(notification.payoutId);
    case "unreadable":
      return recordSubject(await sha256Hex(text));
  }
}

/** A refund that we asked for is told with its payment: its own hint only wakes its operation. */
function reportedBy(notification: CallbackNotification): CallbackReport | null {
  return notification.kind === "refund" ? null : notification.told;
}
