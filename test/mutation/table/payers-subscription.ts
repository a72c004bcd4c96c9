import type { Mutant } from "../mutant.ts";

const VIEW = "src/pages/subscription/view.ts";
const DUNNING_RULES = "src/domain/subscriptions/dunning.ts";
const PAID_FIRST = ["test/worker/api/subscriptions/paid-unapproved.test.ts"];
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
  {
    name: "payers-page-code-that-asks-for-money-again",
    file: "src/api/subscriptions/payer/approval-code.ts",
    text: "  return read.content.location !== null && read.content.recurrenceLocation !== null;",
    replacement: "  return false;",
    tests: SHOWN,
  },
  {
    name: "payers-page-nothing-debited-of-a-paid-one",
    file: VIEW,
    text: "return isApprovalPaid ? PAID_ENDS[reached] : reached;",
    replacement: "return reached;",
    tests: SHOWN,
  },
  {
    name: "payers-page-payment-with-approval-not-polled",
    file: "src/api/subscriptions/payer/repository.ts",
    text: "isApprovalPaid: isPaidWithApproval && isFirstPaid === 1",
    replacement: "isApprovalPaid: isPaidWithApproval && isFirstPaid !== 1",
    tests: PAGES,
  },
  {
    name: "paid-approval-code-of-both-stays",
    file: "src/company/subscriptions/cycle-ends.ts",
    text: "const change = { ...settled, ...withoutPaidCode(before) };",
    replacement: "const change = settled;",
    tests: PAID_FIRST,
  },
  {
    name: "paid-approval-code-of-both-asked-for",
    file: "src/company/subscriptions/step-commands.ts",
    text: "return isCode && this.#payments.isChargePaid(cycle) ? null : cycle;",
    replacement: "return cycle;",
    tests: PAID_FIRST,
  },
  {
    name: "paid-approval-code-of-both-read-back",
    file: "src/api/subscriptions/read-back.ts",
    text: "const chargeId = cycle === undefined || isPaid ? null : providerChargeId(cycle.transactionId);",
    replacement:
      "const chargeId = cycle === undefined ? null : providerChargeId(cycle.transactionId);",
    tests: PAID_FIRST,
  },
];
