import type { CompanySettings } from "../../db/companies/companies.ts";

/** The settings as the API shows them; limits in centavos. */
export function settingsView({
  withdrawPolicy,
  refundPolicy,
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
    refundDailyLimit: refundPolicy.dailyLimit,
    refundApprovalAbove: refundPolicy.approvalAbove,
    roleLimits: refundPolicy.roleLimits,
    unexpectedPayments,
    retentionDays,
    brand,
    embedOrigins,
  };
}
