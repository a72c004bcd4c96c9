import type { Mutant } from "../mutant.ts";

const STANDING = "src/domain/access/standing.ts";
const APPROVAL_COMMANDS = "src/company/withdraws/approval-commands.ts";
const WITHDRAW_RULES = "src/company/withdraws/withdraw-rules.ts";
const WITHDRAW_POLICY = "src/domain/withdraws/withdraw-policy.ts";
const WITHDRAW_STORE = "src/company/withdraws/withdraw-store.ts";
const RUNNING_SUMS = "src/company/withdraws/running-sums.ts";
const STANDING_TESTS = ["test/unit/domain/access/standing.test.ts"];
const OPERATOR_GIVEN_TESTS = ["test/security/operator-given-rights.test.ts"];
const WITHDRAW_APPROVALS_TESTS = ["test/worker/api/withdraws/approvals.test.ts"];
const FOUR_EYES_TESTS = ["test/security/four-eyes.test.ts"];
const FOUR_EYES_APPROVALS_TESTS = [
  "test/security/four-eyes.test.ts",
  "test/worker/api/withdraws/approvals.test.ts",
];
const APPROVALS_FOUR_EYES_TESTS = [
  "test/worker/api/withdraws/approvals.test.ts",
  "test/security/four-eyes.test.ts",
];

