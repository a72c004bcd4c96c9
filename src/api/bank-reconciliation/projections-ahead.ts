import { callCompany } from "../../company-client/stub.ts";
import type { KnownRecords } from "../../db/reconciliation/reconciliation.ts";
import type { Company } from "../../domain/shared/company.ts";
import type { Env } from "../../config.ts";
import type { AccountBudget } from "./call-budget.ts";

interface PageContext {
  env: Env;
  company: Pick<Company, "id">;
  budget: AccountBudget;
}

/**
 * The charges and withdraws of a page that D1 shows in a newer version than the object has, as after a restore of
 * the object: what such a projection shows is not booked. One call compares a page. Null without budget for it.
 */
export async function projectionsAhead(
  { env, company, budget }: PageContext,
  { charges, withdraws }: KnownRecords,
): Promise<ReadonlySet<string | number> | null> {
  const own = [...charges.values()].filter((each) => each.companyId === company.id);
  const changed = [...own, ...withdraws.values()].filter(({ version }) => version > 0);
  if (changed.length === 0) return new Set();
  if (!budget.spendCalls(1)) return null;
  const transactionIds = own.map(({ id }) => id);
  const withdrawIds = [...withdraws.keys()];
  const stored = await callCompany(env, company.id, (object) =>
    object.snapshot({ transactionIds, withdrawIds }),
  );
  const versions = new Map<string | number, number>([
    ...stored.charges.map(({ transactionId, state }) => [transactionId, state.version] as const),
    ...stored.withdraws.map(({ id, version }) => [id, version] as const),
  ]);
  return new Set(
    changed.filter(({ id, version }) => (versions.get(id) ?? 0) < version).map(({ id }) => id),
  );
}
