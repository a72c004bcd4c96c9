import type { Mutant } from "../mutant.ts";

const FLOW = "src/company/operations/operation-commands.ts";
const DISPUTES = "src/company/disputes/dispute-commands.ts";
const CARRIED = "src/api/transactions/operations.ts";

/** Refunds, returns, captures and what payers' banks ask back. */
export const refundMutants: Mutant[] = [
  {
    name: "refund-of-what-is-on-its-way-already",
    file: FLOW,
    text: "charge.paidAmount - charge.refundedAmount - pending",
    replacement: "charge.paidAmount - charge.refundedAmount",
    tests: ["test/worker/api/transactions/refund/refund-providers.test.ts"],
  },
  {
    name: "refund-of-more-than-was-paid",
    file: FLOW,
    text: "if (amount > refundable || amount === 0)",
    replacement: "if (amount === 0)",
    tests: [
      "test/worker/api/transactions/refund/refund.test.ts",
      "test/worker/api/transactions/refund/refund-requests.test.ts",
    ],
  },
  {
    name: "refund-beside-an-open-dispute",
    file: FLOW,
    text: 'if (this.#disputes.isOpen(charge.transactionId)) return { kind: "disputed" };',
    replacement: "",
    tests: ["test/worker/api/transactions/refund/refund-disputed.test.ts"],
  },
  {
    name: "refund-beyond-the-company's-money",
    file: FLOW,
    text: "if (available < amount) return",
    replacement: "if (available < 0) return",
    tests: [
      "test/worker/api/transactions/refund/refund-requests.test.ts",
      "test/worker/company/ledger/funds-debt.test.ts",
    ],
  },
  {
    name: "refund-key-of-another-request-replayed",
    file: FLOW,
    text: 'if (known.requestHash !== request.requestHash) return { kind: "key_reused" };',
    replacement: "",
    tests: ["test/worker/api/transactions/refund/refund-keys.test.ts"],
  },
  {
    name: "refund-answer-under-its-key-replaced",
    file: "src/company/storage/idempotency-store.ts",
    text: " AND answer IS NULL",
    replacement: "",
    tests: ["test/worker/company/operations/early-decisions.test.ts"],
  },
  {
    name: "refund-claimed-while-it-is-leased",
    file: FLOW,
    text: 'if (operation.leaseUntil > nowMs) return { kind: "wait" };',
    replacement: "",
    tests: ["test/worker/company/operations/crash-refund.test.ts"],
  },
  {
    name: "refund-resumed-while-it-is-leased",
    file: FLOW,
    text: `return operation.leaseUntil > nowMs
      ? { kind: "in_progress" }
      : this.#claimForQuery(operation, nowMs);`,
    replacement: "return this.#claimForQuery(operation, nowMs);",
    tests: [
      "test/worker/api/transactions/refund/refund-lease.test.ts",
      "test/worker/company/operations/crash-refund.test.ts",
    ],
  },
  {
    name: "refund-decided-before-the-bank-was-asked",
    file: FLOW,
    text: "(operation.leaseUntil > nowMs || operation.checks === 0)",
    replacement: "operation.leaseUntil > nowMs",
    tests: ["test/worker/company/operations/early-decisions.test.ts"],
  },
  {
    name: "refund-decided-while-it-is-leased",
    file: FLOW,
    text: "(operation.leaseUntil > nowMs || operation.checks === 0)",
    replacement: "operation.checks === 0",
    tests: ["test/worker/company/operations/early-decisions.test.ts"],
  },
  {
    name: "refund-without-an-answer-has-failed",
    file: CARRIED,
    text: 'if (found.kind !== "not_found") return found;',
    replacement: 'if (found.kind !== "not_found") return { kind: "failed", reason: "" };',
    tests: [
      "test/worker/api/transactions/refund/refund-providers.test.ts",
      "test/worker/company/operations/crash-refund.test.ts",
    ],
  },
  {
    name: "refund-sent-again-to-a-bank-that-may-refund-twice",
    file: CARRIED,
    text: 'if (!provider.idempotentRefunds) return { kind: "unknown" };',
    replacement: "",
    tests: ["test/worker/company/operations/crash-refund.test.ts"],
  },
  {
    name: "refund-failed-by-a-refusal-of-its-repeat",
    file: CARRIED,
    text: 'return report.kind === "failed" && !claimed.refusalIsFinal ? { kind: "unknown" } : report;',
    replacement: "return report;",
    tests: ["test/worker/company/operations/crash-refund.test.ts"],
  },
  {
    name: "refund-under-way-asked-by-a-second-id",
    file: FLOW,
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
    file: FLOW,
    text: "this.#disputes.increaseHold(refund.transactionId, refund.amount, nowMs);",
    replacement: "",
    tests: ["test/worker/company/disputes/refund-and-dispute.test.ts"],
  },
  {
    name: "return-of-a-payment-twice",
    file: FLOW,
    text: 'if (earlier !== null && earlier.status !== "FAILED") return this.#resume(earlier, nowMs);',
    replacement: "",
    tests: [
      "test/worker/api/operator/companies/suspense.test.ts",
      "test/worker/company/operations/crash-return.test.ts",
    ],
  },
  {
    name: "return-of-a-payment-that-was-credited",
    file: FLOW,
    text: "if (payment === null || !payment.suspended) return",
    replacement: "if (payment === null) return",
    tests: ["test/worker/api/operator/companies/suspense.test.ts"],
  },
  {
    name: "return-leaves-suspense-as-it-was",
    file: "src/company/charges/suspense-commands.ts",
    text: 'this.#ledger.post({ type: "suspense_returned", postings, ...about }, nowMs);',
    replacement: "",
    tests: ["test/worker/api/operator/companies/suspense.test.ts"],
  },
  {
    name: "capture-of-more-than-was-authorized",
    file: FLOW,
    text: "if (amount > charge.amount) return",
    replacement: "if (amount < 0) return",
    tests: ["test/worker/api/cards/captures.test.ts"],
  },
  {
    name: "capture-of-another-amount-joined",
    file: FLOW,
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
    name: "dispute-won-keeps-what-it-held",
    file: DISPUTES,
    text: 'this.#holds.release("dispute_won", transactionId, dispute.hold, nowMs);',
    replacement: "",
    tests: ["test/worker/api/sandbox/disputes.test.ts"],
  },
  {
    name: "dispute-takes-available-before-what-awaits",
    file: "src/company/ledger/holds.ts",
    text: "const parts = this.#releases.deduct(transactionId, amount - blocked);",
    replacement: "const parts: ReleasePart[] = [];",
    tests: ["test/worker/company/ledger/funds-debt.test.ts"],
  },
  {
    name: "dispute-of-money-that-is-gone-leaves-no-debt",
    file: "src/company/ledger/holds.ts",
    text: "const debt = missing - available;",
    replacement: "const debt = 0;",
    tests: ["test/worker/company/ledger/funds-debt.test.ts"],
  },
];
