import type { WithdrawPolicy } from "../../domain/withdraws/withdraw-policy.ts";

/** The settings as the API shows them; the limit in centavos. */
export function settingsView(policy: WithdrawPolicy) {
  return {
    duplicateWithdrawGuard: policy.duplicateGuard,
    withdrawDailyLimit: policy.dailyLimit,
  };
}
