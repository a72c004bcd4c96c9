import { describe, expect, test } from "vitest";
import type { BoletoCharge } from "../../../src/domain/charges/payment-details.ts";
import { isUnderpaid } from "../../../src/methods/underpaid.ts";

const NOON = (day: string) => Date.parse(`${day}T12:00:00.000-03:00`);
const TERMS: BoletoCharge = {
  // A Tuesday.
  dueDate: "2026-12-01",
  instructions: "",
  documentNumber: "",
  fine: { type: "PERCENTAGE", value: 200 },
  interest: { value: 300 },
  discount: { type: "FIXED", value: 500, untilDate: "2026-11-25" },
  origin: "https://api.example.com",
  registered: null,
};
const PIX = { paymentMethod: "PIX", pix: null, boleto: null } as const;
const BOLETO = { paymentMethod: "BOLETO", pix: null, boleto: TERMS } as const;
const DUE_PIX = { ...PIX, pix: { due: { ...TERMS, validityAfterDue: 30 } } } as const;

describe("a charge without a due date is underpaid", () => {
  test.each([
    [500_000, 1, true],
    [500_000, 499_999, true],
    [500_000, 500_000, false],
    [500_000, 500_001, false],
  ])("of %i with %i: %s", (amount, paidAmount, underpaid) => {
    const charge = { amount, paidAmount, paidAt: NOON("2026-12-01"), ...PIX };
    expect(isUnderpaid(charge)).toBe(underpaid);
  });

  test("only after it is paid", () => {
    const open = { amount: 500_000, paidAmount: 0, paidAt: null };
    expect(isUnderpaid({ ...open, ...PIX })).toBe(false);
    expect(isUnderpaid({ ...open, ...BOLETO })).toBe(false);
    expect(isUnderpaid({ ...open, ...DUE_PIX })).toBe(false);
  });
});

// Two local holidays may move the last day of a PIX's discount, but not of a boleto's.
describe.each([
  ["a boleto", BOLETO, "2026-11-25"],
  ["a PIX with a due date", DUE_PIX, "2026-11-27"],
])("%s of 100.00 is underpaid below the amount due on its day", (_name, method, lastDay) => {
  test.each([
    ["with its discount", "2026-11-25", 9_500],
    ["after its discount", "2026-11-26", 10_000],
    ["on its due date", "2026-12-01", 10_000],
    // 2 % once, and 3 % a month for two days: 200 and 20.
    ["two days late", "2026-12-03", 10_220],
  ])("%s, on %s, less than %i", (_what, day, due) => {
    const paid = (paidAmount: number) => ({
      amount: 10_000,
      paidAmount,
      paidAt: NOON(day),
      ...method,
    });
    expect(isUnderpaid(paid(due - 1))).toBe(true);
    expect(isUnderpaid(paid(due))).toBe(false);
  });

  test("uses the day in São Paulo", () => {
    // The payer's bank may have computed it at the end of the day before; it has until one o'clock.
    const paidAt = Date.parse(`${lastDay}T03:59:59.000Z`) + 24 * 3_600_000;
    const paid = { amount: 10_000, paidAmount: 9_500, ...method };
    expect(isUnderpaid({ ...paid, paidAt })).toBe(false);
    expect(isUnderpaid({ ...paid, paidAt: paidAt + 1_000 })).toBe(true);
  });
});
