import type { Mutant } from "../mutant.ts";

const MATCH = "src/api/bank-reconciliation/projection-match.ts";
const MATCH_TESTS = ["test/unit/api/bank-reconciliation/projection-match.test.ts"];
const PIX_API = "src/providers/pix-api/provider.ts";

/** Reports of providers that are skipped because they are booked, and answers about a cancel. */
export const providerReportMutants: Mutant[] = [
  {
    name: "reconciliation-second-dispute-skipped",
    file: MATCH,
    text: "return isSame && others.length === 0;",
    replacement: "return isSame;",
    tests: MATCH_TESTS,
  },
  {
    name: "reconciliation-ended-dispute-skipped",
    file: MATCH,
    text: " && dispute.status === only.status",
    replacement: "",
    tests: MATCH_TESTS,
  },
  {
    name: "reconciliation-raised-dispute-skipped",
    file: MATCH,
    text: " && dispute.amount === only.amount",
    replacement: "",
    tests: MATCH_TESTS,
  },
  {
    name: "reconciliation-other-amount-skipped",
    file: MATCH,
    text: "    projected.paidAmount === amount &&\n",
    replacement: "",
    tests: MATCH_TESTS,
  },
  {
    name: "reconciliation-second-payment-skipped",
    file: MATCH,
    text: "projected.endToEndId === paymentId &&",
    replacement: "projected.endToEndId !== null &&",
    tests: MATCH_TESTS,
  },
  {
    name: "reconciliation-second-refund-skipped",
    file: MATCH,
    text: "refunds.every(",
    replacement: "refunds.length === 0 || refunds.some(",
    tests: MATCH_TESTS,
  },
  {
    name: "reconciliation-refund-of-other-amount-skipped",
    file: MATCH,
    text: "known.amount === reported.amount && ",
    replacement: "",
    tests: MATCH_TESTS,
  },
  {
    name: "reconciliation-failed-refund-skipped",
    file: MATCH,
    text: " && known.status === REFUND_STATUSES[reported.status]",
    replacement: "",
    tests: MATCH_TESTS,
  },
  {
    name: "reconciliation-end-of-an-unanswered-charge-skipped",
    file: MATCH,
    text: ' || projected.status === "creating"',
    replacement: "",
    tests: MATCH_TESTS,
  },
  {
    name: "reconciliation-partial-payout-return-skipped",
    file: MATCH,
    text: " && projected.returnedAmount === (outcome.returnedAmount ?? 0)",
    replacement: "",
    tests: MATCH_TESTS,
  },
  {
    name: "reconciliation-larger-payout-return-skipped",
    file: MATCH,
    text: "projected.returnedAmount === (outcome.returnedAmount ?? 0)",
    replacement: "projected.returnedAmount >= Math.min(outcome.returnedAmount ?? 0, 1)",
    tests: MATCH_TESTS,
  },
  {
    name: "reconciliation-unknown-payout-skipped",
    file: MATCH,
    text: 'projected?.status === "Paid" &&',
    replacement: '(projected?.status ?? "Paid") === "Paid" &&',
    tests: MATCH_TESTS,
  },
  {
    name: "cancel-of-a-paid-charge-believed",
    file: PIX_API,
    text: "if (done && entriesOf(now.data.pix).length === 0)",
    replacement: "if (done)",
    tests: ["test/worker/providers/pix-api/cancel.test.ts"],
  },
  {
    name: "cancel-looked-up-without-its-payments",
    file: PIX_API,
    text: 'if (payments.length > 0) return { kind: "refused", reason: "The charge was paid." };',
    replacement: "",
    tests: ["test/worker/providers/pix-api/cancel.test.ts"],
  },
  {
    name: "cancel-of-an-open-charge-reported-as-done",
    file: PIX_API,
    text: 'if (status === "cancelled") return { kind: "cancelled" };',
    replacement: 'if (status !== "open") return { kind: "cancelled" };',
    tests: ["test/worker/providers/pix-api/charge.test.ts"],
  },
  {
    name: "cancel-of-a-paid-sandbox-charge-believed",
    file: "src/providers/sandbox/provider.ts",
    text: 'if (status === "cancelled" && payments.length === 0) return',
    replacement: 'if (status === "cancelled") return',
    tests: ["test/worker/providers/sandbox/provider.test.ts"],
  },
  {
    name: "cancel-refused-without-reading-the-payment",
    file: "src/api/transactions/operations.ts",
    text: "  await syncCharge(context, shown, row);\n",
    replacement: "",
    tests: ["test/worker/api/transactions/cancel.test.ts"],
  },
  {
    name: "paid-charge-that-a-list-calls-ended-passed-over",
    file: MATCH,
    text: "return !ENDED.has(status);",
    replacement: "return true;",
    tests: MATCH_TESTS,
  },
];
