import type { Mutant } from "../mutant.ts";

const VIEW = "src/pages/subscription/view.ts";
const DUNNING_RULES = "src/domain/subscriptions/dunning.ts";
const SHOWN = ["test/unit/pages/subscription/view.test.ts"];
const PAGES = ["test/worker/pages/subscription/subscription.test.ts"];

/** What a payer's page asks for and promises. */
export const payersSubscriptionMutants: Mutant[] = [
  {
    name: "payers-page-asks-for-a-paid-cycle",
    file: VIEW,
    text: `const isPaid = cycle.status === "paid" || paidBy !== null;`,
    replacement: `const isPaid = cycle.status === "paid";`,
    tests: SHOWN,
  },
  {
    name: "payers-page-payment-by-hand-not-seen",
    file: "src/api/subscriptions/payer/repository.ts",
    text: "paid: isPaid ? byHand : null",
    replacement: "paid: null",
    tests: PAGES,
  },
  {
    name: "payers-page-early-code-hidden",
    file: "src/api/subscriptions/payer/repository.ts",
    text: ` || isLeftToPayer(subscription, cycle)`,
    replacement: "",
    tests: PAGES,
  },
  {
    name: "payers-page-code-of-an-ordered-debit",
    file: DUNNING_RULES,
    text: `cycle.status === "open" && cycle.debit.orderedAt === null`,
    replacement: `cycle.status === "open"`,
    tests: SHOWN,
  },
  {
    name: "payers-page-debit-of-a-useless-mandate",
    file: VIEW,
    text: "if (!isDebited(status) || mandate.needsApproval === true) return null;",
    replacement: "if (!isDebited(status)) return null;",
    tests: SHOWN,
  },
  {
    name: "payers-page-debit-that-is-ended",
    file: VIEW,
    text: "return debit.orderedAt !== null && nowMs >= cancelUntil(dueDate);",
    replacement: "return debit.orderedAt !== null;",
    tests: SHOWN,
  },
  {
    name: "payers-page-balance-for-nothing",
    file: VIEW,
    text: "      ? isTriedAgain(subscription, cycle, nowMs)\n",
    replacement: "      ? true\n",
    tests: SHOWN,
  },
  {
    name: "payers-page-next-debits-of-a-pause",
    file: VIEW,
    text: "const isLasting = isDebited(status) && mandate.needsApproval !== true;",
    replacement: "const isLasting = mandate.needsApproval !== true;",
    tests: SHOWN,
  },
];
