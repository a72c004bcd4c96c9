import {
  removeCallback,
  storeCallbacks,
  type NewCallback,
} from "../../db/reconciliation/callbacks.ts";
import { STORED_CALLBACKS } from "../../domain/storage/stored-callbacks.ts";
import type { CallbackReport } from "../../domain/reconciliation/callback.ts";
import { maskPspPayer } from "../../domain/access/masks.ts";
import { transactionOfCharge } from "../../domain/charges/transaction.ts";
import type { Company } from "../../domain/shared/company.ts";
import type { Env } from "../../config.ts";
import { depsOfCompany, type Dependencies } from "../../http/context.ts";
import { Problem } from "../../domain/shared/problem.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { errorFields, log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/timeout.ts";
import type { CallbackNotification } from "../../providers/notification.ts";
import {
  debitSubject,
  mandateSubject,
  noticeSubject,
  operationSubject,
  paymentSubject,
  payoutSubject,
  recordSubject,
} from "./subjects.ts";
import { refresh, type RefreshOutcome } from "./service.ts";

/** Delay before the cron queries the PSP about a stored callback. */
const REFRESH_AFTER_MS = 60_000;
/** Queries before the response end after this: PSPs wait ten seconds or more for it. */
const RESPONSE_DEADLINE_MS = 5_000;
/** Queries after the response end after this: the platform ends them at 30 s. */
const DEFERRED_TIME_MS = 10_000;
/** Notifications per callback; PSPs batch a few. Reconciliation finds the payments of any others. */
const NOTIFICATIONS_MAX = 100;
/** Calls to the PSP that one callback causes at most, before and after the response. */
export const PSP_CALLS_MAX = 50;
/** Calls of a query: two forms of a charge, its payment, who paid it, and a new access token after a 401. */
const QUERY_CALLS_MAX = 6;
/** Notifications of a callback that are queried at once; the cron queries the PSP about the others. */
const QUERIES_MAX = Math.floor(PSP_CALLS_MAX / QUERY_CALLS_MAX);
/** A PSP whose callback found no room may send it again after this: the cron makes room every minute. */
const FULL_RETRY_SECONDS = 300;
/** The lists of the central bank's callbacks. */
const LISTS = new Set(["pix", "recs", "cobsr", "cobrs"]);
/** Characters stored of a notification: a PIX with all of its refunds takes a tenth. */
const STORED_LENGTH = 4_096;

/** The company whose PSP called back, and the account at the PSP. */
export interface CallbackSender {
  company: Company;
  account: string;
}

/**
 * Queries the PSP about each notification of a callback and stores those that its response does not confirm.
 * Returns the stored notifications that there was no time to query. Throws if they cannot be stored: the PSP
 * gets no success and sends the callback again.
 */
export async function handleNotifications(
  env: Env,
  deps: Dependencies,
  caller: CallbackSender,
  body: unknown,
): Promise<NewCallback[]> {
  const startedAt = deps.platformClock.now();
  const callbacks = await toNewCallbacks({ env, deps }, caller, body, startedAt);
  const unconfirmed: NewCallback[] = [];
  for (const [index, callback] of callbacks.entries()) {
    const leftMs = startedAt + RESPONSE_DEADLINE_MS - deps.platformClock.now();
    if (leftMs <= 0 || index === QUERIES_MAX) {
      const deferred = callbacks.slice(index);
      await storeOrReject(env, caller, [...unconfirmed, ...deferred]);
      return deferred.slice(0, QUERIES_MAX - index);
    }
    const refreshing = tryRefresh(env, deps, caller, callback);
    const outcome = await withTimeout(refreshing, leftMs).catch(() => "unknown");
    if (outcome === "booked") continue;
    unconfirmed.push(callback);
    // A PSP that failed to answer once is not queried again while it waits for our response.
    if (outcome === "unknown") {
      unconfirmed.push(...callbacks.slice(index + 1));
      break;
    }
  }
  await storeOrReject(env, caller, unconfirmed);
  return [];
}

/**
 * Stores the notifications of a callback, about which the cron queries the PSP once the pause is over. What finds no
 * room is found by the passes over the PSP's lists.
 */
export async function keepNotifications(
  env: Env,
  deps: Pick<Dependencies, "platformClock" | "providers">,
  caller: CallbackSender,
  body: unknown,
): Promise<void> {
  const callbacks = await toNewCallbacks({ env, deps }, caller, body, deps.platformClock.now());
  if (await storeOf(env, caller, callbacks)) return;
  logFull(caller);
}

/** Stores the callbacks of a request; false where the account has no room for all. */
function storeOf(env: Env, { company, account }: CallbackSender, callbacks: NewCallback[]) {
  return storeCallbacks(env, { companyId: company.id, account }, callbacks);
}

function logFull({ company, account }: CallbackSender): void {
  const full = { companyId: company.id, account, keptMax: STORED_CALLBACKS.account };
  log("error", "callback_limit_reached", full);
}

