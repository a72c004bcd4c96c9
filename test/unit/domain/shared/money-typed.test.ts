import { expect, test } from "vitest";
import { parseReais } from "../../../../src/domain/shared/money.ts";

/** Before a comma points stand between groups of three digits; anywhere else they are a slip of the finger. */
test.each(["1,2.3", "12.34,56", "1.5,00", "1..2,5", "1.2.3,4", ".1,5"])(
  "%j is no amount, because nobody can say which one was meant",
  (typed) => {
    expect(parseReais(typed)).toBeNull();
  },
);

test.each([
  ["1.234,56", 123_456],
  ["1.234.567,8", 123_456_780],
  ["1234,56", 123_456],
  ["1234.56", 123_456],
  ["R$ 10", 1_000],
])("%j is %i centavos", (typed, cents) => {
  expect(parseReais(typed)).toBe(cents);
});
