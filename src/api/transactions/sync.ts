import { callCompany } from "../../company/stub.ts";
import { chargeTerms, type TransactionRow } from "../../db/transaction-mapper.ts";
import type { CancelReason } from "../../domain/charge-status.ts";
import { providerChargeId } from "../../domain/transaction.ts";
import type { Env } from "../../env.ts";
import { log } from "../../lib/log.ts";
import {
  answerOf,
  type ChargeReport,
  type KnownCharge,
  type Provider,
  type ProviderDispute,
  type ProviderPayment,
} from "../../providers/provider.ts";

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

type Ending = "refused" | "failed" | "cancelled";

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
  const report: ChargeReport = await answerOf(provider.findCharge(providerChargeId(row.id)), {
    provider: provider.name,
    companyId: row.companyId,
  });
  if (report.kind === "unknown") return "unknown";
  if (report.kind === "known") return applyCharge(env, row, report, nowMs);
  const isLostCard =
    row.paymentMethod === "CREDIT_CARD" &&
    row.status === "creating" &&
    // Whoever was answered without a word of the acquirer's had just sent it.
    (row.answeredAt ?? row.createdAt) + CARD_LOST_AFTER_MS <= nowMs;
  return isLostCard ? end(env, row, {}, "failed") : "not_found";
}

/**
 * Brings the company's object to what a provider says of a charge: payments first, then what was
 * asked back of them, or an end without money. A charge past `expiresAt` that the provider calls open
 * is expired.
 */
export async function applyCharge(
  env: Env,
  row: TransactionRow,
  charge: Omit<KnownCharge, "kind">,
  nowMs: number,
): Promise<SyncOutcome> {
  for (const payment of charge.payments) await settle(env, row, payment, charge);
  for (const dispute of charge.disputes) await recordDispute(env, row, dispute);
  if (charge.payments.length > 0) return "paid";
  switch (charge.status) {
    case "authorized":
      return move(env, row, { to: "authorized", card: charge.card });
    case "refused":
    case "failed":
      return end(env, row, charge, charge.status);
    case "cancelled":
      return end(env, row, charge, "cancelled", "REQUESTED");
    case "expired":
      return end(env, row, charge, "cancelled", "EXPIRED");
    case "open": {
      const expired = row.expiresAt !== null && row.expiresAt <= nowMs;
      return expired ? end(env, row, charge, "cancelled", "EXPIRED") : "open";
    }
  }
}

async function recordDispute(
  env: Env,
  row: TransactionRow,
  report: ProviderDispute,
): Promise<void> {
  const { companyId } = row;
  const terms = chargeTerms(row);
  await callCompany(env, companyId, (account) =>
    account.recordDispute({ companyId, terms, report }),
  );
}

async function settle(
  env: Env,
  row: TransactionRow,
  payment: ProviderPayment,
  { card }: Pick<KnownCharge, "card">,
): Promise<void> {
  const { companyId } = row;
  const terms = chargeTerms(row);
  const answer = await callCompany(env, companyId, (account) =>
    account.settlePayment({ companyId, terms, payment, card }),
  );
  if (answer.kind === "suspended") {
    log("warn", "payment_suspended", {
      companyId,
      transactionId: row.id,
      paymentId: payment.paymentId,
    });
  }
}

function end(
  env: Env,
  row: TransactionRow,
  { card }: Pick<KnownCharge, "card">,
  to: Ending,
  cancelReason?: CancelReason,
): Promise<SyncOutcome> {
  return move(env, row, { to, card, ...(cancelReason === undefined ? {} : { cancelReason }) });
}

async function move(
  env: Env,
  row: TransactionRow,
  change: { to: Ending | "authorized"; card: KnownCharge["card"]; cancelReason?: CancelReason },
): Promise<SyncOutcome> {
  const { companyId } = row;
  const terms = chargeTerms(row);
  const answer = await callCompany(env, companyId, (account) =>
    account.moveCharge({ companyId, terms, ...change }),
  );
  if (answer.kind !== "not_allowed") return change.to;
  const { card } = change;
  const isUnmade = change.to === "cancelled" && answer.status === "creating";
  if (!isUnmade || row.paymentMethod !== "CREDIT_CARD") return "open";
  // What its acquirer took back before anybody was told of it was never more than an attempt.
  return move(env, row, { to: "failed", card });
}
