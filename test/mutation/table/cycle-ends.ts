import type { Mutant } from "../mutant.ts";

const CYCLE_ENDS = "src/company/subscriptions/cycle-ends.ts";
const PAST_DUE = ["test/worker/api/subscriptions/past-due.test.ts"];

/** How a cycle ends, and what its end makes of its subscription. */
export const cycleEndMutants: Mutant[] = [
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
];
