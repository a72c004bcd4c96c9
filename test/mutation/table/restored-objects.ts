import type { Mutant } from "../mutant.ts";

const PROJECTIONS_AHEAD = "src/api/bank-reconciliation/projections-ahead.ts";
const BOOK_LIST_PAGE = "src/api/bank-reconciliation/book-list-page.ts";
const RESTORED_OBJECT_TESTS = ["test/worker/api/bank-reconciliation/restored-object.test.ts"];
const RESTORED_PAYERS = ["test/worker/api/operator/restore/restored-payers.test.ts"];
const RUN_BUDGET_TESTS = ["test/worker/api/bank-reconciliation/run-budget.test.ts"];

/** What the reconciliation books after a restore of an object. */
export const restoredObjectMutants: Mutant[] = [
  {
    name: "restored-object-taken-as-current",
    file: PROJECTIONS_AHEAD,
    text: "(versions.get(id) ?? 0) < version",
    replacement: "false",
    tests: RESTORED_OBJECT_TESTS,
  },
  {
    name: "restored-object-without-record-current",
    file: PROJECTIONS_AHEAD,
    text: "(versions.get(id) ?? 0) < version",
    replacement: "(versions.get(id) ?? version) < version",
    tests: RESTORED_OBJECT_TESTS,
  },
  {
    name: "restored-charges-uncompared",
    file: PROJECTIONS_AHEAD,
    text: "[...own, ...withdraws.values()].filter",
    replacement: "[...withdraws.values()].filter",
    tests: RESTORED_OBJECT_TESTS,
  },
  {
    name: "restored-withdraws-uncompared",
    file: PROJECTIONS_AHEAD,
    text: "[...own, ...withdraws.values()].filter",
    replacement: "[...own].filter",
    tests: RESTORED_OBJECT_TESTS,
  },
  {
    name: "restored-withdraw-versions-unread",
    file: PROJECTIONS_AHEAD,
    text: "    ...stored.withdraws.map(({ id, version }) => [id, version] as const),\n",
    replacement: "",
    tests: RESTORED_OBJECT_TESTS,
  },
  {
    name: "restored-charge-versions-unread",
    file: PROJECTIONS_AHEAD,
    text: "    ...stored.charges.map(({ transactionId, state }) => [transactionId, state.version] as const),\n",
    replacement: "",
    tests: RESTORED_OBJECT_TESTS,
  },
  {
    name: "restored-compared-beyond-the-budget",
    file: PROJECTIONS_AHEAD,
    text: "if (!budget.spendCalls(1)) return null;",
    replacement: "",
    tests: RUN_BUDGET_TESTS,
  },
  {
    name: "restored-payout-skipped",
    file: BOOK_LIST_PAGE,
    text: "if (!isBehind && projectionHasPayout",
    replacement: "if (projectionHasPayout",
    tests: RESTORED_OBJECT_TESTS,
  },
  {
    name: "restored-payment-skipped",
    file: BOOK_LIST_PAGE,
    text: "if (isShown && !isBehind) return null;",
    replacement: "if (isShown) return null;",
    tests: RESTORED_OBJECT_TESTS,
  },
  {
    name: "restored-page-booked-beyond-the-budget",
    file: BOOK_LIST_PAGE,
    text: 'if (ahead === null) return "too_many";',
    replacement: "",
    tests: RUN_BUDGET_TESTS,
  },
  {
    name: "restored-object-keeps-erased-payers",
    file: "src/api/operator/restore/service.ts",
    text: "  if (isLast) await eraseRestored(env, companyId);\n",
    replacement: "",
    tests: RESTORED_PAYERS,
  },
  {
    name: "restored-object-forgets-who-is-to-be-erased",
    file: "src/api/payers/subscription-repository.ts",
    text: " OR ${customer} ->> '$.isErasing' = 1",
    replacement: "",
    tests: RESTORED_PAYERS,
  },
  {
    name: "restored-object-erases-charges-of-nobody-who-asked",
    file: "src/company/subscriptions/subscription-commands.ts",
    text: "isAsked ? { erasesCharges: true } : {}",
    replacement: "{ erasesCharges: true }",
    tests: RESTORED_PAYERS,
  },
  {
    name: "restored-payers-stop-at-an-older-object",
    file: "src/api/payers/erase-subscriptions.ts",
    text: "      undone = error;\n",
    replacement: "      throw error;\n",
    tests: ["test/worker/api/subscriptions/erasure.test.ts"],
  },
  {
    name: "payers-of-hundreds-of-subscriptions-starve",
    file: "src/api/payers/erase-subscriptions.ts",
    text: "[...found.filter((each) => !isAsked(each)), ...found.filter(isAsked)]",
    replacement: "found",
    tests: ["test/worker/api/subscriptions/erasure.test.ts"],
  },
];
