import type { ProviderAccount } from "../../../../src/db/watch/providers.ts";

/** What is known of an account that has made no call, but for these. */
export function watchedAccount(fields: Partial<ProviderAccount>): ProviderAccount {
  const uncounted = { callsDay: null, dayCalls: null, busiestCalls: null };
  const unmeasured = { dayRefusals: null, dayDurations: null, dayQuotas: null, quotaShare: null };
  return {
    companyId: 17,
    account: "first",
    host: "pix.bank.example",
    lastSuccessAt: null,
    failingSince: null,
    lastFaultAt: null,
    ...uncounted,
    ...unmeasured,
    certificateExpiresAt: null,
    credentialsExpireAt: null,
    ...fields,
  };
}
