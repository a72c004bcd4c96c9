import { addDays } from "../shared/calendar-day.ts";
import { cancelRefusal, retryRefusal } from "./debit-window.ts";
import { DEBIT_RULES, type DebitRefusal, type RetryRuleName } from "./debit-rules.ts";
import { isEnding } from "./dunning.ts";
import { failedCycleOf } from "./next-step.ts";
import { isDebitOver, type Subscription, type SubscriptionCycle } from "./records.ts";
import { firstDebitedCycle } from "./schedule.ts";
import { isAttemptOpen, RETRY_DAYS_MAX, type SubscriptionStatus } from "./subscription.ts";

/** Whether new debits are ordered in a status. */
export function isDebited(status: SubscriptionStatus): boolean {
  return status === "active" || status === "past_due";
}

/** Whether a cycle is paid by a code while its payer approves, and never debited. */
export function isInvitedCycle(
  { terms }: Pick<Subscription, "terms">,
  { cycle }: Pick<SubscriptionCycle, "cycle">,
): boolean {
  return cycle < firstDebitedCycle(terms.journey);
}

/** Why the debit of a cycle cannot be cancelled at a time; null where it can, or nothing is debited any more. */
export function cycleCancelRefusal(
  subscription: Pick<Subscription, "terms">,
  cycle: SubscriptionCycle,
  nowMs: number,
): DebitRefusal | null {
  if (isInvitedCycle(subscription, cycle) || !mayBeDebited(cycle)) return null;
  return cancelRefusal(cycle.dueDate, nowMs);
}

/** Whether the provider may still debit a cycle. After a failed attempt only an ordered retry is one. */
function mayBeDebited({ debit, attempts }: SubscriptionCycle): boolean {
  const isOrdered = debit.orderedAt !== null && attempts.length === 0;
  return isOrdered || debit.retryOrderedAt !== null || attempts.some(isAttemptOpen);
}

/** Whether a cycle has failed and waits for what its merchant does: no retry is ordered, and neither it nor its debit ends. */
export function awaitsRetry({ status, debit, attempts }: SubscriptionCycle): boolean {
  const isOver = isEnding({ debit }) || isDebitOver(debit.status);
  return status === "open" && !isOver && attempts.length > 0 && debit.retryDay === null;
}

/** A day after the due date, whether the debit may be tried again on it, by which rule, and that rule's source. */
export interface RetryDay {
  date: string;
  allowed: boolean;
  rule: RetryRuleName;
  why: string;
  source: string;
}

/** The seven days after the due date of a cycle that has failed, as a retry may be ordered now; none of any other cycle. */
export function retryDayChoices(
  subscription: Subscription,
  cycle: SubscriptionCycle,
  nowMs: number,
): RetryDay[] {
  if (!awaitsRetry(cycle) || !isDebited(subscription.status)) return [];
  if (isInvitedCycle(subscription, cycle) || cycle.attempts.some(isAttemptOpen)) return [];
  const failed = failedCycleOf(subscription, cycle);
  const policy = subscription.terms.retry;
  return Array.from({ length: RETRY_DAYS_MAX }, (_, index) => {
    const date = addDays(cycle.dueDate, index + 1);
    const refusal = retryRefusal(failed, { day: date, amount: cycle.amount, policy }, nowMs);
    const { text, source } = DEBIT_RULES.retry_days;
    return refusal === null
      ? { date, allowed: true, rule: "retry_days" as const, why: text, source }
      : { date, allowed: false, rule: refusal.rule, why: refusal.detail, source: refusal.source };
  });
}

/** Whether the merchant may end a cycle's debit or charge at a time. */
export function isCancellable(
  subscription: Pick<Subscription, "terms">,
  cycle: SubscriptionCycle,
  nowMs: number,
): boolean {
  return (
    cycle.status === "open" &&
    !isEnding(cycle) &&
    cycleCancelRefusal(subscription, cycle, nowMs) === null
  );
}
