import type { Mutant } from "../mutant.ts";

const CREATE = "src/api/transactions/attempts/create-at-accounts.ts";
const SHADOWS = "src/api/transactions/attempts/shadows.ts";
const SYNC = "src/api/transactions/sync.ts";
const FAILOVER = ["test/worker/api/transactions/attempts/failover.test.ts"];
const CRASHES = ["test/worker/api/transactions/attempts/failover-crashes.test.ts"];

/** A create at a second account, and what the first may have made. */
export const failoverMutants: Mutant[] = [
  {
    name: "account-forgotten-by-a-restore-gone-since-its-charge",
    file: "src/api/transactions/register-charge.ts",
    text: "known?.updatedAt ?? (await restoredAt(env, companyId)) ?? createdAt",
    replacement: "known?.updatedAt ?? createdAt",
    tests: ["test/worker/api/transactions/sweep/sweep.test.ts"],
  },
  {
    name: "failover-after-a-refusal",
    file: CREATE,
    text: 'if (outcome.kind !== "unknown") return',
    replacement: 'if (outcome.kind === "registered") return',
    tests: FAILOVER,
  },
  {
    name: "failover-without-storing-the-attempt",
    file: CREATE,
    text: "const moved = await moveToAttempt(env, row, next, {",
    replacement: "const moved = { ...row, ...next };\n  void ({",
    tests: CRASHES,
  },
  {
    name: "failover-under-the-same-id",
    file: "src/domain/charges/transaction.ts",
    text: "return attempt === 1 ? id :",
    replacement: "return attempt >= 1 ? id :",
    tests: ["test/unit/domain/charges/charge-attempts.test.ts"],
  },
  {
    name: "failover-with-the-patience-of-one-account",
    file: CREATE,
    text: "next === undefined ? undefined : PATIENCE_MS",
    replacement: "undefined",
    tests: FAILOVER,
  },
  {
    name: "failover-slow-account-left-for-a-dead-one",
    file: CREATE,
    text: "givenUp.push({ provider, call });",
    replacement: "",
    tests: FAILOVER,
  },
  {
    name: "failover-late-answer-of-another-account-saved",
    file: "src/api/transactions/repository.ts",
    text: `          eq(transactions.attempt, value("attempt")),
`,
    replacement: "",
    tests: CRASHES,
  },
  {
    name: "shadow-charge-unknown-once-is-forgotten",
    file: SHADOWS,
    text: "shadow.createdAt + LOST_AFTER_MS <= askedAt",
    replacement: "true",
    tests: FAILOVER,
  },
  {
    name: "shadow-charge-of-an-unanswered-create-ended",
    file: SHADOWS,
    text: "row === null || row.answeredAt === null",
    replacement: "row === null",
    tests: FAILOVER,
  },
  {
    name: "shadow-charge-never-cancelled",
    file: SHADOWS,
    text: 'report.payments.length > 0 || report.status !== "open"',
    replacement: "true",
    tests: FAILOVER,
  },
  {
    name: "shadow-charge-ends-the-shown-one",
    file: SYNC,
    text: "(charge.attempt ?? row.attempt) === row.attempt",
    replacement: "true",
    tests: FAILOVER,
  },
  {
    name: "shadow-charge-payment-looked-for-at-the-shown-one",
    file: "src/api/provider-callbacks/service.ts",
    text: "evidence.account !== row.account",
    replacement: "false",
    tests: FAILOVER,
  },
  {
    name: "failover-cancel-of-the-first-attempt",
    file: "src/api/transactions/operations.ts",
    text: "providerChargeId(row.id, row.attempt)",
    replacement: "providerChargeId(row.id)",
    tests: FAILOVER,
  },
  {
    name: "failover-silent-account-asked-first",
    file: "src/domain/psp/routes.ts",
    text: "Number(isSilent(left.account)) - Number(isSilent(right.account)) ||",
    replacement: "",
    tests: ["test/unit/domain/psp/routes.test.ts"],
  },
  {
    name: "failover-silent-account-never-tried",
    file: "src/providers/account-health.ts",
    text: "silence.triedAt = nowMs;\n    return true;",
    replacement: "return false;",
    tests: ["test/unit/providers/account-health.test.ts"],
  },
  {
    name: "account-gone-waited-for-for-ever",
    file: "src/api/transactions/register-charge.ts",
    text: "return goneAt + ACCOUNT_GONE_MS > nowMs;",
    replacement: "return goneAt > 0;",
    tests: ["test/worker/api/transactions/sweep/sweep.test.ts"],
  },
  {
    name: "account-gone-counted-from-the-charge",
    file: "src/api/transactions/register-charge.ts",
    text: "known?.updatedAt ??",
    replacement: "known?.createdAt ??",
    tests: ["test/worker/api/transactions/sweep/sweep.test.ts"],
  },
  {
    name: "failover-to-an-account-that-is-gone",
    file: "src/api/transactions/attempts/repository.ts",
    text: "    isCurrentVersion(companyId, credentialsVersion),\n",
    replacement: "",
    tests: FAILOVER,
  },
  {
    name: "failover-refund-asked-of-the-account-that-is-shown",
    file: "src/company/operations/operation-commands.ts",
    text: 'if (account !== connected) return { kind: "taken_by", account };',
    replacement: "",
    tests: ["test/worker/api/transactions/refund/refund-account.test.ts"],
  },
  {
    name: "sweep-of-creates-beyond-an-invocations-calls",
    file: "src/api/transactions/sweep/tasks.ts",
    text: "? CREATE_CALLS : CHARGE_CALLS",
    replacement: "? CHARGE_CALLS : CHARGE_CALLS",
    tests: ["test/worker/task-runner.test.ts"],
  },
  {
    name: "failover-payment-doubted-by-the-account-that-is-shown",
    file: "src/company/charges/payment-findings.ts",
    text: " || charge.account !== toldOfPaid",
    replacement: "",
    tests: FAILOVER,
  },
];
