import type { Mutant } from "../mutant.ts";

const STEP = "src/domain/subscriptions/next-step.ts";
const DUNNING_RULES = "src/domain/subscriptions/dunning.ts";
const UNPAID = "src/domain/subscriptions/dunning.ts";
const CYCLE_ENDS = "src/company/subscriptions/cycle-ends.ts";
const STEPS = "src/api/subscriptions/steps.ts";
const TASKS = "src/api/subscriptions/tasks.ts";
const SKIPPED = ["test/unit/domain/subscriptions/skipped-cycles.test.ts"];
const DUNNING_STEPS = ["test/unit/domain/subscriptions/dunning-steps.test.ts"];
const DUNNING = ["test/worker/api/subscriptions/dunning.test.ts"];
const ENDS = ["test/worker/api/subscriptions/dunning-ends.test.ts"];
const BY_HAND_ENDS = ["test/worker/api/subscriptions/by-hand-ends.test.ts"];
const PAST_DUE = ["test/worker/api/subscriptions/past-due.test.ts"];
const WAITS = ["test/worker/api/subscriptions/dunning-waits.test.ts"];
const REPORTS = ["test/worker/api/subscriptions/reports.test.ts"];
const SKIPPED_CYCLES = ["test/worker/api/subscriptions/skipped.test.ts"];

