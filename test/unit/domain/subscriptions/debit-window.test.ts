import { describe, expect, test } from "vitest";
import { addDays, daysBetween } from "../../../../src/domain/shared/calendar-day.ts";
import {
  isBusinessDay,
  businessDaysBefore,
} from "../../../../src/domain/subscriptions/business-calendar.ts";
import { debitReason } from "../../../../src/domain/subscriptions/debit-codes.ts";
import { DEBIT_RULES } from "../../../../src/domain/subscriptions/debit-rules.ts";
import {
  approvalEndsAt,
  cancelRefusal,
  cancelUntil,
  debitDayOf,
  dueDateRefusal,
  earliestDueDate,
  instructionRefusal,
  instructionWindow,
  nextRetryDay,
  payerCancelsUntil,
  plannedRetryDays,
  retryDaysOf,
  retryRefusal,
  scheduleRefusal,
  whyThisDay,
  type FailedCycle,
} from "../../../../src/domain/subscriptions/debit-window.ts";
import type { DebitAttempt } from "../../../../src/domain/subscriptions/subscription.ts";
import { forAll } from "../../../support/builders/requests/property.ts";

const SAO_PAULO = "3550308";
/** A time on São Paulo's clock. */
const at = (day: string, time = "12:00:00") => Date.parse(`${day}T${time}-03:00`);

/** A Friday. */
const NOW = at("2026-12-04");

const monthly = (firstDueDate: string, endDate: string | null = null) => ({
  period: "MONTHLY" as const,
  firstDueDate,
  endDate,
});

const scheduleRule = (first: string, end: string | null, journey: "REQUEST" | "QR_AND_PAY") =>
  scheduleRefusal({ schedule: monthly(first, end), journey, city: null }, NOW)?.rule ?? null;

const attempt = (fields: Partial<DebitAttempt>): DebitAttempt => ({
  day: "2026-12-01",
  kind: "due",
  status: "failed",
  reason: debitReason("EXPR"),
  endToEndId: null,
  ...fields,
});

const check = (day: string, city: string | null) => {
  const settles = debitDayOf(day, city);
  const { from, sendOn, until } = instructionWindow(day, city);
  const ok =
    from <= sendOn &&
    sendOn < until &&
    daysBetween(from, settles) <= 10 &&
    from >= businessDaysBefore(settles, 10, city) &&
    daysBetween(until, settles) >= 2 &&
    daysBetween(until, day) <= 7 &&
    until <= businessDaysBefore(settles, 2, city) &&
    daysBetween(sendOn, settles) >= 5;
  if (!ok) expect.fail(`${day} in ${city}: ${from}, ${sendOn}, ${until}, ${settles}`);
};

/** Due on a Tuesday. */
const cycle = (fields: Partial<FailedCycle> = {}): FailedCycle => ({
  dueDate: "2026-12-01",
  nextDueDate: "2027-01-01",
  endDate: null,
  city: null,
  amount: 5_000,
  attempts: [attempt({})],
  ...fields,
});

