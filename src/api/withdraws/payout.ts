import { callCompany } from "../../company/stub.ts";
import type { ClaimPayoutAnswer, PayoutReport } from "../../company/commands.ts";
import { findCompany } from "../../db/companies.ts";
import type { Company } from "../../domain/company.ts";
import type { PayoutOrder } from "../../domain/withdraw.ts";
import type { Env } from "../../env.ts";
import { log } from "../../lib/log.ts";
import { answerOf, type Provider, type PayoutLookup } from "../../providers/provider.ts";
import type { ProviderRegistry } from "../../providers/registry.ts";

/** What came of asking a provider: it had something to book, knew of nothing, or did not answer. */
export type ReadBack = "booked" | "nothing" | "unknown";

/**
 * Moves one payout on: claims it in the company's object, sends it or asks about it, and reports
 * the answer. May be run any number of times, by anybody, and pays once.
 */
export async function processPayout(
  env: Env,
  providers: ProviderRegistry,
  companyId: number,
  withdrawId: number,
): Promise<void> {
  const company = await findCompany(env, companyId);
  const provider = company === null ? null : providers.forPayout(company);
  if (company === null || provider === null) {
    log("error", "payout_without_provider", { companyId, withdrawId });
    return;
  }
  const claim = await callCompany(env, companyId, (account) =>
    account.claimPayout(companyId, withdrawId),
  );
  if (claim.kind !== "send" && claim.kind !== "ask") return;
  const report =
    claim.kind === "send"
      ? await send(provider, claim.order, company)
      : await ask(provider, claim, company);
  await reportPayout(env, companyId, withdrawId, report);
}

/**
 * Asks the provider how a payout stands and books a final answer, whoever else is at it.
 */
export async function syncPayout(
  env: Env,
  provider: Provider,
  company: Company,
  withdraw: { id: number; payoutId: string },
): Promise<ReadBack> {
  const found = await lookup(provider, withdraw.payoutId, company);
  if (found.kind === "paid" || found.kind === "failed" || found.kind === "returned") {
    await reportPayout(env, company.id, withdraw.id, found);
    return "booked";
  }
  return found.kind === "unknown" ? "unknown" : "nothing";
}

async function reportPayout(
  env: Env,
  companyId: number,
  withdrawId: number,
  report: PayoutReport,
): Promise<void> {
  await callCompany(env, companyId, (account) =>
    account.recordPayout(companyId, withdrawId, report),
  );
}

async function send(
  provider: Provider,
  order: PayoutOrder,
  company: Company,
): Promise<PayoutReport> {
  return answerOf(provider.sendPayout(order), { provider: provider.name, companyId: company.id });
}

/**
 * Only an explicit "not found", from a provider that never pays an id twice, allows sending again. A
 * refusal of that is believed only once the first one cannot be on its way any more.
 */
async function ask(
  provider: Provider,
  { order, maySend, refusalIsFinal }: Extract<ClaimPayoutAnswer, { kind: "ask" }>,
  company: Company,
): Promise<PayoutReport> {
  const found = await lookup(provider, order.payoutId, company);
  if (found.kind !== "not_found") return found;
  if (!maySend || !provider.idempotentPayouts) return { kind: "unknown" };
  const report = await send(provider, order, company);
  return report.kind === "failed" && !refusalIsFinal ? { kind: "unknown" } : report;
}

async function lookup(
  provider: Provider,
  payoutId: string,
  company: Company,
): Promise<PayoutLookup> {
  return answerOf(provider.findPayout(payoutId), {
    provider: provider.name,
    companyId: company.id,
  });
}
