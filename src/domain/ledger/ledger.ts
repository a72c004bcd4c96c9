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
export const NON_NEGATIVE_ACCOUNTS: readonly Account[] = [
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
export interface FundsSplit {
  awaiting: Cents;
  available: Cents;
}

/** An amount on its way to `available`: what the company owes (`debt` >= 0) is paid first. */
function creditAvailable(amount: Cents, debt: Cents): Posting[] {
  const repaid = Math.min(amount, debt);
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
  debt: Cents;
}

/** A payer's money arrived for a charge that expected it. */
export function chargePaid(credit: ChargeCredit): Posting[] {
  return creditFrom("provider", credit);
}

/** A payment that was set aside is named for a charge that expects it. */
export function suspenseCredited(credit: ChargeCredit): Posting[] {
  return creditFrom("suspense", credit);
}

function creditFrom(account: Account, { paid, fee, awaiting, debt }: ChargeCredit): Posting[] {
  return withoutZeroPostings([
    { account, amount: -paid },
    { account: "fees", amount: fee },
    { account: "awaiting", amount: awaiting },
    ...creditAvailable(paid - fee - awaiting, debt),
  ]);
}

/** A credit's time has come. */
export function creditReleased(amount: Cents, debt: Cents): Posting[] {
  return withoutZeroPostings([
    { account: "awaiting", amount: -amount },
    ...creditAvailable(amount, debt),
  ]);
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
export function holdPlaced(split: FundsSplit): Posting[] {
  return withoutZeroPostings([
    { account: "awaiting", amount: -split.awaiting },
    { account: "available", amount: -split.available },
    { account: "blocked", amount: split.awaiting + split.available },
  ]);
}

/** The refund was refused or the dispute won: everything goes back to where it came from. */
export function holdReleased(split: FundsSplit, debt: Cents): Posting[] {
  return withoutZeroPostings([
    { account: "blocked", amount: -(split.awaiting + split.available) },
    { account: "awaiting", amount: split.awaiting },
    ...creditAvailable(split.available, debt),
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
export function clawback(taken: FundsSplit & { blocked: Cents; debt: Cents }): Posting[] {
  return withoutZeroPostings([
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
export function chargebackReversed(amount: Cents, debt: Cents): Posting[] {
  return withoutZeroPostings([
    { account: "provider", amount: -amount },
    ...creditAvailable(amount, debt),
  ]);
}

/** Amount and fee leave `available` when the withdraw is accepted. */
export function withdrawRequested(amount: Cents, fee: Cents): Posting[] {
  return withoutZeroPostings([
    { account: "available", amount: -(amount + fee) },
    { account: "payout", amount },
    { account: "fees", amount: fee },
  ]);
}

/** It was undone, and is not: taken again, of which the company owes what it no longer has. */
export function withdrawReinstated(amount: Cents, fee: Cents, available: Cents): Posting[] {
  const taken = Math.min(amount + fee, available);
  return withoutZeroPostings([
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
export function withdrawReversed(amount: Cents, fee: Cents, debt: Cents): Posting[] {
  return withoutZeroPostings([
    { account: "payout", amount: -amount },
    { account: "fees", amount: -fee },
    ...creditAvailable(amount + fee, debt),
  ]);
}

/**
 * It was paid and the receiving bank sent `amount` of it back. The fee comes back with the last part:
 * before that it is 0.
 */
export function withdrawReturned(amount: Cents, fee: Cents, debt: Cents): Posting[] {
  return withoutZeroPostings([
    { account: "provider", amount: -amount },
    { account: "fees", amount: -fee },
    ...creditAvailable(amount + fee, debt),
  ]);
}

/**
 * What two operators agreed to give a company (`amount` > 0, what it owes is paid first) or to take from it:
 * what it no longer has is its debt.
 */
export function correctionPosted(
  amount: Cents,
  funds: { available: Cents; owed: Cents },
): Posting[] {
  if (amount > 0) {
    return withoutZeroPostings([
      { account: "provider", amount: -amount },
      ...creditAvailable(amount, funds.owed),
    ]);
  }
  const available = Math.min(-amount, funds.available);
  return clawback({ blocked: 0, awaiting: 0, available, debt: -amount - available });
}

function withoutZeroPostings(postings: Posting[]): Posting[] {
  return postings.filter((posting) => posting.amount !== 0);
}
