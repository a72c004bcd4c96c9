import { callCompany } from "../../company/stub.ts";
import type { TransactionRow } from "../../db/transaction-mapper.ts";
import type { CancelReason } from "../../domain/charge-status.ts";
import { providerChargeId } from "../../domain/transaction.ts";
import type { Env } from "../../env.ts";
import { log } from "../../lib/log.ts";
import {
  answerOf,
  type ChargeReport,
  type Provider,
  type ProviderDispute,
} from "../../providers/provider.ts";
import { chargeTerms } from "./create.ts";

export type SyncOutcome = "settled" | "ended" | "open" | "unknown";

/**
 * Reads a charge back from its provider and brings the company's object to what it says: payments
 * first, then what was asked back of them, or an end without money. The one way in for callbacks, sweeps and the sandbox; may be
 * run any number of times. A charge past `expiresAt` that the provider calls open is expired.
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
  if (report.kind !== "known") return "unknown";
  for (const payment of report.payments) await settle(env, row, payment);
  for (const dispute of report.disputes) await recordDispute(env, row, dispute);
  if (report.payments.length > 0) return "settled";
  if (report.status === "failed") return end(env, row, "failed");
  if (report.status === "cancelled") return end(env, row, "cancelled", "REQUESTED");
  const expired = report.status === "expired" || (row.expiresAt !== null && row.expiresAt <= nowMs);
  return expired ? end(env, row, "cancelled", "EXPIRED") : "open";
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
  payment: { endToEndId: string; amount: number; paidAt: number },
): Promise<void> {
  const answer = await callCompany(env, row.companyId, (account) =>
    account.settlePayment({ companyId: row.companyId, terms: chargeTerms(row), payment }),
  );
  if (answer.kind === "suspended") {
    log("warn", "payment_suspended", {
      companyId: row.companyId,
      transactionId: row.id,
      endToEndId: payment.endToEndId,
    });
  }
}

async function end(
  env: Env,
  row: TransactionRow,
  to: "failed" | "cancelled",
  cancelReason?: CancelReason,
): Promise<SyncOutcome> {
  const { companyId } = row;
  const terms = chargeTerms(row);
  const answer = await callCompany(env, companyId, (account) =>
    account.endCharge({
      companyId,
      terms,
      to,
      ...(cancelReason === undefined ? {} : { cancelReason }),
    }),
  );
  return answer.kind === "not_allowed" ? "open" : "ended";
}
