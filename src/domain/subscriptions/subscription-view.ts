import { saoPauloDay } from "../shared/business-day.ts";
import { isoTime } from "../shared/clock.ts";
import { secureIdOf } from "../shared/ids.ts";
import { METHODS_WITH_CODE, toCreateStatus, type ChargeStatus } from "../charges/charge-status.ts";
import type { SubscriptionEvent } from "../events/event-types.ts";
import { mandateEndMeaning, refusedOrder } from "./debit-codes.ts";
import { hasLink, isOfSavedCard } from "./dunning/offers.ts";
import { linkMethodOf, NO_DUNNING } from "./dunning.ts";
import { isCancellable, retryDayChoices } from "./charge-actions.ts";
import type { OtherCharge, Subscription, SubscriptionCycle } from "./records.ts";
import { nextCycles } from "./schedule.ts";
import { isSubscriptionOver } from "./subscription.ts";
import { whyThisDay } from "./debit-window.ts";

/** Cycles to come that a view shows. */
const NEXT_CHARGES = 3;

/** A subscription as the API shows it. Centavos. `publicUrl`: the service's own; null where it has none. */
export function subscriptionView(subscription: Subscription, publicUrl: string | null) {
  const { terms, customer, mandate } = subscription;
  return {
    id: subscription.id,
    externalRef: subscription.externalRef,
    status: subscription.status,
    description: subscription.description,
    customer: {
      name: customer.name,
      email: customer.email,
      externalRef: customer.externalRef,
      city: customer.city,
      document: customer.document,
    },
    ...amountFields(subscription),
    period: terms.period,
    firstDueDate: terms.firstDueDate,
    endDate: terms.endDate,
    payerAccount: terms.payerAccount,
    retry: terms.retry.length === 0 ? ("none" as const) : [...terms.retry],
    dunning: dunningView(subscription),
    firstPayment: terms.firstPayment === null ? null : { amount: terms.firstPayment },
    pix: { qrcode: mandate.qrcode, journey: terms.journey },
    ...pageFields(subscription, publicUrl),
    approvalExpiresAt: isoTime(subscription.approvalExpiresAt),
    mandate: {
      ...mandateView(subscription),
      providerMessage: mandate.end?.providerMessage ?? null,
    },
    nextCharges: nextChargesOf(subscription),
    metadata: subscription.metadata,
    createdAt: isoTime(subscription.createdAt),
    updatedAt: isoTime(subscription.updatedAt),
  };
}

function dunningView(subscription: Pick<Subscription, "dunning">) {
  const { link, days, then, savedCardId = null } = subscription.dunning ?? NO_DUNNING;
  return { link, method: linkMethodOf(subscription), savedCardId, days, then };
}

/** By what its payer's pages are opened, and the address of the one on which he approves. Null for one older than them. */
function pageFields({ id, secureRandom }: Subscription, publicUrl: string | null) {
  if (secureRandom === "") return { secureId: null, approvalUrl: null };
  const secureId = secureIdOf(id, secureRandom);
  return { secureId, approvalUrl: publicUrl === null ? null : `${publicUrl}/a/${secureId}` };
}

function amountFields({ terms: { amount }, amount: next }: Subscription) {
  return {
    amount: next,
    minimumAmount: amount.kind === "variable" ? amount.minimum : null,
  };
}

/** A mandate, its end in our words. The provider's own sentence may name the payer, and is in no event. */
function mandateView({ mandate }: Subscription) {
  const { id, status, payerIspb, reason, needsApproval = false, end } = mandate;
  const meaning = reason === null ? null : mandateEndMeaning(reason);
  return {
    id,
    status,
    payerIspb,
    reason,
    message: meaning?.message ?? null,
    action: meaning?.action ?? null,
    endedBy: end?.by ?? null,
    providerCode: end?.providerCode ?? null,
    needsApproval,
  };
}

/** What is debited next, but for cycles that are open already: nothing by a mandate of no more use. */
function nextChargesOf({ status, mandate, terms, amount, nextCycle }: Subscription) {
  if (isSubscriptionOver(status) || mandate.needsApproval === true) return [];
  return nextCycles(terms, nextCycle, NEXT_CHARGES).map(({ dueDate }) => ({ dueDate, amount }));
}

/** Each attempt to debit a cycle as the API shows it, oldest first. */
export function attemptsView({ attempts }: Pick<SubscriptionCycle, "attempts">) {
  return attempts.map(({ day, kind, status, reason }) => ({
    at: day,
    kind,
    status,
    code: reason?.code ?? null,
    message: reason?.message ?? null,
    action: reason?.action ?? null,
    providerCode: reason?.providerCode ?? null,
  }));
}

/** The same for people of the company, with what the provider said of an order that it did not take. */
function attemptsWithSentences(cycle: Pick<SubscriptionCycle, "attempts">) {
  return attemptsView(cycle).map((attempt, index) => {
    const providerMessage = cycle.attempts[index]?.reason?.providerMessage ?? null;
    return Object.assign(attempt, { providerMessage });
  });
}

