import { callCompany } from "../../company-client/stub.ts";
import { archiveCharge } from "../charge-archive/archive-charge.ts";
import { listAccounts } from "../../db/companies/psp-accounts.ts";
import { restoredAt } from "../../db/provider-refs.ts";
import { chargeTerms, type TransactionRow } from "../../db/projection/transaction-mapper.ts";
import { plannedReminders } from "../../domain/reminders/reminder.ts";
import { planEmails } from "../../db/emails.ts";
import { isApprovalCharge } from "../../domain/charges/payment-charge.ts";
import { failureReason } from "../../domain/charges/failure-reason.ts";
import { linkChargeBytes } from "../../domain/storage/quotas.ts";
import type { Company } from "../../domain/shared/company.ts";
import { Problem } from "../../domain/shared/problem.ts";
import { providerChargeId } from "../../domain/charges/transaction.ts";
import type { Env } from "../../config.ts";
import { callProvider, type ChargeOutcome, type Provider } from "../../providers/provider.ts";
import type { ChargeOrder } from "../../providers/charge.ts";
import { methodOf, type Method, type MethodOrder } from "../../methods/registry.ts";
import { inBackground } from "../../lib/in-background.ts";
import type { BookingContext } from "../payments/provider-order.ts";
import { createAtAccounts, type ChargeContext } from "./attempts/create-at-accounts.ts";
import { endShadowsOf } from "./attempts/shadows.ts";
import { releaseLease, saveProviderResult, type ProviderResult } from "./repository.ts";
import { applyCharge, syncCharge, type SyncOutcome } from "./sync.ts";

const PROVIDER_RETRY_SECONDS = 5;
/** An undecided pull is first queried by the minute's sweep after this; its payer may wait at a till. */
const PULL_QUERY_AFTER_MS = 5_000;

/** The reservation of the charge lapsed before it was claimed, and others have all. */
const NO_PLACE = {
  kind: "refused",
  code: "LINK_UNAVAILABLE",
  message: "The payment link takes no more payments.",
} as const;

const ACCOUNT_GONE = {
  kind: "refused",
  code: "NOT_RECEIVED_BY_PROVIDER",
  message: "The account that was to take this charge was disconnected before it answered.",
} as const;
/** So long an account that is gone may come back before an undecided charge there counts as lost. */
const ACCOUNT_GONE_MS = 24 * 60 * 60_000;

/**
 * Registers a claimed charge at its provider, or at another account where that stays silent, and saves the answer. A
 * repetition registers under the same id, so it makes no second charge. Throws 503 where there was no answer.
 */
export async function registerCharge(
  context: ChargeContext,
  first: Provider,
  claimed: TransactionRow,
  method: Extract<Method, { initiation: "push" }>,
): Promise<TransactionRow> {
  if (!(await takeReservation(context, claimed))) return finishRefused(context, claimed, NO_PLACE);
  const { row, outcome } = await createAtAccounts(
    context,
    { provider: first, row: claimed },
    isApprovalCharge(claimed) ? "never" : method.leaves,
    (charge) => orderOf(context.company, charge, method.order(charge)),
  );
  if (outcome.kind === "refused") return finishRefused(context, row, outcome);
  const registered = outcome.kind === "registered" ? method.register(row, outcome) : null;
  if (registered === null) {
    await releaseLease(context.env, row);
    throw providerUnavailable();
  }
  const { expiresAt, ...columns } = registered;
  await planReminders(context, { ...row, expiresAt });
  const result = { status: "waiting_payment", columns, failure: null, expiresAt } as const;
  const saved = await saveResult(context, row, result);
  // A request that took this create over asks another account.
  if (saved.answeredAt === null) throw providerUnavailable();
  if (row.attempt > 1 || row !== claimed) void inBackground(endShadowsOf(context, saved));
  return saved;
}

/**
 * Ends a create whose account was disconnected before it answered, as after a restore: nobody can be asked whether it
 * made the charge, so none is made elsewhere. Its account may come back within a day; throws 422 until then.
 */
export async function endWithoutAccount(
  context: ChargeContext,
  row: TransactionRow,
): Promise<TransactionRow> {
  const { env, deps } = context;
  if (await mayAccountReturn(env, row, deps.clock.now())) {
    await releaseLease(env, row);
    throw noProvider(row);
  }
  return finishRefused(context, row, ACCOUNT_GONE);
}

