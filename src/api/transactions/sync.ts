import { callCompany } from "../../company-client/stub.ts";
import { chargeTerms, type TransactionRow } from "../../db/projection/transaction-mapper.ts";
import type { CancelReason } from "../../domain/charges/charge-status.ts";
import { hyphenateUuid } from "../../domain/shared/ids.ts";
import {
  externalRefundId,
  providerChargeId,
  type ChargeTerms,
} from "../../domain/charges/transaction.ts";
import type { Env } from "../../config.ts";
import { log } from "../../lib/log.ts";
import {
  callProvider,
  type ChargeReport,
  type ChargeDetails,
  type Provider,
  type ProviderDispute,
  type ProviderPayment,
  type ProviderRefund,
  type UnreadableRecord,
} from "../../providers/provider.ts";
import { methodOf } from "../../methods/registry.ts";
import { unreadableRecord } from "../reconciliation/findings.ts";

/**
 * The result of a sync. `open`: the charge stays as it is; `not_found`: its provider does not know it;
 * `unknown`: the provider gave no usable answer.
 */
export type SyncOutcome =
  | "paid"
  | "authorized"
  | "refused"
  | "failed"
  | "cancelled"
  | "open"
  | "not_found"
  | "unknown";

type EndStatus = "refused" | "failed" | "cancelled";

/** Findings of one answer, each a call to the object. Reconciliation finds the rest. */
const UNREADABLE_MAX = 3;
/** A provider's "not found" about a pull is final after this: the order may still arrive until then. */
const PULL_LOST_AFTER_MS = 10 * 60_000;

/**
 * Queries a charge at its provider and applies the report to the company's object. Callbacks, sweeps and
 * the sandbox all come in this way. May run any number of times.
 */
export async function syncCharge(
  env: Env,
  provider: Provider,
  row: TransactionRow,
  nowMs: number,
): Promise<SyncOutcome> {
  return applyReport(env, row, { report: await queryCharge(provider, row), provider }, nowMs);
}

/** The provider's report of a charge. */
export function queryCharge(provider: Provider, row: TransactionRow): Promise<ChargeReport> {
  return callProvider(provider.findCharge(providerChargeId(row.id)), {
    provider: provider.name,
    companyId: row.companyId,
  });
}

/** Applies a provider's report of a charge to the company's object. */
export async function applyReport(
  env: Env,
  row: TransactionRow,
  { report, provider }: { report: ChargeReport; provider: Pick<Provider, "account"> },
  nowMs: number,
): Promise<SyncOutcome> {
  if (report.kind === "unknown") return "unknown";
  if (report.kind === "known") {
    const { account } = provider;
    const outcome = await applyCharge(env, row, { ...report, account }, nowMs);
    await recordUnreadable(env, row.companyId, account, report.unreadable);
    return outcome;
  }
  const isLostPull =
    methodOf(row.paymentMethod).initiation === "pull" &&
    row.status === "creating" &&
    // The order was sent just before the request was answered.
    (row.answeredAt ?? row.createdAt) + PULL_LOST_AFTER_MS <= nowMs;
  return isLostPull ? endCharge(env, row, {}, "failed") : "not_found";
}

/** A charge as its provider knows it; `account`: the receiver of its payments, where it is another. */
type ReportedCharge = ChargeDetails & { account?: string };

/**
 * Applies a reported charge to the company's object: payments first, then their disputes and refunds, or
 * an end without money. A charge past `expiresAt` that the provider calls open is expired.
 */
export async function applyCharge(
  env: Env,
  row: TransactionRow,
  charge: ReportedCharge,
  nowMs: number,
): Promise<SyncOutcome> {
  for (const payment of charge.payments) await settlePayment(env, row, payment, charge);
  const { companyId } = row;
  const terms = chargeTerms(row);
  for (const dispute of charge.disputes) await recordDispute(env, { companyId, terms }, dispute);
  for (const refund of charge.refunds) {
    if (!isProjected(row, refund)) await recordRefund(env, companyId, refund);
  }
  if (charge.payments.length > 0) return "paid";
  switch (charge.status) {
    case "authorized":
      return transitionCharge(env, row, { to: "authorized", card: charge.card });
    case "refused":
    case "failed":
      return endCharge(env, row, charge, charge.status);
    case "cancelled":
      return endCharge(env, row, charge, "cancelled", "REQUESTED");
    case "expired":
      return endCharge(env, row, charge, "cancelled", "EXPIRED");
    case "open": {
      const expired = row.expiresAt !== null && row.expiresAt <= nowMs;
      return expired ? endCharge(env, row, charge, "cancelled", "EXPIRED") : "open";
    }
  }
}

