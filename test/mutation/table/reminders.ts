import type { Mutant } from "../mutant.ts";

const REMINDER = "src/domain/reminders/reminder.ts";
const TASKS = "src/api/emails/tasks.ts";
const RENDER = "src/api/emails/reminder.ts";
const PAYER_EMAIL = "src/api/emails/payer-email.ts";
const TESTS = ["test/worker/api/emails/reminder.test.ts"];

/** Reminders of payers: at most once, on their day, and not to who wants none. */
export const reminderMutants: Mutant[] = [
  {
    name: "reminder-sent-before-its-record",
    file: TASKS,
    text: "  if (!(await recordBeforeSending(env, row, nowMs))) return;\n",
    replacement: "",
    tests: TESTS,
  },
  {
    name: "reminder-due-again-after-another-run-sent-it",
    file: "src/db/emails.ts",
    text: "and(isEmail(email), eq(emails.attempts, email.attempts + 1))",
    replacement: "isEmail(email)",
    tests: ["test/worker/db/emails.test.ts"],
  },
  {
    name: "reminder-of-a-company-that-asks-for-none",
    file: REMINDER,
    text: "  if (due === null || !email) return [];\n",
    replacement: "  if (due === null) return [];\n",
    tests: TESTS,
  },
  {
    name: "reminder-of-a-company-that-has-stopped-them",
    file: REMINDER,
    text: "return email && offsets",
    replacement: "return offsets",
    tests: TESTS,
  },
  {
    name: "reminder-of-a-paid-charge",
    file: PAYER_EMAIL,
    text: '  if (withExpiryApplied(charge, nowMs).status !== "waiting_payment") return null;\n',
    replacement: "  withExpiryApplied(charge, nowMs);\n",
    tests: TESTS,
  },
  {
    name: "reminder-on-a-later-day",
    file: RENDER,
    text: " || day !== saoPauloDay(found.nowMs)",
    replacement: "",
    tests: TESTS,
  },
  {
    name: "reminder-in-the-quiet-hours",
    file: PAYER_EMAIL,
    text: "if (until !== null) return",
    replacement: "if (until === 0) return",
    tests: TESTS,
  },
  {
    name: "reminder-to-a-payer-who-stopped-them",
    file: PAYER_EMAIL,
    text: 'return (await isStopped(env, company.id, hash)) ? { kind: "obsolete" } : null;',
    replacement: "return (await isStopped(env, company.id, hash)) ? null : null;",
    tests: TESTS,
  },
];
