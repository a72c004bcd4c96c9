import type { Mutant } from "../mutant.ts";

const TOTALS = "src/domain/ledger/daily-totals.ts";
const TOTALS_TESTS = ["test/unit/domain/ledger/daily-totals.test.ts"];
const AUDIT = "src/company/ledger/audit-daily.ts";
const AUDIT_TESTS = ["test/worker/company/ledger/audit-daily.test.ts"];
const REPORT_TESTS = ["test/worker/api/reports/daily.test.ts"];
const LINES = "src/domain/reconcile/merchant-lines.ts";
const LINE_TESTS = ["test/unit/domain/reconcile/merchant-lines.test.ts"];

/** Daily totals, fiscal keys and the comparison with a merchant's list. */
export const bookkeepingMutants: Mutant[] = [
  {
    name: "daily-unexpected-payment-not-counted",
    file: TOTALS,
    text: 'suspense_credited: "payment",',
    replacement: "suspense_credited: null,",
    tests: TOTALS_TESTS,
  },
  {
    name: "daily-reversal-not-counted",
    file: TOTALS,
    text: 'chargeback_reversed: "refund",',
    replacement: "chargeback_reversed: null,",
    tests: TOTALS_TESTS,
  },
  {
    name: "daily-net-with-fees",
    file: TOTALS,
    text: "return gross - fees - refunds;",
    replacement: "return gross - refunds;",
    tests: TOTALS_TESTS,
  },
  {
    name: "daily-refunds-not-added",
    file: "src/company/ledger/daily-totals-store.ts",
    text: "refunds = refunds + excluded.refunds, version = version + 1",
    replacement: "refunds = excluded.refunds, version = version + 1",
    tests: REPORT_TESTS,
  },
  {
    name: "daily-totals-overwritten-by-older",
    file: "src/db/projection/daily-reports.ts",
    text: "setWhere: sql`${dailyReports.version} < excluded.version`,",
    replacement: "",
    tests: REPORT_TESTS,
  },
  {
    name: "daily-audit-skips-finished-days",
    file: AUDIT,
    text: "close(addDays(day, -1), true);",
    replacement: "",
    tests: AUDIT_TESTS,
  },
  {
    name: "daily-audit-forgets-wrong-days",
    file: AUDIT,
    text: "if (keep) wrong.push(open);",
    replacement: "if (!keep) wrong.push(open);",
    tests: AUDIT_TESTS,
  },
  {
    name: "fiscal-key-check-digit-ten",
    file: "src/domain/charges/fiscal-key.ts",
    text: "return remainder < 2 ? 0 : 11 - remainder;",
    replacement: "return remainder < 1 ? 0 : 11 - remainder;",
    tests: ["test/unit/domain/charges/fiscal-key.test.ts"],
  },
  {
    name: "reconcile-one-transaction-answers-two-lines",
    file: LINES,
    text: "if (transaction !== undefined) answered.add(transaction.id);",
    replacement: "",
    tests: LINE_TESTS,
  },
  {
    name: "reconcile-unpaid-amount-is-zero",
    file: LINES,
    text: "paidAmount: transaction.paidAt === null ? null : transaction.paidAmount,",
    replacement: "paidAmount: transaction.paidAmount,",
    tests: LINE_TESTS,
  },
];
