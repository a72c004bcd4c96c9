import { callCompany } from "../../company-client/stub.ts";
import type { PayoutPollResult } from "../../company/withdraws/command-types.ts";
import type { Env } from "../../config.ts";
import type { Company } from "../../domain/shared/company.ts";
import type { WithdrawRecord } from "../../domain/withdraws/withdraw.ts";
import { callProvider, type PayoutLookup, type Provider } from "../../providers/provider.ts";
import type { ProviderRegistry } from "../../providers/registry.ts";

/**
 * Queries the provider for a payout and books a final result, even while another worker has claimed the payout.
 * Returns the provider's result. `queriedAt`: time of the query, epoch ms.
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
    // A look-up that says paid and nothing of a return says that none came back.
    const returned = found.kind === "paid" ? { returnedAmount: 0 } : {};
    const report = found.kind === "failed" ? found : { ...returned, ...found, queriedAt };
    await reportPayout(env, company.id, withdraw.id, report);
  }
  return found;
}

/**
 * The provider that sends a withdraw or has sent it; only its account knows the payout. Null if that
 * account is not connected.
 */
export async function providerOfPayout(
  providers: ProviderRegistry,
  company: Company,
  { status, account }: Pick<WithdrawRecord, "status" | "account">,
): Promise<Provider | null> {
  return status === "Awaiting"
    ? providers.forPayout(company)
    : providers.ofAccount(company, account);
}

/** Queries the provider for a payout by the id that the gateway gave it. Books nothing. */
export async function findPayout(
  provider: Provider,
  payoutId: string,
  company: Company,
): Promise<PayoutLookup> {
  return callProvider(provider.findPayout(payoutId), {
    provider: provider.name,
    companyId: company.id,
  });
}

/** Books a provider's result in the company's object. */
export async function reportPayout(
  env: Env,
  companyId: number,
  withdrawId: number,
  report: PayoutPollResult,
): Promise<void> {
  await callCompany(env, companyId, (account) =>
    account.recordPayout({ companyId, id: withdrawId, report }),
  );
}
