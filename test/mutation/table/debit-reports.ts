import type { Mutant } from "../mutant.ts";

const OUTLOOK = "src/domain/subscriptions/reports/outlook.ts";
const ACTIONS = "src/domain/subscriptions/charge-actions.ts";

const outlookTests = ["test/unit/domain/subscriptions/outlook.test.ts"];
const chargeTests = ["test/worker/api/subscriptions/charges.test.ts"];

/** What is said of debits to come, and of what a merchant may do with one. */
export const debitReportMutants: Mutant[] = [
  {
    name: "outlook-without-moved-days",
    file: OUTLOOK,
    text: "add(debitDayOf(dueDate, city), count, amount)",
    replacement: "add(dueDate, count, amount)",
    tests: ["test/worker/api/subscriptions/reports.test.ts"],
  },
  {
    name: "outlook-ends-a-day-early",
    file: OUTLOOK,
    text: "if (dueDate > to) break;",
    replacement: "if (dueDate >= to) break;",
    tests: outlookTests,
  },
  {
    name: "outlook-counts-failed",
    file: OUTLOOK,
    text: "return isAttemptOpen(newest) ? newest.day : null;",
    replacement: "return newest.day;",
    tests: outlookTests,
  },
  {
    name: "outlook-forgets-retries",
    file: OUTLOOK,
    text: "if (retryDay !== null) return retryDay;",
    replacement: "",
    tests: outlookTests,
  },
  {
    name: "due-dates-window-a-day-short",
    file: "src/domain/subscriptions/cycle-charge.ts",
    text: "addDays(to, 1 - EARLIEST_DAYS)",
    replacement: "addDays(to, -EARLIEST_DAYS)",
    tests: outlookTests,
  },
  {
    name: "debit-cancellable-for-ever",
    file: ACTIONS,
    text: "cycleCancelRefusal(subscription, cycle, nowMs) === null",
    replacement: "true",
    tests: chargeTests,
  },
  {
    name: "every-retry-day-allowed",
    file: ACTIONS,
    text: "return refusal === null",
    replacement: "return refusal !== undefined",
    tests: chargeTests,
  },
  {
    name: "banks-without-the-one-that-paid",
    file: "src/api/subscriptions/reports/repository.ts",
    text: ", t.paid_by ->> '$.ispb')`",
    replacement: ")`",
    tests: ["test/worker/api/subscriptions/reports.test.ts"],
  },
  {
    name: "banks-paid-and-approved-taken-for-unapproved",
    file: "src/api/subscriptions/reports/views.ts",
    text: "group.isPaid && !isApproved(group)",
    replacement: "group.isPaid",
    tests: ["test/worker/api/subscriptions/reports.test.ts"],
  },
];
