import type { Cents } from "./money.ts";

/**
 * Accounts of a company's double-entry ledger. `provider` is the outside world: what it owes us is
 * negative there, so that every movement sums to zero.
 */
export const ACCOUNTS = [
  "available",
  "awaiting",
  "blocked",
  "payout",
  "debt",
  "suspense",
  "fees",
  "provider",
] as const;

export type Account = (typeof ACCOUNTS)[number];

/** Accounts that hold the company's money and so never fall below zero (invariant I3). */
export const NEVER_NEGATIVE: readonly Account[] = ["available", "awaiting", "blocked", "payout"];

export interface Posting {
  account: Account;
  amount: Cents;
}

export type MovementType =
  | "charge_paid"
  | "payment_suspended"
  | "withdraw_requested"
  | "withdraw_paid"
  | "withdraw_failed"
  | "withdraw_cancelled"
  | "withdraw_returned";

/** A payer's money arrived for a charge that expected it: the company may use it at once. */
export function chargePaid(amount: Cents): Posting[] {
  return [
    { account: "provider", amount: -amount },
    { account: "available", amount },
  ];
}

/** Money that no open charge expected: kept apart until an operator returns it. */
export function paymentSuspended(amount: Cents): Posting[] {
  return [
    { account: "provider", amount: -amount },
    { account: "suspense", amount },
  ];
}

/** Amount and fee leave `available` when the withdraw is accepted. */
export function withdrawRequested(amount: Cents, fee: Cents): Posting[] {
  return withoutZeros([
    { account: "available", amount: -(amount + fee) },
    { account: "payout", amount },
    { account: "fees", amount: fee },
  ]);
}

/** The receiving bank has it. */
export function withdrawPaid(amount: Cents): Posting[] {
  return [
    { account: "payout", amount: -amount },
    { account: "provider", amount },
  ];
}

/** It was never sent, or was refused: amount and fee come back. */
export function withdrawUndone(amount: Cents, fee: Cents): Posting[] {
  return withoutZeros([
    { account: "payout", amount: -amount },
    { account: "fees", amount: -fee },
    { account: "available", amount: amount + fee },
  ]);
}

/** It was paid and the receiving bank sent it back: amount and fee come back. */
export function withdrawReturned(amount: Cents, fee: Cents): Posting[] {
  return withoutZeros([
    { account: "provider", amount: -amount },
    { account: "fees", amount: -fee },
    { account: "available", amount: amount + fee },
  ]);
}

function withoutZeros(postings: Posting[]): Posting[] {
  return postings.filter((posting) => posting.amount !== 0);
}
