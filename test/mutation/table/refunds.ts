import type { Mutant } from "../mutant.ts";

const COMMANDS = "src/company/operations/operation-commands.ts";
const DISPUTES = "src/company/disputes/dispute-commands.ts";
const ORDER = "src/api/payments/provider-order.ts";
const TRANSITIONS = "src/company/charges/charge-transitions.ts";
const REPEATED_DECISIONS_TESTS = ["test/worker/company/operations/repeated-decisions.test.ts"];

/** Refunds, returns, captures and disputes. */
export const refundMutants: Mutant[] = [
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
    name: "refund-during-open-dispute",
    file: COMMANDS,
    text: 'if (this.#disputes.isOpen(charge.transactionId)) return { kind: "disputed" };',
    replacement: "",
    tests: ["test/worker/api/transactions/refund/refund-disputed.test.ts"],
  },
  {
    name: "refund-above-company-balance",
    file: COMMANDS,
    text: "if (available < amount) {",
    replacement: "if (available < 0) {",
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
    text: "!provider.idempotentRefunds || !claimed.maySend",
    replacement: "!claimed.maySend",
    tests: ["test/worker/company/operations/crash-refund.test.ts"],
  },
  {
    name: "refund-failed-by-rejected-repeat",
    file: ORDER,
    text: 'return report.kind === "failed" && !claimed.refusalIsFinal ? { kind: "unknown" } : report;',
    replacement: "return report;",
    tests: ["test/worker/company/operations/crash-refund.test.ts"],
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
    name: "refund-refused-leaves-a-dispute-short",
    file: "src/company/operations/operation-results.ts",
    text: "this.#disputes.increaseHold(refund.transactionId, refund.amount, nowMs);",
    replacement: "",
    tests: ["test/worker/company/disputes/refund-and-dispute.test.ts"],
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
    text: "(open.kind !== kind || open.amount !== amount)",
    replacement: "open.kind !== kind",
    tests: [
      "test/worker/company/operations/races-capture.test.ts",
      "test/worker/api/cards/captures.test.ts",
      "test/worker/company/operations/crash-capture.test.ts",
    ],
  },
  {
    name: "dispute-lost-in-part-booked-in-full",
    file: DISPUTES,
    text: "hold !== null && amount < dispute.held;",
    replacement: "hold !== null && amount < 0;",
    tests: ["test/worker/company/disputes/refund-and-dispute.test.ts"],
  },
  {
    name: "dispute-won-keeps-its-hold",
    file: DISPUTES,
    text: 'this.#holds.release("dispute_won", transactionId, dispute.hold, nowMs);',
    replacement: "",
    tests: ["test/worker/api/sandbox/disputes.test.ts"],
  },
  {
    name: "evidence-after-the-deadline",
    file: "src/company/disputes/evidence-commands.ts",
    text: 'if (deadline !== null && nowMs > deadline) return { kind: "deadline_passed", deadline };',
    replacement: "",
    tests: ["test/worker/api/disputes/evidence.test.ts"],
  },
  {
    name: "evidence-stored-anew-by-a-repeat",
    file: "src/company/disputes/evidence-commands.ts",
    text: "if (known.number !== null && isSame(known.evidence, evidence)) {",
    replacement: "if (known.number === null) {",
    tests: ["test/worker/api/disputes/evidence.test.ts"],
  },
  {
    name: "dispute-changed-without-an-event",
    file: "src/company/disputes/dispute-transitions.ts",
    text: "const isNewStatus = known?.status !== change.status;",
    replacement: "const isNewStatus = known === null;",
    tests: ["test/worker/api/disputes/disputes.test.ts"],
  },
  {
    name: "dispute-takes-available-before-unreleased",
    file: "src/company/ledger/holds.ts",
    text: "const parts = this.#releases.deduct(transactionId, amount - blocked);",
    replacement: "const parts: ReleasePart[] = [];",
    tests: ["test/worker/company/ledger/funds-debt.test.ts"],
  },
  {
    name: "dispute-of-spent-money-leaves-no-debt",
    file: "src/company/ledger/holds.ts",
    text: "const debt = missing - available;",
    replacement: "const debt = 0;",
    tests: ["test/worker/company/ledger/funds-debt.test.ts"],
  },
  {
    name: "chargeback-reversal-forgets-refunds-at-the-provider",
    file: TRANSITIONS,
    text: "      this.#externalRefunds.total(transactionId) +\n",
    replacement: "",
    tests: ["test/worker/company/disputes/dispute-endings.test.ts"],
  },
  {
    name: "chargeback-reversal-forgets-our-refunds",
    file: TRANSITIONS,
    text: "      this.#operations.refundedTotal(transactionId) +\n",
    replacement: "",
    tests: ["test/worker/company/disputes/dispute-endings.test.ts"],
  },
  {
    name: "chargeback-reversal-forgets-other-disputes",
    file: TRANSITIONS,
    text: "      this.#disputes.lostTotal(transactionId);\n    const refundedAmount",
    replacement: "      0;\n    const refundedAmount",
    tests: ["test/worker/company/disputes/dispute-endings.test.ts"],
  },
  {
    name: "chargeback-reversal-refunds-more-than-was-paid",
    file: TRANSITIONS,
    text: "const refundedAmount = Math.min(paidAmount, refundedTotal);",
    replacement: "const refundedAmount = refundedTotal;",
    tests: ["test/worker/company/disputes/dispute-endings.test.ts"],
  },
];
