import type { Cents } from "../shared/money.ts";

/**
 * Accounts of a company's double-entry ledger. `provider` is the outside world; its balance is the negative
 * of what it owes us, so every movement sums to zero. `debt` is the company's debt, as a negative number.
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

/** Every movement type. A test compares the list with the one in `tools/ops/verify_ledger.py`. */
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

/** The accounts that an amount is taken from or goes back to. Centavos. */
export interface FundsSplit {
  awaiting: Cents;
  available: Cents;
}

/** Credits `available` after repaying `debt` (>= 0) first. */
function creditAvailable(amount: Cents, debt: Cents): Posting[] {
  const repaid = Math.min(amount, debt);
  return [
    { account: "debt", amount: repaid },
    { account: "available", amount: amount - repaid },
  ];
}

/** The amounts of a credited payment, centavos. `awaiting` is the part that is released later. */
export interface ChargeCredit {
  paid: Cents;
  fee: Cents;
  awaiting: Cents;
  debt: Cents;
}

/** A charge was paid: the provider's money is credited, minus the fee. */
export function chargePaid(credit: ChargeCredit): Posting[] {
  return creditFrom("provider", credit);
}

/** An operator assigned an unexpected payment to its charge. */
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

/** A credit reached its release day. */
export function creditReleased(amount: Cents, debt: Cents): Posting[] {
  return withoutZeroPostings([
    { account: "awaiting", amount: -amount },
    ...creditAvailable(amount, debt),
  ]);
}

/** A payment that no open charge expected goes to suspense until it is returned or credited. */
export function paymentSuspended(amount: Cents): Posting[] {
  return [
    { account: "provider", amount: -amount },
    { account: "suspense", amount },
  ];
}

/** An unexpected payment was returned to its payer. */
export function suspenseReturned(amount: Cents): Posting[] {
  return [
    { account: "suspense", amount: -amount },
    { account: "provider", amount },
  ];
}

/** Blocks an amount until a refund or a dispute is decided. */
export function holdPlaced(split: FundsSplit): Posting[] {
  return withoutZeroPostings([
    { account: "awaiting", amount: -split.awaiting },
    { account: "available", amount: -split.available },
    { account: "blocked", amount: split.awaiting + split.available },
  ]);
}

/** The refund was refused or the dispute won: the hold goes back to its accounts, debt first. */
export function holdReleased(split: FundsSplit, debt: Cents): Posting[] {
  return withoutZeroPostings([
    { account: "blocked", amount: -(split.awaiting + split.available) },
    { account: "awaiting", amount: split.awaiting },
    ...creditAvailable(split.available, debt),
  ]);
}

/** The payer received the refund: the hold leaves the ledger. */
export function refundDone(amount: Cents): Posting[] {
  return [
    { account: "blocked", amount: -amount },
    { account: "provider", amount },
  ];
}

/** The bank took money back. What the company no longer has becomes debt. */
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

/** The bank reversed a chargeback and returned the money. */
export function chargebackReversed(amount: Cents, debt: Cents): Posting[] {
  return withoutZeroPostings([
    { account: "provider", amount: -amount },
    ...creditAvailable(amount, debt),
  ]);
}

/** A withdraw was accepted: amount and fee leave `available`. */
export function withdrawRequested(amount: Cents, fee: Cents): Posting[] {
  return withoutZeroPostings([
    { account: "available", amount: -(amount + fee) },
    { account: "payout", amount },
    { account: "fees", amount: fee },
  ]);
}

/** A reversed withdraw was paid after all: it is debited again. What the company no longer has is debt. */
export function withdrawReinstated(amount: Cents, fee: Cents, available: Cents): Posting[] {
  const taken = Math.min(amount + fee, available);
  return withoutZeroPostings([
    { account: "available", amount: -taken },
    { account: "debt", amount: taken - amount - fee },
    { account: "payout", amount },
    { account: "fees", amount: fee },
  ]);
}

/** The receiving bank confirmed a withdraw. */
export function withdrawPaid(amount: Cents): Posting[] {
  return [
    { account: "payout", amount: -amount },
    { account: "provider", amount },
  ];
}

/** A withdraw was cancelled or refused: amount and fee come back. */
export function withdrawReversed(amount: Cents, fee: Cents, debt: Cents): Posting[] {
  return withoutZeroPostings([
    { account: "payout", amount: -amount },
    { account: "fees", amount: -fee },
    ...creditAvailable(amount + fee, debt),
  ]);
}

/**
 * The receiving bank sent `amount` of a paid withdraw back. The fee comes back with the last part; `fee` is
 * 0 before that.
 */
export function withdrawReturned(amount: Cents, fee: Cents, debt: Cents): Posting[] {
  return withoutZeroPostings([
    { account: "provider", amount: -amount },
    { account: "fees", amount: -fee },
    ...creditAvailable(amount + fee, debt),
  ]);
}

/**
 * A correction that two operators agreed on: a credit (`amount` > 0, debt first) or a debit. What the
 * company cannot cover becomes debt.
 */
export function correctionPosted(
  amount: Cents,
  funds: { available: Cents; debt: Cents },
): Posting[] {
  if (amount > 0) {
    return withoutZeroPostings([
      { account: "provider", amount: -amount },
      ...creditAvailable(amount, funds.debt),
    ]);
  }
  const available = Math.min(-amount, funds.available);
  return clawback({ blocked: 0, awaiting: 0, available, debt: -amount - available });
}

function withoutZeroPostings(postings: Posting[]): Posting[] {
  return postings.filter((posting) => posting.amount !== 0);
}
