import { asksForMoney } from "../../api/subscriptions/payer/approval-code.ts";
import type {
  PayersSubscription,
  PolledSubscription,
} from "../../api/subscriptions/payer/repository.ts";
import { saoPauloDay } from "../../domain/shared/business-day.ts";
import { NO_BRAND } from "../../domain/shared/company.ts";
import { secureIdOf } from "../../domain/shared/ids.ts";
import { isDebited } from "../../domain/subscriptions/charge-actions.ts";
import type { DebitReason } from "../../domain/subscriptions/debit-codes.ts";
import {
  isDebitOver,
  unpaidReason,
  type Subscription,
  type SubscriptionCycle,
} from "../../domain/subscriptions/records.ts";
import {
  cancelUntil,
  debitDayOf,
  instructionWindow,
} from "../../domain/subscriptions/debit-window.ts";
import { plannedRetryDay } from "../../domain/subscriptions/next-step.ts";
import { firstDebitedCycle, hasCycle, nextCycles } from "../../domain/subscriptions/schedule.ts";
import { isAttemptOpen, isSubscriptionOver } from "../../domain/subscriptions/subscription.ts";
import type { Texts } from "../checkout/texts.ts";

export type SubscriptionState = keyof Texts["subscription"]["states"];

/** How soon a page asks again: while the payer is at his bank, and after it. */
const POLL_OPEN_MS = 3_000;
const POLL_CLOSED_MS = 60_000;

/** In which its payer is still to approve. */
const PENDING: ReadonlySet<SubscriptionState> = new Set([
  "preparing",
  "open",
  "asked",
  "paid",
  "paid_unapproved",
]);
/** In which it is over, or as good as over. */
const EXPIRED: ReadonlySet<SubscriptionState> = new Set(["expired", "paid_expired"]);
/** The end of one whose payer has paid with an approval that never came. */
const PAID_ENDS = { rejected: "paid_rejected", expired: "paid_expired" } as const;

/** A subscription as its payer's pages show it. Nothing of the payer's is in it. Amounts in centavos. */
export type PayerSubscription = ReturnType<typeof payerSubscription>;

/** What the pages show of a subscription and its company now. */
export function payerSubscription(found: PayersSubscription, nowMs: number) {
  const { subscription, payee, cycles, isApprovalPaid } = found;
  const { id, secureRandom, terms, amount, description, mandate, approvalExpiresAt } = subscription;
  const state = stateOf(found, nowMs);
  const isOver = isSubscriptionOver(subscription.status);
  const brand = { ...NO_BRAND, ...payee.brand };
  return {
    secureId: secureIdOf(id, secureRandom),
    state,
    polled: polledOf(found, nowMs),
    payee: { ...brand, name: brand.name ?? payee.name },
    /** As the payer's bank names the payee; null where that is the name on the page. */
    registeredName: brand.name === null || brand.name === payee.name ? null : payee.name,
    isTest: payee.mode === "sandbox",
    description,
    terms,
    amount,
    code: state === "open" || state === "paid_unapproved" ? mandate.qrcode : null,
    isApprovalPaid,
    approvalExpiresAt,
    nowMs,
    isOver,
    mayCancel: !isOver && !EXPIRED.has(state),
    isPending: PENDING.has(state),
    next: nextDebitOf(subscription, cycles, nowMs),
    cycles: cycles.map((each) => shownCycle(subscription, each, nowMs)),
  };
}

type PayersCycle = PayersSubscription["cycles"][number];

function shownCycle(
  subscription: Subscription,
  { cycle, byHand, paidBy }: PayersCycle,
  nowMs: number,
) {
  const isPaid = cycle.status === "paid" || paidBy !== null;
  return {
    ...cycle,
    status: isPaid ? ("paid" as const) : cycle.status,
    /** Paid with the approval, which is no debit. */
    isInvited: cycle.cycle < firstDebitedCycle(subscription.terms.journey),
    /** Why it is unpaid, of one that is still owed. */
    unpaid: isPaid ? null : owedReason(cycle),
    todo: isPaid ? null : todoOf(subscription, cycle, nowMs),
    payPath: isPaid || byHand === null ? null : `/checkout/${secureIdOfCharge(byHand)}`,
    receipt: paidBy === null ? null : `/r/${secureIdOfCharge(paidBy)}`,
  };
}

function owedReason(cycle: SubscriptionCycle): DebitReason | null {
  return cycle.status === "open" || cycle.status === "failed" ? unpaidReason(cycle) : null;
}

function secureIdOfCharge({ id, secureRandom }: NonNullable<PayersCycle["paidBy"]>): string {
  return secureIdOf(id, secureRandom);
}

type Todo = keyof Texts["subscription"]["todo"];

/** Said of a reason only where it helps: of any other one the payer talks to the shop. */
const HELPS: Partial<
  Record<DebitReason["code"], (reason: DebitReason, subscription: Subscription) => boolean>
> = {
  PAYER_LIMIT: (_, subscription) => hasNextCycle(subscription),
  PAYER_CANCELLED: (_, subscription) => hasNextCycle(subscription),
  PAYER_ACCOUNT_CLOSED: ({ action }) => action === "new_approval",
  PAYER_ACCOUNT_BLOCKED: () => true,
  APPROVAL_ENDED: () => true,
};

