import type { Services } from "./compose.ts";
import type { RetirementCheck } from "./runtime/versioned-command.ts";

/** Accounts that a company without money has at zero. */
const MONEY_ACCOUNTS = ["available", "awaiting", "blocked", "payout", "suspense", "debt"] as const;

/**
 * What of a kind the company has, in words. Open charges are not included: D1 finds those. `money` and
 * `movements` include open work.
 */
export function obstaclesOf({ stores }: Services, unless: RetirementCheck): string[] {
  const work = [
    ...(stores.operations.hasPending() ? ["an open refund, cancel, capture or return"] : []),
    ...(stores.disputes.hasOpen() || stores.suspenseDisputes.hasOpen() ? ["an open dispute"] : []),
    ...(stores.withdraws.hasOpen() ? ["an open withdraw"] : []),
    ...(stores.outbox.isEmpty() ? [] : ["changes that are not stored everywhere yet"]),
  ];
  if (unless === "work") return work;
  const contradictions = stores.contradictions.hasOpen() ? ["an open contradiction"] : [];
  if (unless === "movements") {
    const moved = stores.ledger.newestMovement() > 0 ? ["ledger movements"] : [];
    return [...work, ...contradictions, ...moved];
  }
  const balances = stores.ledger.balances();
  const money = MONEY_ACCOUNTS.filter((account) => balances[account] !== 0);
  return [...work, ...contradictions, ...money.map((account) => `money in ${account}`)];
}
