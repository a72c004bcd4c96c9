import type { Mutant } from "../mutant.ts";

const CREATE = "src/api/transactions/create.ts";
const CHARGE = "src/api/transactions/register-charge.ts";
const REPOSITORY = "src/api/transactions/repository.ts";
const FLOW = "src/company/charges/charge-commands.ts";

/** Creates with their keys and leases, and payments. */
export const chargeMutants: Mutant[] = [
  {
    name: "create-resumed-at-the-account-of-today",
    file: CREATE,
    text: "await providerOfCharge(deps.providers(env), company, row)",
    replacement: "deps.providers(env).forCharge(company, row.paymentMethod)",
    tests: ["test/worker/api/operator/pix-api/psp-accounts.test.ts"],
  },
  {
    name: "create-rejection-returned-before-it-is-recorded",
    file: CHARGE,
    text: `  const { env, traceId } = context;
  await callCompany(`,
    replacement: `  const { env, traceId } = context;
  await saveResult(context, row, {
    status: "failed",
    failure: { problem: { code: "CHARGE_REFUSED", detail: message }, traceId },
    nextSweepAt: null,
  });
  await callCompany(`,
    tests: ["test/worker/api/transactions/create-recovery/create-lease.test.ts"],
  },
  {
    name: "create-fingerprint-without-items",
    file: CREATE,
    text: "function fingerprintOf(request: CreateTransactionRequest): object {",
    replacement:
      "function fingerprintOf({ items: _items, ...request }: CreateTransactionRequest): object {",
    tests: ["test/worker/api/transactions/create/idempotency.test.ts"],
  },
  {
    name: "create-fingerprint-with-the-card-number",
    file: "src/methods/card/request.ts",
    text: "const { number: _number, cvv: _cvv,",
    replacement: "const { cvv: _cvv,",
    tests: [
      "test/worker/api/transactions/create/card-fingerprint.test.ts",
      "test/worker/api/cards/secrets.test.ts",
    ],
  },
  {
    name: "create-key-of-another-request-replayed",
    file: CREATE,
    text: `    if (!isSameRequest(row.requestHash, hashes)) throw keyReused();
    if (row.answeredAt`,
    replacement: `    if (row.answeredAt`,
    tests: ["test/worker/api/transactions/create/idempotency.test.ts"],
  },
  {
    name: "create-lease-stolen-before-expiry",
    file: CREATE,
    text: "return row.leaseUntil > nowMs ? null",
    replacement: "return row.leaseUntil > nowMs + CREATE_LEASE_MS ? null",
    tests: ["test/worker/api/transactions/create-recovery/create-lease.test.ts"],
  },
  {
    name: "create-swept-before-lease-expiry",
    file: "src/api/transactions/sweep/tasks.ts",
    text: "row.leaseUntil > now ? null",
    replacement: "row.leaseUntil > now + CREATE_LEASE_MS ? null",
    tests: [
      "test/worker/api/transactions/create-recovery/crash-create.test.ts",
      "test/worker/api/transactions/sweep/sweep.test.ts",
    ],
  },
  {
    name: "create-lease-stolen-twice",
    file: REPOSITORY,
    text: `    .set({ leaseUntil })
    .where(and(isNotRegistered(row), eq(transactions.leaseUntil, row.leaseUntil)))`,
    replacement: `    .set({ leaseUntil })
    .where(isNotRegistered(row))`,
    tests: ["test/worker/api/transactions/create-recovery/create-ownership.test.ts"],
  },
  {
    name: "create-lease-released-by-a-former-holder",
    file: REPOSITORY,
    text: `    .set({ leaseUntil: 0 })
    .where(and(isNotRegistered(row), eq(transactions.leaseUntil, row.leaseUntil)))`,
    replacement: `    .set({ leaseUntil: 0 })
    .where(isNotRegistered(row))`,
    tests: ["test/worker/api/transactions/create-recovery/create-ownership.test.ts"],
  },
  {
    name: "create-result-reverts-payment",
    file: REPOSITORY,
    text: 'CASE WHEN version = 0 THEN ${value("status")} ELSE status END',
    replacement: '${value("status")}',
    tests: ["test/worker/api/transactions/create-recovery/create-ownership.test.ts"],
  },
  {
    name: "create-second-result-replaces-first",
    file: REPOSITORY,
    text: `and(sameRow(row), sql\`\${transactions.answeredAt} IS NULL\`)`,
    replacement: "sameRow(row)",
    tests: ["test/worker/api/transactions/create-recovery/create-ownership.test.ts"],
  },
  {
    name: "create-no-response-treated-as-rejection",
    file: CHARGE,
    text: 'if (outcome.kind === "refused") return finishRefused(context, row, outcome);\n  const registered =',
    replacement:
      'if (outcome.kind !== "registered") return finishRefused(context, row, { kind: "refused", message: "" });\n  const registered =',
    tests: ["test/worker/api/transactions/create/provider-unavailable.test.ts"],
  },
  {
    name: "create-boleto-with-wrong-amount-returned",
    file: "src/methods/boleto/method.ts",
    text: "    verdict.content.amount === charge.amount &&\n",
    replacement: "",
    tests: ["test/worker/api/transactions/create-recovery/crash-create.test.ts"],
  },
  {
    name: "charge-fee-on-requested-amount",
    file: FLOW,
    text: "const fee = feeOn(payment.amount, charge.fee);",
    replacement: "const fee = feeOn(charge.amount, charge.fee);",
    tests: ["test/worker/company/releases/funds-schedule.test.ts"],
  },
  {
    name: "charge-credit-released-at-once",
    file: FLOW,
    text: "awaiting: pendingReleases.reduce((sum, part) => sum + part.amount, 0),",
    replacement: "awaiting: 0,",
    tests: ["test/worker/company/releases/funds-schedule.test.ts"],
  },
  {
    name: "charge-credit-repays-no-debt",
    file: FLOW,
    text: "debt: this.#ledger.debt(),",
    replacement: "debt: 0,",
    tests: ["test/worker/company/ledger/funds-debt.test.ts"],
  },
  {
    name: "charge-late-payment-not-credited",
    file: "src/domain/charges/charge-status.ts",
    text: '  cancelled: ["paid"],',
    replacement: "  cancelled: [],",
    tests: [
      "test/unit/domain/charges/charge-status.test.ts",
      "test/worker/company/charges/late-payment.test.ts",
    ],
  },
  {
    name: "charge-refunded-can-be-paid-again",
    file: "src/domain/charges/charge-status.ts",
    text: "  refunded: [],",
    replacement: '  refunded: ["paid"],',
    tests: ["test/unit/domain/charges/charge-status.test.ts"],
  },
  {
    name: "charge-capture-done-with-wrong-amount",
    file: FLOW,
    text: "if (capture === null || capture.amount !== amount) return;",
    replacement: "if (capture === null) return;",
    tests: [
      "test/worker/company/operations/crash-capture.test.ts",
      "test/worker/company/operations/races-capture.test.ts",
    ],
  },
  {
    name: "unexpected-payment-kept-against-the-rule",
    file: "src/company/charges/unexpected-payment-commands.ts",
    text: "  const rule = ruleOn(charge, reason, command);",
    replacement: "  const rule = ruleOn(charge, reason, {});",
    tests: ["test/worker/api/payments/unexpected.test.ts"],
  },
  {
    name: "unexpected-payment-credited-by-its-repeat",
    file: "src/company/charges/charge-commands.ts",
    text: 'if (hasCharge && unexpected !== null && unexpected.reason !== "NO_CHARGE")',
    replacement: "if (false)",
    tests: ["test/worker/company/operations/repeated-decisions.test.ts"],
  },
  {
    name: "unexpected-payment-credit-forgotten-after-a-crash",
    file: "src/db/projection/projected-rows.ts",
    text: 'status === "crediting" ? updatedAt + CREDIT_AFTER_MS : null;',
    replacement: "null;",
    tests: ["test/worker/api/payments/crash-unexpected.test.ts"],
  },
  {
    name: "charge-expired-before-its-expiry",
    file: "src/api/transactions/sync.ts",
    text: "row.expiresAt !== null && row.expiresAt <= deps.clock.now()",
    replacement: "row.expiresAt !== null",
    tests: [
      "test/worker/api/transactions/expiry.test.ts",
      "test/worker/api/provider-callbacks/callbacks.test.ts",
    ],
  },
  {
    name: "charge-full-refund-marked-as-partial",
    file: "src/company/charges/charge-transitions.ts",
    text: "refundedAmount < charge.paidAmount",
    replacement: "refundedAmount <= charge.paidAmount",
    tests: ["test/worker/api/transactions/refund/refund.test.ts"],
  },
];
