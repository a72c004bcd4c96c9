import { describe, expect, test } from "vitest";
import {
  ACCOUNTS,
  chargePaid,
  creditReleased,
  holdPlaced,
  NON_NEGATIVE_ACCOUNTS,
  paymentSuspended,
  refundDone,
  suspenseReturned,
  clawback,
  holdReleased,
  withdrawPaid,
  withdrawRequested,
  withdrawReturned,
  withdrawReversed,
  type Account,
  type Posting,
} from "../../../../src/domain/ledger/ledger.ts";
import { MAX_AMOUNT_CENTS } from "../../../../src/domain/shared/money.ts";
import { forAll } from "../../../support/builders/requests/property.ts";

/** Each movement for an amount, a fee within it, a part of it and a debt. */
const RULES: [string, (amount: number, fee: number, part: number, debt: number) => Posting[]][] = [
  [
    "a paid charge",
    (paid, fee, part, debt) =>
      chargePaid({ paid, fee, awaiting: Math.min(part, paid - fee), debt }),
  ],
  ["a released credit", (amount, _fee, _part, debt) => creditReleased(amount, debt)],
  ["an unexpected payment", paymentSuspended],
  ["a returned payment", suspenseReturned],
  ["a placed hold", (amount, _fee, part) => holdPlaced(shares(amount, part))],
  ["a released hold", (amount, _fee, part, debt) => holdReleased(shares(amount, part), debt)],
  ["a completed refund", refundDone],
  [
    "a clawback",
    (amount, fee, part, debt) => clawback({ ...shares(amount, part), blocked: fee, debt }),
  ],
  ["a requested withdraw", withdrawRequested],
  ["a paid withdraw", withdrawPaid],
  [
    "a failed or cancelled withdraw",
    (amount, fee, _part, debt) => withdrawReversed(amount, fee, debt),
  ],
  ["a returned withdraw", (amount, fee, _part, debt) => withdrawReturned(amount, fee, debt)],
];

function shares(amount: number, part: number) {
  return { awaiting: part, available: amount - part };
}

describe("the postings of a movement sum to zero", () => {
  test.each(RULES)("%s", (_movement, rule) => {
    forAll(500, (random) => {
      const amount = random.integer(1, MAX_AMOUNT_CENTS);
      const upTo = () => random.pick([0, amount, random.integer(1, amount)]);
      const postings = rule(amount, upTo(), upTo(), upTo());
      expect(postings.reduce((sum, posting) => sum + posting.amount, 0)).toBe(0);
    });
  });
});

describe("a movement posts only non-zero amounts", () => {
  test.each(RULES)(
    "%s touches each account at most once and never with zero",
    (_movement, rule) => {
      for (const share of [0, 50, 10_00]) {
        const postings = rule(10_00, share, share, share);
        expect(new Set(postings.map((posting) => posting.account)).size).toBe(postings.length);
        expect(postings.every((posting) => posting.amount !== 0)).toBe(true);
      }
    },
  );
});

describe("money goes between the right accounts", () => {
  test("a paid charge is available at once", () => {
    expect(sums(chargePaid({ paid: 25_00, fee: 0, awaiting: 0, debt: 0 }))).toEqual({
      provider: -25_00,
      available: 25_00,
    });
  });

  test("a paid charge pays its fee and then the debt, and the unreleased credit stays separate", () => {
    expect(sums(chargePaid({ paid: 100_00, fee: 2_00, awaiting: 50_00, debt: 30_00 }))).toEqual({
      provider: -100_00,
      fees: 2_00,
      awaiting: 50_00,
      debt: 30_00,
      available: 18_00,
    });
  });

  test("a released credit repays the debt before the rest becomes available", () => {
    expect(sums(creditReleased(40_00, 50_00))).toEqual({ awaiting: -40_00, debt: 40_00 });
  });

  test("a released hold leaves no trace, also on unreleased credit", () => {
    const taken = { awaiting: 30_00, available: 12_00 };
    expect(sums(holdPlaced(taken))).toEqual({
      awaiting: -30_00,
      available: -12_00,
      blocked: 42_00,
    });
    expect(sums(holdPlaced(taken), holdReleased(taken, 0))).toEqual({});
  });

  test("a chargeback beyond the company's money becomes debt", () => {
    expect(
      sums(clawback({ blocked: 5_00, awaiting: 10_00, available: 20_00, debt: 65_00 })),
    ).toEqual({
      blocked: -5_00,
      awaiting: -10_00,
      available: -20_00,
      debt: -65_00,
      provider: 100_00,
    });
  });

  test("an unexpected payment is not part of the available balance", () => {
    expect(sums(paymentSuspended(25_00))).toEqual({ provider: -25_00, suspense: 25_00 });
  });

  test("a requested withdraw takes amount and fee, and only the amount is in flight", () => {
    expect(sums(withdrawRequested(100_00, 1_50))).toEqual({
      available: -101_50,
      payout: 100_00,
      fees: 1_50,
    });
  });

  test("a paid withdraw leaves the ledger", () => {
    expect(sums(withdrawPaid(100_00))).toEqual({ payout: -100_00, provider: 100_00 });
  });

  test("a failed or cancelled withdraw leaves no trace in the balances", () => {
    forAll(200, (random) => {
      const amount = random.integer(1, MAX_AMOUNT_CENTS);
      const fee = random.integer(0, amount);
      expect(sums(withdrawRequested(amount, fee), withdrawReversed(amount, fee, 0))).toEqual({});
    });
  });

  test("a withdraw that was paid and returned leaves no trace in the balances", () => {
    forAll(200, (random) => {
      const amount = random.integer(1, MAX_AMOUNT_CENTS);
      const fee = random.integer(0, amount);
      expect(
        sums(
          withdrawRequested(amount, fee),
          withdrawPaid(amount),
          withdrawReturned(amount, fee, 0),
        ),
      ).toEqual({});
    });
  });
});

test("the available, unreleased, blocked and in-flight balances never fall below zero", () => {
  expect(NON_NEGATIVE_ACCOUNTS).toEqual(["available", "awaiting", "blocked", "payout", "suspense"]);
});

test("the ledger has exactly the documented accounts", () => {
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

/** The sum of several movements for each account; unchanged accounts are omitted. */
function sums(...movements: Posting[][]): Partial<Record<Account, number>> {
  const totals = new Map<Account, number>();
  for (const { account, amount } of movements.flat()) {
    totals.set(account, (totals.get(account) ?? 0) + amount);
  }
  return Object.fromEntries([...totals].filter(([, amount]) => amount !== 0));
}
