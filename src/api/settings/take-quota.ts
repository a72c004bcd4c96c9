import { callCompany } from "../../company-client/stub.ts";
import type { AppContext } from "../../http/context.ts";
import { quotaExceeded } from "../../http/quota.ts";

/**
 * Counts what a valid request stores in D1, `bytes` beside its events, against the company's quotas. For routes
 * that do not count it themselves, as create, withdraw, refund, cancel and capture do. Throws 429.
 */
export async function takeQuota(c: AppContext, bytes = 0): Promise<void> {
  const { id: companyId, quotaPercent } = c.get("caller").company;
  const refusal = await callCompany(c.env, companyId, (account) =>
    account.takeQuota({ companyId, quotaPercent, bytes }),
  );
  if (refusal !== null) throw quotaExceeded(companyId, refusal, c.get("deps").clock.now());
}
