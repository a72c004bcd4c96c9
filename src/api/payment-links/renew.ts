import { callCompany } from "../../company-client/stub.ts";
import type { Env } from "../../config.ts";
import { archiveCharge } from "../charge-archive/archive-charge.ts";
import { findOpenCompany } from "../../db/companies/companies.ts";
import { toTransactionRecord } from "../../db/projection/transaction-mapper.ts";
import { providerChargeId } from "../../domain/charges/transaction.ts";
import type { CompanyDependencies } from "../../http/context.ts";
import { withExpiryApplied } from "../../methods/expired-view.ts";
import { callProvider } from "../../providers/provider.ts";
import { providerOfCharge } from "../../providers/registry.ts";
import type { PayersTransaction } from "../checkout/repository.ts";
import { saveExpiry } from "../transactions/repository.ts";

/**
 * Begins the time of a limited link's unpaid PIX anew, because its page is open: its reservation first, then the
 * code at the provider, then the transaction. Answers whether the payer has more time. Whatever fails leaves
 * the charge its earlier end, and the next call goes on where this one stopped.
 */
export async function renewReservation(
  { env, deps, traceId }: { env: Env; deps: CompanyDependencies; traceId: string },
  { row, link }: PayersTransaction,
): Promise<boolean> {
  const { companyId, expiresAt } = row;
  const nowMs = deps.clock.now();
  const { status } = withExpiryApplied(toTransactionRecord(row), nowMs);
  const isLimited = link !== null && link.maxPayments !== null;
  if (!isLimited || status !== "waiting_payment" || expiresAt === null) return false;
  const company = await findOpenCompany(env, companyId);
  const provider =
    company === null ? null : await providerOfCharge(deps.providers(env), company, row);
  if (provider === null) return false;
  const command = { companyId, transactionId: row.id, expiresAt };
  const answer = await callCompany(env, companyId, (account) => account.renewReservation(command));
  if (answer.kind !== "renewed") return false;
  const outcome = await callProvider(
    provider.extendCharge(providerChargeId(row.id, row.attempt), answer.expiresAt),
    { provider: provider.name, companyId, traceId },
  );
  if (outcome.kind !== "extended") return false;
  const saved = await saveExpiry(env, row, Math.max(outcome.expiresAt, answer.expiresAt));
  if (saved === null) return false;
  await archiveCharge(env, saved, nowMs);
  return true;
}
