import { describe, expect, it } from "vitest";
import type { DueTerms } from "../../../../src/domain/charges/payment-details.ts";
import { addDays, weekday } from "../../../../src/domain/shared/calendar-day.ts";
import { pixAmountDue } from "../../../../src/methods/pix/due-amount.ts";
import { isRightAmount } from "../../../../src/methods/terms/amounts-due.ts";
import { forAll } from "../../../support/builders/requests/property.ts";

const CHARGES = {
  fine: { type: "PERCENTAGE", value: 200 },
  interest: { value: 100 },
  discount: null,
} as const;
const PIX = { movesAll: true };
const noonOf = (day: string) => Date.parse(`${day}T12:00:00-03:00`);

/** Due for 900.00 with 2 % once and 1 % a month. */
function isRight(dueDate: string, day: string, paid: number, terms: Partial<DueTerms> = {}) {
  const all = { dueDate, ...CHARGES, ...terms };
  return isRightAmount(all, PIX, { amount: 90_000, paid, paidAt: noonOf(day) });
}

const until = (untilDate: string) =>
  ({ discount: { type: "PERCENTAGE", value: 1_000, untilDate } }) as const;

describe("what a payer's bank can rightly ask for a PIX of 900.00 with a due date", () => {
  it.each([
    ["nothing more on Monday for a Saturday", "2026-12-05", "2026-12-07", 90_000, true],
    [
      "nothing more on the Monday after Christmas' Friday",
      "2026-12-25",
      "2026-12-28",
      90_000,
      true,
    ],
    [
      "nothing more on Ash Wednesday for Carnival's Saturday",
      "2027-02-06",
      "2027-02-10",
      90_000,
      true,
    ],
    ["nothing more on the Monday after Good Friday", "2027-03-26", "2027-03-29", 90_000, true],
    ["nothing more the day after Corpus Christi", "2027-05-27", "2027-05-28", 90_000, true],
    ["nothing more the day after a holiday of the town", "2026-12-01", "2026-12-02", 90_000, true],
    ["nothing more after two such holidays", "2026-12-01", "2026-12-03", 90_000, true],
    ["nothing more after such a Friday and its weekend", "2026-12-04", "2026-12-07", 90_000, true],
    ["not as if a due date moved to a weekend", "2026-12-04", "2026-12-07", 91_860, false],
    ["fine and interest of the days since the due date", "2026-12-01", "2026-12-04", 91_890, true],
    [
      "one day's interest less after a holiday of the town",
      "2026-12-01",
      "2026-12-04",
      91_860,
      true,
    ],
    ["two days' less after two", "2026-12-01", "2026-12-04", 91_830, true],
    ["not the bare amount after three business days", "2026-12-01", "2026-12-04", 90_000, false],
    ["not a centavo less than the least", "2026-12-01", "2026-12-04", 91_826, false],
    ["not the fine alone", "2026-12-01", "2026-12-04", 91_800, false],
    ["not more interest than of all days", "2026-12-01", "2026-12-04", 91_899, false],
    ["not more before the due date", "2026-12-01", "2026-11-30", 90_001, false],
    ["not less before the due date", "2026-12-01", "2026-11-30", 89_999, false],
  ])("%s", (_title, dueDate, day, paid, right) => {
    expect(isRight(dueDate, day, paid)).toBe(right);
  });

  it("a discount until a holiday, of all banks or of the town, lasts past it", () => {
    expect(isRight("2027-01-20", "2027-01-04", 81_000, until("2027-01-01"))).toBe(true);
    expect(isRight("2027-01-20", "2027-01-06", 81_000, until("2027-01-04"))).toBe(true);
    expect(isRight("2027-01-20", "2027-01-07", 81_000, until("2027-01-04"))).toBe(false);
    expect(isRight("2027-01-20", "2027-01-07", 90_000, until("2027-01-04"))).toBe(true);
  });

  it("a discount is rounded up or down, and never takes the last centavo", () => {
    const terms = { dueDate: "2027-01-20", ...CHARGES, ...until("2027-01-20") };
    const of = (paid: number) =>
      isRightAmount(terms, PIX, { amount: 90_001, paid, paidAt: noonOf("2027-01-04") });
    expect([80_999, 81_000, 81_001, 81_002].map(of)).toEqual([false, true, true, false]);
    const discount = { type: "FIXED", value: 90_000, untilDate: "2027-01-20" } as const;
    const ofWhole = (paid: number) => isRight("2027-01-20", "2027-01-04", paid, { discount });
    expect([0, 1, 2].map(ofWhole)).toEqual([false, true, false]);
  });

  it("the day before counts until an hour after midnight", () => {
    const charge = { dueDate: "2026-12-01", ...CHARGES };
    const ofTheNinth = 92_040;
    const check = (time: string, paid: number) =>
      isRightAmount(charge, PIX, {
        amount: 90_000,
        paid,
        paidAt: Date.parse(`2026-12-10T${time}-03:00`),
      });
    // The least of the tenth is of seven days; only two holidays of the town explain six.
    expect(check("00:59:59", 91_980)).toBe(true);
    expect(check("01:00:00", 91_980)).toBe(false);
    expect(check("12:00:00", ofTheNinth)).toBe(true);
  });

  it("a daily rate that a PSP cuts at the fifth decimal is right (bacen/pix-api issue 607)", () => {
    const terms = { dueDate: "2024-09-04", ...CHARGES, fine: null };
    const paidAt = noonOf("2024-09-05");
    const of = (paid: number) => isRightAmount(terms, PIX, { amount: 3_000_000, paid, paidAt });
    expect([3_000_990, 3_001_000, 3_000_989].map(of)).toEqual([true, true, false]);
  });

  it("a boleto's interest counts from its own due date", () => {
    const charge = { dueDate: "2026-12-05", ...CHARGES };
    const check = (paid: number) =>
      isRightAmount(
        charge,
        { movesAll: false },
        { amount: 90_000, paid, paidAt: noonOf("2026-12-08") },
      );
    expect([91_890, 91_830, 90_000].map(check)).toEqual([true, false, true]);
  });
});

