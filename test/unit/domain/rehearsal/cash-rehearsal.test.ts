import * as fc from "fast-check";
import { expect, it } from "vitest";
import {
  rehearse,
  type RehearsalDay,
  type RehearsalFacts,
} from "../../../../src/domain/rehearsal/cash-rehearsal.ts";
import { paymentOdds, type OpenCharges } from "../../../../src/domain/rehearsal/payment-odds.ts";
import { addDays } from "../../../../src/domain/shared/calendar-day.ts";

const TODAY = "2026-02-12";

const facts = (change: Partial<RehearsalFacts> = {}): RehearsalFacts => ({
  today: TODAY,
  days: 10,
  available: 0,
  owed: 0,
  releases: [],
  expiringApprovals: [],
  disputes: [],
  wonDisputes: [],
  open: [],
  odds: [],
  releaseDays: { PIX: 0, BOLETO: 1, CREDIT_CARD: 30 },
  returnedShare: 0,
  ...change,
});

const boletos = (change: Partial<OpenCharges> = {}): OpenCharges => ({
  paymentMethod: "BOLETO",
  lastDay: "2026-02-18",
  isDue: true,
  gross: 100_000,
  fees: 0,
  squares: 100_000_000,
  ...change,
});

const BOLETO_ODDS = paymentOdds(
  "BOLETO",
  [
    { daysEarly: 4, count: 10 },
    { daysEarly: 1, count: 70 },
    { daysEarly: null, count: 20 },
  ],
  [boletos()],
);

/** The figures of the days that have one, by their day. */
function shown(days: RehearsalDay[], ...names: (keyof RehearsalDay)[]) {
  return days
    .filter((day) => names.some((name) => day[name] !== 0))
    .map((day) =>
      (["day", ...names] as const).map((name) => (name === "day" ? day.day.slice(8) : day[name])),
    );
}

it("each day opens with what the day before closes with, and days without anything keep it", () => {
  const releases = [
    { date: "2026-02-11", amount: 7 },
    { date: "2026-02-14", amount: 300 },
    { date: "2026-02-21", amount: 50 },
    { date: "2026-02-22", amount: 9_999 },
  ];
  const days = rehearse(facts({ available: 1_000, releases }));
  expect(days.map(({ day }) => day)).toEqual(
    Array.from({ length: 10 }, (_, index) => addDays(TODAY, index)),
  );
  // What is overdue comes today; what lies beyond the last day does not.
  expect(shown(days, "releases")).toEqual([
    ["12", 7],
    ["14", 300],
    ["21", 50],
  ]);
  const sevens = Array.from({ length: 7 }, () => 1_307);
  expect(days.map(({ certain }) => certain)).toEqual([1_007, 1_007, ...sevens, 1_357]);
  expect(days.map(({ opening }) => opening)).toEqual([1_000, 1_007, 1_007, ...sevens]);
});

it("a debt is repaid before anything becomes available", () => {
  const releases = [
    { date: "2026-02-13", amount: 300 },
    { date: "2026-02-14", amount: 300 },
  ];
  const days = rehearse(facts({ owed: 500, releases, days: 4 }));
  expect(days.map(({ debtRepaid }) => debtRepaid)).toEqual([0, 300, 200, 0]);
  expect(days.map(({ certain }) => certain)).toEqual([0, 0, 100, 100]);
});

it("a boleto due in Carnival is due on Ash Wednesday, and its money comes after its release days", () => {
  const odds = [BOLETO_ODDS];
  const open = [boletos({ lastDay: "2026-02-14", fees: 2_000 })];
  const days = rehearse(facts({ open, odds }));
  expect(shown(days, "due")).toEqual([["18", 100_000]]);
  // 80 of 100 were paid, usually on the day before: 17, and one day until their release.
  expect(shown(days, "expectedPayments", "expectedFees")).toEqual([["18", 78_400, 1_600]]);
  expect(days.map(({ certain }) => certain)).toEqual(Array.from({ length: 10 }, () => 0));
  expect(days.at(-1)?.expected).toBe(78_400);
});

it("without enough history nobody pays in the worst and the expected case, everybody today in the best", () => {
  const few = paymentOdds("BOLETO", [{ daysEarly: 1, count: 3 }], [boletos()]);
  const days = rehearse(facts({ open: [boletos()], odds: [few], days: 8 }));
  expect(shown(days, "worst", "expected")).toEqual([]);
  expect(days.map(({ best }) => best)).toEqual([0, ...Array.from({ length: 7 }, () => 100_000)]);
});

