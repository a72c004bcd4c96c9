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
import { unreadableRecord } from "../reconciliation/findings.ts";

/**
 * What a charge was brought to. `open`: it stays as it is, `not_found`: its provider says that it
 * does not know it, `unknown`: it said nothing.
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

/** Findings of one answer, each a call of the object; the lists' passes find what is beyond them. */
const UNREADABLE_MAX = 3;
/** How long an acquirer may take to know of a card's charge before its "not found" is final. */
const CARD_LOST_AFTER_MS = 10 * 60_000;

/**
 * Reads a charge back from its provider and brings the company's object to what it says. The one
 * way in for callbacks, sweeps and the sandbox; may be run any number of times.
 */
export async function syncCharge(
  env: Env,
  provider: Provider,
  row: TransactionRow,
  nowMs: number,
): Promise<SyncOutcome> {
  return applyReport(env, row, { report: await queryCharge(provider, row), provider }, nowMs);
}

/** What its provider says of a charge. */
export function queryCharge(provider: Provider, row: TransactionRow): Promise<ChargeReport> {
  return callProvider(provider.findCharge(providerChargeId(row.id)), {
    provider: provider.name,
    companyId: row.companyId,
  });
}

/** Brings the company's object to what a charge's provider has answered. */
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
  const isLostCard =
    row.paymentMethod === "CREDIT_CARD" &&
    row.status === "creating" &&
    // Whoever was answered without a word of the acquirer's had just sent it.
    (row.answeredAt ?? row.createdAt) + CARD_LOST_AFTER_MS <= nowMs;
  return isLostCard ? endCharge(env, row, {}, "failed") : "not_found";
}

/** A charge as its provider knows it; `account`: where its payments came, else where it was made. */
type ReportedCharge = ChargeDetails & { account?: string };

/**
 * Brings the company's object to what a provider says of a charge: payments first, then what was
 * asked back or given back of them, or an end without money. A charge past `expiresAt` that the provider calls open
 * is expired.
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

/** Books what a provider says of a dispute; `terms` null of a payment that is for no charge. */
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
 * Shows operators what of a provider's answer about one charge or payment could not be read, up to a
 * limit: the same in a list is the same finding.
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

/** Books what a provider lists as given back of a payment, whoever asked for it. */
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

/** Whether D1 shows a refund as the provider does: what has ended is not told again and again. */
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
  if (!neverAuthorized || row.paymentMethod !== "CREDIT_CARD") return "open";
  // What its acquirer took back before anybody was told of it was never more than an attempt.
  return transitionCharge(env, row, { to: "failed", card });
}