/**
 * Whether the account of an undecided charge, which is not connected, may still come back: within a day. One that D1 does
 * not know is gone since the last restore.
 */
export async function mayAccountReturn(
  env: Env,
  { companyId, account, createdAt }: Pick<TransactionRow, "companyId" | "account" | "createdAt">,
  nowMs: number,
): Promise<boolean> {
  if (createdAt + ACCOUNT_GONE_MS > nowMs) return true;
  const rows = await listAccounts(env, companyId);
  const known = rows.find((row) => row.account === account);
  const goneAt = known?.updatedAt ?? (await restoredAt(env, companyId)) ?? createdAt;
  return goneAt + ACCOUNT_GONE_MS > nowMs;
}

/** The problem of a company without an account for a method. */
export function noProvider({ paymentMethod }: Pick<TransactionRow, "paymentMethod">): Problem {
  return new Problem({
    code: "PROVIDER_NOT_CONFIGURED",
    detail: `This company has no provider for ${paymentMethod}.`,
  });
}

function providerUnavailable(): Problem {
  return new Problem({
    code: "PROVIDER_UNAVAILABLE",
    detail: "The provider did not answer. The same Idempotency-Key resumes this request.",
    retryAfterSeconds: PROVIDER_RETRY_SECONDS,
  });
}

/** Before the answer is saved, so that what a crash cut off plans them again when it is resumed. */
export async function planReminders(context: BookingContext, row: TransactionRow): Promise<void> {
  const { env, deps, company } = context;
  if (row.payer.email === "") return;
  const nowMs = deps.clock.now();
  const about = { companyId: company.id, kind: "reminder", subject: row.id, userId: "" } as const;
  const planned = plannedReminders(company.reminders, row, nowMs).map((reminder) =>
    Object.assign(reminder, about),
  );
  await planEmails(env, planned, nowMs);
}

/**
 * Sends the order of a claimed pull. Without an answer the transaction stays `creating` and is queried by
 * its own id, because the credentials of the request, such as a card's CVV, are stored nowhere.
 */
export async function pullCharge(
  context: ChargeContext,
  provider: Provider,
  row: TransactionRow,
  order: MethodOrder,
): Promise<TransactionRow> {
  const outcome = await createInPlace(context, provider, row, order);
  if (outcome.kind === "refused") return finishRefused(context, row, outcome);
  const synced =
    outcome.kind === "decided"
      ? await applyCharge(context, provider, row, outcome.charge)
      : "unknown";
  return finishPull(context, row, synced);
}

/**
 * Resumes a pull whose order may have been sent before, so its provider is queried first. Only a request
 * that has the order sends it, and only where the provider says that it knows no such charge; the cron
 * has no order (`null`).
 */
export async function resumePull(
  context: ChargeContext,
  provider: Provider,
  row: TransactionRow,
  order: MethodOrder | null,
): Promise<TransactionRow> {
  const outcome = await syncCharge(context, provider, row);
  if (outcome === "not_found" && order !== null) return pullCharge(context, provider, row, order);
  if ((outcome === "not_found" || outcome === "unknown") && order === null) {
    // A repeated request with the key may still send the order.
    await releaseLease(context.env, row);
    return row;
  }
  return finishPull(context, row, outcome);
}

/** Saves the decision of a pull, or the time to query an undecided one. */
async function finishPull(
  context: ChargeContext,
  row: TransactionRow,
  outcome: SyncOutcome,
): Promise<TransactionRow> {
  const { env, deps } = context;
  const isUndecided = outcome === "unknown" || outcome === "open" || outcome === "not_found";
  const queryAt = deps.clock.now() + PULL_QUERY_AFTER_MS;
  // An order to charge at once that is only authorized so far has no expiry yet.
  const authorizedUntil = outcome === "authorized" ? (row.expiresAt ?? queryAt) : null;
  const saved = await saveResult(context, row, {
    status: isUndecided ? "creating" : outcome,
    failure: null,
    nextSweepAt: isUndecided ? queryAt : authorizedUntil,
  });
  return withProviderDecision(env, saved);
}

/**
 * Adds the provider's decision to a finished pull. Until the outbox is drained to D1 the decision is only
 * in the company's object.
 */
