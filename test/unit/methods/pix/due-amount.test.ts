import { describe, expect, test } from "vitest";
import type { PixDueTerms } from "../../../../src/domain/charges/payment-details.ts";
import { pixAmountDue } from "../../../../src/methods/pix/due-amount.ts";
import { dueExpiresAt, payableUntil, pixExpiresAt } from "../../../../src/methods/pix/expiry.ts";

const NONE = { fine: null, interest: null, discount: null };
/** 2 % once, and 1 % a month. */
const CHARGES = {
  ...NONE,
  fine: { type: "PERCENTAGE", value: 200 },
  interest: { value: 100 },
} as const;

const percent = (value: number, untilDate: string) =>
  ({ type: "PERCENTAGE", value, untilDate }) as const;

describe("the amount due for a PIX of 900.00 with a due date", () => {
  test.each<[string, Partial<PixDueTerms>, string, number]>([
    ["is the amount on a Tuesday's due date", { dueDate: "2026-12-01" }, "2026-12-01", 90_000],
    ["has fine and interest the day after", { dueDate: "2026-12-01" }, "2026-12-02", 91_830],
    [
      "is the amount on the Monday after a Saturday",
      { dueDate: "2026-12-05" },
      "2026-12-07",
      90_000,
    ],
    // A boleto's interest would be of three days: 91 890.
    ["counts interest from that Monday", { dueDate: "2026-12-05" }, "2026-12-08", 91_830],
    ["counts interest from a Sunday's Monday", { dueDate: "2026-12-06" }, "2026-12-09", 91_860],
    ["counts a weekend within the delay", { dueDate: "2026-12-04" }, "2026-12-07", 91_890],
    ["counts 29 February", { dueDate: "2032-02-27" }, "2032-03-01", 91_890],
    ["is the amount after Carnival", { dueDate: "2027-02-06" }, "2027-02-10", 90_000],
    ["counts interest from Ash Wednesday", { dueDate: "2027-02-08" }, "2027-02-11", 91_830],
    ["counts no 29 February in another year", { dueDate: "2029-02-28" }, "2029-03-01", 91_830],
    [
      "has its discount on the discount's day",
      { dueDate: "2026-12-11", discount: percent(1_000, "2026-12-04") },
      "2026-12-04",
      81_000,
    ],
    [
      "has no discount the day after a weekday",
      { dueDate: "2026-12-11", discount: percent(1_000, "2026-12-03") },
      "2026-12-04",
      90_000,
    ],
    [
      "has its discount on the Monday after the discount's Saturday",
      { dueDate: "2026-12-11", discount: percent(1_000, "2026-12-05") },
      "2026-12-07",
      81_000,
    ],
    [
      "has no discount on the Tuesday after it",
      { dueDate: "2026-12-11", discount: percent(1_000, "2026-12-05") },
      "2026-12-08",
      90_000,
    ],
    [
      "is never less than a centavo",
      {
        dueDate: "2026-12-11",
        discount: { ...percent(0, "2026-12-11"), type: "FIXED", value: 90_000 },
      },
      "2026-12-11",
      1,
    ],
    [
      "rounds half a centavo up",
      { dueDate: "2026-12-01", fine: null, interest: { value: 5 } },
      "2026-12-02",
      90_002,
    ],
    [
      "rounds less down",
      { dueDate: "2026-12-01", fine: null, interest: { value: 4 } },
      "2026-12-02",
      90_001,
    ],
  ])("%s", (_title, terms, day, due) => {
    const all = { dueDate: "", validityAfterDue: 30, ...CHARGES, ...terms };
    expect(pixAmountDue(all, 90_000, day)).toBe(due);
  });
});

/** Each at the end of the day in São Paulo (UTC-3). */
const lastDay = (ms: number) =>
  new Date(ms - 3 * 3_600_000).toISOString().replace("T23:59:59.000Z", "");

describe("a PIX with a due date", () => {
  // The weekends of BACEN's examples (Pix API, `validadeAposVencimento`); and holidays of all banks.
  test.each([
    ["2020-10-20", 4, "2020-10-26"],
    ["2021-08-27", 5, "2021-09-01"],
    ["2021-08-28", 5, "2021-09-06"],
    ["2026-12-05", 0, "2026-12-07"],
    ["2026-12-01", 0, "2026-12-01"],
    ["2032-02-27", 4, "2032-03-02"],
    ["2020-12-25", 0, "2020-12-28"],
    ["2020-12-21", 4, "2020-12-28"],
  ])(
    "due on %s and valid for %i days can be paid until %s, and expires a week later",
    (dueDate, validityAfterDue, day) => {
      const terms = { dueDate, validityAfterDue };
      expect(lastDay(payableUntil(terms))).toBe(day);
      expect(dueExpiresAt(terms) - payableUntil(terms)).toBe(7 * 86_400_000);
    },
  );
});

test("a PIX without a due date expires after its days, its seconds or one day", () => {
  expect(pixExpiresAt(1_000)).toBe(86_401_000);
  expect(pixExpiresAt(1_000, {})).toBe(86_401_000);
  expect(pixExpiresAt(1_000, { expiresInDays: 2 })).toBe(172_801_000);
  expect(pixExpiresAt(1_000, { expiresInSeconds: 60 })).toBe(61_000);
});
