import type { Mutant } from "../mutant.ts";

const EXECUTION = "src/api/operator/proposals/execution.ts";
const SERVICE = "src/api/operator/proposals/service.ts";
const PROPOSAL = "src/domain/operators/proposal.ts";
const PROPOSALS = "src/db/operator/proposals.ts";
const OPERATOR_COMMANDS = "src/company/operators/operator-commands.ts";
const FREEZES = "src/company/operators/freezes.ts";
const OPERATOR_DECISIONS_TESTS = ["test/security/operator-decisions.test.ts"];
const PROVIDER_DISAGREES_TESTS = ["test/security/provider-disagrees.test.ts"];
const OPERATOR_APPROVALS_TESTS = ["test/security/operator-approvals.test.ts"];

/** What two operators decide. */
export const proposalMutants: Mutant[] = [
  {
    name: "proposal-of-an-only-operator",
    file: SERVICE,
    text: "if (await hasSecondOperator(c.env, permission, clientId, now)) return;",
    replacement: "return;",
    tests: OPERATOR_DECISIONS_TESTS,
  },
  {
    name: "proposal-approved-by-its-proposer",
    file: SERVICE,
    text: "  await requireAnotherHuman(c, found);\n",
    replacement: "",
    tests: OPERATOR_DECISIONS_TESTS,
  },
  {
    name: "proposal-approved-by-a-new-operator",
    file: SERVICE,
    text: "operator !== null && operator.createdAt > found.proposedAt",
    replacement: "operator === null",
    tests: OPERATOR_DECISIONS_TESTS,
  },
  {
    name: "proposal-approved-without-permission",
    file: SERVICE,
    text: "  const definition = ACTIONS[stored.action];\n  requirePermission(c, definition.permission);",
    replacement: "  const definition = ACTIONS[stored.action];",
    tests: OPERATOR_DECISIONS_TESTS,
  },
  {
    name: "proposal-made-without-permission",
    file: SERVICE,
    text: "  const definition = ACTIONS[action];\n  requirePermission(c, definition.permission);",
    replacement: "  const definition = ACTIONS[action];",
    tests: OPERATOR_DECISIONS_TESTS,
  },
  {
    name: "proposal-against-the-provider",
    file: SERVICE,
    text: 'if (verdict.word === "disagrees") throw providerDisagrees(verdict);',
    replacement: 'if (verdict.word === "disagrees") return { word: "silent", said: null };',
    tests: PROVIDER_DISAGREES_TESTS,
  },
  {
    name: "proposal-provider-unasked-at-approval",
    file: SERVICE,
    text: "return askProvider(prepared);",
    replacement: "return answerOf(found);",
    tests: PROVIDER_DISAGREES_TESTS,
  },
  {
    name: "proposal-expired-approved",
    file: SERVICE,
    text: 'throw invalidState("The proposal has expired", "proposal_ended");',
    replacement: "",
    tests: OPERATOR_DECISIONS_TESTS,
  },
  {
    name: "proposal-decided-twice",
    file: SERVICE,
    text: 'throw invalidState(`The proposal is ${found.status} already`, "proposal_ended");',
    replacement: "",
    tests: OPERATOR_DECISIONS_TESTS,
  },
  {
    name: "proposal-stuck-after-a-refusal",
    file: SERVICE,
    text: "if (error instanceof Problem) await releaseProposal(env, id, by);",
    replacement: "",
    tests: OPERATOR_APPROVALS_TESTS,
  },
  {
    name: "proposal-same-person-under-two-names",
    file: PROPOSAL,
    text: "one.id === other.id || (one.userId !== null && one.userId === other.userId)",
    replacement: "one.id === other.id",
    tests: OPERATOR_DECISIONS_TESTS,
  },
  {
    name: "proposal-expires-while-it-is-approved",
    file: PROPOSAL,
    text: 'status === "pending" && decidedBy === null && expiresAt <= nowMs',
    replacement: 'status === "pending" && expiresAt <= nowMs',
    tests: OPERATOR_APPROVALS_TESTS,
  },
  {
    name: "proposal-crash-never-settled",
    file: EXECUTION,
    text: "if (by === null) return found;",
    replacement: "if (by === null || by !== null) return found;",
    tests: OPERATOR_APPROVALS_TESTS,
  },
  {
    name: "proposal-crash-settled-as-without-effect",
    file: EXECUTION,
    text: "prepared !== null && (await hadEffect(c, found, prepared))",
    replacement: "prepared === null",
    tests: OPERATOR_APPROVALS_TESTS,
  },
  {
    name: "proposal-crash-settled-as-with-effect",
    file: EXECUTION,
    text: "prepared !== null && (await hadEffect(c, found, prepared))",
    replacement: "prepared !== null",
    tests: OPERATOR_APPROVALS_TESTS,
  },
  {
    name: "proposal-of-a-key-without-its-effect",
    file: "src/api/operator/proposals/actions/company.ts",
    text: "      hadEffect: isMain,\n",
    replacement: "",
    tests: OPERATOR_APPROVALS_TESTS,
  },
  {
    name: "proposal-crash-blocks-the-next",
    file: SERVICE,
    text: "waiting !== null && hasCrashed(waiting, now)",
    replacement: "false",
    tests: OPERATOR_APPROVALS_TESTS,
  },
  {
    name: "proposal-begun-by-two",
    file: PROPOSALS,
    text: "or(isFree, eq(decidedBy, by.id))",
    replacement: "or(isFree, isNotNull(decidedBy))",
    tests: OPERATOR_APPROVALS_TESTS,
  },
  {
    name: "proposal-second-operator-is-the-proposer",
    file: PROPOSALS,
    text: "sql`${operators.clientId} <> ${proposerId}`",
    replacement: "sql`${operators.clientId} <> ''`",
    tests: OPERATOR_DECISIONS_TESTS,
  },
  {
    name: "proposal-second-operator-cannot-sign-in",
    file: PROPOSALS,
    text: "AND ${operatorKeys.revokedAt} IS NULL",
    replacement: "",
    tests: OPERATOR_DECISIONS_TESTS,
  },
  {
    name: "proposal-booked-twice",
    file: OPERATOR_COMMANDS,
    text: 'if (answer.kind === "decided") this.#decisions.add(decision, attempt, nowMs);',
    replacement: "",
    tests: OPERATOR_DECISIONS_TESTS,
  },
  {
    name: "proposal-payout-without-provider-not-asked-on",
    file: OPERATOR_COMMANDS,
    text: 'if (isWithoutProvider(command)) this.#rechecks.add("payout", String(id), nowMs);',
    replacement: "",
    tests: OPERATOR_DECISIONS_TESTS,
  },
  {
    name: "proposal-refund-without-provider-not-asked-on",
    file: OPERATOR_COMMANDS,
    text: 'const isRefund = found.kind === "refund" || found.kind === "return";',
    replacement: "const isRefund = false;",
    tests: OPERATOR_DECISIONS_TESTS,
  },
  {
    name: "proposal-agreed-asked-on",
    file: OPERATOR_COMMANDS,
    text: 'return decision.provider.word !== "agreed";',
    replacement: "return true;",
    tests: OPERATOR_DECISIONS_TESTS,
  },
  {
    name: "proposal-unfreeze-without-effect",
    file: OPERATOR_COMMANDS,
    text: '        this.#freezes.unfreeze({ reason, by: { kind: "operator", ...approvedBy } }, nowMs);\n',
    replacement: "        void [reason, approvedBy];\n",
    tests: OPERATOR_DECISIONS_TESTS,
  },
  {
    name: "proposal-freeze-without-cause",
    file: "src/company/operators/freeze-store.ts",
    text: "cause === null ? null : JSON.stringify(cause),",
    replacement: "null,",
    tests: OPERATOR_DECISIONS_TESTS,
  },
  {
    name: "proposal-freeze-announced-twice",
    file: FREEZES,
    text: "if (before.withdraws === scope.withdraws && before.charges === scope.charges) {",
    replacement: "if (before.withdraws && !scope.withdraws) {",
    tests: OPERATOR_DECISIONS_TESTS,
  },
  {
    name: "proposal-restored-object-not-frozen",
    file: OPERATOR_COMMANDS,
    text: 'this.#freezes.set("for_restore", { reason: RESTORE_FREEZE_REASON, by }, nowMs);',
    replacement: "",
    tests: ["test/worker/api/operator/restore/restore.test.ts"],
  },
  {
    name: "operator-gives-without-his-person",
    file: "src/api/operator/given-right.ts",
    text: "return userId === null ? [clientId] : [clientId, personClientId({ userId })];",
    replacement: "return [clientId];",
    tests: ["test/security/operator-and-owner.test.ts"],
  },
  {
    name: "operator-reading-sees-the-keys-of-a-psp",
    file: "src/api/operator/pix-api/views.ts",
    text: "if (seesPayers(c)) return shown;",
    replacement: "return shown;",
    tests: ["test/worker/api/operator/pix-api/role-read.test.ts"],
  },
];