/** Why the provider did not take the order of a debit, which is sent again on the next day; null where it was not so. */
function refusalView({ status, debit }: Pick<SubscriptionCycle, "status" | "debit">) {
  const { refused, ending } = debit;
  if (refused === undefined || status !== "open" || ending !== null) return null;
  const { code, message, action } = refusedOrder(refused.message);
  return { at: isoTime(refused.at), code, message, action, providerMessage: refused.message };
}

/** Why a cycle's debit is over unpaid, as the API shows it; null where it is not, or nobody told. */
function endView({ debit: { end } }: Pick<SubscriptionCycle, "debit">) {
  if (end === undefined) return null;
  const { kind, by, code, message, action, providerCode } = end;
  return { kind, by, code, message, action, providerCode };
}

/** A cycle's charge as the API shows it, without the reasons of its days. Centavos. */
function chargeSummary(cycle: SubscriptionCycle, publicUrl: string | null) {
  const byHand = cycle.recovery?.byHand;
  return {
    id: cycle.transactionId,
    transactionId: cycle.transactionId,
    cycle: cycle.cycle,
    dueDate: cycle.dueDate,
    amount: cycle.amount,
    status: cycle.status,
    attempts: attemptsView(cycle),
    end: endView(cycle),
    byHand: byHand === undefined ? null : byHandView(byHand, publicUrl),
    cardSkipped: cycle.recovery?.card?.why ?? null,
    recovered: isRecovered(cycle),
    createdAt: isoTime(cycle.createdAt),
    updatedAt: isoTime(cycle.updatedAt),
  };
}

/** Nobody pays the charge of a saved card on a page. */
function byHandView(byHand: OtherCharge, publicUrl: string | null) {
  const { id, secureRandom, method = METHODS_WITH_CODE[0], digitableLine = null } = byHand;
  const secureId = secureIdOf(id, secureRandom);
  const isShown = publicUrl !== null && !isOfSavedCard(byHand);
  return { id, method, url: isShown ? `${publicUrl}/checkout/${secureId}` : null, digitableLine };
}

/** Whether a cycle was paid after an attempt to debit it had failed. */
function isRecovered({ status, attempts, recovery }: SubscriptionCycle): boolean {
  if (status !== "paid") return false;
  const paidAt = recovery?.paid?.at;
  const paidOn = paidAt === undefined ? null : saoPauloDay(paidAt);
  return attempts.some(
    ({ status: of, day, failedOn = day }) =>
      of === "failed" && (paidOn === null || paidOn >= failedOn),
  );
}

/**
 * A cycle's charge as the API shows it at a time. `byHandStatus`: of the charge that is paid by hand; null before it is made.
 * `days`: each day of its debit, and why it is this one. `retryDays`: those on which a failed one may be tried again, and why
 * not on the others.
 */
export function chargeView(
  subscription: Subscription,
  { cycle, byHandStatus }: { cycle: SubscriptionCycle; byHandStatus: ChargeStatus | null },
  { publicUrl, nowMs }: { publicUrl: string | null; nowMs: number },
) {
  const { byHand, ...summary } = chargeSummary(cycle, publicUrl);
  const status = byHandStatus === null ? null : toCreateStatus(byHandStatus);
  return {
    ...summary,
    attempts: attemptsWithSentences(cycle),
    refusal: refusalView(cycle),
    byHand: byHand === null ? null : { ...byHand, status },
    cancellable: isCancellable(subscription, cycle, nowMs),
    days: whyThisDay(cycle.dueDate, subscription.customer.city),
    retryDays: retryDayChoices(subscription, cycle, nowMs),
  };
}

/**
 * The `data` of a subscription's webhooks: nothing that names the payer. `charge`: that of the event, else null. Centavos. A
 * link that does not work any more, or not yet, is told to nobody.
 */
export function subscriptionEventData(
  companyId: number,
  about: {
    subscription: Subscription;
    cycle: SubscriptionCycle | null;
    event: Pick<SubscriptionEvent, "previousStatus">;
    isLinkOver?: true | undefined;
  },
  publicUrl: string | null,
) {
  const { subscription, cycle, event, isLinkOver } = about;
  const { id, externalRef, status, description, terms, metadata } = subscription;
  const isLinkTold = hasLink(cycle?.recovery ?? null) && isLinkOver !== true;
  const summary = cycle === null ? null : chargeSummary(cycle, publicUrl);
  return {
    id,
    companyId,
    externalRef,
    status,
    previousStatus: event.previousStatus,
    description,
    ...amountFields(subscription),
    period: terms.period,
    journey: terms.journey,
    mandate: mandateView(subscription),
    metadata,
    charge: summary === null || isLinkTold ? summary : { ...summary, byHand: null },
  };
}
