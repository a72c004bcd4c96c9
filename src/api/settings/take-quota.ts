import { callCompany } from "../../company-client/stub.ts";
import { SMALL_WRITE_BYTES } from "../../domain/storage/quotas.ts";
import { companyDeps, type AppContext } from "../../http/context.ts";
import { quotaExceeded } from "../../http/quota.ts";

/** What an action that takes rights away may use beyond the quotas, in percent of them. */
const RESERVE_PERCENT = 20;

/**
 * Counts what a valid request stores in D1, `bytes` beside its events, against the company's quotas. For routes
 * that do not count it themselves, as create, withdraw, refund, cancel and capture do. `hasReserve`: so that a stolen key
 * that used up the quotas can still be revoked. A stolen key of many scopes uses up the reserve as well; an owner in the
 * console is never refused it. Throws 429.
 */
export async function takeQuota(
  c: AppContext,
  bytes = 0,
  { hasReserve } = { hasReserve: false },
): Promise<void> {
  const { company, person } = c.get("caller");
  const { id: companyId, quotaPercent: usual } = company;
  const quotaPercent = hasReserve ? (usual * (100 + RESERVE_PERCENT)) / 100 : usual;
  const refusal = await callCompany(c.env, companyId, (account) =>
    account.takeQuota({ companyId, quotaPercent, bytes }),
  );
  const isOwner = hasReserve && person?.role === "owner";
  if (refusal === null || isOwner) return;
  throw quotaExceeded(companyId, refusal, companyDeps(c).clock.now());
}

/** Counts the audit entries of an action that takes rights or data away: it and, if so, its refusal. Throws 429. */
export function takeReservedQuota(c: AppContext): Promise<void> {
  return takeQuota(c, SMALL_WRITE_BYTES, { hasReserve: true });
}
