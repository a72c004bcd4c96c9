import { expect, test } from "vitest";
import { cardRefusal } from "../../../../src/domain/cards/abecs.ts";

const refusal = (brand: string, code: string | null, said = {}) =>
  cardRefusal({ brand, code, advice: null, byAntifraud: false, ...said });

test.each([
  ["visa", "51", "INSUFFICIENT_FUNDS", true],
  ["visa", "54", "EXPIRED_CARD", false],
  ["elo", "57", "CARD_DECLINED", false],
  ["mastercard", "61", "LIMIT_EXCEEDED", true],
  ["american-express", "116", "INSUFFICIENT_FUNDS", true],
])("a code means what its brand says: %s %s is %s", (brand, code, meaning, retryable) => {
  expect(refusal(brand, code)).toMatchObject({ code: meaning, retryable });
  expect(refusal(brand, code).message).not.toContain(code);
});

test("a number of another brand's set is not known, shown as it came, and not retryable", () => {
  for (const [brand, code] of [
    ["american-express", "51"],
    ["visa", "116"],
    ["visa", "1011"],
  ] as const) {
    expect(refusal(brand, code)).toEqual({
      code: "CARD_DECLINED",
      message: `The card was declined by its issuer. Its code is ${code}.`,
      retryable: false,
    });
  }
  expect(refusal("visa", null).message).toBe("The card was declined by its issuer.");
});

test("Mastercard's advice wins over the code, and no other brand has one", () => {
  expect(refusal("mastercard", "51", { advice: "3" }).retryable).toBe(false);
  expect(refusal("mastercard", "57", { advice: "02" }).retryable).toBe(true);
  expect(refusal("visa", "51", { advice: "03" }).retryable).toBe(true);
});

test("what an antifraud refused is a suspicion of fraud, whatever its code", () => {
  expect(refusal("visa", "51", { byAntifraud: true }).code).toBe("FRAUD_SUSPECTED");
});
