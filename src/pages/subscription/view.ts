import type { PayersSubscription } from "../../api/subscriptions/payer/repository.ts";
import { saoPauloDay } from "../../domain/shared/business-day.ts";
import { NO_BRAND } from "../../domain/shared/company.ts";
import { secureIdOf } from "../../domain/shared/ids.ts";
import {
  unpaidReason,
  type Subscription,
  type SubscriptionCycle,
} from "../../domain/subscriptions/records.ts";
import {
  cancelUntil,
  debitDayOf,
  instructionWindow,
} from "../../domain/subscriptions/debit-window.ts";
import { firstDebitedCycle, nextCycles } from "../../domain/subscriptions/schedule.ts";
import { isAttemptOpen, isSubscriptionOver } from "../../domain/subscriptions/subscription.ts";
import type { Texts } from "../checkout/texts.ts";

export type SubscriptionState = keyof Texts["subscription"]["states"];

/** How soon a page asks again: while the payer is at his bank, and after it. */
const POLL_OPEN_MS = 3_000;
const POLL_CLOSED_MS = 60_000;

/** A subscription as its payer's pages show it. Nothing of the payer's is in it. Amounts in centavos. */
export type PayerSubscription = ReturnType<typeof payerSubscription>;

/** What the pages show of a subscription and its company now. */
export function payerSubscription(
  { subscription, payee, cycles }: PayersSubscription,
  nowMs: number,
) {
  const { id, secureRandom, terms, amount, description, mandate, approvalExpiresAt } = subscription;
  const state = stateOf(subscription, nowMs);
  const brand = { ...NO_BRAND, ...payee.brand };
  return {
    secureId: secureIdOf(id, secureRandom),
    state,
    polled: polledOf(subscription, nowMs),
    payee: { ...brand, name: brand.name ?? payee.name },
    /** As the payer's bank names the payee; null where that is the name on the page. */
    registeredName: brand.name === null || brand.name === payee.name ? null : payee.name,
    isTest: payee.mode === "sandbox",
    description,
    terms,
    amount,
    code: state === "open" ? mandate.qrcode : null,
    approvalExpiresAt,
    nowMs,
    isOver: isSubscriptionOver(subscription.status),
    isPending: state === "open" || state === "asked" || state === "preparing",
    next: nextDebitOf(
      subscription,
      cycles.map(({ cycle }) => cycle),
      nowMs,
    ),
    cycles: cycles.map(({ cycle, secureRandom: random, byHand }) => ({
      ...cycle,
      /** Why it is unpaid, of one that is still owed. */
      unpaid: cycle.status === "open" || cycle.status === "failed" ? unpaidReason(cycle) : null,
      payPath: byHand === null ? null : `/checkout/${secureIdOf(byHand.id, byHand.secureRandom)}`,
      /** Of a cycle that is paid with the approval, which is no debit. */
      isInvited: cycle.cycle < firstDebitedCycle(terms.journey),
      receipt:
        cycle.status === "paid" && random !== null
          ? `/r/${secureIdOf(cycle.transactionId, random)}`
          : null,
    })),
  };
}

/** What a page that polls is told: by its `status` it knows that something has changed. */
export function polledOf(subscription: Subscription, nowMs: number) {
  const state = stateOf(subscription, nowMs);
  const isPending = state === "open" || state === "asked" || state === "preparing";
  return { status: state, pollAfterMs: isPending ? POLL_OPEN_MS : POLL_CLOSED_MS };
}

/** The state as its payer sees it. One that nobody can approve any more has expired, before the clock says so. */
function stateOf(subscription: Subscription, nowMs: number): SubscriptionState {
  const { status, mandate, terms, approvalExpiresAt } = subscription;
  if (status !== "pending_approval") return status;
  if (nowMs >= approvalExpiresAt) return "expired";
  if (terms.journey === "REQUEST") return mandate.id === null ? "preparing" : "asked";
  return mandate.qrcode === null ? "preparing" : "open";
}

/**
 * The next debit: its due date, its day, when it is ordered, and until when it can be cancelled here; null where none
 * comes. `isDue`: an attempt on another day than that of the due date.
 */
function nextDebitOf(subscription: Subscription, cycles: SubscriptionCycle[], nowMs: number) {
  const { terms, customer, amount, nextCycle, status } = subscription;
  const open = cycles.findLast(isDebitComing);
  if (open !== undefined) return debitOf(open, retryDayOf(open), customer.city);
  if (isSubscriptionOver(status) || status === "paused") return null;
  const today = saoPauloDay(nowMs);
  const coming = nextCycles(terms, nextCycle, 2).find(({ dueDate }) => dueDate >= today);
  return coming === undefined ? null : debitOf({ ...coming, amount }, null, customer.city);

  function isDebitComing({ cycle, status: state, debit }: SubscriptionCycle): boolean {
    return state === "open" && debit.ending === null && cycle >= firstDebitedCycle(terms.journey);
  }
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
