import { callCompany } from "../../../company-client/stub.ts";
import type { Env } from "../../../config.ts";
import { seesPersonalData } from "../../../domain/access/payer-masks.ts";
import { parsePixKey } from "../../../domain/shared/pix-key.ts";
import type { WithdrawRecord } from "../../../domain/withdraws/withdraw.ts";
import type { WithdrawFilters, WithdrawSearch } from "../../../domain/withdraws/withdraw-search.ts";
import type { Caller } from "../../../http/context.ts";
import { forbidden } from "../../../http/problems.ts";

/**
 * The filters of a search, the key as withdraws store it. Throws 403 for `pixKey` without `pii:read`: who sees
 * half of a key could find the rest by asking for each that fits.
 */
export function allowedFilters<Filters extends WithdrawFilters>(
  { scopes }: Caller,
  filters: Filters,
): Filters {
  const { pixKey } = filters;
  if (pixKey === undefined) return filters;
  if (!seesPersonalData(scopes))
    throw forbidden("The filter pixKey needs the scope pii:read.", "personal_data");
  const verdict = parsePixKey(pixKey);
  return verdict.kind === "valid" ? { ...filters, pixKey: verdict.key.value } : filters;
}

/** A page of the company's withdraws, newest first; `after` null at the end. */
export async function searchWithdraws(
  env: Env,
  companyId: number,
  search: WithdrawSearch,
): Promise<{ items: WithdrawRecord[]; after: number | null }> {
  return callCompany(env, companyId, (account) => account.listWithdraws(search));
}
