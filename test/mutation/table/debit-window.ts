import type { Mutant } from "../mutant.ts";

const WINDOW = "src/domain/subscriptions/debit-window.ts";
const SCHEDULE = "src/domain/subscriptions/schedule.ts";
const CALENDAR = "src/domain/subscriptions/business-calendar.ts";
const CODES = "src/domain/subscriptions/debit-codes.ts";
const SUBSCRIPTION = "src/domain/subscriptions/subscription.ts";

const testsOf = (name: string) => [`test/unit/domain/subscriptions/${name}.test.ts`];

const ofWindow = (name: string, text: string, replacement: string): Mutant => ({
  name,
  file: WINDOW,
  text,
  replacement,
  tests: testsOf("debit-window"),
});

/** When a debit of Pix Automático may be ordered, cancelled and tried again. */
export const debitWindowMutants: Mutant[] = [
  ofWindow(
    "debit-ordered-too-early",
    "INSTRUCTED_AT_MOST_DAYS = 10",
    "INSTRUCTED_AT_MOST_DAYS = 11",
  ),
  ofWindow(
    "debit-ordered-too-late",
    "INSTRUCTED_AT_LEAST_DAYS = 2",
    "INSTRUCTED_AT_LEAST_DAYS = 1",
  ),
  ofWindow("debit-sent-a-day-late", "SENT_DAYS = 5", "SENT_DAYS = 4"),
  ofWindow(
    "debit-window-in-calendar-days",
    "businessDaysBefore(dueDate, INSTRUCTED_AT_LEAST_DAYS, city)",
    "addDays(dueDate, -INSTRUCTED_AT_LEAST_DAYS)",
  ),
  ofWindow(
    "debit-window-without-town",
    "businessDaysBefore(dueDate, INSTRUCTED_AT_LEAST_DAYS, city)",
    "businessDaysBefore(dueDate, INSTRUCTED_AT_LEAST_DAYS, null)",
  ),
  ofWindow(
    "debit-window-from-due-date",
    "const from = addDays(debitDayOf(dueDate, city),",
    "const from = addDays(dueDate,",
  ),
  ofWindow("debit-sent-at-the-end", "const last = addDays(until, -1);", "const last = until;"),
  ofWindow(
    "debit-not-moved-before-carnival",
    "sendOn: usual < last ? usual : last",
    "sendOn: usual",
  ),
  ofWindow("debit-order-on-the-day-before", "today < from)", "today < addDays(from, -1))"),
  ofWindow("debit-order-refused-on-first-day", "today < from)", "today <= from)"),
  ofWindow("debit-order-refused-on-last-day", "return today > until", "return today >= until"),
  ofWindow(
    "debit-due-date-refused-on-last-day",
    "today <= instructionWindow(dueDate, city).until",
    "today < instructionWindow(dueDate, city).until",
  ),
  ofWindow(
    "debit-earliest-due-date-too-early",
    ".until < today) day",
    ".until < addDays(today, -1)) day",
  ),
  ofWindow(
    "subscription-begins-yesterday",
    "firstDueDate < saoPauloDay(nowMs)",
    "addDays(firstDueDate, 1) < saoPauloDay(nowMs)",
  ),
  ofWindow("subscription-without-a-cycle", "last === 0", "last === -1"),
  ofWindow("subscription-settles-after-its-end", "settles > endDate", "settles < endDate"),
  ofWindow(
    "subscription-first-cycle-checked-though-paid",
    "dueDateOf(schedule, firstDebitedCycle(journey))",
    "dueDateOf(schedule, 1)",
  ),
  ofWindow(
    "debit-earliest-due-date-a-day-later",
    "let day = addDays(today, INSTRUCTED_AT_LEAST_DAYS);",
    "let day = addDays(today, INSTRUCTED_AT_LEAST_DAYS + 1);",
  ),
  ofWindow(
    "approval-ends-for-a-cycle-that-is-none",
    "  if (!hasCycle(schedule, first)) return longest;\n",
    "",
  ),
  ofWindow(
    "approval-ends-as-the-last-day-begins",
    "endOfDay(instructionWindow(",
    "startOfDay(instructionWindow(",
  ),
  ofWindow("retry-on-the-due-date-by-another-rule", "isLate || day <= cycle.dueDate ?", "isLate ?"),
  ofWindow("retry-on-the-same-day", "if (day === today) return", "if (day < today) return"),
  ofWindow("approval-for-31-days", "APPROVAL_DAYS_MAX = 30", "APPROVAL_DAYS_MAX = 31"),
  ofWindow(
    "approval-after-the-first-window",
    "return Math.min(longest, endOfDay",
    "return Math.max(longest, endOfDay",
  ),
  ofWindow(
    "cancel-until-23",
    "CANCEL_HOURS_BEFORE_MIDNIGHT = 2",
    "CANCEL_HOURS_BEFORE_MIDNIGHT = 1",
  ),
  ofWindow(
    "cancel-before-the-due-date-only",
    "startOfDay(debitDayOf(dueDate, null)) -",
    "startOfDay(dueDate) -",
  ),
  ofWindow(
    "cancel-at-the-limit",
    "if (nowMs < cancelUntil(dueDate)) return null;",
    "if (nowMs <= cancelUntil(dueDate)) return null;",
  ),
  ofWindow(
    "payer-cancels-on-the-day",
    "endOfDay(addDays(debitDayOf(dueDate, null), -1))",
    "endOfDay(debitDayOf(dueDate, null))",
  ),
  ofWindow("retry-on-the-day-of-the-debit", "day > debitDay &&", "day >= debitDay &&"),
  ofWindow("retry-on-a-sunday", " && isBusinessDay(day, city)", ""),
  ofWindow("retry-without-town", "isBusinessDay(day, city)", "isBusinessDay(day, null)"),
  ofWindow("retry-into-the-next-cycle", "day < nextDueDate)", "day <= nextDueDate)"),
  ofWindow("retry-after-the-mandate", "(endDate === null || day <= endDate)", "true"),
  ofWindow(
    "retry-without-policy",
    '  if (policy.length === 0) return refuse("retry_policy", "The payer approved no retries.");\n',
    "",
  ),
  ofWindow(
    "retry-with-another-amount",
    '  if (amount !== cycle.amount) return refuse("retry_amount", "The amount differs.");\n',
    "",
  ),
  ofWindow(
    "retry-while-one-is-open",
    '  if (cycle.attempts.some(isAttemptOpen)) return refuse("retry_open", "An attempt is open.");\n',
    "",
  ),
  ofWindow("retry-of-a-paid-cycle", 'status === "paid")', 'status === "cancelled")'),
  ofWindow("retry-a-fourth-time", ">= RETRIES_MAX) {", "> RETRIES_MAX) {"),
  ofWindow("retry-counts-resends", 'return kind === "retry" &&', 'return kind !== "due" &&'),
  ofWindow(
    "retry-in-the-past",
    `if (day < today) return refuse("retry_future"`,
    `if (day < "") return refuse("retry_future"`,
  ),
  ofWindow("retry-twice-a-day", "attempt.day === day", "attempt.day > day"),
  ofWindow(
    "retry-planned-twice-a-day",
    'each > (planned.at(-1) ?? "")',
    'each >= (planned.at(-1) ?? "")',
  ),
  ofWindow("retry-planned-early", "each >= wanted && ", ""),
  ofWindow(
    "debit-settles-on-a-holiday",
    "return nextBusinessDay(dueDate, city);",
    "return dueDate;",
  ),
  ofWindow(
    "debit-settles-without-town",
    "return nextBusinessDay(dueDate, city);",
    "return nextBusinessDay(dueDate, null);",
  ),
  ofWindow(
    "retry-not-on-the-seventh-day",
    "addDays(dueDate, index + 1)",
    "addDays(dueDate, index)",
  ),
  ofWindow(
    "retry-before-next-unnamed",
    '  if (!isBeforeNext(day, cycle)) return refuse("retry_before_next", detail);\n',
    "",
  ),
  ofWindow(
    "retry-planned-though-refused",
    "{ day, amount, policy }, nowMs) === null) ?? null",
    "{ day, amount, policy }, nowMs) !== undefined) ?? null",
  ),
  ofWindow(
    "debit-due-date-not-this-day",
    'what: "settles",\n      at: debitDayOf(dueDate, city)',
    'what: "settles",\n      at: dueDate',
  ),
  ofWindow(
    "debit-sent-without-town",
    "addDays(debitDayOf(dueDate, city), -SENT_DAYS)",
    "addDays(debitDayOf(dueDate, null), -SENT_DAYS)",
  ),
  ofWindow(
    "debit-order-judged-without-town",
    "const { from, until } = instructionWindow(dueDate, city);",
    "const { from, until } = instructionWindow(dueDate, null);",
  ),
  ofWindow(
    "debit-first-possible-day-without-town",
    "${earliestDueDate(today, city)}",
    "${earliestDueDate(today, null)}",
  ),
  ofWindow(
    "retry-days-from-a-debit-day-without-town",
    "const debitDay = debitDayOf(dueDate, city);",
    "const debitDay = debitDayOf(dueDate, null);",
  ),
  ofWindow(
    "subscription-settles-without-town",
    "debitDayOf(dueDateOf(schedule, last), city)",
    "debitDayOf(dueDateOf(schedule, last), null)",
  ),
  ofWindow(
    "subscription-first-date-without-town",
    "firstDebitedCycle(journey)), city, nowMs)",
    "firstDebitedCycle(journey)), null, nowMs)",
  ),
  ofWindow(
    "approval-ends-without-town",
    "instructionWindow(dueDateOf(schedule, first), city)",
    "instructionWindow(dueDateOf(schedule, first), null)",
  ),
  ofWindow(
    "debit-reasons-without-town",
    "const { sendOn, until } = instructionWindow(dueDate, city);",
    "const { sendOn, until } = instructionWindow(dueDate, null);",
  ),
  ofWindow(
    "debit-day-reason-without-town",
    "calendarDay(dueDate, city).why",
    "calendarDay(dueDate, null).why",
  ),
  ofWindow("debit-due-by-another-rule", 'reasonOf("due_date")', 'reasonOf("sent")'),
  ofWindow("debit-settles-by-another-rule", 'reasonOf("business_day")', 'reasonOf("sent")'),
  ofWindow(
    "debit-limit-by-another-rule",
    'reasonOf("instruct_until")',
    'reasonOf("instruct_from")',
  ),
  ofWindow("debit-cancelled-by-another-rule", 'reasonOf("cancel_until")', 'reasonOf("sent")'),
  ofWindow("payer-cancels-by-another-rule", 'reasonOf("payer_cancel_until")', 'reasonOf("sent")'),
  ofWindow(
    "retry-on-the-seventh-day-by-another-rule",
    "day > addDays(cycle.dueDate, RETRY_DAYS_MAX)",
    "day >= addDays(cycle.dueDate, RETRY_DAYS_MAX)",
  ),
  ofWindow("retry-days-unnamed", "allowed.length === 0", "allowed.length !== 0"),
  {
    name: "retry-window-of-eight-days",
    file: SUBSCRIPTION,
    text: "RETRY_DAYS_MAX = 7",
    replacement: "RETRY_DAYS_MAX = 8",
    tests: testsOf("debit-window"),
  },
  {
    name: "retries-four",
    file: SUBSCRIPTION,
    text: "RETRIES_MAX = 3",
    replacement: "RETRIES_MAX = 4",
    tests: testsOf("debit-window"),
  },
  {
    name: "cycle-counted-from-the-short-month",
    file: SCHEDULE,
    text: "Math.min(Number(day.slice(8)), lastDay)",
    replacement: "Math.min(Number(day.slice(8)), 28)",
    tests: testsOf("schedule"),
  },
  {
    name: "cycle-without-leap-years",
    file: SCHEDULE,
    text: "new Date(Date.UTC(year, month, 0))",
    replacement: "new Date(Date.UTC(2027, month, 0))",
    tests: testsOf("schedule"),
  },
  {
    name: "cycle-at-the-end-left-out",
    file: SCHEDULE,
    text: "dueDateOf(schedule, cycle) <= schedule.endDate",
    replacement: "dueDateOf(schedule, cycle) < schedule.endDate",
    tests: testsOf("schedule"),
  },
  {
    name: "cycle-debited-though-paid-by-code",
    file: SCHEDULE,
    text: 'journey === "QR_AND_PAY" || journey === "QR_ON_DUE" ? 2 : 1',
    replacement: 'journey === "QR_AND_PAY" ? 2 : 1',
    tests: testsOf("schedule"),
  },
  {
    name: "business-day-without-state-holidays",
    file: CALENDAR,
    text: "if (local === null)",
    replacement: 'if (local?.of !== "TOWN")',
    tests: testsOf("business-calendar"),
  },
  {
    name: "debit-code-ends-nothing",
    file: CODES,
    text: "return ENDING_CODES.has(keyOf(reason.providerCode));",
    replacement: "return ENDING_CODES.has(reason.code);",
    tests: testsOf("debit-codes"),
  },
];
