import { expect, test } from "vitest";
import {
  chargeIdsOfDueDates,
  cycleChargeId,
} from "../../../../src/domain/subscriptions/cycle-charge.ts";
import {
  debitOutlook,
  type OpenGroup,
} from "../../../../src/domain/subscriptions/reports/outlook.ts";

/** Thirty days from a Tuesday on. */
const PERIOD = { from: "2026-12-01", to: "2026-12-30" };
const OPEN: OpenGroup = {
  dueDate: "2026-12-10",
  city: null,
  retryDay: null,
  newest: null,
  count: 2,
  amount: 9_980,
};

const openOn = (group: Partial<OpenGroup>, period = PERIOD) =>
  debitOutlook({ open: [{ ...OPEN, ...group }], scheduled: [] }, period).map(({ day }) => day);

test.each<[string, Partial<OpenGroup>, string[]]>([
  ["that no bank has taken, on its due date", {}, ["2026-12-10"]],
  ["due on a Saturday, on the Monday", { dueDate: "2026-12-12" }, ["2026-12-14"]],
  [
    "that is scheduled, on the day of its attempt",
    { newest: { day: "2026-12-11", status: "scheduled" } },
    ["2026-12-11"],
  ],
  ["that has failed, on no day", { newest: { day: "2026-12-10", status: "failed" } }, []],
  [
    "whose retry is ordered, on that day",
    { retryDay: "2026-12-14", newest: { day: "2026-12-10", status: "failed" } },
    ["2026-12-14"],
  ],
  ["of before the period, on no day", { dueDate: "2026-11-27" }, []],
  ["due on its last day", { dueDate: "2026-12-30" }, ["2026-12-30"]],
])("an open debit %s", (_what, group, days) => {
  expect(openOn(group)).toEqual(days);
});

test("cycles to come are counted on each of their days, up to the mandate's end and the period's", () => {
  const weekly = { period: "WEEKLY", firstDueDate: "2026-11-18", endDate: null } as const;
  const ending = { ...weekly, endDate: "2026-12-09" };
  const group = { city: null, nextCycle: 3, count: 3, amount: 300 };
  const outlook = debitOutlook(
    {
      open: [OPEN],
      scheduled: [
        { schedule: weekly, ...group },
        { schedule: ending, ...group },
        { schedule: { ...weekly, firstDueDate: "2027-01-01" }, ...group, nextCycle: 1 },
      ],
    },
    PERIOD,
  );
  expect(outlook).toEqual([
    { day: "2026-12-02", count: 6, amount: 600 },
    { day: "2026-12-09", count: 6, amount: 600 },
    { day: "2026-12-10", count: 2, amount: 9_980 },
    { day: "2026-12-16", count: 3, amount: 300 },
    { day: "2026-12-23", count: 3, amount: 300 },
    { day: "2026-12-30", count: 3, amount: 300 },
  ]);
});

test("a window of due dates has the ids of just the charges that are debited for them", () => {
  const id = "019ad8a5-e000-8abc-8def-0123450003e9";
  const found = (cycle: number, firstDueDate: string) => {
    const terms = { period: "WEEKLY", firstDueDate, endDate: null, journey: "QR" } as const;
    const amounts = {
      amount: { kind: "fixed", amount: 1 } as const,
      retry: [],
      firstPayment: null,
    };
    const charge = cycleChargeId(
      { id, terms: { ...terms, ...amounts, payerAccount: null } },
      cycle,
    );
    const ids = chargeIdsOfDueDates(PERIOD);
    return charge >= ids.from && charge < ids.before;
  };
  expect([found(1, "2026-11-30"), found(2, "2026-11-30")]).toEqual([false, true]);
  expect([found(1, "2026-12-01"), found(1, "2026-12-30"), found(1, "2026-12-31")]).toEqual([
    true,
    true,
    false,
  ]);
});
