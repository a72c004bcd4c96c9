import type { Cents } from "../shared/money.ts";

/**
 * Accounts of a company's double-entry ledger. `provider` is the outside world: what it owes us is
 * negative there, so that every movement sums to zero. `debt` is what the company owes, as a
 * negative number.
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

/** Accounts that never fall below zero (invariant I3). */
export const NEVER_NEGATIVE: readonly Account[] = [
  "available",
  "awaiting",
  "blocked",
  "payout",
  "suspense",
];

export interface Posting {
  account: Account;
  amount: Cents;
}

export const TRANSACTION_MOVEMENT_TYPES = [
  "charge_paid",
  "credit_released",
  "payment_suspended",
  "suspense_returned",
  "suspense_credited",
  "refund_requested",
  "refund_done",
  "refund_failed",
  "refund_external",
  "dispute_opened",
  "dispute_won",
  "dispute_lost",
  "dispute_reduced",
  "chargeback",
  "chargeback_reversed",
] as const;

export type TransactionMovementType = (typeof TRANSACTION_MOVEMENT_TYPES)[number];

/** Every type of movement; `tools/ops/verify_ledger.py` has a list of its own, which a test compares. */
export const MOVEMENT_TYPES = [
  ...TRANSACTION_MOVEMENT_TYPES,
  "withdraw_requested",
  "withdraw_paid",
  "withdraw_failed",
  "withdraw_cancelled",
  "withdraw_returned",
  "correction",
] as const;

export type MovementType = (typeof MOVEMENT_TYPES)[number];

/** Where an amount is taken from, or came from, among the company's own money. */
export interface Shares {
  awaiting: Cents;
  available: Cents;
}

/** An amount on its way to `available`: what the company owes (`owed` >= 0) is paid first. */
function credited(amount: Cents, owed: Cents): Posting[] {
  const repaid = Math.min(amount, owed);
  return [
    { account: "debt", amount: repaid },
    { account: "available", amount: amount - repaid },
  ];
}

/** What a charge is credited with: the fee apart, some of it not yet released. */
export interface ChargeCredit {
  paid: Cents;
  fee: Cents;
  awaiting: Cents;
  owed: Cents;
}

/** A payer's money arrived for a charge that expected it. */
export function chargePaid(credit: ChargeCredit): Posting[] {
  return creditedFrom("provider", credit);
}

/** A payment that was set aside is named for a charge that expects it. */
export function suspenseCredited(credit: ChargeCredit): Posting[] {
  return creditedFrom("suspense", credit);
}

function creditedFrom(account: Account, { paid, fee, awaiting, owed }: ChargeCredit): Posting[] {
  return withoutZeros([
    { account, amount: -paid },
    { account: "fees", amount: fee },
    { account: "awaiting", amount: awaiting },
    ...credited(paid - fee - awaiting, owed),
  ]);
}

/** A credit's time has come. */
export function creditReleased(amount: Cents, owed: Cents): Posting[] {
  return withoutZeros([{ account: "awaiting", amount: -amount }, ...credited(amount, owed)]);
}

/** Money that no open charge expected: kept apart until it is returned, or credited to its charge. */
export function paymentSuspended(amount: Cents): Posting[] {
  return [
    { account: "provider", amount: -amount },
    { account: "suspense", amount },
  ];
}

/** It went back to whoever sent it. */
export function suspenseReturned(amount: Cents): Posting[] {
  return [
    { account: "suspense", amount: -amount },
    { account: "provider", amount },
  ];
}

/** Set aside until a refund or a dispute is decided. */
export function held(shares: Shares): Posting[] {
  return withoutZeros([
    { account: "awaiting", amount: -shares.awaiting },
    { account: "available", amount: -shares.available },
    { account: "blocked", amount: shares.awaiting + shares.available },
  ]);
}

/** The refund was refused or the dispute won: everything goes back to where it came from. */
export function unheld(shares: Shares, owed: Cents): Posting[] {
  return withoutZeros([
    { account: "blocked", amount: -(shares.awaiting + shares.available) },
    { account: "awaiting", amount: shares.awaiting },
    ...credited(shares.available, owed),
  ]);
}

/** The payer has the money back that was set aside. */
export function refundDone(amount: Cents): Posting[] {
  return [
    { account: "blocked", amount: -amount },
    { account: "provider", amount },
  ];
}

/** The bank took it back: what was set aside first; what the company no longer has is its debt. */
export function takenBack(taken: Shares & { blocked: Cents; debt: Cents }): Posting[] {
  return withoutZeros([
    { account: "blocked", amount: -taken.blocked },
    { account: "awaiting", amount: -taken.awaiting },
    { account: "available", amount: -taken.available },
    { account: "debt", amount: -taken.debt },
    {
      account: "provider",
      amount: taken.blocked + taken.awaiting + taken.available + taken.debt,
    },
  ]);
}

/** A chargeback was reversed: the bank gives back what it took. */
export function chargebackReversed(amount: Cents, owed: Cents): Posting[] {
  return withoutZeros([{ account: "provider", amount: -amount }, ...credited(amount, owed)]);
}

/** Amount and fee leave `available` when the withdraw is accepted. */
export function withdrawRequested(amount: Cents, fee: Cents): Posting[] {
  return withoutZeros([
    { account: "available", amount: -(amount + fee) },
    { account: "payout", amount },
    { account: "fees", amount: fee },
  ]);
}

/** It was undone, and is not: taken again, of which the company owes what it no longer has. */
export function withdrawRequestedAgain(amount: Cents, fee: Cents, available: Cents): Posting[] {
  const taken = Math.min(amount + fee, available);
  return withoutZeros([
    { account: "available", amount: -taken },
    { account: "debt", amount: taken - amount - fee },
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
export function withdrawUndone(amount: Cents, fee: Cents, owed: Cents): Posting[] {
  return withoutZeros([
    { account: "payout", amount: -amount },
    { account: "fees", amount: -fee },
    ...credited(amount + fee, owed),
  ]);
}

/**
 * It was paid and the receiving bank sent `amount` of it back. The fee comes back with the last part:
 * before that it is 0.
 */
export function withdrawReturned(amount: Cents, fee: Cents, owed: Cents): Posting[] {
  return withoutZeros([
    { account: "provider", amount: -amount },
    { account: "fees", amount: -fee },
    ...credited(amount + fee, owed),
  ]);
}

/**
 * What two operators agreed to give a company (`amount` > 0, what it owes is paid first) or to take from it:
 * what it no longer has is its debt.
 */
export function corrected(amount: Cents, has: { available: Cents; owed: Cents }): Posting[] {
  if (amount > 0) {
    return withoutZeros([{ account: "provider", amount: -amount }, ...credited(amount, has.owed)]);
  }
  const available = Math.min(-amount, has.available);
  return takenBack({ blocked: 0, awaiting: 0, available, debt: -amount - available });
}

function withoutZeros(postings: Posting[]): Posting[] {
  return postings.filter((posting) => posting.amount !== 0);
}
