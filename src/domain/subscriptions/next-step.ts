import { endOfDay, startOfDay } from "../shared/business-day.ts";
import { addDays } from "../shared/calendar-day.ts";
import { endsCharge, isRetryable } from "./debit-codes.ts";
import {
  cancelUntil,
  debitDayOf,
  instructionWindow,
  nextRetryDay,
  retryDaysOf,
  type FailedCycle,
} from "./debit-window.ts";
import { isToBeMade, type OfferedCycle } from "./dunning/offers.ts";
import { dunningStep, giveUpStep } from "./dunning/steps.ts";
import { isDunned, isEnding, leftToPayerUntil } from "./dunning.ts";
import { isDebitOver, type Subscription, type SubscriptionCycle } from "./records.ts";
import { dueDateOf, firstDebitedCycle, hasCycle } from "./schedule.ts";
import { isAttemptOpen, isSubscriptionOver, type DebitAttempt } from "./subscription.ts";

/**
 * What a subscription needs next. Of the provider: `create_mandate`, `ask_approval`, `check_mandate`, `end_mandate`,
 * `order_debit`, `check_debit`, `order_retry`, `check_retry`, `end_debit`, `make_by_hand` (the charge that is paid by hand, or by a saved card).
 * `email_link` tells the payer of it. `end_dunning` pauses or cancels the subscription, unless that charge is paid.
 * `close_cycle` ends a cycle and its charges that are not paid. The object alone does `open_cycle`, `plan_retry`,
 * `offer_link` (fixes that charge), `give_up` (no attempt is left), `expire` and `complete`.
 */
export type StepKind =
  | "create_mandate"
  | "ask_approval"
  | "check_mandate"
  | "end_mandate"
  | "open_cycle"
  | "order_debit"
  | "check_debit"
  | "plan_retry"
  | "order_retry"
  | "check_retry"
  | "give_up"
  | "end_debit"
  | "make_by_hand"
  | "offer_link"
  | "email_link"
  | "end_dunning"
  | "close_cycle"
  | "expire"
  | "complete";

/** A step and its time (epoch milliseconds; 0 for at once). `cycle`: which it is about; null for the subscription. */
export interface Step {
  kind: StepKind;
  at: number;
  cycle: number | null;
}

/**
 * A cycle, when its debit was last read (epoch milliseconds), whether its charge is paid, by whatever way, whether that
 * has ended, and whether another charge of it is paid.
 */
export interface CycleState extends SubscriptionCycle, OfferedCycle {
  checkedAt: number | null;
  isChargePaid: boolean;
  isChargeOver: boolean;
  isPaidOtherwise: boolean;
}

/** A subscription, when its mandate was last read, and its open cycles. */
export interface SubscriptionState {
  subscription: Subscription;
  mandateCheckedAt: number | null;
  cycles: CycleState[];
}

/** Makes a step of a cycle. */
type Of = (kind: StepKind, at?: number) => Step;

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * HOUR_MS;
/** So long after its end an unapproved mandate waits for an answer. */
const ANSWERED_MS = 7 * DAY_MS;
/** An unapproved mandate is read so often on the day of its order ... */
const FIRST_CHECKS_MS = HOUR_MS;
/** ... and so often afterwards, beside each notice. */
const CHECKS_MS = DAY_MS;
/** An ordered debit that the payer's bank has not taken is read after this; its window is days long. */
const ORDERED_CHECK_MS = HOUR_MS;
/**
 * When the day's debits are read: after the night's run, after the evening's last one (18:00 to 21:00), and on the next
 * morning (Pix Automático's manuals). Minutes from the day's beginning.
 */
const DAY_CHECKS_MIN = [8 * 60 + 30, 21 * 60 + 30, 32 * 60] as const;
/** After this an order that got no answer has come or is lost. */
export const ARRIVED_MS = 10 * MINUTE_MS;
/** A paid debit whose money cannot be read is asked for it daily after this. */
const MONEY_SHOWN_MS = 2 * DAY_MS;
/** After this nobody waits for the debit of a cycle that is not wanted any more. */
const LATE_MS = 7 * DAY_MS;
/** What was not told by then is asked again so often. */
const LATE_CHECKS_MS = 6 * HOUR_MS;

/** Whether a day (`YYYY-MM-DD`) is so long over that no debit of it is waited for that is not wanted any more. */
export function isLongOver(day: string, nowMs: number): boolean {
  return nowMs > endOfDay(day) + LATE_MS;
}

/**
 * The next step of a subscription and its time; null where nothing is left to do. `checks`: answers in a row that told
 * nothing: each gives the turn to the next of the due steps, so that one without an answer holds up no other.
 */
