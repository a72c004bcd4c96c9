import { describe, expect, test } from "vitest";
import { saoPauloDay } from "../../../../src/domain/shared/business-day.ts";
import { MAX_AMOUNT_CENTS } from "../../../../src/domain/shared/money.ts";
import type { PaymentMethod } from "../../../../src/domain/charges/charge-status.ts";
import { methodOf } from "../../../../src/methods/registry.ts";
import { releaseSchedule } from "../../../../src/domain/ledger/release.ts";
import { forAll } from "../../../support/builders/property.ts";

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
  test("of zero days is due at once, whatever the bank's clock says", () => {
    expect(schedule({ paidAt: PAID_AT + 365 * DAY_MS })).toEqual([
      { installment: 1, amount: 10_000, dueAt: 0 },
    ]);
  });

  test("of PIX and BOLETO is due whole, so many days of 24 hours after it was paid", () => {
    expect(schedule({ releaseDays: 2 })).toEqual([
      { installment: 1, amount: 10_000, dueAt: PAID_AT + 2 * DAY_MS },
    ]);
    expect(schedule({ paymentMethod: "BOLETO", releaseDays: 1, installments: 3 })).toEqual([
      { installment: 1, amount: 10_000, dueAt: PAID_AT + DAY_MS },
    ]);
  });

  test("of a card is due by installments, each its number of terms after it was paid", () => {
    const parts = schedule({ paymentMethod: "CREDIT_CARD", releaseDays: 30, installments: 3 });
    expect(parts).toEqual([
      { installment: 1, amount: 3_334, dueAt: PAID_AT + 30 * DAY_MS },
      { installment: 2, amount: 3_333, dueAt: PAID_AT + 60 * DAY_MS },
      { installment: 3, amount: 3_333, dueAt: PAID_AT + 90 * DAY_MS },
    ]);
  });

  test("of nothing has no parts, and one too small for its installments few", () => {
    expect(schedule({ amount: 0 })).toEqual([]);
    const card = { paymentMethod: "CREDIT_CARD", releaseDays: 30, installments: 12 } as const;
    expect(schedule({ ...card, amount: 0 })).toEqual([]);
    expect(schedule({ ...card, amount: 7 })).toEqual([
      { installment: 1, amount: 7, dueAt: PAID_AT + 30 * DAY_MS },
    ]);
  });

  test("is the sum of its parts, which differ by less than their number", () => {
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

describe("the business day of Sao Paulo", () => {
  test.each([
    ["2026-11-21T02:59:59.999Z", "2026-11-20"],
    ["2026-11-21T03:00:00.000Z", "2026-11-21"],
    ["2026-12-31T23:59:59.999Z", "2026-12-31"],
    ["2027-01-01T02:59:59.999Z", "2026-12-31"],
    ["2027-01-01T03:00:00.000Z", "2027-01-01"],
    ["2028-02-29T12:00:00.000Z", "2028-02-29"],
    ["2028-03-01T02:59:59.999Z", "2028-02-29"],
    ["1970-01-01T00:00:00.000Z", "1969-12-31"],
  ])("at %s is %s", (time, day) => {
    expect(saoPauloDay(Date.parse(time))).toBe(day);
  });

  test("begins at 03:00 UTC in summer and in winter alike: there is no summer time since 2019", () => {
    const first = Date.parse("2020-01-01T03:00:00.000Z");
    for (let day = 0; day < 3_000; day++) {
      const midnight = first + day * DAY_MS;
      const date = new Date(midnight).toISOString().slice(0, 10);
      expect(saoPauloDay(midnight)).toBe(date);
      expect(saoPauloDay(midnight - 1)).not.toBe(date);
      expect(saoPauloDay(midnight + DAY_MS - 1)).toBe(date);
    }
  });

  test("in the last summer time began an hour earlier by UTC", () => {
    expect(saoPauloDay(Date.parse("2019-01-15T01:59:59.999Z"))).toBe("2019-01-14");
    expect(saoPauloDay(Date.parse("2019-01-15T02:00:00.000Z"))).toBe("2019-01-15");
  });

  test("sorts as text in the order of time", () => {
    forAll(2_000, (random) => {
      const earlier = random.integer(0, 4_000_000_000_000);
      const later = earlier + random.integer(0, 10 * DAY_MS);
      expect(saoPauloDay(earlier) <= saoPauloDay(later)).toBe(true);
    });
  });
});
