import type { ChargeHistory } from "../../domain/charges/timeline.ts";
import { TRAIL_MAX } from "../../domain/charges/trail.ts";
import type { ChargeState } from "../../domain/charges/transaction.ts";
import { MOVEMENTS_KEPT } from "../charges/charge-store.ts";
import type { BalancesAnswer, CopyQuery, Originals } from "../commands.ts";
import type { Parts } from "../compose.ts";
import { toRecord } from "../withdraws/withdraw-store.ts";

/** What an object says of its charges and withdraws, for whoever compares D1's copy with it. */
export function originalsOf({ stores, moves }: Parts, query: CopyQuery): Originals {
  const byId = "transactionIds" in query;
  const charges = byId
    ? query.transactionIds.flatMap((id) => stores.charges.known(id) ?? [])
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
    owed: stores.outbox.owed(),
  };
}

/** What stands on the accounts, where the ledger is, and what of it was anchored last. */
export function balancesOf({ stores, releases }: Parts): BalancesAnswer {
  return {
    balances: releases.balances(),
    head: stores.ledger.head(),
    anchor: stores.anchors.newest(),
  };
}

/** A charge as the API shows it; null before its first move. Reads nothing of what D1 is owed. */
export function chargeStateOf({ stores, moves }: Parts, transactionId: string): ChargeState | null {
  const charge = stores.charges.known(transactionId);
  return charge === null ? null : moves.stateOf(charge);
}

/** A charge's changes with their causes and its newest `limit` movements; no row of another charge. */
export function historyOf({ stores }: Parts, transactionId: string, limit: number): ChargeHistory {
  const charge = stores.charges.known(transactionId);
  const numbers = charge?.movements ?? [];
  const trail = charge?.trail ?? [];
  return {
    eventSequence: charge?.eventSequence ?? 0,
    trail,
    movements: stores.ledger.told(numbers.slice(-limit)),
    hasMore:
      numbers.length > limit || numbers.length >= MOVEMENTS_KEPT || trail.length === TRAIL_MAX,
  };
}

/**
 * Whether a provider still owes this company a word: an operation, a dispute or a withdraw that has not
 * ended, or something that D1 was not told of yet. Charges are found in D1.
 */
export function isAnythingOpen({ stores }: Parts): boolean {
  return (
    stores.operations.isAnyOpen() ||
    stores.disputes.isAnyOpen() ||
    stores.suspenseDisputes.isAnyOpen() ||
    stores.withdraws.isAnyOpen() ||
    !stores.outbox.isEmpty()
  );
}