/** What the payer can do about a cycle that is unpaid, by its text's name; null where nothing is said. */
function todoOf(subscription: Subscription, cycle: SubscriptionCycle, nowMs: number): Todo | null {
  const reason = owedReason(cycle);
  if (reason === null) return null;
  const { code } = reason;
  const helps =
    code === "NO_BALANCE"
      ? isTriedAgain(subscription, cycle, nowMs)
      : HELPS[code]?.(reason, subscription) === true;
  return helps ? (code as Todo) : "OTHER";
}

/** Whether a cycle that is unpaid is debited again. */
function isTriedAgain(
  subscription: Subscription,
  cycle: SubscriptionCycle,
  nowMs: number,
): boolean {
  const { status, debit, attempts } = cycle;
  if (status !== "open" || debit.ending !== null || isDebitOver(debit.status)) return false;
  const isOrdered = debit.retryDay !== null || attempts.some(isAttemptOpen);
  return isOrdered || plannedRetryDay(subscription, cycle, nowMs) !== null;
}

/** Whether a later cycle is debited as it is agreed. */
function hasNextCycle({ status, mandate, terms, nextCycle }: Subscription): boolean {
  const isLasting = isDebited(status) && mandate.needsApproval !== true;
  return isLasting && hasCycle(terms, nextCycle);
}

/** What a page that polls is told: by its `status` it knows that something has changed. */
export function polledOf(polled: PolledSubscription, nowMs: number) {
  const state = stateOf(polled, nowMs);
  return { status: state, pollAfterMs: PENDING.has(state) ? POLL_OPEN_MS : POLL_CLOSED_MS };
}

/**
 * The state as its payer sees it. One that nobody can approve any more has expired, before the clock says so. A payment with
 * the approval may pass, and the approval itself not come.
 */
function stateOf(
  { subscription, isApprovalPaid }: PolledSubscription,
  nowMs: number,
): SubscriptionState {
  const { status, mandate, terms, approvalExpiresAt } = subscription;
  if (isDebited(status) && mandate.needsApproval === true) return "needs_approval";
  const isExpired = status === "pending_approval" && nowMs >= approvalExpiresAt;
  const reached = isExpired ? "expired" : status;
  if (reached === "rejected" || reached === "expired")
    return isApprovalPaid ? PAID_ENDS[reached] : reached;
  if (reached !== "pending_approval") return reached;
  if (isApprovalPaid) return asksForMoney(mandate.qrcode) ? "paid" : "paid_unapproved";
  if (terms.journey === "REQUEST") return mandate.id === null ? "preparing" : "asked";
  return mandate.qrcode === null ? "preparing" : "open";
}

/**
 * The next debit: its due date, its day, when it is ordered, and until when it can be cancelled here; null where none
 * comes. `isRetry`: an attempt on another day than that of the due date.
 */
function nextDebitOf(subscription: Subscription, cycles: PayersCycle[], nowMs: number) {
  const { terms, customer, amount, nextCycle, status, mandate } = subscription;
  const open = cycles.findLast((each) => isDebitComing(subscription, each, nowMs))?.cycle;
  if (open !== undefined) return debitOf(open, retryDayOf(open), customer.city);
  if (!isDebited(status) || mandate.needsApproval === true) return null;
  const today = saoPauloDay(nowMs);
  const coming = nextCycles(terms, nextCycle, 2).find(({ dueDate }) => dueDate >= today);
  return coming === undefined ? null : debitOf({ ...coming, amount }, null, customer.city);
}

/**
 * Whether the debit of an open cycle still comes. By a mandate of no more use only one that a bank has; of a cycle that is
 * paid otherwise only one that can no longer be ended.
 */
function isDebitComing(
  { terms, mandate }: Subscription,
  { cycle: { cycle, status, debit, dueDate }, paidBy }: PayersCycle,
  nowMs: number,
): boolean {
  if (status !== "open" || cycle < firstDebitedCycle(terms.journey)) return false;
  if (debit.ending !== null || isDebitOver(debit.status)) return false;
  if (paidBy !== null) return debit.orderedAt !== null && nowMs >= cancelUntil(dueDate);
  return mandate.needsApproval !== true || debit.orderedAt !== null;
}

function debitOf(
  { dueDate, amount }: Pick<SubscriptionCycle, "dueDate" | "amount">,
  retryDay: string | null,
  city: string | null,
) {
  return {
    dueDate,
    amount,
    day: retryDay ?? debitDayOf(dueDate, city),
    isRetry: retryDay !== null,
    sentOn: instructionWindow(dueDate, city).sendOn,
    cancelUntil: cancelUntil(dueDate),
  };
}

/** The day of the retry that is ordered or comes; null for none. */
function retryDayOf({ attempts, debit }: SubscriptionCycle): string | null {
  const open = attempts.find((attempt) => isAttemptOpen(attempt) && attempt.kind !== "due");
  return debit.retryDay ?? open?.day ?? null;
}