export async function withProviderDecision(env: Env, row: TransactionRow): Promise<TransactionRow> {
  const isProjected = row.version > 0 || row.answeredStatus === "creating";
  if (methodOf(row.paymentMethod).initiation === "push" || isProjected) return row;
  const state = await callCompany(env, row.companyId, (account) => account.findCharge(row.id));
  return { ...row, ...state };
}

/** Fails the charge in the object first, which announces it, then saves the answer of the key. */
async function finishRefused(
  context: ChargeContext,
  row: TransactionRow,
  { message, code = "PROVIDER_REFUSED" }: Extract<ChargeOutcome, { kind: "refused" }>,
): Promise<TransactionRow> {
  const { env, traceId } = context;
  await callCompany(env, row.companyId, (account) =>
    account.transitionCharge({
      companyId: row.companyId,
      terms: chargeTerms(row),
      to: "failed",
      failureReason: failureReason(code),
    }),
  );
  const problem = { code: "CHARGE_REFUSED" as const, detail: message };
  return saveResult(context, row, {
    status: "failed",
    failure: { problem, traceId },
    nextSweepAt: null,
  });
}

async function saveResult(
  { env, deps }: ChargeContext,
  row: TransactionRow,
  result: ProviderResult,
): Promise<TransactionRow> {
  const now = deps.clock.now();
  const saved = await saveProviderResult(env, row, result, now);
  await archiveCharge(env, saved, now);
  return saved;
}

/** As `createAtProvider`, with its place. */
async function createInPlace(
  context: ChargeContext,
  provider: Provider,
  row: TransactionRow,
  order: MethodOrder,
): Promise<ChargeOutcome> {
  return (await takeReservation(context, row))
    ? createAtProvider(context, provider, row, order)
    : NO_PLACE;
}

/**
 * Keeps the reservation of a payment link for its charge. False without one: the charge fails, and its provider never
 * hears of it. True for any other charge.
 */
async function takeReservation(context: ChargeContext, row: TransactionRow): Promise<boolean> {
  const { paymentLinkId: linkId, checkoutId, companyId } = row;
  if (linkId !== null && checkoutId !== null) {
    const status =
      methodOf(row.paymentMethod).initiation === "push" ? "waiting_payment" : row.status;
    // The object needs no card to end the charge.
    const terms = { ...chargeTerms(row), status, card: null };
    const reservation = {
      companyId,
      quotaPercent: context.company.quotaPercent,
      linkId,
      checkoutId,
      // The reservation has it already.
      address: null,
      isTimed: isTimed(methodOf(row.paymentMethod)),
      charge: { terms, expiresAt: row.expiresAt, bytes: bytesOf(row) },
    };
    const answer = await callCompany(context.env, companyId, (account) =>
      account.takeReservation(reservation),
    );
    return answer.kind === "taken";
  }
  return true;
}

/** What a link's charge counts against the quota of links: its row has what the payer and the link have said. */
function bytesOf({ payer, items, metadata, returnUrl }: TransactionRow): number {
  return linkChargeBytes({ payer, items, metadata, returnUrl });
}

/** Whether a charge of a method ends by the clock, so that it holds a reservation of a limited link for so long only. */
export function isTimed(method: Method): boolean {
  return method.initiation === "push" && method.expiresByClock;
}

/** What an order says of its charge; without an attempt it is the first. */
type OrderedCharge = Pick<TransactionRow, "id" | "amount" | "payer"> & {
  attempt?: number;
  createdAt?: number;
};

/** A provider's order for a charge. */
export function orderOf(
  { name }: Pick<Company, "name">,
  { id, attempt = 1, createdAt, amount, payer }: OrderedCharge,
  methodOrder: MethodOrder,
): ChargeOrder {
  return {
    chargeId: providerChargeId(id, attempt),
    ...(createdAt === undefined ? {} : { createdAt }),
    amount,
    merchantName: name,
    payer,
    ...methodOrder,
  };
}

async function createAtProvider(
  { company, traceId }: ChargeContext,
  provider: Provider,
  row: TransactionRow,
  methodOrder: MethodOrder,
): Promise<ChargeOutcome> {
  return callProvider(provider.createCharge(orderOf(company, row, methodOrder)), {
    provider: provider.name,
    companyId: company.id,
    traceId,
  });
}