export function nextStep(state: SubscriptionState, nowMs: number, checks = 0): Step | null {
  const steps = [
    ...subscriptionSteps(state, nowMs),
    ...state.cycles.flatMap((cycle) => cycleSteps(state.subscription, cycle, nowMs)),
  ];
  const inOrder = steps.toSorted((one, other) => one.at - other.at);
  const due = inOrder.filter(({ at }) => at <= nowMs);
  return due[checks % Math.max(1, due.length)] ?? inOrder[0] ?? null;
}

function ofSubscription(kind: StepKind, at = 0): Step {
  return { kind, at, cycle: null };
}

function subscriptionSteps(state: SubscriptionState, nowMs: number): Step[] {
  const { subscription, cycles } = state;
  const { status, mandate, terms, nextCycle } = subscription;
  if (isSubscriptionOver(status)) {
    return mandate.isEnding && mandate.orderedAt !== null ? [ofSubscription("end_mandate")] : [];
  }
  if (status === "pending_approval") return [pendingStep(state, nowMs)];
  const check = ofSubscription("check_mandate", (state.mandateCheckedAt ?? 0) + CHECKS_MS);
  if (hasCycle(terms, nextCycle))
    return [check, ofSubscription("open_cycle", opensAt(subscription))];
  return cycles.length === 0 ? [ofSubscription("complete")] : [check];
}

function pendingStep({ subscription, mandateCheckedAt }: SubscriptionState, nowMs: number): Step {
  const { mandate, approvalExpiresAt, terms } = subscription;
  // One that was ordered and never found is looked for again as it ends.
  if (mandate.id === null && nowMs >= approvalExpiresAt) return ofSubscription("expire");
  if (mandate.id === null) return ofSubscription("create_mandate");
  // Only what was read after the end says that nobody has approved it by then.
  const isReadAfterEnd = mandateCheckedAt !== null && mandateCheckedAt >= approvalExpiresAt;
  // It ends also where its provider does not answer any more.
  if (isReadAfterEnd || nowMs >= approvalExpiresAt + ANSWERED_MS) return ofSubscription("expire");
  const isAsked = mandate.requestId !== null || terms.journey !== "REQUEST";
  if (!isAsked && nowMs < approvalExpiresAt) return ofSubscription("ask_approval");
  const isFirstDay = nowMs - (mandate.orderedAt ?? nowMs) < DAY_MS;
  const nextCheck = (mandateCheckedAt ?? 0) + (isFirstDay ? FIRST_CHECKS_MS : CHECKS_MS);
  return ofSubscription("check_mandate", Math.min(nextCheck, approvalExpiresAt));
}

/** When the next cycle is opened: with the order of its debit, or once that is no more possible. */
function opensAt(subscription: Subscription): number {
  const dueDate = dueDateOf(subscription.terms, subscription.nextCycle);
  const { sendOn } = instructionWindow(dueDate, subscription.customer.city);
  const isHeld = subscription.status === "paused" || subscription.mandate.needsApproval === true;
  return isHeld ? lookedForFrom(subscription, { dueDate }) : startOfDay(sendOn);
}

/** When the debit of a cycle can no more be ordered, but only looked for: a restore may have forgotten it. */
function lookedForFrom({ customer }: Subscription, { dueDate }: { dueDate: string }): number {
  return startOfDay(addDays(instructionWindow(dueDate, customer.city).until, 1));
}

function cycleSteps(subscription: Subscription, cycle: CycleState, nowMs: number): Step[] {
  const of = (kind: StepKind, at = 0): Step => ({ kind, at, cycle: cycle.cycle });
  const isPaid = cycle.isChargePaid || cycle.isPaidOtherwise;
  return [
    ...(!isPaid && isToBeMade(subscription, cycle) ? [of("make_by_hand")] : []),
    isPaid
      ? paidStep(subscription, cycle, { of, nowMs })
      : debitStep(subscription, cycle, { of, nowMs }),
  ];
}

function debitStep(
  subscription: Subscription,
  cycle: CycleState,
  { of, nowMs }: { of: Of; nowMs: number },
): Step {
  const { debit } = cycle;
  const isDebited = cycle.cycle >= firstDebitedCycle(subscription.terms.journey);
  if (!isDebited) return invitedStep(subscription, cycle, of);
  if (debit.status === "paid") return of("check_debit", moneyCheckedAt(cycle, nowMs));
  if (isDebitOver(debit.status)) return endedStep(subscription, cycle, of, nowMs);
  if (isEnding(cycle) && mayEndDebit(cycle, nowMs)) return of("end_debit");
  if (debit.status === "none") {
    // What was refused is sent again each day.
    const again = cycle.checkedAt === null ? 0 : cycle.checkedAt + DAY_MS;
    return of("order_debit", Math.max(again, orderedFrom(subscription, cycle, nowMs)));
  }
  return attemptStep(subscription, cycle, { of, nowMs });
}

