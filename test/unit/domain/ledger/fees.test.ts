import { describe, expect, test } from "vitest";
import { feeOn, MAX_BASIS_POINTS } from "../../../../src/domain/ledger/fees.ts";
import { MAX_AMOUNT_CENTS } from "../../../../src/domain/shared/money.ts";
import { forAll, type Seeded } from "../../../support/builders/requests/property.ts";

/** The fee rule in exact arithmetic: half up on the integer, at most the amount. */
function exactFee(amount: number, basisPoints: number, fixed: number): bigint {
  const share = (BigInt(amount) * BigInt(basisPoints) * 2n + 10_000n) / 20_000n;
  const fee = share + BigInt(fixed);
  return fee > BigInt(amount) ? BigInt(amount) : fee;
}

const AMOUNTS = [1, 2, 3, 4_999, 5_000, 9_999, 10_000, 10_001, MAX_AMOUNT_CENTS - 1];

/** Any amount; small amounts and amounts near a fee step are as frequent as large ones. */
function anAmount(random: Seeded): number {
  return random.pick([
    random.integer(1, 300),
    random.integer(1, 1_000_000),
    random.integer(1, MAX_AMOUNT_CENTS),
    random.integer(1, 99_999_999) * 10_000 + random.integer(-1, 1),
    random.pick(AMOUNTS),
    MAX_AMOUNT_CENTS,
  ]);
}

describe("the fee on an amount", () => {
  test("is its share rounded half up, plus the fixed part, for any amount", () => {
    forAll(20_000, (random) => {
      const amount = anAmount(random);
      const basisPoints = random.integer(0, MAX_BASIS_POINTS);
      const fixed = random.pick([0, random.integer(0, 500), random.integer(0, MAX_AMOUNT_CENTS)]);
      expect(BigInt(feeOn(amount, { basisPoints, fixed }))).toBe(
        exactFee(amount, basisPoints, fixed),
      );
    });
  });

  test("is an integer from 0 to the amount, so that no credit is negative", () => {
    forAll(5_000, (random) => {
      const amount = anAmount(random);
      const fee = feeOn(amount, {
        basisPoints: random.integer(0, MAX_BASIS_POINTS),
        fixed: random.integer(0, MAX_AMOUNT_CENTS),
      });
      expect(Number.isSafeInteger(fee)).toBe(true);
      expect(fee).toBeGreaterThanOrEqual(0);
      expect(fee).toBeLessThanOrEqual(amount);
    });
  });

  test("never falls when the amount, the share or the fixed part grows", () => {
    forAll(5_000, (random) => {
      const amount = random.integer(1, MAX_AMOUNT_CENTS - 1);
      const basisPoints = random.integer(0, MAX_BASIS_POINTS - 1);
      const fixed = random.integer(0, 10_000);
      const fee = feeOn(amount, { basisPoints, fixed });
      expect(feeOn(amount + 1, { basisPoints, fixed })).toBeGreaterThanOrEqual(fee);
      expect(feeOn(amount, { basisPoints: basisPoints + 1, fixed })).toBeGreaterThanOrEqual(fee);
      expect(feeOn(amount, { basisPoints, fixed: fixed + 1 })).toBeGreaterThanOrEqual(fee);
    });
  });

  test.each([
    [10_000, 99, 0, 99],
    [50, 100, 0, 1],
    [49, 100, 0, 0],
    [150, 100, 0, 2],
    [250, 100, 0, 3],
    [1, 5_000, 0, 1],
    [1, 4_999, 0, 0],
    [3, 5_000, 0, 2],
    [10_000, 0, 30, 30],
    [10_000, 399, 39, 438],
    [20, 0, 30, 20],
    [20, 10_000, 0, 20],
    [20, 10_000, 1, 20],
    [999_999_999_999, 10_000, 999_999_999_999, 999_999_999_999],
    [999_999_999_999, 1, 0, 100_000_000],
    [999_999_999_999, 9_999, 0, 999_899_999_999],
    [0, 10_000, 50, 0],
  ])("on %i at %i basis points and %i fixed is %i", (amount, basisPoints, fixed, fee) => {
    expect(feeOn(amount, { basisPoints, fixed })).toBe(fee);
  });
});
