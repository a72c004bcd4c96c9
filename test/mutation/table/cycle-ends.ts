import type { Mutant } from "../mutant.ts";

const STEP = "src/domain/subscriptions/next-step.ts";
const CYCLE_ENDS = "src/company/subscriptions/cycle-ends.ts";
const STEPS = "src/api/subscriptions/steps.ts";
const TASKS = "src/api/subscriptions/tasks.ts";
const SKIPPED = ["test/unit/domain/subscriptions/skipped-cycles.test.ts"];
const PAST_DUE = ["test/worker/api/subscriptions/past-due.test.ts"];
const SKIPPED_CYCLES = ["test/worker/api/subscriptions/skipped.test.ts"];

/** How a cycle ends, and what its end makes of its subscription. */
export const cycleEndMutants: Mutant[] = [
  {
    name: "step-looks-for-ever-at-an-account-that-is-gone",
    file: TASKS,
    text: `isOver ? "unmade" : "unknown"`,
    replacement: `"unknown"`,
    tests: SKIPPED_CYCLES,
  },
  {
    name: "step-old-payment-settles-newer-cycle",
    file: CYCLE_ENDS,
    text: "&& !this.isPastDue(before.id, cycle.cycle)",
    replacement: "",
    tests: PAST_DUE,
  },
  {
    name: "step-pause-settles-what-is-owed",
    file: "src/company/subscriptions/cycle-store.ts",
    text: "status IN ('paid', 'failed') OR status = 'open' AND debit ->> '$.isFailureTold'",
    replacement: "status <> 'open'",
    tests: PAST_DUE,
  },
  {
    name: "step-useless-mandate-opens-cycles-as-ever",
    file: STEP,
    text: `subscription.status === "paused" || subscription.mandate.needsApproval === true`,
    replacement: `subscription.status === "paused"`,
    tests: SKIPPED,
  },
  {
    name: "step-useless-mandate-is-debited",
    file: STEP,
    text: "if (subscription.mandate.needsApproval === true) return lookedForFrom(subscription, cycle);",
    replacement: "",
    tests: SKIPPED,
  },
  {
    name: "step-useless-mandate-fails-cycles",
    file: STEP,
    text: "return isLate || subscription.mandate.needsApproval === true;",
    replacement: "return isLate;",
    tests: SKIPPED,
  },
  {
    name: "step-passed-cycle-called-failed",
    file: STEP,
    text: "cycle.createdAt >= lookedForFrom(subscription, cycle)",
    replacement: "cycle.createdAt > lookedForFrom(subscription, cycle)",
    tests: SKIPPED,
  },
  {
    name: "step-passed-cycle-skipped-unread",
    file: STEPS,
    text: "if (isRepeated || isLate) {",
    replacement: "if (isRepeated) {",
    tests: SKIPPED_CYCLES,
  },
];
