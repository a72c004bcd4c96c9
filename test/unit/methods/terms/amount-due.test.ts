import { describe, expect, test } from "vitest";
import type { DueTerms } from "../../../../src/domain/charges/payment-details.ts";
import { MAX_BOLETO_AMOUNT_CENTS } from "../../../../src/methods/boleto/boleto-code.ts";
import { amountDue } from "../../../../src/methods/terms/amount-due.ts";
import { businessDayFrom } from "../../../../src/domain/shared/business-day.ts";
import {
  addDays,
  daysBetween,
  isCalendarDay,
  weekday,
} from "../../../../src/domain/shared/calendar-day.ts";
import { forAll } from "../../../support/builders/requests/property.ts";

/** A Tuesday. */
const DUE = "2026-12-01";
const PERCENT = 100;

function termsOf(parts: Partial<DueTerms> = {}): DueTerms {
  return { dueDate: DUE, fine: null, interest: null, discount: null, ...parts };
}

const CHARGES = termsOf({
  fine: { type: "PERCENTAGE", value: 2 * PERCENT },
  interest: { value: 1 * PERCENT },
  discount: { type: "FIXED", value: 500, untilDate: "2026-11-25" },
});

describe("the amount due on a day", () => {
  test.each<[string, DueTerms, number, string, number]>([
    ["the amount, before", termsOf(), 10_000, "2026-11-20", 10_000],
    ["the amount, long after, without fine or interest", termsOf(), 10_000, "2027-06-01", 10_000],
    ["less the discount on its last day", CHARGES, 10_000, "2026-11-25", 9_500],
    ["the amount on the day after the discount", CHARGES, 10_000, "2026-11-26", 10_000],
    ["the amount on the due date", CHARGES, 10_000, DUE, 10_000],
    ["fine and a day's interest on the next day", CHARGES, 10_000, "2026-12-02", 10_203],
    ["fine and a month's interest after 30 days", CHARGES, 10_000, "2026-12-31", 10_300],
    [
      "a fixed fine, once",
      termsOf({ fine: { type: "FIXED", value: 250 } }),
      10_000,
      "2026-12-31",
      10_250,
    ],
    [
      "a discount in percent",
      termsOf({ discount: { type: "PERCENTAGE", value: 1_050, untilDate: DUE } }),
      9_999,
      DUE,
      9_999 - 1_050,
    ],
    [
      "a centavo when the discount equals the amount",
      termsOf({ discount: { type: "PERCENTAGE", value: 10_000, untilDate: DUE } }),
      10_000,
      DUE,
      1,
    ],
    [
      "a centavo when the discount exceeds the amount",
      termsOf({ discount: { type: "FIXED", value: 500, untilDate: DUE } }),
      100,
      DUE,
      1,
    ],
    [
      "half a centavo of a fine as one",
      termsOf({ fine: { type: "PERCENTAGE", value: 50 } }),
      100,
      "2026-12-02",
      101,
    ],
    [
      "less than half a centavo of a fine as zero",
      termsOf({ fine: { type: "PERCENTAGE", value: 49 } }),
      100,
      "2026-12-02",
      100,
    ],
  ])("%s", (_title, terms, amount, day, due) => {
    expect(amountDue(terms, amount, day)).toBe(due);
  });

  test.each([
    ["2026-12-05", "2026-12-07", "2026-12-08", 3],
    ["2026-12-06", "2026-12-07", "2026-12-08", 2],
  ])(
    "%s is on a weekend: it is paid without charges until %s, and on %s it is %i days late",
    (dueDate, monday, tuesday, days) => {
      const terms = { ...CHARGES, dueDate, discount: null };
      expect(businessDayFrom(dueDate)).toBe(monday);
      expect(amountDue(terms, 90_000, monday)).toBe(90_000);
      expect(amountDue(terms, 90_000, tuesday)).toBe(90_000 + 1_800 + days * 30);
    },
  );

  test("is exact for the largest amounts, rates and delays", () => {
    forAll(2_000, (random) => {
      const amount = random.integer(MAX_BOLETO_AMOUNT_CENTS - 100_000, MAX_BOLETO_AMOUNT_CENTS);
      const [fine, interest] = [random.integer(0, 10_000), random.integer(0, 10_000)];
      const days = random.integer(1, 400);
      const terms = termsOf({
        fine: { type: "PERCENTAGE", value: fine },
        interest: { value: interest },
      });
      expect(BigInt(amountDue(terms, amount, addDays(DUE, days)))).toBe(
        BigInt(amount) +
          halfUp(BigInt(amount) * BigInt(fine), 10_000n) +
          halfUp(BigInt(amount) * BigInt(interest) * BigInt(days), 300_000n),
      );
    });
  });
});

describe("calendar days", () => {
  test("are counted across months, years and leap days", () => {
    expect(addDays("2026-12-31", 1)).toBe("2027-01-01");
    expect(addDays("2028-02-28", 1)).toBe("2028-02-29");
    expect(addDays("2026-03-01", -1)).toBe("2026-02-28");
    expect(daysBetween("1997-10-07", "2026-11-20")).toBe(10_636);
    expect(weekday("2026-11-21")).toBe(6);
  });

  test.each(["2026-02-29", "2026-13-01", "2026-1-1", "", "01/12/2026", "2026-12-01T00"])(
    "%j is not a calendar day",
    (text) => {
      expect(isCalendarDay(text)).toBe(false);
      expect(() => addDays(text, 0)).toThrow(RangeError);
    },
  );
});

function halfUp(product: bigint, divisor: bigint): bigint {
  return (2n * product + divisor) / (2n * divisor);
}