it("a PIX without a due date expires on its own day, on a Sunday too, and pays at once", () => {
  const open = [boletos({ paymentMethod: "PIX", lastDay: "2026-02-15", isDue: false, gross: 500 })];
  const odds = [paymentOdds("PIX", [{ daysEarly: 0, count: 90 }], open)];
  const days = rehearse(facts({ open, odds }));
  expect(shown(days, "due", "expiring", "expectedPayments")).toEqual([["15", 0, 500, 500]]);
});

it("what waits for an approval comes back in the certain and the best case only", () => {
  const expiringApprovals = [{ date: "2026-02-13", amount: 400 }];
  const [, day] = rehearse(facts({ expiringApprovals, available: 100 }));
  expect(day).toMatchObject({
    expiredApprovals: 400,
    certain: 500,
    best: 500,
    expected: 100,
    worst: 100,
  });
});

it("a dispute is lost in the worst case, with what its hold lacks, and won in the best", () => {
  const disputes = [{ date: "2026-02-13", amount: 900, held: 600 }];
  const wonDisputes = [
    { date: "2026-02-13", amount: 400 },
    { date: "2026-02-15", amount: 200 },
  ];
  const [, day, , later] = rehearse(facts({ disputes, wonDisputes, available: 1_000 }));
  expect(later).toMatchObject({ worst: 700, best: 1_600 });
  expect(day).toMatchObject({
    disputed: 900,
    certain: 1_000,
    expected: 1_000,
    worst: 700,
    best: 1_400,
  });
});

it("in the worst case the usual share of the payments goes back", () => {
  const releases = [{ date: "2026-02-13", amount: 1_000 }];
  const [, day] = rehearse(facts({ releases, returnedShare: 0.025 }));
  expect(day).toMatchObject({ worst: 975, expected: 1_000, certain: 1_000, best: 1_000 });
});

const cents = fc.integer({ min: 0, max: 10_000_000 });
const someDay = fc.integer({ min: -5, max: 40 }).map((offset) => addDays(TODAY, offset));
const forecast = fc.array(fc.record({ date: someDay, amount: cents }), { maxLength: 8 });

const someOpen = fc
  .record({
    paymentMethod: fc.constantFrom("PIX" as const, "BOLETO" as const),
    lastDay: someDay,
    isDue: fc.boolean(),
    count: fc.integer({ min: 1, max: 50 }),
    amount: fc.integer({ min: 1, max: 100_000 }),
    feePart: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ amount, count, feePart, ...charges }): OpenCharges => {
    const gross = count * amount;
    const fees = Math.floor(gross * feePart);
    return Object.assign(charges, { gross, fees, squares: gross * amount });
  });

const somePast = fc.array(
  fc.record({
    daysEarly: fc.option(fc.integer({ min: -10, max: 30 })),
    count: fc.integer({ min: 1, max: 60 }),
  }),
  { maxLength: 6 },
);

const someFacts = fc
  .record({
    days: fc.integer({ min: 1, max: 45 }),
    available: cents,
    owed: cents,
    releases: forecast,
    expiringApprovals: forecast,
    disputes: fc.array(
      fc.record({ date: someDay, amount: cents, part: fc.double({ min: 0, max: 1, noNaN: true }) }),
      { maxLength: 3 },
    ),
    open: fc.array(someOpen, { maxLength: 6 }),
    past: somePast,
    wonDisputes: forecast,
    returnedShare: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ past, disputes, open, ...rest }) =>
    facts({
      ...rest,
      open,
      odds: (["PIX", "BOLETO"] as const).map((method) =>
        paymentOdds(
          method,
          past,
          open.filter(({ paymentMethod }) => paymentMethod === method),
        ),
      ),
      disputes: disputes.map(({ part, ...dispute }) => ({
        ...dispute,
        held: Math.floor(dispute.amount * part),
      })),
    }),
  );

it("on every day: worst <= expected <= best, certain <= best, whole centavos, and the sums of the days hold", () => {
  fc.assert(
    fc.property(someFacts, (known) => {
      const days = rehearse(known);
      expect(days).toHaveLength(known.days);
      days.forEach((day, index) => {
        expect(day.worst).toBeLessThanOrEqual(day.expected);
        expect(day.best).toBeGreaterThanOrEqual(Math.max(day.certain, day.expected));
        for (const value of Object.values(day)) {
          if (typeof value === "number")
            expect(Number.isSafeInteger(value) && value >= 0).toBe(true);
        }
        expect(day.opening).toBe(
          index === 0 ? Math.max(0, known.available - known.owed) : days[index - 1]?.certain,
        );
        const { opening, releases, expiredApprovals, debtRepaid, certain } = day;
        expect(opening + releases + expiredApprovals - debtRepaid).toBe(certain);
      });
    }),
  );
});
