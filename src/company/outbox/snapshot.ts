import type { ChargeHistory } from "../../domain/charges/timeline.ts";
import { CHARGE_HISTORY_MAX } from "../../domain/charges/charge-history.ts";
import type { ChargeState } from "../../domain/charges/transaction.ts";
import { MOVEMENTS_KEPT } from "../charges/charge-store.ts";
import type { BalancesAnswer, SnapshotQuery, Snapshot } from "../rpc-types.ts";
import type { Services } from "../compose.ts";
import { toRecord } from "../withdraws/withdraw-store.ts";

/** What an object says of its charges and withdraws, for whoever compares D1's copy with it. */
export function snapshotOf({ stores, moves }: Services, query: SnapshotQuery): Snapshot {
  const byId = "transactionIds" in query;
  const charges = byId
    ? query.transactionIds.flatMap((id) => stores.charges.findStored(id) ?? [])
    : stores.charges.after(query.afterTransaction, query.limit);
  const withdraws = byId
    ? query.withdrawIds.flatMap((id) => stores.withdraws.find(id) ?? [])
    : stores.withdraws.range(query.afterWithdraw + 1, query.afterWithdraw + query.limit);
  return {
    charges: charges.map((charge) => ({
      transactionId: charge.transactionId,
      state: moves.stateOf(charge),
    })),
    withdraws: withdraws.map(toRecord),
    companySequence: stores.meta.newestEvent(),
    withdrawCount: stores.withdraws.count(),
    backlog: stores.outbox.backlog(),
  };
}

/** What stands on the accounts, where the ledger is, and what of it was anchored last. */
export function balancesOf({ stores, releases }: Services): BalancesAnswer {
  return {
    balances: releases.balances(),
    head: stores.ledger.head(),
    anchor: stores.anchors.newest(),
  };
}

/** A charge as the API shows it; null before its first move. Reads nothing of what D1 is owed. */
export function chargeStateOf(
  { stores, moves }: Services,
  transactionId: string,
): ChargeState | null {
  const charge = stores.charges.findStored(transactionId);
  return charge === null ? null : moves.stateOf(charge);
}

/** A charge's changes with their causes and its newest `limit` movements; no row of another charge. */
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
    entries: entries,
    movements: stores.ledger.bySequence(numbers.slice(-limit)),
    hasMore:
      numbers.length > limit ||
      numbers.length >= MOVEMENTS_KEPT ||
      entries.length === CHARGE_HISTORY_MAX,
  };
}

/**
 * Whether a provider still owes this company a word: an operation, a dispute or a withdraw that has not
 * ended, or something that D1 was not told of yet. Charges are found in D1.
 */
export function hasOpenWork({ stores }: Services): boolean {
  return (
    stores.operations.hasPending() ||
    stores.disputes.hasOpen() ||
    stores.suspenseDisputes.hasOpen() ||
    stores.withdraws.hasOpen() ||
    !stores.outbox.isEmpty()
  );
}
