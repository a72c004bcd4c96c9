import { describe, expect, test } from "vitest";
import {
  ACCOUNTS,
  chargePaid,
  NEVER_NEGATIVE,
  paymentSuspended,
  withdrawPaid,
  withdrawRequested,
  withdrawReturned,
  withdrawUndone,
  type Account,
  type Posting,
} from "../../src/domain/ledger.ts";
import { MAX_AMOUNT_CENTS } from "../../src/domain/money.ts";
import { forAll } from "./property.ts";

const RULES: [string, (amount: number, fee: number) => Posting[]][] = [
  ["a paid charge", chargePaid],
  ["a suspended payment", paymentSuspended],
  ["a requested withdraw", withdrawRequested],
  ["a paid withdraw", withdrawPaid],
  ["a failed or cancelled withdraw", withdrawUndone],
  ["a returned withdraw", withdrawReturned],
];

describe("postings of a movement sum to zero", () => {
  test.each(RULES)("%s", (_movement, rule) => {
    forAll(500, (random) => {
      const amount = random.integer(1, MAX_AMOUNT_CENTS);
      const postings = rule(amount, random.pick([0, random.integer(1, amount)]));
      expect(postings.reduce((sum, posting) => sum + posting.amount, 0)).toBe(0);
    });
  });
});

describe("a movement posts only what it moves", () => {
  test.each(RULES)("%s touches each account once and never by nothing", (_movement, rule) => {
    for (const fee of [0, 50]) {
      const postings = rule(10_00, fee);
      expect(new Set(postings.map((posting) => posting.account)).size).toBe(postings.length);
      expect(postings.every((posting) => posting.amount !== 0)).toBe(true);
    }
  });
});

describe("money goes from where it was to where it is said to go", () => {
  test("a paid charge is at once available", () => {
    expect(sums(chargePaid(25_00))).toEqual({ provider: -25_00, available: 25_00 });
  });

  test("a payment nobody expected is kept apart from what is available", () => {
    expect(sums(paymentSuspended(25_00))).toEqual({ provider: -25_00, suspense: 25_00 });
  });

  test("a requested withdraw takes amount and fee, and only the amount is on its way", () => {
    expect(sums(withdrawRequested(100_00, 1_50))).toEqual({
      available: -101_50,
      payout: 100_00,
      fees: 1_50,
    });
  });

  test("a paid withdraw leaves the house", () => {
    expect(sums(withdrawPaid(100_00))).toEqual({ payout: -100_00, provider: 100_00 });
  });

  test("a withdraw that failed or was cancelled leaves no trace in the balances", () => {
    forAll(200, (random) => {
      const amount = random.integer(1, MAX_AMOUNT_CENTS);
      const fee = random.integer(0, amount);
      expect(sums(withdrawRequested(amount, fee), withdrawUndone(amount, fee))).toEqual({});
    });
  });

  test("a withdraw that was paid and returned leaves no trace in the balances", () => {
    forAll(200, (random) => {
      const amount = random.integer(1, MAX_AMOUNT_CENTS);
      const fee = random.integer(0, amount);
      expect(
        sums(withdrawRequested(amount, fee), withdrawPaid(amount), withdrawReturned(amount, fee)),
      ).toEqual({});
    });
  });
});

test("what the company may use, waits for, has blocked or sent on its way never falls below zero", () => {
  expect(NEVER_NEGATIVE).toEqual(["available", "awaiting", "blocked", "payout"]);
});

test("the ledger has the accounts of product.md section 5 and no other", () => {
  expect([...ACCOUNTS].sort()).toEqual([
    "available",
    "awaiting",
    "blocked",
    "debt",
    "fees",
    "payout",
    "provider",
    "suspense",
  ]);
});

/** What several movements did to each account together; accounts left as they were are not in it. */
function sums(...movements: Posting[][]): Partial<Record<Account, number>> {
  const totals = new Map<Account, number>();
  for (const { account, amount } of movements.flat()) {
    totals.set(account, (totals.get(account) ?? 0) + amount);
  }
  return Object.fromEntries([...totals].filter(([, amount]) => amount !== 0));
}