/** Our sum, once for each way to round and each day that a town's holidays may move the due date to. */
it("every amount is right that another implementation computes, and always our own", () => {
  const missed: unknown[] = [];
  forAll(3_000, (random) => {
    const amount = random.integer(1, 10_000_000);
    const dueDate = addDays("2026-11-01", random.integer(0, 500));
    const day = addDays(dueDate, random.integer(-5, 60));
    const terms = {
      dueDate,
      validityAfterDue: 90,
      fine:
        random.integer(0, 1) === 0
          ? null
          : { type: "PERCENTAGE" as const, value: random.integer(1, 200) },
      interest: random.integer(0, 1) === 0 ? null : { value: random.integer(1, 1_000) },
      discount: null,
    };
    const paidAt = noonOf(day);
    const ours = pixAmountDue(terms, amount, day);
    if (!isRightAmount(terms, PIX, { amount, paid: ours, paidAt }))
      missed.push(["ours", ours, terms]);
    const round = random.pick([Math.floor, Math.round, Math.ceil]);
    let moved = dueDate;
    // A holiday of the town, then the weekend.
    if (random.integer(0, 1) === 0) moved = addDays(moved, 1);
    while ([0, 6].includes(weekday(moved))) moved = addDays(moved, 1);
    const days = day > moved ? (Date.parse(day) - Date.parse(moved)) / 86_400_000 : 0;
    const theirs =
      amount +
      (days > 0 ? round((amount * (terms.fine?.value ?? 0)) / 10_000) : 0) +
      round((amount * (terms.interest?.value ?? 0) * days) / 300_000);
    if (!isRightAmount(terms, PIX, { amount, paid: theirs, paidAt }))
      missed.push([theirs, day, terms]);
    if (days === 0 || amount < 10_000) return;
    const tooMuch = Math.ceil(amount * 1.5 + 1_000);
    if (isRightAmount(terms, PIX, { amount, paid: tooMuch, paidAt })) missed.push([tooMuch, terms]);
    if (isRightAmount(terms, PIX, { amount, paid: amount - 1, paidAt })) missed.push([-1, terms]);
  });
  expect(missed).toEqual([]);
});