/** How a cycle ends, and what its end makes of its subscription. */
export const cycleEndMutants: Mutant[] = [
  {
    name: "dunning-failed-cycle-called-cancelled",
    file: UNPAID,
    text: `isFailureTold === true && ending !== "requested"`,
    replacement: "false",
    tests: ENDS,
  },
  {
    name: "dunning-merchants-cancel-called-failed",
    file: UNPAID,
    text: `isFailureTold === true && ending !== "requested"`,
    replacement: "isFailureTold === true",
    tests: ENDS,
  },
  {
    name: "dunning-of-a-payer-who-has-paid",
    file: DUNNING_RULES,
    text: `if (failures.some(({ reason }) => reason?.code === "ALREADY_PAID")) return false;`,
    replacement: "",
    tests: DUNNING_STEPS,
  },
  {
    name: "dunning-of-our-fault",
    file: DUNNING_RULES,
    text: `isUntaken !== true && reason?.action !== "our_fault"`,
    replacement: "isUntaken !== true",
    tests: DUNNING_STEPS,
  },
  {
    name: "dunning-of-whom-no-bank-asked",
    file: DUNNING_RULES,
    text: `isUntaken !== true && reason?.action !== "our_fault"`,
    replacement: `reason?.action !== "our_fault"`,
    tests: DUNNING_STEPS,
  },
  {
    name: "dunning-ends-in-a-retry",
    file: DUNNING_RULES,
    text: `!dunning.isOver && cycle.debit.ending === "over"`,
    replacement: "!dunning.isOver",
    tests: DUNNING_STEPS,
  },
  {
    name: "dunning-started-for-our-fault",
    file: CYCLE_ENDS,
    text: "isDunned(before, cycle) ? { ...cycle.recovery, dunning } : cycle.recovery",
    replacement: "cycle.recovery",
    tests: DUNNING,
  },
  {
    name: "dunning-ends-unread",
    file: "src/company/subscriptions/step-commands.ts",
    text: "if (cycle.recovery?.byHand !== undefined) return null;",
    replacement: "",
    tests: ENDS,
  },
  {
    name: "dunning-ends-though-paid",
    file: CYCLE_ENDS,
    text: "if (this.#payments.isPaid(cycle)) return before;",
    replacement: "",
    tests: ENDS,
  },
  {
    name: "dunning-ends-by-a-link-that-is-dead",
    file: CYCLE_ENDS,
    text: "if (nowMs < chargeAwaitedUntil(before, offered, dunning)) return before;",
    replacement: "",
    tests: ENDS,
  },
  {
    name: "dunning-ends-without-an-answer",
    file: "src/api/subscriptions/dunning/steps.ts",
    text: `return outcome === "unknown" ? UNKNOWN : { kind: "checked" };
}

/** Reads the charge by which`,
    replacement: `return { kind: "checked" };
}

/** Reads the charge by which`,
    tests: ENDS,
  },
  {
    name: "dunning-mails-a-link-that-nobody-could-read",
    file: "src/api/subscriptions/dunning/steps.ts",
    text: `if (outcome === "unknown") return UNKNOWN;
  const { id }`,
    replacement: "const { id }",
    tests: ENDS,
  },
  {
    name: "dunning-mails-a-link-that-is-dead",
    file: "src/api/subscriptions/dunning/steps.ts",
    text: `if (paid.length + over.length > 0) return { kind: "not_made" };`,
    replacement: "",
    tests: ENDS,
  },
  {
    name: "dunning-waits-for-an-account-that-is-gone",
    file: "src/api/subscriptions/dunning/steps.ts",
    text: `return provider === null ? "open" : syncCharge`,
    replacement: `return provider === null ? "unknown" : syncCharge`,
    tests: ENDS,
  },
  {
    name: "dunning-asks-an-account-that-is-gone",
    file: TASKS,
    text: "if (result !== null) return await result;",
    replacement: "",
    tests: ENDS,
  },
  {
    name: "step-looks-for-ever-at-an-account-that-is-gone",
    file: TASKS,
    text: `isPassed || isUnordered ? "unmade" : "unknown"`,
    replacement: `isUnordered ? "unmade" : "unknown"`,
    tests: SKIPPED_CYCLES,
  },
  {
    name: "step-lost-order-looked-for-ever-at-an-account-that-is-gone",
    file: TASKS,
    text: `isPassed || isUnordered ? "unmade" : "unknown"`,
    replacement: `isPassed ? "unmade" : "unknown"`,
    tests: SKIPPED_CYCLES,
  },
  {
    name: "step-unanswered-order-ended-for-ever-at-an-account-that-is-gone",
    file: TASKS,
    text: "cycle.debit.orderedAt === null || isLongOver(cycle.dueDate, nowMs)",
    replacement: "cycle.debit.orderedAt === null",
    tests: SKIPPED_CYCLES,
  },
  {
    name: "step-unanswered-order-called-none-at-once",
    file: TASKS,
    text: "cycle.debit.orderedAt === null || isLongOver(cycle.dueDate, nowMs)",
    replacement: "true",
    tests: SKIPPED_CYCLES,
  },
  {
    name: "cycle-late-debit-called-ended",
    file: CYCLE_ENDS,
    text: "if (!isInTime || this.#payments.isPaid(cycle)) continue;",
    replacement: "if (this.#payments.isPaid(cycle)) continue;",
    tests: ENDS,
  },
  {
    name: "cycle-cancelled-stays-past-due",
    file: CYCLE_ENDS,
    text: `closed.status !== "cancelled" ||`,
    replacement: "true ||",
    tests: PAST_DUE,
  },
  {
    name: "cycle-cancelled-settles-another",
    file: CYCLE_ENDS,
    text: "!this.#isSettled(ended, 0)",
    replacement: `ended.status !== "past_due"`,
    tests: PAST_DUE,
  },
  {
    name: "dunning-counts-from-an-early-refusal",
    file: CYCLE_ENDS,
    text: "Math.max(nowMs, endOfDay(debitDayOf(cycle.dueDate, before.customer.city)))",
    replacement: "nowMs",
    tests: WAITS,
  },
  {
    name: "dunning-counts-without-its-link",
    file: "src/domain/subscriptions/dunning/offers.ts",
    text: "const since = Math.max(dunning.since, nowMs);",
    replacement: "const { since } = dunning;",
    tests: WAITS,
  },
  {
    name: "dunning-ends-without-its-link",
    file: "src/domain/subscriptions/dunning/offers.ts",
    text: "isAwaited || nextOffer(subscription, cycle) !== null ? since + CHARGE_MS : 0",
    replacement: "0",
    tests: DUNNING_STEPS,
  },
  {
    name: "dunning-ends-while-a-link-is-offered",
    file: "src/domain/subscriptions/dunning/offers.ts",
    text: "return isAwaited || nextOffer(subscription, cycle) !== null ? since",
    replacement: "return isAwaited ? since",
    tests: DUNNING_STEPS,
  },
  {
    name: "dunning-link-of-a-refusal-made-at-once",
    file: "src/domain/subscriptions/dunning/offers.ts",
    text: "return Math.max(byHandOverAt ?? 0, recovery?.byHand?.fixedAt ?? 0) + NEXT_CHARGE_MS;",
    replacement: "return 0;",
    tests: DUNNING_STEPS,
  },
  {
    name: "dunning-makes-no-second-link",
    file: "src/domain/subscriptions/dunning/offers.ts",
    text: "byHand !== undefined && cycle.byHandOverAt === null) return null;",
    replacement: "byHand !== undefined) return null;",
    tests: DUNNING_STEPS,
  },
  {
    name: "dunning-late-link-told-to-nobody",
    file: CYCLE_ENDS,
    text: "const isToldNow = isNews || debit.isFailureTold !== true;",
    replacement: "const isToldNow = debit.isFailureTold !== true;",
    tests: WAITS,
  },
  {
    name: "dunning-link-told-again-after-a-retry",
    file: CYCLE_ENDS,
    text: "isPayable && byHand?.isTold !== true",
    replacement: "isPayable",
    tests: WAITS,
  },
  {
    name: "dunning-link-told-in-a-retry",
    file: CYCLE_ENDS,
    text: `status !== "open" || debit.ending !== "over"`,
    replacement: `status !== "open"`,
    tests: WAITS,
  },
  {
    name: "dunning-second-link-not-mailed",
    file: "src/domain/subscriptions/dunning/offers.ts",
    text: "dunning: { ...dunning, since, emailedAt: null }",
    replacement: "dunning: { ...dunning, since }",
    tests: WAITS,
  },
  {
    name: "dunning-waits-for-its-link-for-ever",
    file: "src/domain/subscriptions/dunning/offers.ts",
    text: "nextOffer(subscription, cycle) !== null ? since + CHARGE_MS : 0",
    replacement: "nextOffer(subscription, cycle) !== null ? Infinity : 0",
    tests: DUNNING_STEPS,
  },
  {
    name: "dunning-mailed-in-a-retry",
    file: DUNNING_RULES,
    text: `status === "open" && isTried`,
    replacement: "false",
    tests: DUNNING_STEPS,
  },
  {
    name: "dunning-of-what-is-debited-or-skipped",
    file: DUNNING_RULES,
    text: `!isEnded && debit.status !== "paid"`,
    replacement: "true",
    tests: DUNNING_STEPS,
  },
  {
    name: "step-old-payment-settles-newer-cycle",
    file: CYCLE_ENDS,
    text: "this.#isSettled(before, cycle.cycle)",
    replacement: `before.status === "past_due"`,
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
    text: "if (subscription.mandate.needsApproval === true) {",
    replacement: "if (false) {",
    tests: SKIPPED,
  },
  {
    name: "step-useless-mandate-takes-the-payers-code",
    file: STEP,
    text: "cycle.debit.orderedAt === null ? leftToPayerUntil(subscription, cycle) : 0",
    replacement: "0",
    tests: SKIPPED,
  },
  {
    name: "by-hand-skipped-though-its-payer-has-a-code",
    file: "src/company/subscriptions/report-commands.ts",
    text: "isPassed && leftToPayerUntil(before, cycle) === 0",
    replacement: "isPassed",
    tests: BY_HAND_ENDS,
  },
  {
    name: "by-hand-failed-before-its-due-date",
    file: STEPS,
    text: `if (deps.clock.now() < leftToPayerUntil(subscription, cycle)) return { kind: "checked" };`,
    replacement: "",
    tests: BY_HAND_ENDS,
  },
  {
    name: "by-hand-failed-early-where-its-account-is-gone",
    file: TASKS,
    text: "if (isPassed && nowMs < leftToPayerUntil(subscription, cycle))",
    replacement: "if (false)",
    tests: BY_HAND_ENDS,
  },
  {
    name: "outlook-of-an-opened-cycle-that-nobody-debits",
    file: "src/api/subscriptions/reports/repository.ts",
    text: "(c.debit ->> '$.status' <> 'none' OR s.mandate ->> '$.needsApproval' IS NULL)",
    replacement: "1",
    tests: REPORTS,
  },
  {
    name: "outlook-of-a-mandate-of-no-more-use",
    file: "src/api/subscriptions/reports/repository.ts",
    text: "      AND mandate ->> '$.needsApproval' IS NULL\n",
    replacement: "",
    tests: REPORTS,
  },
  {
    name: "next-charges-of-a-mandate-of-no-more-use",
    file: "src/domain/subscriptions/subscription-view.ts",
    text: "isSubscriptionOver(status) || mandate.needsApproval === true",
    replacement: "isSubscriptionOver(status)",
    tests: REPORTS,
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
