/** What a tester can choose for the next attempt to debit at the sandbox's bank. */
export const DEBIT_OUTCOMES = ["paid", "no_balance", "over_limit", "closed", "silent"] as const;
