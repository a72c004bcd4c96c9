import { describe, expect, test } from "vitest";
import {
  centsToReais,
  MAX_AMOUNT_CENTS,
  MIN_WITHDRAW_CENTS,
} from "../../../../src/domain/shared/money.ts";
import vectors from "../../../vectors/money.json";
import { forAll } from "../../../support/builders/requests/property.ts";

/** Far beyond any balance: ten trillion reais. */
const LARGEST_CENTS = 10 ** 15;

describe("centavos become reais only in JSON", () => {
  test.each(vectors.centavosToReaisString)(
    "$centavos centavos print as $jsonNumberShortest",
    ({ centavos, jsonNumberShortest }) => {
      expect(JSON.stringify(centsToReais(Number(centavos)))).toBe(jsonNumberShortest);
    },
  );

  test("any amount prints as its exact decimal, without float noise", () => {
    forAll(2_000, (random) => {
      const cents = random.integer(-LARGEST_CENTS, LARGEST_CENTS);
      expect(JSON.stringify(centsToReais(cents))).toBe(exactDecimal(cents));
    });
  });
});

test("the largest amount has the ten integer digits of reais that a PIX charge can have", () => {
  expect(centsToReais(MAX_AMOUNT_CENTS).toFixed(2)).toBe("9999999999.99");
});

test("the smallest withdraw is 10.00 reais", () => {
  expect(centsToReais(MIN_WITHDRAW_CENTS)).toBe(10);
});

/** Computed on the text: a point before the last two digits, no trailing zeros. */
function exactDecimal(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, "0");
  const whole = `${digits.slice(0, -2)}.${digits.slice(-2)}`.replace(/\.?0{1,2}$/, "");
  return cents < 0 ? `-${whole}` : whole;
}
