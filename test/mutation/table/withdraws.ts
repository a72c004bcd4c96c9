import type { Mutant } from "../mutant.ts";

const FLOW = "src/company/withdraws/withdraw-commands.ts";
const ANSWERS = "src/company/withdraws/payout-commands.ts";
const STORE = "src/company/withdraws/withdraw-store.ts";
const PAYOUT = "src/api/withdraws/tasks.ts";

/** Withdraws: the checks of a request, the payout's claim and the bank's results. */
export const withdrawMutants: Mutant[] = [
  {
    name: "withdraw-frozen-reported-before-minimum",
    file: FLOW,
    text: `    if (amount < minimum) refusals.push({ kind: "below_minimum", minimum });
    if (this.#frozen()) refusals.push({ kind: "frozen" });`,
    replacement: `    if (this.#frozen()) refusals.push({ kind: "frozen" });
    if (amount < minimum) refusals.push({ kind: "below_minimum", minimum });`,
    tests: ["test/worker/company/withdraws/withdraw-bounds.test.ts"],
  },
  {
    name: "withdraw-of-a-frozen-company-accepted",
    file: FLOW,
    text: 'if (this.#frozen()) refusals.push({ kind: "frozen" });',
    replacement: "",
    tests: [
      "test/worker/api/withdraws/rejections.test.ts",
      "test/worker/company/runtime/freeze.test.ts",
    ],
  },
  {
    name: "withdraw-below-the-minimum-by-one",
    file: FLOW,
    text: "if (amount < minimum) refusals",
    replacement: "if (amount + 1 < minimum) refusals",
    tests: ["test/worker/company/withdraws/withdraw-bounds.test.ts"],
  },
  {
    name: "withdraw-without-money-for-its-fee",
    file: FLOW,
    text: "if (available < required) {",
    replacement: "if (available < amount) {",
    tests: ["test/worker/company/withdraws/withdraw-bounds.test.ts"],
  },
  {
    name: "withdraw-of-whole-balance-rejected",
    file: FLOW,
    text: "if (available < required) {",
    replacement: "if (available <= required) {",
    tests: [
      "test/worker/api/withdraws/request.test.ts",
      "test/worker/api/withdraws/rejections.test.ts",
    ],
  },
  {
    name: "withdraw-at-daily-limit-rejected",
    file: FLOW,
    text: "withdrawnToday + amount > limit",
    replacement: "withdrawnToday + amount >= limit",
    tests: ["test/worker/api/withdraws/policy.test.ts"],
  },
  {
    name: "withdraw-daily-limit-ignores-others",
    file: FLOW,
    text: "withdrawnToday + amount > limit",
    replacement: "amount > limit",
    tests: ["test/worker/api/withdraws/policy.test.ts"],
  },
  {
    name: "withdraw-failed-still-counts-for-its-day",
    file: ANSWERS,
    text: "    const { amount, fee } = withdraw;\n    this.#withdraws.restoreDailyLimit(withdraw, amount);\n",
    replacement: "    const { amount, fee } = withdraw;\n",
    tests: ["test/worker/api/withdraws/policy.test.ts"],
  },
  {
    name: "withdraw-any-confirmation-passes-the-guard",
    file: FLOW,
    text: "if (duplicate !== null && duplicate !== command.confirmedDuplicate)",
    replacement: "if (duplicate !== null && command.confirmedDuplicate === null)",
    tests: ["test/worker/api/withdraws/policy.test.ts"],
  },
  {
    name: "withdraw-duplicate-of-failed-rejected",
    file: STORE,
    text: "status NOT IN ('Failed', 'Cancelled', 'Returned')",
    replacement: "status NOT IN ('Cancelled', 'Returned')",
    tests: ["test/worker/api/withdraws/policy.test.ts"],
  },
  {
    name: "withdraw-key-of-another-request-replayed",
    file: FLOW,
    text: 'if (known.requestHash !== command.requestHash) return { kind: "key_reused" };',
    replacement: "",
    tests: ["test/worker/api/withdraws/idempotency.test.ts"],
  },
  {
    name: "withdraw-cancelled-during-send",
    file: FLOW,
    text: 'if (withdraw.status !== "Awaiting") return { kind: "not_allowed", status: withdraw.status };',
    replacement: "",
    tests: ["test/worker/api/withdraws/cancel.test.ts"],
  },
  {
    name: "withdraw-of-a-frozen-company-sent",
    file: FLOW,
    text: "if (this.#frozen() || !this.#verifyOrFreeze(withdraw))",
    replacement: "if (!this.#verifyOrFreeze(withdraw))",
    tests: ["test/worker/company/runtime/freeze.test.ts"],
  },
  {
    name: "withdraw-of-a-frozen-company-sent-again",
    file: FLOW,
    text: "maySend: this.#verifyOrFreeze(withdraw) && !this.#frozen()",
    replacement: "maySend: this.#verifyOrFreeze(withdraw)",
    tests: ["test/worker/company/runtime/freeze.test.ts"],
  },
  {
    name: "withdraw-claimed-during-lease",
    file: FLOW,
    text: 'if (withdraw.leaseUntil > nowMs) return { kind: "wait" };',
    replacement: "",
    tests: ["test/worker/company/withdraws/payout-claim.test.ts"],
  },
  {
    name: "withdraw-claim-without-a-lease",
    file: FLOW,
    text: "this.#withdraws.update({ ...withdraw, ...acquireLease(nowMs, PAYOUT_LEASE_MS) });",
    replacement: "",
    tests: ["test/worker/company/withdraws/payout-claim.test.ts"],
  },
  {
    name: "withdraw-rejection-of-repeat-is-final",
    file: FLOW,
    text: "isRefusalFinal(withdraw.updatedAt, nowMs)",
    replacement: "isRefusalFinal(0, nowMs)",
    tests: [
      "test/worker/company/withdraws/crash-withdraw.test.ts",
      "test/worker/company/withdraws/payout-claim.test.ts",
    ],
  },
  {
    name: "withdraw-failed-by-rejected-repeat",
    file: PAYOUT,
    text: 'return report.kind === "failed" && !refusalIsFinal ? { kind: "unknown" } : report;',
    replacement: "return report;",
    tests: [
      "test/worker/company/withdraws/crash-withdraw.test.ts",
      "test/worker/company/withdraws/payout-claim.test.ts",
    ],
  },
  {
    name: "withdraw-sent-again-without-idempotency",
    file: PAYOUT,
    text: "if (!maySend || !provider.idempotentPayouts) return",
    replacement: "if (!maySend) return",
    tests: ["test/worker/company/withdraws/payout-claim.test.ts"],
  },
  {
    name: "withdraw-sent-again-without-not-found",
    file: PAYOUT,
    text: 'if (found.kind !== "not_found") return found;',
    replacement: 'if (found.kind !== "not_found" && found.kind !== "unknown") return found;',
    tests: [
      "test/worker/company/withdraws/payout-claim.test.ts",
      "test/worker/company/withdraws/payout-results.test.ts",
    ],
  },
  {
    name: "withdraw-resolved-before-bank-lookup",
    file: ANSWERS,
    text: "(withdraw.leaseUntil > nowMs || withdraw.checks === 0)",
    replacement: "withdraw.leaseUntil > nowMs",
    tests: ["test/worker/company/operations/early-decisions.test.ts"],
  },
  {
    name: "withdraw-resolved-during-lease",
    file: ANSWERS,
    text: "(withdraw.leaseUntil > nowMs || withdraw.checks === 0)",
    replacement: "withdraw.checks === 0",
    tests: [
      "test/worker/api/operator/companies/manual-resolution-in-progress.test.ts",
      "test/worker/company/withdraws/payout-results.test.ts",
    ],
  },
  {
    name: "withdraw-cancelled-after-send",
    file: "src/domain/withdraws/withdraw-status.ts",
    text: '  Processing: ["Paid", "Failed"],',
    replacement: '  Processing: ["Paid", "Failed", "Cancelled"],',
    tests: ["test/unit/domain/withdraws/withdraw-status.test.ts"],
  },
];
