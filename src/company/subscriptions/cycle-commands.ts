import { cycleChargeId } from "../../domain/subscriptions/cycle-charge.ts";
import {
  awaitsRetry,
  cycleCancelRefusal,
  isDebited,
  isInvitedCycle,
} from "../../domain/subscriptions/charge-actions.ts";
import { dueDateRefusal, retryRefusal } from "../../domain/subscriptions/debit-window.ts";
import { isOwed, linkMethodOf } from "../../domain/subscriptions/dunning.ts";
import { isCardOpen } from "../../domain/subscriptions/dunning/offers.ts";
import { failedCycleOf } from "../../domain/subscriptions/next-step.ts";
import { isPayerErased } from "../../domain/subscriptions/payer-erasure.ts";
import { NO_DEBIT } from "../../domain/subscriptions/records.ts";
import { dueDateOf, hasCycle } from "../../domain/subscriptions/schedule.ts";
import type { IdempotencyStore } from "../storage/idempotency-store.ts";
import type { MetaStore } from "../storage/meta-store.ts";
import type { ActOnCharge, ActOnChargeAnswer, ChargeAction } from "./command-types.ts";
import type { CyclePayments } from "./cycle-payments.ts";
import { toCycle, type CycleStore, type StoredCycle } from "./cycle-store.ts";
import type { SubscriptionSchedule } from "./subscription-schedule.ts";
import {
  toSubscription,
  type StoredSubscription,
  type SubscriptionStore,
} from "./subscription-store.ts";
import type { SubscriptionTransitions } from "./subscription-transitions.ts";

/** The operation of the idempotency keys of a merchant's orders about charges. */
const OPERATION = "subscription_charge";

/**
 * What a merchant orders of one cycle: to open it before its time, a retry, a payment by hand, its end. The rules of the scheme refuse what a
 * bank would refuse. Every method runs inside one `transactionSync`.
 */
export class CycleCommands {
  readonly #subscriptions: SubscriptionStore;
  readonly #cycles: CycleStore;
  readonly #meta: MetaStore;
  readonly #keys: IdempotencyStore;
  readonly #transitions: SubscriptionTransitions;
  readonly #schedule: SubscriptionSchedule;
  readonly #payments: CyclePayments;

  constructor(deps: {
    subscriptions: SubscriptionStore;
    cycles: CycleStore;
    meta: MetaStore;
    keys: IdempotencyStore;
    transitions: SubscriptionTransitions;
    schedule: SubscriptionSchedule;
    cyclePayments: CyclePayments;
  }) {
    this.#subscriptions = deps.subscriptions;
    this.#cycles = deps.cycles;
    this.#meta = deps.meta;
    this.#keys = deps.keys;
    this.#transitions = deps.transitions;
    this.#schedule = deps.schedule;
    this.#payments = deps.cyclePayments;
  }

  /** Does an action once per key. A refusal leaves the key free. */
  act(command: ActOnCharge, nowMs: number): ActOnChargeAnswer {
    const { id, action, key, requestHash } = command;
    const subscription = this.#subscriptions.find(id);
    if (subscription === null) return { kind: "not_found" };
    const known = key === null ? null : this.#keys.find(OPERATION, key);
    if (known !== null && known.requestHash !== requestHash) return { kind: "key_reused" };
    if (known !== null) {
      const [cycle] = this.#cycles.after(known.recordId - 1, 1);
      if (cycle !== undefined) return done(subscription, cycle, true);
    }
    const answer =
      action.kind === "open"
        ? this.#open(subscription, action, nowMs)
        : action.kind === "by_hand"
          ? this.#payByHand(subscription, action, nowMs)
          : this.#change(subscription, action, nowMs);
    if (answer.kind === "done" && key !== null)
      this.#keys.add(OPERATION, key, requestHash, answer.cycle.number);
    return answer;
  }

