import { expect, test } from "vitest";
import {
  ACCOUNT_LETTERS,
  accountOfLetter,
  TYPE_NUMBERS,
  typeOfNumber,
} from "../../src/company/short-words.ts";

test("every number and letter means what rows were written with", () => {
  expect(TYPE_NUMBERS).toMatchObject({
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
  });
  expect(ACCOUNT_LETTERS).toMatchObject({
    available: "a",
    awaiting: "w",
    blocked: "b",
    payout: "o",
    debt: "d",
    suspense: "s",
    fees: "f",
    provider: "p",
  });
});

test("no two types share a number and no two accounts a letter", () => {
  for (const [type, number] of Object.entries(TYPE_NUMBERS)) {
    expect(typeOfNumber(number)).toBe(type);
  }
  for (const [account, letter] of Object.entries(ACCOUNT_LETTERS)) {
    expect(accountOfLetter(letter)).toBe(account);
  }
});

test("a row that says neither is a bug, not a guess", () => {
  expect(() => typeOfNumber(0)).toThrow("0 is a type of movement");
  expect(() => accountOfLetter("available")).toThrow("available is an account");
});