/** Records a reported dispute; `terms` null for a payment without a charge. */
export async function recordDispute(
  env: Env,
  { companyId, terms }: { companyId: number; terms: ChargeTerms | null },
  report: ProviderDispute,
): Promise<void> {
  const answer = await callCompany(env, companyId, (account) =>
    account.recordDispute({ companyId, terms, report }),
  );
  if (answer.kind === "recorded" || answer.kind === "already") return;
  log("error", "dispute_rejected", { companyId, disputeId: report.id, ...answer });
}

/**
 * Shows operators the unreadable parts of a provider's answer, up to a limit. The same part in a list of
 * the provider makes the same finding.
 */
export async function recordUnreadable(
  env: Env,
  companyId: number,
  account: string,
  unreadable: UnreadableRecord[] = [],
): Promise<void> {
  for (const record of unreadable.slice(0, UNREADABLE_MAX)) {
    const finding = await unreadableRecord(account, record);
    await callCompany(env, companyId, (object) => object.recordFinding(companyId, finding));
  }
}

/** Records a reported refund of a payment, by this service or by others. */
export async function recordRefund(
  env: Env,
  companyId: number,
  refund: ProviderRefund,
): Promise<void> {
  const answer = await callCompany(env, companyId, (account) =>
    account.recordProviderRefund({ companyId, refund }),
  );
  if (answer.kind === "recorded" || answer.kind === "already") return;
  const { id: refundId, paymentId } = refund;
  log("error", "refund_contradicted", { companyId, paymentId, refundId, ...answer });
}

/** Whether D1 already shows a refund as the provider does, so that it is not reported again. */
function isProjected(
  { refunds }: TransactionRow,
  { id, paymentId, amount, status }: ProviderRefund,
) {
  const ids = new Set([hyphenateUuid(id), externalRefundId(paymentId, id)]);
  return refunds.some(
    (projected) =>
      ids.has(projected.id) && projected.amount === amount && projected.status === status,
  );
}

async function settlePayment(
  env: Env,
  row: TransactionRow,
  payment: ProviderPayment,
  { card, account: receivedBy = row.account }: Pick<ReportedCharge, "card" | "account">,
): Promise<void> {
  const { companyId } = row;
  const terms = chargeTerms(row);
  const received = { ...payment, account: receivedBy };
  const answer = await callCompany(env, companyId, (account) =>
    account.settlePayment({ companyId, terms, payment: received, card }),
  );
  const about = { companyId, transactionId: row.id, paymentId: payment.paymentId };
  if (answer.kind === "suspended") log("warn", "payment_suspended", about);
  if (answer.kind === "contradiction") log("error", "payment_contradicted", about);
}

function endCharge(
  env: Env,
  row: TransactionRow,
  { card }: Pick<ChargeDetails, "card">,
  to: EndStatus,
  cancelReason?: CancelReason,
): Promise<SyncOutcome> {
  return transitionCharge(env, row, {
    to,
    card,
    ...(cancelReason === undefined ? {} : { cancelReason }),
  });
}

async function transitionCharge(
  env: Env,
  row: TransactionRow,
  change: {
    to: EndStatus | "authorized";
    card: ChargeDetails["card"];
    cancelReason?: CancelReason;
  },
): Promise<SyncOutcome> {
  const { companyId } = row;
  const terms = chargeTerms(row);
  const answer = await callCompany(env, companyId, (account) =>
    account.transitionCharge({ companyId, terms, ...change }),
  );
  if (answer.kind !== "not_allowed") return change.to;
  const { card } = change;
  const neverAuthorized = change.to === "cancelled" && answer.status === "creating";
  if (!neverAuthorized || methodOf(row.paymentMethod).initiation === "push") return "open";
  // An authorization that ended before it was announced was only a failed attempt.
  return transitionCharge(env, row, { to: "failed", card });
}