  #open(
    subscription: StoredSubscription,
    action: Extract<ChargeAction, { kind: "open" }>,
    nowMs: number,
  ): ActOnChargeAnswer {
    const { status, terms, nextCycle, customer, mandate } = subscription;
    const { dueDate, amount: wanted } = action;
    if (!isDebited(status) || mandate.needsApproval === true) return { kind: "not_allowed" };
    const next = hasCycle(terms, nextCycle) ? dueDateOf(terms, nextCycle) : null;
    if (dueDate !== next) return { kind: "not_next", dueDate: next };
    const amount = wanted ?? subscription.amount;
    const agreed = terms.amount;
    if (agreed.kind === "fixed" && amount !== agreed.amount) return { kind: "fixed" };
    if (agreed.kind === "variable" && amount < agreed.minimum)
      return { kind: "below", minimum: agreed.minimum };
    const refusal = dueDateRefusal(dueDate, customer.city, nowMs);
    if (refusal !== null) return { kind: "refused", refusal };
    const cycle = {
      number: this.#meta.numberAfter(this.#cycles.newest(), "cycle_floor"),
      subscriptionId: subscription.id,
      cycle: nextCycle,
      dueDate,
      amount,
      status: "open" as const,
      transactionId: cycleChargeId(subscription, nextCycle),
      debit: NO_DEBIT,
      attempts: [],
      recovery: null,
      checkedAt: null,
      createdAt: nowMs,
      updatedAt: nowMs,
      version: 0,
    };
    return this.#save({ ...subscription, nextCycle: nextCycle + 1 }, cycle, nowMs);
  }

  #change(
    subscription: StoredSubscription,
    action: Extract<ChargeAction, { kind: "retry" | "cancel" }>,
    nowMs: number,
  ): ActOnChargeAnswer {
    const cycle = this.#cycles.ofCharge(action.transactionId);
    if (cycle === null || cycle.subscriptionId !== subscription.id) return { kind: "not_found" };
    if (action.kind === "retry") return this.#retry(subscription, cycle, action.day, nowMs);
    if (this.#isClosed(cycle)) return { kind: "closed" };
    const refusal = cycleCancelRefusal(subscription, cycle, nowMs);
    if (refusal !== null) return { kind: "refused", refusal };
    const debit = { ...cycle.debit, ending: "requested" as const };
    return this.#save(subscription, { ...cycle, debit }, nowMs);
  }

  #retry(
    subscription: StoredSubscription,
    cycle: StoredCycle,
    day: string,
    nowMs: number,
  ): ActOnChargeAnswer {
    if (isInvitedCycle(subscription, cycle)) return { kind: "invited" };
    const { retry: policy } = subscription.terms;
    // A mandate without retries says so of each of its charges, whatever has become of them.
    if (policy.length > 0) {
      if (this.#isClosed(cycle)) return { kind: "closed" };
      if (!isDebited(subscription.status) || !awaitsRetry(cycle)) return { kind: "not_allowed" };
      // No two payments of a cycle are ordered.
      if (this.#isCardOpen(cycle)) return { kind: "card_open" };
    }
    const retry = { day, amount: cycle.amount, policy };
    const refusal = retryRefusal(failedCycleOf(subscription, cycle), retry, nowMs);
    if (refusal !== null) return { kind: "refused", refusal };
    const debit = { ...cycle.debit, retryDay: day, retryOrderedAt: null, ending: null };
    return this.#save(subscription, { ...cycle, debit }, nowMs);
  }

  #isCardOpen(cycle: StoredCycle): boolean {
    const byHandOverAt = this.#payments.byHandOverAt(cycle);
    return isCardOpen({ ...cycle, byHandOverAt }) && !this.#payments.isPaid(cycle);
  }

  #isClosed(cycle: StoredCycle): boolean {
    return cycle.status !== "open" || this.#payments.isPaid(cycle);
  }

  /** Fixes the charge by which the payer pays a cycle by hand, once: before anything is sent, both of its ids are known. */
  #payByHand(
    subscription: StoredSubscription,
    { transactionId }: Extract<ChargeAction, { kind: "by_hand" }>,
    nowMs: number,
  ): ActOnChargeAnswer {
    const cycle = this.#cycles.ofCharge(transactionId);
    if (cycle === null || cycle.subscriptionId !== subscription.id) return { kind: "not_found" };
    const { customer } = subscription;
    // A charge names its payer.
    if (isPayerErased(subscription) || customer.isErasing === true) return { kind: "no_payer" };
    if (this.#isCardOpen(cycle)) return { kind: "card_open" };
    const isThere = cycle.recovery?.byHand !== undefined && !this.#payments.isByHandOver(cycle);
    if (isThere && isOwed(cycle)) return done(subscription, cycle, true);
    if (isInvitedCycle(subscription, cycle)) return { kind: "invited" };
    const isPaid = cycle.debit.status === "paid" || this.#payments.isPaid(cycle);
    if (isPaid || !isOwed(cycle)) return { kind: "closed" };
    // What the provider said of the newest one is answered again.
    if (!this.#payments.mayRepeatByHand(cycle, nowMs)) return done(subscription, cycle, false);
    const method = linkMethodOf(subscription);
    return this.#save(subscription, this.#payments.withByHand(cycle, method, nowMs), nowMs);
  }

  #save(changed: StoredSubscription, cycle: StoredCycle, nowMs: number): ActOnChargeAnswer {
    const saved = this.#transitions.apply(changed, { cycle }, null, nowMs);
    const { subscription } = saved;
    if (subscription.leaseUntil <= nowMs)
      this.#schedule.plan(subscription, this.#schedule.next(subscription, nowMs), nowMs);
    return done(subscription, saved.cycle ?? cycle, false);
  }
}

function done(
  subscription: StoredSubscription,
  cycle: StoredCycle,
  replayed: boolean,
): ActOnChargeAnswer {
  return {
    kind: "done",
    subscription: toSubscription(subscription),
    cycle: toCycle(cycle),
    replayed,
  };
}
