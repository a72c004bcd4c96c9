import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import {
  centsToReais,
  decimalReais,
  MAX_AMOUNT_CENTS,
  MIN_WITHDRAW_CENTS,
  parseReais,
  reaisToCents,
  typedReais,
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

test("reais of an answer become the centavos that they were made of", () => {
  forAll(2_000, (random) => {
    const cents = random.integer(-LARGEST_CENTS, LARGEST_CENTS);
    expect(reaisToCents(centsToReais(cents))).toBe(cents);
  });
});

test.each([
  [435, "4.35"],
  [5, "0.05"],
  [-5, "-0.05"],
  [0, "0.00"],
  [MAX_AMOUNT_CENTS, "9999999999.99"],
])("%i centavos are written as %s", (cents, text) => {
  expect(decimalReais(cents)).toBe(text);
});

describe("a typed amount", () => {
  /** As the browser has it: its source, with nothing around it. */
  const inBrowser = runInNewContext(`(${parseReais.toString()})`) as typeof parseReais;

  test.each([
    ["1.234,56", 123_456],
    ["1234.56", 123_456],
    ["R$ 10", 1_000],
    [" 0,5 ", 50],
    ["9999999999,99", MAX_AMOUNT_CENTS],
    ["", null],
    ["1,234.56", null],
    ["10,999", null],
    ["-1", null],
    ["1e3", null],
    ["99999999999", null],
  ])("%j is %s centavos, on the server and in the browser", (typed, cents) => {
    expect([parseReais(typed), inBrowser(typed)]).toEqual([cents, cents]);
  });

  test.each([
    [435, "pt-BR", "4,35"],
    [123_456_789, "pt-BR", "1234567,89"],
    [435, "en", "4.35"],
    [null, "pt-BR", ""],
  ] as const)("%s centavos are typed in %s as '%s'", (cents, language, text) => {
    expect(typedReais(cents, language)).toBe(text);
  });

  test("is read as it is written", () => {
    forAll(2_000, (random) => {
      const cents = random.integer(0, MAX_AMOUNT_CENTS);
      const text = decimalReais(cents);
      expect([parseReais(text), parseReais(typedReais(cents, "pt-BR"))]).toEqual([cents, cents]);
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