describe("the window in which a debit is ordered", () => {
  test.each([
    // A Thursday, a Monday, a Sunday that settles on Monday.
    ["2026-12-03", null, "2026-11-23", "2026-11-28", "2026-12-01"],
    ["2026-12-07", null, "2026-11-27", "2026-12-02", "2026-12-03"],
    ["2026-12-06", null, "2026-11-27", "2026-12-02", "2026-12-03"],
    // Ash Wednesday: two business days before is six days before, so it is sent seven days before.
    ["2027-02-10", null, "2027-01-31", "2027-02-03", "2027-02-04"],
    // Carnival's Monday settles on Ash Wednesday.
    ["2027-02-08", null, "2027-01-31", "2027-02-03", "2027-02-04"],
    // A holiday of the payer's town moves the debit, and counts as no business day before.
    ["2027-01-25", null, "2027-01-15", "2027-01-20", "2027-01-21"],
    ["2027-01-25", SAO_PAULO, "2027-01-16", "2027-01-20", "2027-01-21"],
    ["2027-01-26", SAO_PAULO, "2027-01-16", "2027-01-20", "2027-01-21"],
    ["2027-01-26", null, "2027-01-16", "2027-01-21", "2027-01-22"],
  ])("of %s in %s begins %s, is sent %s, ends %s", (dueDate, city, from, sendOn, until) => {
    expect(instructionWindow(dueDate, city)).toEqual({ from, sendOn, until });
  });

  test("keeps to both readings, and leaves a day to send it again", () => {
    for (let day = "2026-12-01"; day < "2028-01-01"; day = addDays(day, 1)) check(day, SAO_PAULO);
    forAll(300, (random) => {
      const city = random.pick([null, SAO_PAULO, "2611606", "1700000"]);
      check(addDays("2026-01-01", random.integer(0, 9_000)), city);
    });
  });

  test("an order is refused the day before it begins and the day after it ends, with the source", () => {
    expect(instructionRefusal("2026-12-07", null, at("2026-11-26", "23:59:59"))).toMatchObject({
      rule: "instruct_from",
      detail: expect.stringContaining("2026-11-27"),
    });
    expect(instructionRefusal("2026-12-07", null, at("2026-11-27", "00:00:00"))).toBeNull();
    expect(instructionRefusal("2026-12-07", null, at("2026-12-03", "23:59:59"))).toBeNull();
    expect(instructionRefusal("2026-12-07", null, at("2026-12-04", "00:00:00"))).toMatchObject({
      rule: "instruct_until",
      detail: expect.stringContaining(DEBIT_RULES.instruct_until.source),
      source: DEBIT_RULES.instruct_until.source,
    });
  });

  test("an order is judged by the holidays of the payer's town", () => {
    expect(instructionRefusal("2027-01-26", null, at("2027-01-22"))).toBeNull();
    expect(instructionRefusal("2027-01-26", SAO_PAULO, at("2027-01-22"))?.rule).toBe(
      "instruct_until",
    );
    // Carnival's Monday is no holiday of Rio alone; its own is on 20 January.
    expect(instructionWindow("2027-01-20", SAO_PAULO).sendOn).toBe("2027-01-15");
    expect(instructionWindow("2027-01-20", "3304557").sendOn).toBe("2027-01-16");
  });

  test("a due date that is too near is refused with the first possible one", () => {
    const now = at("2026-12-04");
    expect(earliestDueDate("2026-12-04", null)).toBe("2026-12-08");
    expect(dueDateRefusal("2026-12-07", null, now)).toMatchObject({
      rule: "instruct_until",
      detail: expect.stringContaining("2026-12-08"),
    });
    expect(dueDateRefusal("2026-12-08", null, now)).toBeNull();
    expect(dueDateRefusal("2027-12-08", null, now)).toBeNull();
  });

  test("the first possible due date can be ordered today, and no earlier one can", () => {
    forAll(200, (random) => {
      const today = addDays("2026-01-01", random.integer(0, 3_000));
      const city = random.pick([null, SAO_PAULO]);
      const first = earliestDueDate(today, city);
      expect(instructionRefusal(first, city, at(today))).toBeNull();
      for (let day = addDays(today, 1); day < first; day = addDays(day, 1)) {
        expect(dueDateRefusal(day, city, at(today))).not.toBeNull();
      }
    });
  });
});

