import { CHARGE_HISTORY_MAX } from "../domain/charges/charge-history.ts";
import type { ChargeHistory } from "../domain/charges/timeline.ts";
import type { ChargeState } from "../domain/charges/transaction.ts";
import { MOVEMENTS_KEPT } from "./charges/charge-store.ts";
import type { Services } from "./compose.ts";
import type {
  BalancesAnswer,
  RetirementCheck,
  RequestWithdraw,
  WithdrawPreviewAnswer,
} from "./rpc-types.ts";

export { snapshotOf } from "./snapshot.ts";

/** The balances, the ledger's newest movement and anchor, and what was available at a time. */
export function balancesOf({ stores, releases }: Services, at: number | null): BalancesAnswer {
  return {
    balances: releases.balances(),
    availableAt: at === null ? null : stores.ledger.availableAt(at),
    head: stores.ledger.head(),
    anchor: stores.anchors.newest(),
  };
}

/** A charge as the API shows it; null before its first transition. */
export function chargeStateOf(
  { stores, chargeTransitions }: Services,
  transactionId: string,
): ChargeState | null {
  const charge = stores.charges.findStored(transactionId);
  return charge === null ? null : chargeTransitions.stateOf(charge);
}

/** A charge's changes with their causes and its newest `limit` movements. */
export function historyOf(
  { stores }: Services,
  transactionId: string,
  limit: number,
): ChargeHistory {
  const charge = stores.charges.findStored(transactionId);
  const numbers = charge?.movements ?? [];
  const entries = charge?.trail ?? [];
  return {
    eventSequence: charge?.eventSequence ?? 0,
    entries,
    movements: stores.ledger.bySequence(numbers.slice(-limit)),
    hasMore:
      numbers.length > limit ||
      numbers.length >= MOVEMENTS_KEPT ||
      entries.length === CHARGE_HISTORY_MAX,
  };
}

/** What a withdraw would get now; nothing if its caller's credentials are outdated. */
export function previewOf(
  { versionGate, withdraws }: Services,
  command: RequestWithdraw,
  nowMs: number,
): WithdrawPreviewAnswer {
  const conflict = versionGate.check(command);
  return conflict ?? { kind: "preview", preview: withdraws.preview(command, nowMs) };
}

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
