import type { Mutant } from "../mutant.ts";

const STEP = "src/domain/subscriptions/next-step.ts";
const WINDOW = "src/domain/subscriptions/debit-window.ts";
const UNIT = ["test/unit/domain/subscriptions/next-step.test.ts"];
const DUNNING_STEPS = ["test/unit/domain/subscriptions/dunning-steps.test.ts"];
const DUNNING_RULES = "src/domain/subscriptions/dunning.ts";
const DUNNING = ["test/worker/api/subscriptions/dunning.test.ts"];

/** What a subscription needs next. */
export const subscriptionStepMutants: Mutant[] = [
  {
    name: "step-untaken-retry-counted",
    file: WINDOW,
    text: `kind === "retry" && isUntaken !== true`,
    replacement: `kind === "retry"`,
    tests: UNIT,
  },
  {
    name: "step-retry-after-payment-by-hand",
    file: STEP,
    text: "const isPaid = cycle.isChargePaid || cycle.isPaidOtherwise;",
    replacement: "const isPaid = cycle.isChargePaid;",
    tests: UNIT,
  },
  {
    name: "step-by-hand-made-though-paid",
    file: STEP,
    text: "isByHandUnmade(cycle) && !isPaid && isOwed(cycle)",
    replacement: "isByHandUnmade(cycle) && isOwed(cycle)",
    tests: UNIT,
  },
  {
    name: "step-debit-ended-late",
    file: STEP,
    text: "mayExist && nowMs < cancelUntil(dueDate)",
    replacement: "mayExist && nowMs <= cancelUntil(dueDate)",
    tests: UNIT,
  },
  {
    name: "step-debit-not-ordered-ended",
    file: STEP,
    text: "debit.orderedAt !== null && !isDebitOver(debit.status)",
    replacement: "!isDebitOver(debit.status)",
    tests: UNIT,
  },
  {
    name: "step-paid-cycle-closed-with-open-debit",
    file: STEP,
    text: `  if (attempt !== undefined) return of(checkOf(attempt), nextCheckOf(attempt, checkedAt ?? 0));
  if (cycle.attempts`,
    replacement: "  if (cycle.attempts",
    tests: UNIT,
  },
  {
    name: "step-retry-on-its-way-forgotten",
    file: STEP,
    text: "(checkedAt ?? 0) < arrivedAt ? arrivedAt : null",
    replacement: "(checkedAt ?? 0) > arrivedAt ? arrivedAt : null",
    tests: UNIT,
  },
  {
    name: "step-retry-of-what-no-day-changes",
    file: STEP,
    text: "if (reason !== null && !isRetryable(reason)) return null;",
    replacement: "",
    tests: UNIT,
  },
  {
    name: "step-retry-in-a-pause",
    file: STEP,
    text: "isEnding(cycle) || isSubscriptionOver(status) || isPaused",
    replacement: "isEnding(cycle) || isSubscriptionOver(status)",
    tests: UNIT,
  },
  {
    name: "step-retry-of-what-ends",
    file: STEP,
    text: "if (isEnding(cycle) || isSubscriptionOver(status) || isPaused)",
    replacement: "if (isSubscriptionOver(status) || isPaused)",
    tests: UNIT,
  },
  {
    name: "step-merchants-retry-cut-short",
    file: STEP,
    text: "isDebitOver(cycle.debit.status) ? 0 : retriesEndAt(subscription, cycle)",
    replacement: "0",
    tests: UNIT,
  },
  {
    name: "step-ended-charge-held-open",
    file: STEP,
    text: "if (isEnded || isOver ||",
    replacement: "if (isOver ||",
    tests: UNIT,
  },
  {
    name: "step-refused-order-sent-at-once",
    file: STEP,
    text: "cycle.checkedAt === null ? 0 : cycle.checkedAt + DAY_MS",
    replacement: "0",
    tests: UNIT,
  },
  {
    name: "step-early-cycle-ordered-before-its-window",
    file: STEP,
    text: "nowMs < startOfDay(from) ? startOfDay(sendOn) : 0",
    replacement: "0",
    tests: UNIT,
  },
  {
    name: "step-without-answer-holds-up-the-others",
    file: STEP,
    text: "due[checks % Math.max(1, due.length)]",
    replacement: "due[0]",
    tests: UNIT,
  },
  {
    name: "step-expires-unread",
    file: STEP,
    text: "mandateCheckedAt >= approvalExpiresAt",
    replacement: "mandateCheckedAt >= 0",
    tests: UNIT,
  },
  {
    name: "step-never-found-mandate-ordered-after-its-end",
    file: STEP,
    text: `if (mandate.id === null && nowMs >= approvalExpiresAt) return ofSubscription("expire");`,
    replacement: "",
    tests: UNIT,
  },
  {
    name: "step-money-of-a-paid-debit-never-asked-again",
    file: STEP,
    text: "isLate ? (checkedAt ?? 0) + CHECKS_MS : 0",
    replacement: "(checkedAt ?? 0) + CHECKS_MS",
    tests: UNIT,
  },
  {
    name: "step-debit-read-after-the-evening-only",
    file: STEP,
    text: "[8 * 60 + 30, 21 * 60 + 30, 32 * 60]",
    replacement: "[21 * 60 + 30, 32 * 60]",
    tests: UNIT,
  },
  {
    name: "dunning-link-after-the-event",
    file: STEP,
    text: `if ((linkOfferedAt(cycle) ?? Infinity) <= nowMs) return of("offer_link");`,
    replacement: "",
    tests: DUNNING_STEPS,
  },
  {
    name: "dunning-event-waits-for-ever",
    file: STEP,
    text: "isByHandUnmade(cycle) ? endOfDay(day) + DAY_MS : 0",
    replacement: "isByHandUnmade(cycle) ? endOfDay(day) + 365 * DAY_MS : 0",
    tests: DUNNING_STEPS,
  },
  {
    name: "dunning-mailed-again",
    file: STEP,
    text: `policy.link === "email" && dunning.emailedAt === null`,
    replacement: `policy.link === "email"`,
    tests: DUNNING_STEPS,
  },
  {
    name: "dunning-ends-a-day-early",
    file: DUNNING_RULES,
    text: "dunning.since + policy.days * DAY_MS",
    replacement: "dunning.since + (policy.days - 1) * DAY_MS",
    tests: DUNNING_STEPS,
  },
  {
    name: "dunning-ends-twice",
    file: DUNNING_RULES,
    text: `policy.then !== "none" && !dunning.isOver`,
    replacement: `policy.then !== "none"`,
    tests: DUNNING_STEPS,
  },
  {
    name: "dunning-of-what-is-over",
    file: DUNNING_RULES,
    text: "dunning !== null && !isSubscriptionOver(status)",
    replacement: "dunning !== null",
    tests: DUNNING_STEPS,
  },
  {
    name: "dunning-not-of-a-rejected-debit",
    file: STEP,
    text: `ending === null && isDunned(subscription, cycle)`,
    replacement: "false",
    tests: DUNNING_STEPS,
  },
  {
    name: "dunning-fault-shown-to-nobody",
    file: "src/company/subscriptions/report-commands.ts",
    text: `reason?.action !== "a_person" && reason?.action !== "our_fault"`,
    replacement: `reason?.action !== "a_person"`,
    tests: DUNNING,
  },
  {
    name: "dunning-closed-account-not-told",
    file: "src/company/subscriptions/report-commands.ts",
    text: `reason?.action === "new_approval"`,
    replacement: "false",
    tests: DUNNING,
  },
];