describe("a schedule", () => {
  test("that a bank would refuse is refused with its rule", () => {
    expect(scheduleRule("2026-12-03", null, "REQUEST")).toBe("begins_today");
    expect(scheduleRule("2026-12-20", "2026-12-19", "REQUEST")).toBe("ends_after_beginning");
    expect(scheduleRule("2026-12-07", null, "REQUEST")).toBe("instruct_until");
    expect(scheduleRule("2026-12-08", null, "REQUEST")).toBeNull();
    // 2027-01-31 is a Sunday.
    expect(scheduleRule("2026-12-31", "2027-01-31", "REQUEST")).toBe("settles_by_end");
    expect(scheduleRule("2026-12-31", "2027-02-01", "REQUEST")).toBeNull();
  });

  test("whose first cycle is paid by a code may begin today", () => {
    expect(scheduleRule("2026-12-04", null, "QR_AND_PAY")).toBeNull();
    expect(scheduleRule("2026-12-04", "2026-12-04", "QR_AND_PAY")).toBeNull();
    expect(scheduleRule("2026-12-04", null, "REQUEST")).toBe("instruct_until");
  });

  test("is approved within 30 days, and while its first debit can be ordered", () => {
    const ends = (first: string, journey: "REQUEST" | "QR_AND_PAY", end: string | null = null) =>
      approvalEndsAt({ schedule: monthly(first, end), journey, city: null }, NOW);
    expect(ends("2026-12-21", "REQUEST")).toBe(at("2026-12-17", "23:59:59"));
    expect(ends("2027-03-15", "REQUEST")).toBe(NOW + 30 * 86_400_000);
    expect(ends("2026-12-04", "QR_AND_PAY")).toBe(at("2026-12-30", "23:59:59"));
    expect(ends("2026-12-04", "QR_AND_PAY", "2026-12-04")).toBe(NOW + 30 * 86_400_000);
  });

  test("is judged by the holidays of the payer's town", () => {
    const of = (city: string | null, end: string | null = null) => ({
      schedule: monthly("2027-01-26", end),
      journey: "REQUEST" as const,
      city,
    });
    const last = at("2027-01-22");
    expect(scheduleRefusal(of(null), last)).toBeNull();
    expect(scheduleRefusal(of(SAO_PAULO), last)).toMatchObject({
      rule: "instruct_until",
      detail: expect.stringContaining("2027-01-27"),
    });
    expect(approvalEndsAt(of(SAO_PAULO), at("2027-01-15"))).toBe(at("2027-01-21", "23:59:59"));
    // São Paulo's own day: its last debit would settle on the day after it.
    const ending = { schedule: monthly("2026-12-25", "2027-01-25"), journey: "REQUEST" as const };
    expect(scheduleRefusal({ ...ending, city: null }, NOW)).toBeNull();
    expect(scheduleRefusal({ ...ending, city: SAO_PAULO }, NOW)?.rule).toBe("settles_by_end");
  });
});

describe("cancelling", () => {
  test("ends at 22:00 of the day before it settles, with the source", () => {
    expect(cancelUntil("2026-12-04")).toBe(at("2026-12-03", "22:00:00"));
    // A Sunday settles on Monday.
    expect(cancelUntil("2026-12-06")).toBe(at("2026-12-06", "22:00:00"));
    expect(cancelRefusal("2026-12-04", at("2026-12-03", "21:59:59"))).toBeNull();
    expect(cancelRefusal("2026-12-04", at("2026-12-03", "22:00:00"))).toMatchObject({
      rule: "cancel_until",
      source: expect.stringContaining("Cielo"),
    });
  });

  test("by the payer ends with the day before it settles", () => {
    expect(payerCancelsUntil("2026-12-04")).toBe(at("2026-12-03", "23:59:59"));
    expect(payerCancelsUntil("2026-12-05")).toBe(at("2026-12-06", "23:59:59"));
  });
});

