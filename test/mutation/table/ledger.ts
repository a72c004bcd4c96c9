import type { Mutant } from "../mutant.ts";

const LEDGER = "src/domain/ledger/ledger.ts";
const LEDGER_TESTS = ["test/unit/domain/ledger/ledger.test.ts"];
const HASH = "src/domain/ledger/movement-hash.ts";
const HASH_TESTS = ["test/unit/domain/ledger/movement-hash.test.ts"];
const FEES = "src/domain/ledger/fees.ts";
const FEES_TESTS = ["test/unit/domain/ledger/fees.test.ts"];
const RELEASE = "src/domain/ledger/release.ts";
const RELEASE_TESTS = ["test/unit/domain/ledger/release.test.ts"];

/** Postings, the chain of hashes, fees and release dates. */
export const ledgerMutants: Mutant[] = [
  {
    name: "ledger-debt-repaid-beyond-the-credit",
    file: LEDGER,
    text: "const repaid = Math.min(amount, debt);",
    replacement: "const repaid = debt;",
    tests: LEDGER_TESTS,
  },
  {
    name: "ledger-fee-left-to-the-company",
    file: LEDGER,
    text: `    { account: "fees", amount: fee },
    { account: "awaiting", amount: awaiting },
    ...creditAvailable(paid - fee - awaiting, debt),`,
    replacement: `    { account: "awaiting", amount: awaiting },
    ...creditAvailable(paid - awaiting, debt),`,
    tests: LEDGER_TESTS,
  },
  {
    name: "ledger-released-hold-repays-no-debt",
    file: LEDGER,
    text: "...creditAvailable(split.available, debt),",
    replacement: '{ account: "available", amount: split.available },',
    tests: ["test/worker/company/ledger/funds-debt.test.ts"],
  },
  {
    name: "ledger-failed-withdraw-keeps-its-fee",
    file: LEDGER,
    text: `    { account: "payout", amount: -amount },
    { account: "fees", amount: -fee },
    ...creditAvailable(amount + fee, debt),`,
    replacement: `    { account: "payout", amount: -amount },
    ...creditAvailable(amount, debt),`,
    tests: LEDGER_TESTS,
  },
  {
    name: "ledger-refund-taken-twice-from-available",
    file: LEDGER,
    text: `    { account: "blocked", amount: -amount },
    { account: "provider", amount },`,
    replacement: `    { account: "available", amount: -amount },
    { account: "provider", amount },`,
    tests: ["test/worker/api/transactions/refund/refund.test.ts"],
  },
  {
    name: "ledger-payout-account-can-be-negative",
    file: LEDGER,
    text: `  "payout",
  "suspense",
];`,
    replacement: `  "suspense",
];`,
    tests: LEDGER_TESTS,
  },
  {
    name: "ledger-movement-before-its-predecessor",
    file: "src/company/ledger/ledger-store.ts",
    text: "createdAt: Math.max(nowMs, newest?.createdAt ?? 0),",
    replacement: "createdAt: nowMs,",
    tests: ["test/worker/company/ledger/ledger-constraints.test.ts"],
  },
  {
    name: "ledger-chain-restarts-with-each-movement",
    file: "src/company/ledger/ledger-store.ts",
    text: "movementHash(newest?.hash ?? GENESIS_HASH, hashedPart(movement))",
    replacement: "movementHash(GENESIS_HASH, hashedPart(movement))",
    tests: [
      "test/worker/company/charges/payment-credited-once.test.ts",
      "test/worker/api/balance/statement.test.ts",
    ],
  },
  {
    name: "ledger-uneven-movement-booked",
    file: "src/company/ledger/ledger-store.ts",
    text: "assert(sum === 0,",
    replacement: "assert(sum <= 0,",
    tests: ["test/worker/company/ledger/ledger-constraints.test.ts"],
  },
  {
    name: "hash-without-its-sequence",
    file: HASH,
    text: "    movement.sequence,\n",
    replacement: "",
    tests: HASH_TESTS,
  },
  {
    name: "hash-with-two-fields-swapped",
    file: HASH,
    text: "    movement.transactionId,\n    movement.withdrawId,\n",
    replacement: "    movement.withdrawId,\n    movement.transactionId,\n",
    tests: HASH_TESTS,
  },
  {
    name: "hash-without-balances",
    file: HASH,
    text: "[line.account, line.amount, line.balance]",
    replacement: "[line.account, line.amount]",
    tests: HASH_TESTS,
  },
  {
    name: "hash-without-its-time",
    file: HASH,
    text: "    movement.createdAt,\n",
    replacement: "",
    tests: HASH_TESTS,
  },
  {
    name: "hash-without-its-predecessor",
    file: HASH,
    text: "    previous,\n",
    replacement: "",
    tests: HASH_TESTS,
  },
  {
    name: "fee-rounded-down",
    file: FEES,
    text: "(rest + MAX_BASIS_POINTS / 2)",
    replacement: "rest",
    tests: FEES_TESTS,
  },
  {
    name: "fee-half-rounded-down",
    file: FEES,
    text: "(rest + MAX_BASIS_POINTS / 2)",
    replacement: "(rest + MAX_BASIS_POINTS / 2 - 1)",
    tests: FEES_TESTS,
  },
  {
    name: "fee-above-the-amount",
    file: FEES,
    text: "Math.min(amount, share + fee.fixed)",
    replacement: "(share + fee.fixed)",
    tests: FEES_TESTS,
  },
  {
    name: "fee-without-its-fixed-part",
    file: FEES,
    text: "share + fee.fixed",
    replacement: "share",
    tests: FEES_TESTS,
  },
  {
    name: "release-remainder-in-the-last-installment",
    file: RELEASE,
    text: "index === 0 ? amount",
    replacement: "index === count - 1 ? amount",
    tests: RELEASE_TESTS,
  },
  {
    name: "release-one-term-early",
    file: RELEASE,
    text: "(index + 1) * releaseDays * DAY_MS",
    replacement: "index * releaseDays * DAY_MS",
    tests: RELEASE_TESTS,
  },
  {
    name: "release-of-a-boleto-in-installments",
    file: "src/methods/boleto/method.ts",
    text: "releaseParts: () => 1,",
    replacement: "releaseParts: (installments: number) => installments,",
    tests: RELEASE_TESTS,
  },
  {
    name: "refunded-amount-stored-as-the-paid-one",
    file: "src/company/charges/charge-store.ts",
    text: "refunded_amount: charge.refundedAmount,",
    replacement: "refunded_amount: charge.paidAmount,",
    tests: ["test/worker/company/charges/payment-credited-once.test.ts"],
  },
  {
    name: "release-one-millisecond-late",
    file: "src/company/releases/release-store.ts",
    text: "WHERE due_at <= :nowMs",
    replacement: "WHERE due_at < :nowMs",
    tests: ["test/worker/company/releases/funds-released.test.ts"],
  },
  {
    name: "release-of-the-first-installment-taken-first",
    file: "src/company/releases/release-store.ts",
    text: "WHERE transaction_id = ? ORDER BY installment DESC",
    replacement: "WHERE transaction_id = ? ORDER BY installment",
    tests: ["test/worker/company/operations/refund-refused.test.ts"],
  },
];
