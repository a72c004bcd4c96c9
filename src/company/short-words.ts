import type { Account, MovementType } from "../domain/ledger.ts";
import { assert } from "../lib/assert.ts";

/** What a movement's `type` is in its row. Rows say these: a number is never given another meaning. */
export const TYPE_NUMBERS: Record<MovementType, number> = {
  charge_paid: 1,
  credit_released: 2,
  payment_suspended: 3,
  suspense_returned: 4,
  refund_requested: 5,
  refund_done: 6,
  refund_failed: 7,
  dispute_opened: 8,
  dispute_won: 9,
  dispute_lost: 10,
  dispute_reduced: 11,
  chargeback: 12,
  withdraw_requested: 13,
  withdraw_paid: 14,
  withdraw_failed: 15,
  withdraw_cancelled: 16,
  withdraw_returned: 17,
};

/** What an account is called in a movement's `postings`; never given another meaning either. */
export const ACCOUNT_LETTERS: Record<Account, string> = {
  available: "a",
  awaiting: "w",
  blocked: "b",
  payout: "o",
  debt: "d",
  suspense: "s",
  fees: "f",
  provider: "p",
};

const TYPES = new Map(
  Object.entries(TYPE_NUMBERS).map(([type, number]) => [number, type as MovementType]),
);
const ACCOUNTS = new Map(
  Object.entries(ACCOUNT_LETTERS).map(([account, letter]) => [letter, account as Account]),
);

export function typeOfNumber(number: number): MovementType {
  const type = TYPES.get(number);
  assert(type !== undefined, `${number} is a type of movement`);
  return type;
}

export function accountOfLetter(letter: string): Account {
  const account = ACCOUNTS.get(letter);
  assert(account !== undefined, `${letter} is an account`);
  return account;
}