/** Throws 503 if the account or its company has too many stored callbacks. */
async function storeOrReject(
  env: Env,
  caller: CallbackSender,
  unconfirmed: NewCallback[],
): Promise<void> {
  if (await storeOf(env, caller, unconfirmed)) return;
  logFull(caller);
  throw new Problem({
    code: "STORAGE_UNAVAILABLE",
    detail:
      "Too many callbacks of this account or its company wait for confirmation by the PSP. Send this callback again later.",
    retryAfterSeconds: FULL_RETRY_SECONDS,
  });
}

/** Queries the PSP about stored callbacks in sequence; the cron does the rest. Never throws. */
export async function processDeferred(
  env: Env,
  deps: Dependencies,
  caller: CallbackSender,
  deferred: NewCallback[],
): Promise<void> {
  const startedAt = deps.platformClock.now();
  for (const callback of deferred) {
    if (deps.platformClock.now() - startedAt > DEFERRED_TIME_MS) return;
    if ((await tryRefresh(env, deps, caller, callback)) !== "booked") continue;
    await removeCallback(env, callback).catch((error: unknown) =>
      logFailure(caller.company, error),
    );
  }
}

/** `unknown` also if our storage failed, so that the callback is stored. */
async function tryRefresh(
  env: Env,
  deps: Dependencies,
  { company, account }: CallbackSender,
  callback: NewCallback,
): Promise<RefreshOutcome> {
  try {
    const { objectId, report = null } = callback;
    return await refresh(env, depsOfCompany(deps, company), company, objectId, { report, account });
  } catch (error) {
    logFailure(company, error);
    return "unknown";
  }
}

function logFailure(company: Company, error: unknown): void {
  log("warn", "callback_failed", { ...errorFields(error), companyId: company.id });
}

/**
 * The distinct notifications of a callback, as its account's adapter reads them. Their id is a digest, so that an
 * identical later one shares the row.
 */
async function toNewCallbacks(
  { env, deps }: { env: Env; deps: Pick<Dependencies, "providers"> },
  { company, account }: CallbackSender,
  body: unknown,
  nowMs: number,
): Promise<NewCallback[]> {
  const reader = await deps.providers(env).callbackReader(company, account);
  const callbacks = new Map<string, NewCallback>();
  for (const { part, kept } of partsOf(body)) {
    const text = JSON.stringify(kept, maskPspPayer);
    for (const notification of reader?.readCallback(part) ?? []) {
      const objectId = await subjectOf(company, notification, text);
      if (objectId === null) continue;
      const id = await sha256Hex(JSON.stringify([company.id, objectId, text]));
      callbacks.set(id, {
        id,
        companyId: company.id,
        objectId,
        body: storedText(notification, text),
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

/** A body with each item of its list by itself, so that one that comes again in another list is the same; else whole. */
function partsOf(body: unknown): { part: unknown; kept: unknown }[] {
  const members = typeof body === "object" && body !== null ? Object.entries(body) : [];
  const [name, items] = members.find(([each]) => LISTS.has(each)) ?? [];
  if (name === undefined) return [{ part: body, kept: body }];
  const list: unknown[] = Array.isArray(items) ? items.slice(0, NOTIFICATIONS_MAX) : [items];
  return list.map((item) => ({ part: { [name]: [item] }, kept: item }));
}

/** Null for a charge of others. */
async function subjectOf(
  company: Company,
  notification: CallbackNotification,
  text: string,
): Promise<string | null> {
  switch (notification.kind) {
    case "charge": {
      const { chargeId, report } = notification;
      return ownCharge(company, chargeId) ?? paymentSubject(report.paymentId);
    }
    case "subject":
      return ownCharge(company, notification.chargeId);
    case "payment":
      return paymentSubject(notification.report.paymentId);
    case "refund":
      return operationSubject(notification.refundId);
    case "payout":
      return payoutSubject(notification.payoutId);
    case "mandate":
      return mandateSubject(notification.mandateId);
    case "debit": {
      const transactionId = ownCharge(company, notification.chargeId);
      return transactionId === null ? null : debitSubject(transactionId);
    }
    case "notice":
      return noticeSubject(notification.token);
    case "unreadable":
      return recordSubject(await sha256Hex(text));
  }
}

function ownCharge(company: Company, chargeId: string): string | null {
  const transaction = transactionOfCharge(chargeId);
  return transaction?.companyId === company.id ? transaction.id : null;
}

/** What only names a thing may come with data of the payer, which nobody needs. */
function storedText(notification: CallbackNotification, text: string): string {
  return "report" in notification || notification.kind === "refund"
    ? text.slice(0, STORED_LENGTH)
    : JSON.stringify(notification);
}

/** Null where it only wakes its object: a refund of ours, whose payment reports it, or a charge. */
function reportedBy(notification: CallbackNotification): CallbackReport | null {
  return "report" in notification ? notification.report : null;
}
