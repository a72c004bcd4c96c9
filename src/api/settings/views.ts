import type { CompanySettings } from "../../db/company-settings.ts";
import type { PendingSetting } from "../../domain/access/pending-setting.ts";
import { providerOfAccount } from "../../domain/psp/account-provider.ts";
import type { Company } from "../../domain/shared/company.ts";
import type { ProviderAccount } from "../../db/watch/providers.ts";
import { isoTime, isoTimeOrNull } from "../../domain/shared/clock.ts";

/** The settings as the API shows them; limits in centavos. */
export function settingsView({
  withdrawPolicy,
  refundPolicy,
  pendingSettings,
  unexpectedPayments,
  retentionDays,
  brand,
  embedOrigins,
  reminders,
}: CompanySettings) {
  return {
    duplicateWithdrawGuard: withdrawPolicy.duplicateGuard,
    withdrawDailyLimit: withdrawPolicy.dailyLimit,
    withdrawNightLimit: withdrawPolicy.nightLimit,
    withdrawKeyDailyLimit: withdrawPolicy.keyDailyLimit,
    withdrawApprovalAbove: withdrawPolicy.approvalAbove,
    allowedPixKeys: withdrawPolicy.allowedPixKeys,
    refundDailyLimit: refundPolicy.dailyLimit,
    refundApprovalAbove: refundPolicy.approvalAbove,
    roleLimits: refundPolicy.roleLimits,
    unexpectedPayments,
    retentionDays,
    brand,
    embedOrigins,
    reminders,
    pending: pendingView(pendingSettings),
  };
}

/** What was loosened and does not hold yet. */
export function pendingView(pending: readonly PendingSetting[]) {
  return pending.map(({ field, from, to, effectiveAt }) => ({
    field,
    from,
    to,
    effectiveAt: isoTime(effectiveAt),
  }));
}

/** A company's account at a PSP, as it may see it. */
export function providerView(
  company: Pick<Company, "mode" | "accounts">,
  { account, host, ...at }: ProviderAccount,
) {
  return {
    account,
    provider: providerOfAccount(company, account),
    host,
    certificateExpiresAt: isoTimeOrNull(at.certificateExpiresAt),
    credentialsExpireAt: isoTimeOrNull(at.credentialsExpireAt),
    failingSince: isoTimeOrNull(at.failingSince),
  };
}
