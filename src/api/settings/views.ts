import type { CompanySettings } from "../../db/companies/companies.ts";

/** The settings as the API shows them; limits in centavos. */
export function settingsView({
  withdrawPolicy,
  unexpectedPayments,
  retentionDays,
  brand,
  embedOrigins,
}: CompanySettings) {
  return {
    duplicateWithdrawGuard: withdrawPolicy.duplicateGuard,
    withdrawDailyLimit: withdrawPolicy.dailyLimit,
    withdrawNightLimit: withdrawPolicy.nightLimit,
    withdrawKeyDailyLimit: withdrawPolicy.keyDailyLimit,
    withdrawApprovalAbove: withdrawPolicy.approvalAbove,
    allowedPixKeys: withdrawPolicy.allowedPixKeys,
    unexpectedPayments,
    retentionDays,
    brand,
    embedOrigins,
  };
}
