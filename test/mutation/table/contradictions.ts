import type { Mutant } from "../mutant.ts";

const STORE = "src/company/contradictions/contradiction-store.ts";
const TESTS = ["test/worker/company/contradictions/contradiction-store.test.ts"];
const DECISION = "src/api/operator/proposals/actions/contradiction.ts";
const DISAGREES_TESTS = ["test/security/provider-disagrees.test.ts"];

/** Contradictions, rejected entries, rechecks and anchors. */
export const contradictionMutants: Mutant[] = [
  {
    name: "contradiction-opened-per-finding",
    file: STORE,
    text: "if (known !== null) return known;",
    replacement: "",
    tests: TESTS,
  },
  {
    name: "contradiction-held-after-its-decision",
    file: STORE,
    text: "WHERE status <> 'decided' AND held > 0`",
    replacement: "WHERE held > 0`",
    tests: TESTS,
  },
  {
    name: "contradiction-only-the-largest-held",
    file: STORE,
    text: "coalesce(sum(held), 0) AS total",
    replacement: "coalesce(max(held), 0) AS total",
    tests: TESTS,
  },
  {
    name: "contradiction-decided-twice",
    file: STORE,
    text: 'assert(known !== null && known.status !== "decided", "a decision is final");',
    replacement: 'assert(known !== null, "a decision is final");',
    tests: TESTS,
  },
  {
    name: "contradiction-held-money-is-withdrawn",
    file: "src/company/withdraws/withdraw-rules.ts",
    text: "return { available: balance - held, held };",
    replacement: "return { available: balance, held };",
    tests: ["test/worker/company/ledger/held-money.test.ts"],
  },
  {
    name: "decision-approved-by-its-proposer",
    file: "src/domain/operators/proposal.ts",
    text: "return one.id === other.id || (",
    replacement: "return (",
    tests: ["test/unit/domain/operators/proposal.test.ts"],
  },
  {
    name: "decision-approved-by-its-proposer-under-another-name",
    file: "src/domain/operators/proposal.ts",
    text: "return one.id === other.id || (one.userId !== null && one.userId === other.userId);",
    replacement: "return one.id === other.id;",
    tests: ["test/security/operator-decisions.test.ts"],
  },
  {
    name: "decision-booked-again-by-a-repeat",
    file: "src/company/operators/operator-commands.ts",
    text: 'if (answer.kind === "decided") this.#decisions.add(decision, attempt, nowMs);',
    replacement: "",
    tests: ["test/security/operator-decisions.test.ts"],
  },
  {
    name: "decision-without-provider-not-asked-for-on",
    file: "src/company/operators/operator-commands.ts",
    text: 'if (isWithoutProvider(command)) this.#rechecks.add("payout", String(id), nowMs);',
    replacement: "",
    tests: ["test/security/operator-decisions.test.ts"],
  },
  {
    name: "decision-against-the-provider",
    file: "src/api/operator/proposals/service.ts",
    text: 'if (verdict.word === "disagrees") throw providerDisagrees(verdict);',
    replacement: 'if (verdict.word === "disagrees") return { word: "silent", said: null };',
    tests: DISAGREES_TESTS,
  },
  {
    name: "proposal-approved-after-its-time",
    file: "src/domain/operators/proposal.ts",
    text: 'return status === "pending" && decidedBy === null && expiresAt <= nowMs;',
    replacement: "return false;",
    tests: ["test/security/operator-decisions.test.ts"],
  },
  {
    name: "rejected-entry-notified-one-rejection-late",
    file: "src/company/outbox/drain.ts",
    text: "export const REFUSALS_MAX = 8;",
    replacement: "export const REFUSALS_MAX = 9;",
    tests: ["test/worker/company/outbox/rejected-entries.test.ts"],
  },
  {
    name: "recheck-of-a-payout-without-maximum-wait",
    file: "src/company/runtime/recheck-store.ts",
    text: "payout: { firstMs: HOUR_MS, maxMs: 7 * DAY_MS,",
    replacement: "payout: { firstMs: HOUR_MS, maxMs: 70 * DAY_MS,",
    tests: ["test/worker/company/operations/rechecks.test.ts"],
  },
  {
    name: "reconciliation-windows-without-overlap",
    file: "src/domain/reconciliation/reconciliation.ts",
    text: "pass.readUntil - Math.min(OVERLAP_MS, pass.windowMs)",
    replacement: "pass.readUntil",
    tests: ["test/worker/api/bank-reconciliation/passes.test.ts"],
  },
  {
    name: "anchor-signed-without-its-hash",
    file: "src/domain/ledger/anchor.ts",
    text: "${companyId} ${head.movement} ${head.hash}`;",
    replacement: "${companyId} ${head.movement}`;",
    tests: ["test/worker/api/operator/audit/anchors.test.ts"],
  },
  {
    name: "contradiction-held-money-freed-unasked",
    file: DECISION,
    text: 'action === "dismiss" && found.held > 0',
    replacement: "false",
    tests: DISAGREES_TESTS,
  },
  {
    name: "contradiction-freed-of-a-paid-withdraw",
    file: DECISION,
    text: 'back < booked ? "disagrees" : "agreed"',
    replacement: '"agreed"',
    tests: DISAGREES_TESTS,
  },
  {
    name: "contradiction-freed-of-a-refund-that-is-made",
    file: DECISION,
    text: 'if (kind === "done") return "disagrees";',
    replacement: "",
    tests: DISAGREES_TESTS,
  },
  {
    name: "contradiction-corrected-upward-while-held",
    file: "src/domain/reconciliation/contradiction.ts",
    text: "found.held > 0 && decision.amount !== null && decision.amount > 0",
    replacement: "false",
    tests: DISAGREES_TESTS,
  },
];
