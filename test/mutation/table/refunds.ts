import type { Mutant } from "../mutant.ts";

const COMMANDS = "src/company/operations/operation-commands.ts";
const TOLD = "src/company/operations/told-sums.ts";
const TOLD_TESTS = ["test/worker/company/operations/told-sums.test.ts"];
const ORDER = "src/api/payments/provider-order.ts";
const EXTERNAL_TESTS = "test/worker/api/transactions/refund/external-refunds.test.ts";
const REPEATED_DECISIONS_TESTS = ["test/worker/company/operations/repeated-decisions.test.ts"];

/** Refunds, returns and captures. */
export const refundMutants: Mutant[] = [
  {
    name: "refund-failed-beside-a-sum-free",
    file: "src/company/operations/operation-results.ts",
    text: 'if (report.kind === "failed") this.#askAgain(operation, nowMs);',
    replacement: "",
    tests: [EXTERNAL_TESTS],
  },
  {
    name: "refund-sum-that-one-of-ours-explains-forgotten",
    file: "src/company/operations/external-refund-commands.ts",
    text: "if (isNews) this.#store(",
    replacement: "if (isNews && amount > 0) this.#store(",
    tests: [EXTERNAL_TESTS],
  },
  {
    name: "refund-done-after-all-taken-again-by-the-sum",
    file: TOLD,
    text: "return charge.paidAmount - refundableAmount(charge, refunds) + accounted + coveredOf(refunds);",
    replacement:
      "return charge.paidAmount - refundableAmount(charge, refunds) + coveredOf(refunds);",
    tests: TOLD_TESTS,
  },
  {
    name: "refund-done-after-its-sum-held-beside-it",
    file: TOLD,
    text: "if (payment !== null && this.isTaken(payment, amount)) return 0;",
    replacement: "",
    tests: TOLD_TESTS,
  },
  {
    name: "return-that-failed-before-another-forgotten",
    file: TOLD,
    text: ".flatMap((each) => this.#operations.returnsOf(paymentId, each))",
    replacement: ".flatMap(() => this.#operations.returnsOf(paymentId, null).slice(-1))",
    tests: TOLD_TESTS,
  },
  {
    name: "refund-done-after-its-sum-told-of-nothing",
    file: COMMANDS,
    text: 'if (amount === 0) return { kind: "recorded", reply };',
    replacement: "",
    tests: TOLD_TESTS,
  },
  {
    name: "refund-sum-of-a-payment-in-suspense-without-its-charge",
    file: "src/company/operations/external-refund-store.ts",
    text: "coalesce(transaction_id, excluded.transaction_id)",
    replacement: "transaction_id",
    tests: TOLD_TESTS,
  },
  {
    name: "refund-failed-beside-a-sum-not-held",
    file: "src/company/operations/operation-results.ts",
    text: "this.#toldSums.holdUnexplained(failed, nowMs);",
    replacement: "",
    tests: TOLD_TESTS,
  },
  {
    name: "refund-sum-that-nothing-explains-credited",
    file: "src/company/charges/suspense-commands.ts",
    text: "returnedAmount > 0 || told.some(isToldSumFinding)",
    replacement: "returnedAmount > 0",
    tests: TOLD_TESTS,
  },
  {
    name: "refund-with-an-id-taken-beside-its-sum",
    file: "src/company/operations/external-refund-commands.ts",
    text: "if (refund.isSum !== true && this.#toldSums.isTaken(payment, amount))",
    replacement: "if (false)",
    tests: TOLD_TESTS,
  },
  {
    name: "refund-without-an-end-sent-before-untold",
    file: "src/company/operations/operation-store.ts",
    text: "other.sentAt < sentAt ||",
    replacement: "other.sentAt > sentAt ||",
    tests: ["test/worker/company/operations/refund-refused.test.ts"],
  },
  {
    name: "refund-ignores-pending-refunds",
    file: "src/company/operations/refund-limit.ts",
    text: "charge.paidAmount - charge.refundedAmount - pending",
    replacement: "charge.paidAmount - charge.refundedAmount",
    tests: ["test/worker/api/transactions/refund/refund-providers.test.ts"],
  },
  {
    name: "refund-above-paid-amount",
    file: COMMANDS,
    text: "if (amount > refundable || amount === 0)",
    replacement: "if (amount === 0)",
    tests: [
      "test/worker/api/transactions/refund/refund.test.ts",
      "test/worker/api/transactions/refund/refund-requests.test.ts",
    ],
  },
  {
    name: "refund-above-company-balance",
    file: COMMANDS,
    text: "if (available < required) return",
    replacement: "if (available < 0) return",
    tests: [
      "test/worker/api/transactions/refund/refund-requests.test.ts",
      "test/worker/company/ledger/funds-debt.test.ts",
    ],
  },
  {
    name: "refund-key-of-another-request-replayed",
    file: COMMANDS,
    text: 'if (known.requestHash !== request.requestHash) return { kind: "key_reused" };',
    replacement: "",
    tests: ["test/worker/api/transactions/refund/refund-keys.test.ts"],
  },
  {
    name: "refund-first-response-replaced",
    file: "src/company/storage/idempotency-store.ts",
    text: " AND answer IS NULL",
    replacement: "",
    tests: ["test/worker/company/operations/early-decisions.test.ts"],
  },
  {
    name: "refund-claimed-during-lease",
    file: COMMANDS,
    text: 'operation.approval === "pending" || operation.leaseUntil > nowMs',
    replacement: 'operation.approval === "pending"',
    tests: ["test/worker/company/operations/crash-refund.test.ts"],
  },
  {
    name: "refund-resumed-during-lease",
    file: COMMANDS,
    text: 'if (operation.leaseUntil > nowMs) return { kind: "in_progress" };',
    replacement: "",
    tests: [
      "test/worker/api/transactions/refund/refund-lease.test.ts",
      "test/worker/company/operations/crash-refund.test.ts",
    ],
  },
  {
    name: "refund-resolved-before-the-first-query",
    file: COMMANDS,
    text: "(operation.leaseUntil > nowMs || operation.checks === 0)",
    replacement: "operation.leaseUntil > nowMs",
    tests: ["test/worker/company/operations/early-decisions.test.ts"],
  },
  {
    name: "refund-resolved-during-lease",
    file: COMMANDS,
    text: "(operation.leaseUntil > nowMs || operation.checks === 0)",
    replacement: "operation.checks === 0",
    tests: ["test/worker/company/operations/early-decisions.test.ts"],
  },
  {
    name: "refund-without-response-failed",
    file: ORDER,
    text: 'if (found.kind !== "not_found") return found;',
    replacement: 'if (found.kind !== "not_found") return { kind: "failed", reason: "" };',
    tests: [
      "test/worker/api/transactions/refund/refund-providers.test.ts",
      "test/worker/company/operations/crash-refund.test.ts",
    ],
  },
  {
    name: "refund-sent-again-without-idempotency",
    file: ORDER,
    text: "found.neverSent === true || provider.idempotentRefunds",
    replacement: "true",
    tests: ["test/worker/company/operations/crash-refund.test.ts"],
  },
  {
    name: "refund-failed-by-rejected-repeat",
    file: ORDER,
    text: 'return report.kind === "failed" && !claimed.refusalIsFinal ? { kind: "unknown" } : report;',
    replacement: "return report;",
    tests: ["test/worker/company/operations/refund-refusal-window.test.ts"],
  },
  {
    name: "refund-refusal-final-by-when-it-was-asked",
    file: "src/company/operations/operation-claims.ts",
    text: "isRefusalFinal(sentAt, nowMs)",
    replacement: "isRefusalFinal(operation.createdAt, nowMs)",
    tests: ["test/worker/company/operations/refund-refusal-window.test.ts"],
  },
  {
    name: "refund-in-progress-sent-with-second-id",
    file: COMMANDS,
    text: "const order = { ...terms, operationId, paymentId, amount, account };",
    replacement:
      "const order = { ...terms, operationId: `${operationId}x`, paymentId, amount, account };",
    tests: [
      "test/worker/api/transactions/refund/refund-providers.test.ts",
      "test/worker/company/operations/crash-refund.test.ts",
    ],
  },
  {
    name: "return-of-a-payment-twice",
    file: COMMANDS,
    text: 'if (earlier !== null && earlier.status !== "FAILED") {',
    replacement: "if (false) {",
    tests: REPEATED_DECISIONS_TESTS,
  },
  {
    name: "return-of-a-payment-that-was-credited",
    file: COMMANDS,
    text: "if (payment === null || !payment.inSuspense) return",
    replacement: "if (payment === null) return",
    tests: REPEATED_DECISIONS_TESTS,
  },
  {
    name: "return-does-not-debit-suspense",
    file: "src/company/charges/suspense-commands.ts",
    text: 'this.#ledger.post({ type: "suspense_returned", postings, ...subject }, nowMs);',
    replacement: "",
    tests: ["test/worker/api/operator/decisions/suspense.test.ts"],
  },
  {
    name: "capture-above-authorized-amount",
    file: COMMANDS,
    text: "if (amount > charge.amount) return",
    replacement: "if (amount < 0) return",
    tests: ["test/worker/api/cards/captures.test.ts"],
  },
  {
    name: "capture-of-another-amount-joined",
    file: COMMANDS,
    text: "open.amount === amount",
    replacement: "true",
    tests: [
      "test/worker/company/operations/races-capture.test.ts",
      "test/worker/api/cards/captures.test.ts",
      "test/worker/company/operations/crash-capture.test.ts",
    ],
  },
];
