import type { Mutant } from "../mutant.ts";

const PENDING_SETTING = "src/domain/access/pending-setting.ts";
const CHANGE = "src/api/settings/change.ts";
const COMPANY_GUARDS = "src/domain/access/company-guards.ts";
const PENDING_SETTING_TESTS = ["test/unit/domain/access/pending-setting.test.ts"];
const PENDING_TESTS = ["test/worker/api/settings/pending.test.ts"];

/** Loosened settings that wait. */
export const pendingSettingMutants: Mutant[] = [
  {
    name: "pending-setting-never-holds",
    file: PENDING_SETTING,
    text: "if (due.length === 0) return { settings, pending };",
    replacement: "return { settings, pending };",
    tests: PENDING_SETTING_TESTS,
  },
  {
    name: "pending-setting-a-moment-late",
    file: PENDING_SETTING,
    text: "({ effectiveAt }) => effectiveAt <= nowMs",
    replacement: "({ effectiveAt }) => effectiveAt < nowMs",
    tests: PENDING_SETTING_TESTS,
  },
  {
    name: "pending-setting-due-waits-on",
    file: PENDING_SETTING,
    text: "pending: pending.filter(({ effectiveAt }) => effectiveAt > nowMs)",
    replacement: "pending",
    tests: PENDING_SETTING_TESTS,
  },
  {
    name: "pending-setting-loosened-at-once",
    file: PENDING_SETTING,
    text: "const from = guard.meet(guard.of(settings), to);",
    replacement: "const from = to;",
    tests: PENDING_SETTING_TESTS,
  },
  {
    name: "pending-setting-tightened-late",
    file: PENDING_SETTING,
    text: "const from = guard.meet(guard.of(settings), to);",
    replacement: "const from = guard.of(settings);",
    tests: PENDING_SETTING_TESTS,
  },
  {
    name: "pending-setting-without-delay",
    file: PENDING_SETTING,
    text: "effectiveAt: nowMs + delayMs, by",
    replacement: "effectiveAt: nowMs, by",
    tests: PENDING_SETTING_TESTS,
  },
  {
    name: "pending-setting-repeat-puts-it-off",
    file: PENDING_SETTING,
    text: "const isRepeated = known !== undefined && isSame(known.to, to);",
    replacement: "const isRepeated = false;",
    tests: PENDING_SETTING_TESTS,
  },
  {
    name: "pending-setting-other-value-keeps-time",
    file: PENDING_SETTING,
    text: "const isRepeated = known !== undefined && isSame(known.to, to);",
    replacement: "const isRepeated = known !== undefined;",
    tests: PENDING_SETTING_TESTS,
  },
  {
    name: "pending-setting-of-others-forgotten",
    file: PENDING_SETTING,
    text: "pending: [...untouched, ...loosened]",
    replacement: "pending: loosened",
    tests: PENDING_SETTING_TESTS,
  },
  {
    name: "pending-setting-tightened-still-waits",
    file: PENDING_SETTING,
    text: "before.pending.filter(({ field }) => !Object.hasOwn(change, field))",
    replacement:
      "before.pending.filter(({ field }) => !loosened.some((each) => each.field === field))",
    tests: PENDING_SETTING_TESTS,
  },
  {
    name: "pending-setting-due-forgotten-at-change",
    file: PENDING_SETTING,
    text: "const before = settledAt(guards, stored, nowMs);",
    replacement: "const before = { ...stored, pending: settledAt(guards, stored, nowMs).pending };",
    tests: PENDING_SETTING_TESTS,
  },
  {
    name: "pending-setting-higher-of-two-limits",
    file: PENDING_SETTING,
    text: ": Math.min(...limits);",
    replacement: ": Math.max(...limits);",
    tests: PENDING_SETTING_TESTS,
  },
  {
    name: "pending-setting-order-of-members-counts",
    file: PENDING_SETTING,
    text: "isObject ? Object.keys(value).toSorted() : null",
    replacement: "null",
    tests: PENDING_SETTING_TESTS,
  },
  {
    name: "pending-setting-waits-no-cool-down",
    file: CHANGE,
    text: "delayMs: coolDownMs(withdrawPolicy)",
    replacement: "delayMs: 0 * coolDownMs(withdrawPolicy)",
    tests: PENDING_TESTS,
  },
  {
    name: "pending-setting-unannounced",
    file: CHANGE,
    text: "  await announceLoosened(env, context, loosened, null);\n",
    replacement: "  void loosened;\n",
    tests: PENDING_TESTS,
  },
  {
    name: "pending-setting-refused-waits-on",
    file: CHANGE,
    text: "now.pending.filter((each) => each.field !== field)",
    replacement: "now.pending.filter((each) => each.field === field)",
    tests: PENDING_TESTS,
  },
  {
    name: "pending-setting-announced-although-it-holds",
    file: CHANGE,
    text: "  if (loosened.length === 0) return;\n",
    replacement: "",
    tests: PENDING_TESTS,
  },
  {
    name: "pending-setting-never-settled",
    file: COMPANY_GUARDS,
    text: "if (pending.every(({ effectiveAt }) => effectiveAt > nowMs)) return company;",
    replacement: "if (nowMs > 0) return company;",
    tests: PENDING_TESTS,
  },
  {
    name: "pending-setting-cool-down-lowered-at-once",
    file: COMPANY_GUARDS,
    text: "Math.max(Number(one), Number(other))",
    replacement: "Math.min(Number(one), Number(other))",
    tests: PENDING_SETTING_TESTS,
  },
  {
    name: "pending-setting-list-off-at-once",
    file: COMPANY_GUARDS,
    text: 'ofAllowedPixKeys("enforced", (one, other) => isOn(one) || isOn(other))',
    replacement: 'ofAllowedPixKeys("enforced", (one, other) => isOn(one) && isOn(other))',
    tests: PENDING_SETTING_TESTS,
  },
  {
    name: "pending-setting-duplicate-guard-off-at-once",
    file: COMPANY_GUARDS,
    text: 'ofWithdraws("duplicateGuard", (one, other) => isOn(one) || isOn(other))',
    replacement: 'ofWithdraws("duplicateGuard", (_one, other) => isOn(other))',
    tests: PENDING_SETTING_TESTS,
  },
  {
    name: "pending-setting-approval-threshold-unguarded",
    file: COMPANY_GUARDS,
    text: '  withdrawApprovalAbove: ofWithdraws("approvalAbove", lowerOf),\n',
    replacement: "",
    tests: PENDING_SETTING_TESTS,
  },
  {
    name: "pending-setting-role-limit-unguarded",
    file: COMPANY_GUARDS,
    text: "  ...Object.fromEntries(PERSON_ROLES.map((role) => [roleLimitField(role), ofRole(role)])),\n",
    replacement: "",
    tests: PENDING_SETTING_TESTS,
  },
];
