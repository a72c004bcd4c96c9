import { describe, expect, test } from "vitest";
import { MAX_AMOUNT_CENTS } from "../../../../src/domain/shared/money.ts";
import type { PaymentMethod } from "../../../../src/domain/charges/charge-status.ts";
import { methodOf } from "../../../../src/methods/registry.ts";
import { releaseSchedule } from "../../../../src/domain/ledger/release.ts";
import { forAll } from "../../../support/builders/requests/property.ts";

const DAY_MS = 86_400_000;
const PAID_AT = Date.parse("2026-11-21T12:00:00.000Z");

type Terms = Omit<Parameters<typeof releaseSchedule>[0], "parts"> & {
  paymentMethod: PaymentMethod;
  installments: number;
};

function schedule(overrides: Partial<Terms>) {
  const { paymentMethod, installments, ...credit } = {
    amount: 10_000,
    paymentMethod: "PIX",
    installments: 1,
    releaseDays: 0,
    paidAt: PAID_AT,
    ...overrides,
  } as const;
  return releaseSchedule({ ...credit, parts: methodOf(paymentMethod).releaseParts(installments) });
}

describe("a credit", () => {
  test("with zero release days is due at once, at any bank time", () => {
    expect(schedule({ paidAt: PAID_AT + 365 * DAY_MS })).toEqual([
      { installment: 1, amount: 10_000, dueAt: 0 },
    ]);
  });

  test("of PIX and BOLETO is due in full, whole days of 24 hours after the payment", () => {
    expect(schedule({ releaseDays: 2 })).toEqual([
      { installment: 1, amount: 10_000, dueAt: PAID_AT + 2 * DAY_MS },
    ]);
    expect(schedule({ paymentMethod: "BOLETO", releaseDays: 1, installments: 3 })).toEqual([
      { installment: 1, amount: 10_000, dueAt: PAID_AT + DAY_MS },
    ]);
  });

  test("of a card is due in installments, each its number of terms after the payment", () => {
    const parts = schedule({ paymentMethod: "CREDIT_CARD", releaseDays: 30, installments: 3 });
    expect(parts).toEqual([
      { installment: 1, amount: 3_334, dueAt: PAID_AT + 30 * DAY_MS },
      { installment: 2, amount: 3_333, dueAt: PAID_AT + 60 * DAY_MS },
      { installment: 3, amount: 3_333, dueAt: PAID_AT + 90 * DAY_MS },
    ]);
  });

  test("of zero has no parts, and a small credit has fewer parts than installments", () => {
    expect(schedule({ amount: 0 })).toEqual([]);
    const card = { paymentMethod: "CREDIT_CARD", releaseDays: 30, installments: 12 } as const;
    expect(schedule({ ...card, amount: 0 })).toEqual([]);
    expect(schedule({ ...card, amount: 7 })).toEqual([
      { installment: 1, amount: 7, dueAt: PAID_AT + 30 * DAY_MS },
    ]);
  });

  test("equals the sum of its parts, which differ by less than their number", () => {
    forAll(5_000, (random) => {
      const amount = random.pick([random.integer(1, 100), random.integer(1, MAX_AMOUNT_CENTS)]);
      const installments = random.integer(1, 12);
      const releaseDays = random.integer(1, 365);
      const card = { paymentMethod: "CREDIT_CARD", installments, releaseDays, amount } as const;
      const parts = schedule(card);
      expect(parts.reduce((sum, part) => sum + part.amount, 0)).toBe(amount);
      const amounts = parts.map((part) => part.amount);
      expect(Math.min(...amounts)).toBeGreaterThan(0);
      if (parts.length === installments) {
        expect(Math.max(...amounts) - Math.min(...amounts)).toBeLessThan(installments);
      }
      for (const { installment, dueAt } of parts) {
        expect(dueAt).toBe(PAID_AT + installment * releaseDays * DAY_MS);
      }
      expect(new Set(parts.map((part) => part.installment)).size).toBe(parts.length);
    });
  });
});
