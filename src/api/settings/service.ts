import { isoTime } from "../../domain/shared/clock.ts";
import type { z } from "@hono/zod-openapi";
import { shownFreeze, type FreezeCause, type ShownFreeze } from "../../domain/access/freeze.ts";
import { callCompany } from "../../company-client/stub.ts";
import type { Env } from "../../config.ts";
import { updateCompanyTerms, type TermsChange } from "../../db/companies/companies.ts";
import type { PolicyChange } from "../../db/company-settings.ts";
import type { CompanyTerms } from "../../domain/ledger/fees.ts";
import { withoutUndefined } from "../../lib/without-undefined.ts";
import type { AuditedAction } from "../../http/audit.ts";
import type { ChangeSettings, ChangeTerms } from "./schemas.ts";
import { updateCredentials } from "./update-credentials.ts";

/** The parts of the withdraw policy that a request names. */
export function policyChangeOf(request: z.output<typeof ChangeSettings>): PolicyChange {
  const change = {
    duplicateGuard: request.duplicateWithdrawGuard,
    dailyLimit: request.withdrawDailyLimit,
    nightLimit: request.withdrawNightLimit,
    keyDailyLimit: request.withdrawKeyDailyLimit,
    approvalAbove: request.withdrawApprovalAbove,
    allowedPixKeys: request.allowedPixKeys,
  };
  return withoutUndefined(change) as PolicyChange;
}

/** A company's terms, and whether it is frozen, which its object knows. */
export async function showTerms(env: Env, companyId: number, terms: CompanyTerms) {
  const { freeze: _freeze, ...shown } = await showOwnTerms(env, companyId, terms);
  return shown;
}

/** As `showTerms`, with what is frozen, since when and why. */
export async function showOwnTerms(env: Env, companyId: number, terms: CompanyTerms) {
  const freeze = await callCompany(env, companyId, (account) => account.findFreeze());
  return { ...terms, frozen: freeze !== null, freeze: freezeView(shownFreeze(freeze)) };
}

function freezeView(freeze: ShownFreeze | null) {
  if (freeze === null) return null;
  const { withdraws, charges, since, reason } = freeze;
  return { withdraws, charges, since: isoTime(since), reason };
}

/** A change of terms for the audit trail; one that freezes or unfreezes the company says so. */
export function termsChange(
  companyId: number,
  before: Awaited<ReturnType<typeof showTerms>>,
  change: z.output<typeof ChangeTerms>,
): AuditedAction {
  const { frozen = before.frozen } = change;
  const freeze = frozen ? "company.freeze" : "company.unfreeze";
  const action = frozen === before.frozen ? "terms.change" : freeze;
  return {
    companyId,
    action,
    target: `company:${companyId}`,
    before: { ...before },
    after: change,
  };
}

/**
 * Changes the terms that are sent and keeps the others; returns all, or null if there is no such company. `by`: who
 * freezes the company or ends that, and why.
 */
export async function changeTerms(
  env: Env,
  companyId: number,
  change: z.output<typeof ChangeTerms>,
  by: FreezeCause,
) {
  const { frozen, ...terms } = change;
  const changed = await updateCredentials(env, companyId, () =>
    updateCompanyTerms(env, companyId, terms as TermsChange),
  );
  if (changed === null) return null;
  if (frozen !== undefined) {
    await callCompany(env, companyId, (account) =>
      account.setFrozen({ companyId, change: frozen, cause: by }),
    );
  }
  return showTerms(env, companyId, changed);
}
