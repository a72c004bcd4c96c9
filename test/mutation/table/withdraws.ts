import type { Mutant } from "../mutant.ts";

const FLOW = "src/company/withdraws/withdraw-commands.ts";
const RULES = "src/company/withdraws/withdraw-rules.ts";
const POLICY = "src/domain/withdraws/withdraw-policy.ts";
const APPROVALS = "src/company/withdraws/approval-commands.ts";
const ANSWERS = "src/company/withdraws/payout-commands.ts";
const STORE = "src/company/withdraws/withdraw-store.ts";
const PAYOUT = "src/api/withdraws/tasks.ts";
const REINSTATED = ["test/worker/company/withdraws/payout-reinstated.test.ts"];

/** Withdraws: the checks of a request, the payout's claim and the bank's results. */
export const withdrawMutants: Mutant[] = [
  {
    name: "withdraw-frozen-reported-before-minimum",
    file: RULES,
    text: `    if (amount < minimum) refusals.push({ kind: "below_minimum", minimum });
    if (this.frozen()) refusals.push({ kind: "frozen" });`,
    replacement: `    if (this.frozen()) refusals.push({ kind: "frozen" });
    if (amount < minimum) refusals.push({ kind: "below_minimum", minimum });`,
    tests: ["test/worker/company/withdraws/withdraw-bounds.test.ts"],
  },
  {
    name: "withdraw-of-a-frozen-company-accepted",
    file: RULES,
    text: 'if (this.frozen()) refusals.push({ kind: "frozen" });',
    replacement: "",
    tests: [
      "test/worker/api/withdraws/rejections.test.ts",
      "test/worker/company/runtime/freeze.test.ts",
    ],
  },
  {
    name: "withdraw-below-the-minimum-by-one",
    file: RULES,
    text: "if (amount < minimum) refusals",
    replacement: "if (amount + 1 < minimum) refusals",
    tests: ["test/worker/company/withdraws/withdraw-bounds.test.ts"],
  },
  {
    name: "withdraw-without-money-for-its-fee",
    file: RULES,
    text: "this.#uncovered(amount + feeOn(amount, command.fee), 0)",
    replacement: "this.#uncovered(amount, 0)",
    tests: ["test/worker/company/withdraws/withdraw-bounds.test.ts"],
  },
  {
    name: "withdraw-of-whole-balance-rejected",
    file: RULES,
    text: "return available < required",
    replacement: "return available <= required",
    tests: [
      "test/worker/api/withdraws/request.test.ts",
      "test/worker/api/withdraws/rejections.test.ts",
    ],
  },
  {
    name: "withdraw-at-daily-limit-rejected",
    file: POLICY,
    text: "withdrawnToday + amount > dailyLimit",
    replacement: "withdrawnToday + amount >= dailyLimit",
    tests: ["test/worker/api/withdraws/policy.test.ts"],
  },
  {
    name: "withdraw-daily-limit-ignores-others",
    file: POLICY,
    text: "withdrawnToday + amount > dailyLimit",
    replacement: "amount > dailyLimit",
    tests: ["test/worker/api/withdraws/policy.test.ts"],
  },
  {
    name: "withdraw-failed-still-counts-for-its-day",
    file: ANSWERS,
    text: "    const { amount, fee } = withdraw;\n    this.#sums.restore(withdraw, amount);\n",
    replacement: "    const { amount, fee } = withdraw;\n",
    tests: ["test/worker/api/withdraws/policy.test.ts"],
  },
  {
    name: "withdraw-any-confirmation-passes-the-guard",
    file: RULES,
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
    text: 'if (!isSame(known, command)) return { kind: "key_reused" };',
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
    text: "if (this.#rules.frozen() || !this.#verifyOrFreeze(withdraw, nowMs))",
    replacement: "if (!this.#verifyOrFreeze(withdraw, nowMs))",
    tests: ["test/worker/company/runtime/freeze.test.ts"],
  },
  {
    name: "withdraw-of-a-frozen-company-sent-again",
    file: FLOW,
    text: "maySend: this.#verifyOrFreeze(withdraw, nowMs) && !this.#rules.frozen()",
    replacement: "maySend: this.#verifyOrFreeze(withdraw, nowMs)",
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
      "test/worker/api/operator/decisions/manual-resolution-in-progress.test.ts",
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
  {
    name: "withdraw-sent-before-its-approval",
    file: FLOW,
    text: 'if (withdraw.approval === "pending") return { kind: "awaiting_approval" };',
    replacement: "",
    tests: ["test/worker/company/withdraws/approvals.test.ts"],
  },
  {
    name: "withdraw-approved-by-its-own-application",
    file: APPROVALS,
    text: 'if (why !== null) return { kind: "no_four_eyes", why };',
    replacement: "",
    tests: ["test/worker/api/withdraws/approvals.test.ts"],
  },
  {
    name: "withdraw-approved-after-its-window",
    file: APPROVALS,
    text: "createdAt + APPROVAL_WINDOW_MS <= nowMs",
    replacement: "createdAt + APPROVAL_WINDOW_MS < nowMs",
    tests: ["test/worker/company/withdraws/approvals.test.ts"],
  },
  {
    name: "withdraw-key-limit-forgets-withdraws-before-it",
    file: "src/company/withdraws/withdraw-sum-store.ts",
    text: " + this.#uncounted(pixKey, startOfDay(day))",
    replacement: "",
    tests: ["test/worker/api/withdraws/limits.test.ts"],
  },
  {
    name: "withdraw-key-limit-counts-twice-after-a-pause",
    file: "src/company/withdraws/withdraw-sum-store.ts",
    text: "pix_key = :pixKey AND keys_from IS NULL AND",
    replacement: "pix_key = :pixKey AND",
    tests: ["test/worker/api/withdraws/limits.test.ts"],
  },
  {
    name: "withdraw-night-ends-at-midnight",
    file: "src/domain/shared/business-day.ts",
    text: "saoPauloDay(epochMs - NIGHT_TO_HOUR * HOUR_MS)",
    replacement: "saoPauloDay(epochMs)",
    tests: ["test/unit/domain/withdraws/withdraw-policy.test.ts"],
  },
  {
    name: "withdraw-reinstated-without-its-fee",
    file: ANSWERS,
    text: "withdrawReinstated(amount, fee, this",
    replacement: "withdrawReinstated(amount, 0, this",
    tests: REINSTATED,
  },
  {
    name: "withdraw-reinstated-fee-is-not-taken",
    file: "src/domain/ledger/ledger.ts",
    text: "const taken = Math.min(amount + fee, available);",
    replacement: "const taken = Math.min(amount, available);",
    tests: REINSTATED,
  },
  {
    name: "withdraw-reinstated-not-counted-for-its-day",
    file: ANSWERS,
    text: "    this.#sums.restore(withdraw, -amount);\n",
    replacement: "",
    tests: REINSTATED,
  },
  {
    name: "withdraw-reinstated-given-back-to-its-day",
    file: ANSWERS,
    text: "this.#sums.restore(withdraw, -amount);",
    replacement: "this.#sums.restore(withdraw, amount);",
    tests: REINSTATED,
  },
  {
    name: "withdraw-reinstated-counted-for-another-day",
    file: "src/company/withdraws/withdraw-sum-store.ts",
    text: "saoPauloDay(newest.created_at) === day ? amount : 0",
    replacement: "newest.created_at >= 0 ? amount : 0",
    tests: REINSTATED,
  },
  {
    name: "withdraw-reinstated-without-its-movement",
    file: ANSWERS,
    text: "{ ...withdraw, movements, nextCheckAt: null },",
    replacement: "{ ...withdraw, nextCheckAt: null },",
    tests: REINSTATED,
  },
  {
    name: "withdraw-reinstated-not-checked-again",
    file: ANSWERS,
    text: "    this.#scheduleRecheck(paid, nowMs);\n    return true;",
    replacement: "    return true;",
    tests: REINSTATED,
  },
  {
    name: "withdraw-reinstated-twice",
    file: ANSWERS,
    text: "if (withdraw === null || !canResolveWithdrawManually(withdraw.status, target)) return false;",
    replacement: "if (withdraw === null) return false;",
    tests: REINSTATED,
  },
  {
    name: "withdraw-sent-by-an-account-that-may-be-gone",
    file: FLOW,
    text: 'if (isOutdated) return { kind: "wait" };',
    replacement: "",
    tests: ["test/worker/company/withdraws/payout-claim.test.ts"],
  },
];
