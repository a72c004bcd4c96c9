import { callCompany } from "../../company-client/stub.ts";
import type { ClaimPayoutAnswer, PayoutPollResult, PayoutReport } from "../../company/rpc-types.ts";
import { findCompany } from "../../db/companies/companies.ts";
import type { Company } from "../../domain/shared/company.ts";
import type { PayoutOrder, WithdrawRecord } from "../../domain/withdraws/withdraw.ts";
import type { Env } from "../../config.ts";
import { assert } from "../../lib/assert.ts";
import { log } from "../../lib/log.ts";
import { callProvider, type Provider, type PayoutLookup } from "../../providers/provider.ts";
import type { ProviderRegistry } from "../../providers/registry.ts";

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
  assert(company !== null, `company ${companyId} is in D1`);
  const sender = providers.forPayout(company);
  const claim = await callCompany(env, companyId, (account) =>
    account.claimPayout(companyId, withdrawId, sender?.account ?? null),
  );
  const report = await executeClaim(providers, company, sender, claim);
  if (report === null) return;
  if (report.kind === "unreachable")
    log("error", "payout_provider_missing", { companyId, withdrawId });
  await reportPayout(env, companyId, withdrawId, report);
}

/** Does what a claim says, and answers what came of it; null where there is nothing to do. */
async function executeClaim(
  providers: ProviderRegistry,
  company: Company,
  sender: Provider | null,
  claim: ClaimPayoutAnswer,
): Promise<PayoutPollResult | null> {
  switch (claim.kind) {
    case "send":
      assert(sender !== null, "what nobody can send is not claimed");
      return send(sender, claim.order, company);
    case "query": {
      const provider = await providers.ofAccount(company, claim.account);
      return provider === null ? { kind: "unreachable" } : findOrSend(provider, claim, company);
    }
    case "no_account":
      return { kind: "unreachable" };
    case "wait":
    case "frozen":
    case "settled":
    case "not_found":
      return null;
  }
}

/** Who sends a withdraw, or sent it, and alone can be asked; null where the account is not connected. */
export async function providerOfPayout(
  providers: ProviderRegistry,
  company: Company,
  { status, account }: Pick<WithdrawRecord, "status" | "account">,
): Promise<Provider | null> {
  return status === "Awaiting"
    ? providers.forPayout(company)
    : providers.ofAccount(company, account);
}

/**
 * Asks the provider how a payout stands and books a final answer, whoever else is at it. Answers what the
 * provider said. `queriedAt` is now, in epoch ms.
 */
export async function syncPayout(
  env: Env,
  provider: Provider,
  company: Company,
  withdraw: { id: number; payoutId: string },
  queriedAt: number,
): Promise<PayoutLookup> {
  const found = await findPayout(provider, withdraw.payoutId, company);
  if (found.kind === "paid" || found.kind === "failed" || found.kind === "returned") {
    const report = found.kind === "failed" ? found : { ...found, queriedAt };
    await reportPayout(env, company.id, withdraw.id, report);
  }
  return found;
}

async function reportPayout(
  env: Env,
  companyId: number,
  withdrawId: number,
  report: PayoutPollResult,
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
  return callProvider(provider.sendPayout(order), {
    provider: provider.name,
    companyId: company.id,
  });
}

/**
 * Only an explicit "not found", from a provider that never pays an id twice, allows sending again. A
 * refusal of that is believed only once the first one cannot be on its way any more.
 */
async function findOrSend(
  provider: Provider,
  { order, maySend, refusalIsFinal }: Extract<ClaimPayoutAnswer, { kind: "query" }>,
  company: Company,
): Promise<PayoutReport> {
  const found = await findPayout(provider, order.payoutId, company);
  if (found.kind !== "not_found") return found;
  if (!maySend || !provider.idempotentPayouts) return { kind: "unknown" };
  const report = await send(provider, order, company);
  return report.kind === "failed" && !refusalIsFinal ? { kind: "unknown" } : report;
}

async function findPayout(
  provider: Provider,
  payoutId: string,
  company: Company,
): Promise<PayoutLookup> {
  return callProvider(provider.findPayout(payoutId), {
    provider: provider.name,
    companyId: company.id,
  });
}