describe("trying again", () => {
  const policy = [1, 3, 5];
  const now = at("2026-12-01", "22:00:00");
  const ruleOf = (failed: FailedCycle, day: string, time = now, days: number[] = policy) =>
    retryRefusal(failed, { day, amount: failed.amount, policy: days }, time)?.rule ?? null;

  test("is allowed on business days of the seven days after the due date", () => {
    expect(retryDaysOf(cycle())).toEqual([
      "2026-12-02",
      "2026-12-03",
      "2026-12-04",
      "2026-12-07",
      "2026-12-08",
    ]);
    expect(ruleOf(cycle(), "2026-12-08")).toBeNull();
    expect(ruleOf(cycle(), "2026-12-09")).toBe("retry_days");
    expect(ruleOf(cycle(), "2026-12-05")).toBe("retry_business_day");
    expect(ruleOf(cycle(), "2026-12-05", at("2026-12-06"))).toBe("retry_future");
  });

  test("counts from the due date, and begins after the day on which it settled", () => {
    // A Saturday that settles on Monday.
    expect(retryDaysOf(cycle({ dueDate: "2026-12-05" }))).toEqual([
      "2026-12-08",
      "2026-12-09",
      "2026-12-10",
      "2026-12-11",
    ]);
    const failed = cycle({ dueDate: "2026-12-05", attempts: [attempt({ day: "2026-12-07" })] });
    expect(ruleOf(failed, "2026-12-06")).toBe("retry_business_day");
    expect(ruleOf(failed, "2026-12-05")).toBe("retry_days");
    // The seventh day is a Saturday: within the seven days, and on no business day.
    const saturday = cycle({ dueDate: "2026-11-28", attempts: [attempt({ day: "2026-11-30" })] });
    expect(ruleOf(saturday, "2026-12-05", at("2026-11-30"))).toBe("retry_business_day");
    expect(
      retryRefusal(saturday, { day: "2026-12-06", amount: 5_000, policy }, at("2026-11-30"))
        ?.detail,
    ).toContain("The days are: 2026-12-01, 2026-12-02, 2026-12-03, 2026-12-04.");
    const none = cycle({ nextDueDate: "2026-12-02" });
    expect(retryRefusal(none, { day: "2026-12-02", amount: 5_000, policy }, now)?.detail).toContain(
      "The days are: none.",
    );
  });

  test("knows the holidays of the payer's town", () => {
    const failed = cycle({ dueDate: "2027-01-20", nextDueDate: null });
    expect(retryDaysOf(failed)).toContain("2027-01-25");
    expect(retryDaysOf({ ...failed, city: SAO_PAULO })).not.toContain("2027-01-25");
    // A due date that moves to the 26th is tried again from the 27th on.
    const moved = cycle({ dueDate: "2027-01-25", nextDueDate: null, city: SAO_PAULO });
    expect(retryDaysOf(moved)[0]).toBe("2027-01-27");
    expect(isBusinessDay("2027-01-25", SAO_PAULO)).toBe(false);
  });

  test("ends before the next cycle, and with the mandate", () => {
    const weekly = cycle({ nextDueDate: "2026-12-08" });
    expect(ruleOf(weekly, "2026-12-07")).toBeNull();
    expect(ruleOf(weekly, "2026-12-08")).toBe("retry_before_next");
    const ending = cycle({ endDate: "2026-12-03" });
    expect(ruleOf(ending, "2026-12-03")).toBeNull();
    expect(ruleOf(ending, "2026-12-04")).toBe("retry_before_next");
  });

  test("is refused without the payer's approval of retries, and with another amount", () => {
    expect(ruleOf(cycle(), "2026-12-02", now, [])).toBe("retry_policy");
    const other = { day: "2026-12-02", amount: 5_001, policy };
    expect(retryRefusal(cycle(), other, now)?.rule).toBe("retry_amount");
  });

  test.each(["requested", "scheduled", "paid"] as const)("is refused while one is %s", (status) => {
    const failed = cycle({ attempts: [attempt({}), attempt({ day: "2026-12-02", status })] });
    expect(ruleOf(failed, "2026-12-03")).toBe("retry_open");
  });

  test("is refused after three, and on a day that was tried", () => {
    const retries = ["2026-12-02", "2026-12-03", "2026-12-04"].map((day) =>
      attempt({ day, kind: "retry" }),
    );
    const resent = attempt({ kind: "resend" });
    expect(ruleOf(cycle({ attempts: [attempt({}), ...retries] }), "2026-12-07")).toBe(
      "retry_count",
    );
    const two = cycle({ attempts: [attempt({}), resent, ...retries.slice(1)] });
    expect(ruleOf(two, "2026-12-07")).toBeNull();
    expect(ruleOf(two, "2026-12-04")).toBe("retry_days_differ");
  });

  test("is ordered for a future day: on the same day the bank alone sends a debit again", () => {
    expect(ruleOf(cycle(), "2026-12-02", at("2026-12-01", "23:59:59"))).toBeNull();
    expect(ruleOf(cycle(), "2026-12-02", at("2026-12-03", "00:00:00"))).toBe("retry_future");
    const today = { day: "2026-12-02", amount: 5_000, policy };
    for (const time of ["00:00:00", "23:59:59"])
      expect(retryRefusal(cycle(), today, at("2026-12-02", time))).toMatchObject({
        rule: "retry_same_day",
        detail: expect.stringContaining("IN BCB 614/2025"),
      });
    expect(DEBIT_RULES.retry_same_day.mark).toBe("rule");
  });

  test("moves a policy's days over a weekend without losing one", () => {
    // A Friday: the 1st, 2nd and 3rd day after it are Saturday, Sunday and Monday.
    const friday = cycle({ dueDate: "2026-12-04" });
    expect(plannedRetryDays(friday, [1, 2, 3])).toEqual(["2026-12-07", "2026-12-08", "2026-12-09"]);
    expect(plannedRetryDays(friday, [1, 6, 7])).toEqual(["2026-12-07", "2026-12-10", "2026-12-11"]);
    expect(plannedRetryDays({ ...friday, nextDueDate: "2026-12-08" }, [1, 2])).toEqual([
      "2026-12-07",
    ]);
  });

  test("follows the policy day by day, and stops where nothing is allowed", () => {
    expect(nextRetryDay(cycle(), policy, now)).toBe("2026-12-02");
    expect(nextRetryDay(cycle(), policy, at("2026-12-02"))).toBe("2026-12-04");
    const after = cycle({ attempts: [attempt({}), attempt({ day: "2026-12-04", kind: "retry" })] });
    expect(nextRetryDay(after, policy, at("2026-12-04"))).toBe("2026-12-07");
    expect(nextRetryDay(after, policy, at("2026-12-07"))).toBeNull();
    expect(nextRetryDay(cycle(), [], now)).toBeNull();
  });
});