/** When the money of a paid debit is asked for: at growing waits, then daily. Epoch milliseconds; 0 for at once. */
function moneyCheckedAt({ attempts, dueDate, checkedAt }: CycleState, nowMs: number): number {
  const day = attempts.at(-1)?.day ?? dueDate;
  const isLate = nowMs > endOfDay(day) + MONEY_SHOWN_MS;
  return isLate ? (checkedAt ?? 0) + CHECKS_MS : 0;
}

/**
 * A debit that can no longer be ended is read until its day is over, for a week at most, also without an attempt that is
 * known: it may be a second payment. The charge that is paid with the approval has none.
 */
function paidStep(
  subscription: Subscription,
  cycle: CycleState,
  { of, nowMs }: { of: Of; nowMs: number },
): Step {
  const { debit, checkedAt } = cycle;
  const attempt = cycle.attempts.findLast(isAttemptOpen);
  const day = attempt?.day ?? debit.retryDay ?? cycle.dueDate;
  const isDebited = cycle.cycle >= firstDebitedCycle(subscription.terms.journey);
  if (!isDebited || isLongOver(day, nowMs)) return of("close_cycle");
  if (mayEndDebit(cycle, nowMs)) return of("end_debit");
  if (isDebitOver(debit.status)) return of("close_cycle");
  if (attempt !== undefined) return of(checkOf(attempt), nextCheckOf(attempt, checkedAt ?? 0));
  if (cycle.attempts.length === 0) return of("check_debit", untoldCheck(subscription, cycle));
  const arrivedAt = retryArrivedAt(cycle);
  return arrivedAt === null ? of("close_cycle") : of("check_retry", arrivedAt);
}

/** When a debit is read of which no attempt is told: at the times of its day, as one that is scheduled. */
function untoldCheck({ customer }: Subscription, { dueDate, checkedAt }: CycleState): number {
  const day = debitDayOf(dueDate, customer.city);
  return nextCheckOf({ day, status: "scheduled" }, checkedAt ?? 0);
}

/** The charge that is paid with the approval is no debit: it is read like any other charge, and ends by its clock. */
function invitedStep(
  { status }: Subscription,
  { checkedAt, createdAt, debit, isChargeOver }: CycleState,
  of: Of,
): Step {
  if (debit.ending !== null || isSubscriptionOver(status) || isChargeOver) return of("close_cycle");
  return of("check_debit", (checkedAt ?? createdAt) + CHECKS_MS);
}

/**
 * At once, unless the merchant opened the cycle before any bank takes its debit. A mandate of no more use brings none: until
 * its day is over such a cycle can be paid by hand, where its payer has a code.
 */
function orderedFrom(subscription: Subscription, cycle: CycleState, nowMs: number): number {
  if (subscription.mandate.needsApproval === true) {
    const leftUntil = cycle.debit.orderedAt === null ? leftToPayerUntil(subscription, cycle) : 0;
    return Math.max(lookedForFrom(subscription, cycle), leftUntil);
  }
  const { from, sendOn } = instructionWindow(cycle.dueDate, subscription.customer.city);
  return nowMs < startOfDay(from) ? startOfDay(sendOn) : 0;
}

/** Whether the provider is to end a debit: while that is allowed; at any time where nobody knows whether it has one. */
function mayEndDebit({ debit, dueDate }: CycleState, nowMs: number): boolean {
  if (debit.status === "none") return true;
  return !isDebitOver(debit.status) && nowMs < cancelUntil(dueDate);
}

function attemptStep(
  subscription: Subscription,
  cycle: CycleState,
  { of, nowMs }: { of: Of; nowMs: number },
): Step {
  const { debit, checkedAt } = cycle;
  const attempt = cycle.attempts.findLast(isAttemptOpen);
  if (attempt !== undefined) return of(checkOf(attempt), nextCheckOf(attempt, checkedAt ?? 0));
  const last = cycle.attempts.at(-1);
  // Ordered, and nothing is known of an attempt yet.
  if (last === undefined) return of("check_debit", (checkedAt ?? 0) + ORDERED_CHECK_MS);
  const { status } = subscription;
  const isPaused = status === "paused" && debit.ending === null;
  if (isEnding(cycle) || isSubscriptionOver(status) || isPaused) return stoppedStep(cycle, of);
  if (debit.retryDay !== null) return of("order_retry");
  if (debit.ending === "over") return dunnedStep(subscription, cycle, of);
  if (plannedRetryDay(subscription, cycle, nowMs) !== null) return of("plan_retry");
  const { kind, at } = giveUpStep(subscription, cycle, nowMs);
  return of(kind, at);
}

