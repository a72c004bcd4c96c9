import { Problem } from "../domain/shared/problem.ts";
import { quotaProblem, type QuotaExceeded } from "../domain/storage/quotas.ts";
import { log } from "../lib/log.ts";

/** The 429 of a request that exceeds a company's quota. Logged, so that the operator sees the first one. */
export function quotaExceeded(companyId: number, exceeded: QuotaExceeded, nowMs: number): Problem {
  const { quota, limit, used } = exceeded;
  log("warn", "quota_exceeded", { companyId, quota, limit, used });
  return new Problem(quotaProblem(exceeded, nowMs));
}