test("each day of a debit says by which rule it is this one, and how sure that is", () => {
  const { due_date, business_day, sent, instruct_until, cancel_until, payer_cancel_until } =
    DEBIT_RULES;
  expect(whyThisDay("2026-12-25", null)).toEqual([
    { what: "due", at: "2026-12-25", why: due_date.text, ...ofRule(due_date) },
    {
      what: "settles",
      at: "2026-12-28",
      why: expect.stringMatching(/^A debit settles .* 2026-12-25: A holiday of all banks/),
      ...ofRule(business_day),
    },
    { what: "ordered", at: "2026-12-22", why: sent.text, ...ofRule(sent) },
    {
      what: "ordered_until",
      at: "2026-12-23",
      why: instruct_until.text,
      ...ofRule(instruct_until),
    },
    {
      what: "cancelled_until",
      at: "2026-12-28T01:00:00.000Z",
      why: cancel_until.text,
      ...ofRule(cancel_until),
    },
    {
      what: "payer_cancels_until",
      at: "2026-12-28T02:59:59.000Z",
      why: payer_cancel_until.text,
      ...ofRule(payer_cancel_until),
    },
  ]);
});

test("each day of a debit is told by the holidays of the payer's town", () => {
  const days = whyThisDay("2027-01-25", SAO_PAULO);
  expect(days.map(({ at: day }) => day)).toEqual([
    "2027-01-25",
    "2027-01-26",
    "2027-01-20",
    "2027-01-21",
    "2027-01-25T01:00:00.000Z",
    "2027-01-25T02:59:59.000Z",
  ]);
  expect(days[1]?.why).toContain("2027-01-25: A holiday of the town.");
  // The day after it: the town's holiday counts as no day between the order and the debit.
  const after = new Map(whyThisDay("2027-01-26", SAO_PAULO).map((day) => [day.what, day.at]));
  expect(after.get("ordered")).toBe("2027-01-20");
  expect(after.get("ordered_until")).toBe("2027-01-21");
});

function ofRule({ source, mark }: { source: string; mark: string }) {
  return { source, mark };
}