/** A debit that the provider has ended unpaid, so that nothing is tried again. */
function endedStep(subscription: Subscription, cycle: CycleState, of: Of, nowMs: number): Step {
  const { ending } = cycle.debit;
  if (ending === "over") return dunnedStep(subscription, cycle, of);
  if (ending !== null || !isDunned(subscription, cycle)) return of("close_cycle");
  const { kind, at } = giveUpStep(subscription, cycle, nowMs);
  return of(kind, at);
}

/** No attempt is left, of which merchants have heard. */
function dunnedStep(subscription: Subscription, cycle: CycleState, of: Of): Step {
  const closesAt = isDebitOver(cycle.debit.status) ? 0 : retriesEndAt(subscription, cycle);
  const { kind, at } = dunningStep(subscription, cycle, closesAt);
  return of(kind, at);
}

/** Nothing is tried again. A retry whose order may have arrived is waited for. */
function stoppedStep(cycle: CycleState, of: Of): Step {
  const arrivedAt = retryArrivedAt(cycle);
  if (arrivedAt !== null) return of("check_retry", arrivedAt);
  return cycle.debit.ending === null ? of("give_up") : of("close_cycle");
}

/** When an order of a retry that got no answer has come or is lost (epoch milliseconds); null once it was read after that. */
function retryArrivedAt({ debit, checkedAt }: CycleState): number | null {
  const arrivedAt = debit.retryOrderedAt === null ? null : debit.retryOrderedAt + ARRIVED_MS;
  return arrivedAt !== null && (checkedAt ?? 0) < arrivedAt ? arrivedAt : null;
}

function checkOf({ kind }: DebitAttempt): "check_debit" | "check_retry" {
  return kind === "retry" ? "check_retry" : "check_debit";
}

/** When an open attempt is read next, epoch milliseconds. */
function nextCheckOf(
  { day, status }: Pick<DebitAttempt, "day" | "status">,
  checkedAt: number,
): number {
  const times = DAY_CHECKS_MIN.map((minutes) => startOfDay(day) + minutes * MINUTE_MS);
  const ordered = status === "requested" ? [checkedAt + ORDERED_CHECK_MS] : [];
  const next = [...ordered, ...times].filter((time) => time > checkedAt);
  return next.length === 0 ? checkedAt + LATE_CHECKS_MS : Math.min(...next);
}

/** A cycle with what the rules for retries ask of it. */
export function failedCycleOf(
  { terms, customer }: Subscription,
  cycle: SubscriptionCycle,
): FailedCycle {
  const next = cycle.cycle + 1;
  return {
    dueDate: cycle.dueDate,
    nextDueDate: hasCycle(terms, next) ? dueDateOf(terms, next) : null,
    endDate: terms.endDate,
    city: customer.city,
    amount: cycle.amount,
    attempts: cycle.attempts,
  };
}

/** The day on which a failed cycle is tried again by its policy; null where it is not. */
export function plannedRetryDay(
  subscription: Subscription,
  cycle: SubscriptionCycle,
  nowMs: number,
): string | null {
  const reason = cycle.attempts.at(-1)?.reason ?? null;
  if (isSubscriptionOver(subscription.status)) return null;
  if (reason !== null && !isRetryable(reason)) return null;
  return nextRetryDay(failedCycleOf(subscription, cycle), subscription.terms.retry, nowMs);
}

/** Until when the merchant may order a retry of a cycle that failed, epoch milliseconds; 0 where none is allowed. */
function retriesEndAt(subscription: Subscription, cycle: SubscriptionCycle): number {
  const reason = cycle.attempts.at(-1)?.reason ?? null;
  const isEnded = reason !== null && endsCharge(reason);
  const isOver = isSubscriptionOver(subscription.status);
  if (isEnded || isOver || subscription.terms.retry.length === 0) return 0;
  const last = retryDaysOf(failedCycleOf(subscription, cycle)).at(-1);
  // A retry is ordered for a later day.
  return last === undefined ? 0 : startOfDay(last);
}

/** Whether a cycle whose debit nobody has is skipped: it was opened too late for its order, or its mandate was of no use. */
export function isSkipped(subscription: Subscription, cycle: SubscriptionCycle): boolean {
  const isLate = cycle.createdAt >= lookedForFrom(subscription, cycle);
  return isLate || subscription.mandate.needsApproval === true;
}