/** Whether four eyes are four. */
export const approvalMutants: Mutant[] = [
  {
    name: "four-eyes-requester-approves",
    file: STANDING,
    text: 'if (approver.id === asked.id) return "requester";',
    replacement: "",
    tests: STANDING_TESTS,
  },
  {
    name: "four-eyes-approver-as-young-as-request",
    file: STANDING,
    text: "approver.standing.since >= asked.at",
    replacement: "approver.standing.since > asked.at",
    tests: STANDING_TESTS,
  },
  {
    name: "four-eyes-young-approver-approves",
    file: STANDING,
    text: 'if (approver.standing.since >= asked.at) return "younger_than_request";',
    replacement: "",
    tests: STANDING_TESTS,
  },
  {
    name: "four-eyes-given-by-requester-approves",
    file: STANDING,
    text: 'if (approver.standing.givenBy.includes(asked.id)) return "given_by_requester";',
    replacement: "",
    tests: STANDING_TESTS,
  },
  {
    name: "four-eyes-third-giver-of-both-unseen",
    file: STANDING,
    text: "new Set(handsOf(asked))",
    replacement: "new Set([asked.id])",
    tests: STANDING_TESTS,
  },
  {
    name: "four-eyes-approver-gave-to-requester-unseen",
    file: STANDING,
    text: "handsOf(approver).filter",
    replacement: "handsOf(approver).slice(1).filter",
    tests: STANDING_TESTS,
  },
  {
    name: "four-eyes-youngest-is-oldest",
    file: STANDING,
    text: "const youngest = Math.max(",
    replacement: "const youngest = Math.min(",
    tests: STANDING_TESTS,
  },
  {
    name: "four-eyes-application-approves-for-itself-later",
    file: STANDING,
    text: 'if (ties.some(isApplicationId)) return "tied_by_application";',
    replacement: "",
    tests: STANDING_TESTS,
  },
  {
    name: "four-eyes-tie-never-too-young",
    file: STANDING,
    text: 'return ties.length > 0 && asked.at - youngest < coolDownMs ? "tie_too_young" : null;',
    replacement: "return null;",
    tests: STANDING_TESTS,
  },
  {
    name: "four-eyes-tie-for-ever-too-young",
    file: STANDING,
    text: "ties.length > 0 && asked.at - youngest < coolDownMs",
    replacement: "ties.length > 0",
    tests: STANDING_TESTS,
  },
  {
    name: "four-eyes-cool-down-a-moment-longer",
    file: STANDING,
    text: "asked.at - youngest < coolDownMs",
    replacement: "asked.at - youngest <= coolDownMs",
    tests: STANDING_TESTS,
  },
  {
    name: "four-eyes-chain-ends-with-giver",
    file: STANDING,
    text: "new Set([giver.clientId, ...giver.standing.givenBy])",
    replacement: "new Set([giver.clientId])",
    tests: STANDING_TESTS,
  },
  {
    name: "four-eyes-chain-without-giver",
    file: STANDING,
    text: "new Set([giver.clientId, ...giver.standing.givenBy])",
    replacement: "new Set(giver.standing.givenBy)",
    tests: STANDING_TESTS,
  },
  {
    name: "four-eyes-of-both-the-older",
    file: STANDING,
    text: "since: Math.max(one.since, other.since)",
    replacement: "since: Math.min(one.since, other.since)",
    tests: STANDING_TESTS,
  },
  {
    name: "four-eyes-of-both-one-chain",
    file: STANDING,
    text: "[...new Set([...one.givenBy, ...other.givenBy])]",
    replacement: "[...one.givenBy]",
    tests: STANDING_TESTS,
  },
  {
    name: "four-eyes-each-operator-a-hand-of-his-own",
    file: STANDING,
    text: "isOperatorId(giver) ? ANY_OPERATOR : giver",
    replacement: "giver",
    tests: OPERATOR_GIVEN_TESTS,
  },
  {
    name: "operator-given-a-moment-shorter",
    file: STANDING,
    text: "return nowMs - since < coolDownMs;",
    replacement: "return nowMs - since < coolDownMs - 1;",
    tests: STANDING_TESTS,
  },
  {
    name: "operator-given-a-moment-longer",
    file: STANDING,
    text: "return nowMs - since < coolDownMs;",
    replacement: "return nowMs - since <= coolDownMs;",
    tests: STANDING_TESTS,
  },
  {
    name: "operator-given-through-others-free",
    file: STANDING,
    text: "givenBy.some(isUnmarkedOperator)",
    replacement: "givenBy.slice(0, 1).some(isUnmarkedOperator)",
    tests: OPERATOR_GIVEN_TESTS,
  },
  {
    name: "operator-given-waits-for-ever-in-what-it-gives",
    file: STANDING,
    text: "return isOperatorId(id) && !id.startsWith(AGED);",
    replacement: "return isOperatorId(id);",
    tests: OPERATOR_GIVEN_TESTS,
  },
  {
    name: "operator-given-marked-at-once",
    file: STANDING,
    text: "if (isYoung(since, nowMs, coolDownMs)) return standing;",
    replacement: "",
    tests: OPERATOR_GIVEN_TESTS,
  },
  {
    name: "operator-given-only-by-the-local-ones",
    file: "src/domain/access/client-id.ts",
    text: "return !clientId.startsWith(APPLICATION_PREFIX) && !clientId.startsWith(PERSON_PREFIX);",
    replacement: 'return clientId === "operator" || clientId === "approver";',
    tests: ["test/unit/domain/access/client-id.test.ts"],
  },
  {
    name: "operator-given-key-of-old-application-free",
    file: "src/http/auth/auth.ts",
    text: "standing: bothStandings(ofApplication, ofKey)",
    replacement: "standing: ofApplication",
    tests: OPERATOR_GIVEN_TESTS,
  },
  {
    name: "operator-given-application-by-age-of-its-key",
    file: "src/http/auth/auth.ts",
    text: "standing: bothStandings(ofApplication, ofKey)",
    replacement: "standing: bothStandings(application.standing, key.standing)",
    tests: OPERATOR_GIVEN_TESTS,
  },
  {
    name: "operator-given-person-free",
    file: "src/http/auth/auth.ts",
    text: "standing: standingOfCaller(person.standing, company, now)",
    replacement: "standing: standingOfCaller(person.standing, company, Infinity)",
    tests: OPERATOR_GIVEN_TESTS,
  },
  {
    name: "operator-given-old-chain-of-widened-application-unmarked",
    file: "src/api/applications/service.ts",
    text: "standingAt(standingOf(givenAt, givenBy), nowMs, delayMs)",
    replacement: "standingAt(standingOf(givenAt, givenBy), nowMs, Infinity)",
    tests: OPERATOR_GIVEN_TESTS,
  },
  {
    name: "operator-given-withdraw-free",
    file: WITHDRAW_RULES,
    text: "if (isFreshFromOperator(standing, nowMs, coolDownMs(policy))) return true;",
    replacement: "",
    tests: OPERATOR_GIVEN_TESTS,
  },
  {
    name: "withdraw-approval-while-frozen",
    file: WITHDRAW_RULES,
    text: 'if (this.frozen()) return { kind: "frozen" };',
    replacement: "",
    tests: ["test/security/waiting-exits.test.ts"],
  },
  {
    name: "withdraw-approval-without-four-eyes",
    file: APPROVAL_COMMANDS,
    text: 'if (why !== null) return { kind: "no_four_eyes", why };',
    replacement: "",
    tests: FOUR_EYES_TESTS,
  },
  {
    name: "withdraw-approval-requester-refuses",
    file: WITHDRAW_RULES,
    text: 'return asked.id === approver.id ? "requester" : null;',
    replacement: "return null;",
    tests: FOUR_EYES_APPROVALS_TESTS,
  },
  {
    name: "withdraw-approval-refusal-asks-four-eyes",
    file: WITHDRAW_RULES,
    text: 'if (decision === "refuse") return asked.id',
    replacement: 'if (decision === "refuse" && asked.id === approver.id) return asked.id',
    tests: FOUR_EYES_TESTS,
  },
  {
    name: "withdraw-approval-without-cool-down",
    file: WITHDRAW_RULES,
    text: "refusalOfApprover(asked, approver, coolDownMs(policy))",
    replacement: "refusalOfApprover(asked, approver, 0)",
    tests: ["test/security/operator-given-rights.test.ts"],
  },
  {
    name: "withdraw-approval-many-below-threshold-free",
    file: WITHDRAW_POLICY,
    text: "unapprovedTotal() + amount > approvalAbove",
    replacement: "amount > approvalAbove",
    tests: FOUR_EYES_TESTS,
  },
  {
    name: "withdraw-approval-main-key-at-once",
    file: WITHDRAW_RULES,
    text: "(mainPixKey.since ?? 0) + coolDownMs(policy)",
    replacement: "(mainPixKey.since ?? 0)",
    tests: FOUR_EYES_TESTS,
  },
  {
    name: "withdraw-approval-takes-what-is-held",
    file: WITHDRAW_RULES,
    text: "refusalByKey(policy, { at, keyCountsFrom }) ??\n      this.#uncovered(required, required)",
    replacement: "refusalByKey(policy, { at, keyCountsFrom })",
    tests: WITHDRAW_APPROVALS_TESTS,
  },
  {
    name: "withdraw-approval-counts-its-own-money-as-gone",
    file: WITHDRAW_RULES,
    text: "this.#uncovered(required, required)",
    replacement: "this.#uncovered(required, 0)",
    tests: WITHDRAW_APPROVALS_TESTS,
  },
  {
    name: "withdraw-approval-unapproved-sum-uncounted",
    file: WITHDRAW_STORE,
    text: 'withdraw.approval === "none" ? withdraw.amount : 0',
    replacement: "0",
    tests: FOUR_EYES_TESTS,
  },
  {
    name: "withdraw-approval-waiting-counted-unapproved",
    file: WITHDRAW_STORE,
    text: 'withdraw.approval === "none" ? withdraw.amount : 0',
    replacement: "withdraw.amount",
    tests: APPROVALS_FOUR_EYES_TESTS,
  },
  {
    name: "withdraw-approval-unapproved-of-yesterday",
    file: RUNNING_SUMS,
    text: "isSameDay ? newest.unapproved_sum : 0",
    replacement: "newest.unapproved_sum",
    tests: ["test/worker/api/withdraws/approval-sums.test.ts"],
  },
];
