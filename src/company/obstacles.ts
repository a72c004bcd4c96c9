import type { Services } from "./compose.ts";
import type { RetireCredentials } from "./runtime/versioned-command.ts";

/** Accounts that a company without money has at zero. */
const MONEY_ACCOUNTS = ["available", "awaiting", "blocked", "payout", "suspense", "debt"] as const;

/**
 * What of a kind the company has, in words. Open charges are not included: D1 finds those. `money` and
 * `movements` include open work, which is that of one account at the PSP where it is named.
 */
export function obstaclesOf(
  { stores }: Services,
  { unless, account: at = null }: Pick<RetireCredentials, "unless" | "account">,
): string[] {
  const open = at === null ? openWork(stores) : openWorkAt(stores, at);
  const work = [
    ...(open.operations ? ["an open refund, cancel, capture or return"] : []),
    ...(open.disputes ? ["an open dispute"] : []),
    ...(open.withdraws ? ["an open withdraw"] : []),
    ...(stores.subscriptions.hasOpen(at) ? ["an open subscription"] : []),
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

function openWork({ operations, disputes, suspenseDisputes, withdraws }: Services["stores"]) {
  return {
    operations: operations.hasPending(),
    disputes: disputes.hasOpen() || suspenseDisputes.hasOpen(),
    withdraws: withdraws.hasOpen(),
  };
}

/** A withdraw that nobody has claimed is at no account yet. */
function openWorkAt(
  { operations, disputes, suspenseDisputes, withdraws }: Services["stores"],
  account: string,
) {
  return {
    operations: operations.pending.isAnyAt(account),
    disputes: disputes.hasOpenAt(account) || suspenseDisputes.hasOpenAt(account),
    withdraws: withdraws.processing.isAnyAt(account),
  };
}
