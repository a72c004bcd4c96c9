import type { SubscriptionEventType } from "../../domain/events/event-types.ts";
import { jsonBytes, SMALL_WRITE_BYTES } from "../../domain/storage/quotas.ts";
import { cycleChargeId } from "../../domain/subscriptions/cycle-charge.ts";
import { cancelUntil } from "../../domain/subscriptions/debit-window.ts";
import {
  NO_DEBIT,
  NO_MANDATE,
  SUBSCRIPTIONS_MAX,
  type CycleEnding,
  type Subscription,
} from "../../domain/subscriptions/records.ts";
import { isPayerErasable, isPayerErased } from "../../domain/subscriptions/payer-erasure.ts";
import { dueDateOf, firstDebitedCycle } from "../../domain/subscriptions/schedule.ts";
import {
  canTransitionSubscription,
  isSubscriptionOver,
  type SubscriptionStatus,
} from "../../domain/subscriptions/subscription.ts";
import type { DailyUsage } from "../storage/daily-usage.ts";
import type { IdempotencyStore } from "../storage/idempotency-store.ts";
import type { MetaStore } from "../storage/meta-store.ts";
import type {
  ActOnSubscription,
  ActOnSubscriptionAnswer,
  CreateSubscription,
  CreateSubscriptionAnswer,
  ErasePayersOf,
  ErasePayersOfAnswer,
} from "./command-types.ts";
import type { CyclePayments } from "./cycle-payments.ts";
import type { CycleStore, StoredCycle } from "./cycle-store.ts";
import type { SubscriptionSchedule } from "./subscription-schedule.ts";
import {
  toSubscription,
  type StoredSubscription,
  type SubscriptionStore,
} from "./subscription-store.ts";
import type { SubscriptionTransitions } from "./subscription-transitions.ts";

/** The operation of the idempotency keys of new subscriptions. */
const OPERATION = "subscription";

/** What a merchant's action makes of a subscription. */
const ACTIONS = {
  cancel: { to: "cancelled", type: "subscription.cancelled", ending: "mandate" },
  pause: { to: "paused", type: "subscription.paused", ending: "paused" },
} as const satisfies Record<
  string,
  { to: SubscriptionStatus; type: SubscriptionEventType; ending: CycleEnding }
>;

/** Makes and changes subscriptions for merchants. Every method runs inside one `transactionSync`. */
export class SubscriptionCommands {
  readonly #subscriptions: SubscriptionStore;
  readonly #cycles: CycleStore;
  readonly #meta: MetaStore;
  readonly #keys: IdempotencyStore;
  readonly #usage: DailyUsage;
  readonly #transitions: SubscriptionTransitions;
  readonly #schedule: SubscriptionSchedule;
  readonly #payments: CyclePayments;

  constructor(deps: {
    subscriptions: SubscriptionStore;
    cycles: CycleStore;
    meta: MetaStore;
    keys: IdempotencyStore;
    usage: DailyUsage;
    transitions: SubscriptionTransitions;
    schedule: SubscriptionSchedule;
    cyclePayments: CyclePayments;
  }) {
    this.#subscriptions = deps.subscriptions;
    this.#cycles = deps.cycles;
    this.#meta = deps.meta;
    this.#keys = deps.keys;
    this.#usage = deps.usage;
    this.#transitions = deps.transitions;
    this.#schedule = deps.schedule;
    this.#payments = deps.cyclePayments;
  }

  /** Makes a subscription once per key and id. A refusal leaves the key free. */
  create(command: CreateSubscription, nowMs: number): CreateSubscriptionAnswer {
    const { id, key, requestHash } = command;
    const known = key === null ? null : this.#keys.find(OPERATION, key);
    if (known !== null && known.requestHash !== requestHash) return { kind: "key_reused" };
    const earlier =
      known === null
        ? this.#subscriptions.find(id)
        : this.#subscriptions.findNumber(known.recordId);
    if (earlier !== null) {
      const subscription = toSubscription(earlier);
      return { kind: "written", subscription, replayed: known !== null };
    }
    if (!command.isPossible) return { kind: "impossible" };
    const number = this.#meta.numberAfter(this.#subscriptions.newest(), "subscription_floor");
    if (number > SUBSCRIPTIONS_MAX) return { kind: "too_many" };
    const { companyId, quotaPercent } = command;
    const bytes = SMALL_WRITE_BYTES + jsonBytes(command.subscription);
    const refusal = this.#usage.take({ companyId, quotaPercent, bytes }, nowMs);
    if (refusal !== null) return refusal;
    const made = this.#make(command, number, nowMs);
    if (key !== null) this.#keys.add(OPERATION, key, requestHash, number);
    return { kind: "written", subscription: made, replayed: false };
  }

  #make({ id, subscription }: CreateSubscription, number: number, nowMs: number) {
    const invited = firstDebitedCycle(subscription.terms.journey) - 1;
    const initial: StoredSubscription = {
      ...subscription,
      number,
      id,
      status: "pending_approval",
      mandate: NO_MANDATE,
      nextCycle: invited + 1,
      createdAt: nowMs,
      updatedAt: nowMs,
      version: 0,
      eventSequence: 0,
      mandateCheckedAt: null,
      step: null,
      checks: 0,
      leaseUntil: 0,
      nextCheckAt: null,
    };
    const cycle = invited === 0 ? null : this.#invitedCycle(initial, nowMs);
    const made = this.#transitions.apply(initial, { cycle }, "subscription.created", nowMs);
    this.#replan(made.subscription, nowMs);
    return toSubscription(made.subscription);
  }

  /** The cycle that is paid with the approval: its charge is made before the mandate, which names it. */
  #invitedCycle(subscription: StoredSubscription, nowMs: number): StoredCycle {
    const { id, terms, amount } = subscription;
    return {
      number: this.#meta.numberAfter(this.#cycles.newest(), "cycle_floor"),
      subscriptionId: id,
      cycle: 1,
      dueDate: dueDateOf(terms, 1),
      amount: terms.firstPayment ?? amount,
      status: "open",
      transactionId: cycleChargeId(subscription, 1),
      debit: NO_DEBIT,
      attempts: [],
      recovery: null,
      checkedAt: null,
      createdAt: nowMs,
      updatedAt: nowMs,
      version: 0,
    };
  }

  /** Cancels, pauses or resumes a subscription, or changes what its next cycles are debited. */
  act({ id, action }: ActOnSubscription, nowMs: number): ActOnSubscriptionAnswer {
    const subscription = this.#subscriptions.find(id);
    if (subscription === null) return { kind: "not_found" };
    switch (action.kind) {
      case "cancel":
      case "pause":
        return this.#stop(subscription, action.kind, nowMs);
      case "resume":
        return this.#resume(subscription, nowMs);
      case "change_amount":
        return this.#changeAmount(subscription, action.amount, nowMs);
    }
  }

  /** A repeated one changes nothing. Debits that can be cancelled are; the others go on. */
  #stop(
    subscription: StoredSubscription,
    action: "cancel" | "pause",
    nowMs: number,
  ): ActOnSubscriptionAnswer {
    const { to, type, ending } = ACTIONS[action];
    if (subscription.status === to) return done(subscription);
    if (!canTransitionSubscription(subscription.status, to)) return { kind: "not_allowed" };
    const { mandate } = subscription;
    const isEnding = to === "cancelled" && mandate.orderedAt !== null;
    const change = { status: to, mandate: { ...mandate, isEnding } };
    let stopped = this.#transitions.apply(subscription, { subscription: change }, type, nowMs);
    for (const cycle of this.#cycles.open(subscription.id)) {
      const isInTime = cycle.debit.orderedAt === null || nowMs < cancelUntil(cycle.dueDate);
      // A cycle that a pause cannot stop is debited as agreed.
      if (this.#payments.isPaid(cycle) || (to === "paused" && !isInTime)) continue;
      const ended = { ...cycle, debit: { ...cycle.debit, ending } };
      stopped = this.#transitions.apply(stopped.subscription, { cycle: ended }, null, nowMs);
    }
    this.#replan(stopped.subscription, nowMs);
    return done(stopped.subscription);
  }

  #resume(subscription: StoredSubscription, nowMs: number): ActOnSubscriptionAnswer {
    if (subscription.status === "active" || subscription.status === "past_due")
      return done(subscription);
    if (subscription.status !== "paused") return { kind: "not_allowed" };
    const isPastDue = this.#cycles.newestEnded(subscription.id)?.status === "failed";
    const status = isPastDue ? ("past_due" as const) : ("active" as const);
    const resumed = this.#transitions.apply(
      subscription,
      { subscription: { status } },
      "subscription.resumed",
      nowMs,
    );
    this.#replan(resumed.subscription, nowMs);
    return done(resumed.subscription);
  }

  #changeAmount(
    subscription: StoredSubscription,
    amount: number,
    nowMs: number,
  ): ActOnSubscriptionAnswer {
    const agreed = subscription.terms.amount;
    if (subscription.amount === amount) return done(subscription);
    if (agreed.kind === "fixed") return { kind: "fixed" };
    if (amount < agreed.minimum) return { kind: "below", minimum: agreed.minimum };
    if (!canTransitionSubscription(subscription.status, "cancelled"))
      return { kind: "not_allowed" };
    const changed = this.#transitions.apply(
      subscription,
      { subscription: { amount } },
      null,
      nowMs,
    );
    return done(changed.subscription);
  }

  /** Removes who was debited from ended subscriptions of these charges. One that lasts needs its payer. */
  erasePayers(transactionIds: string[], nowMs: number): void {
    for (const transactionId of transactionIds) {
      const cycle = this.#cycles.ofCharge(transactionId);
      const found = cycle === null ? null : this.#subscriptions.find(cycle.subscriptionId);
      if (found !== null && isSubscriptionOver(found.status)) this.#erasePayer(found, nowMs);
    }
  }

  /** Removes who is debited from subscriptions, by their numbers: at once where they have ended, else as they end. */
  erasePayersOf({ numbers }: ErasePayersOf, nowMs: number): ErasePayersOfAnswer {
    const known = numbers.flatMap((number) => this.#subscriptions.findNumber(number) ?? []);
    for (const subscription of known) this.#erasePayer(subscription, nowMs);
    const erased = known.filter(isPayerErasable).length;
    return { erased, open: known.length - erased };
  }

  #erasePayer(subscription: StoredSubscription, nowMs: number): void {
    const { customer } = subscription;
    if (isPayerErased(subscription) || customer.isErasing === true) return;
    const change = { customer: { ...customer, isErasing: true as const } };
    this.#transitions.apply(subscription, { subscription: change }, null, nowMs);
  }

  #replan(subscription: StoredSubscription, nowMs: number): void {
    // A Worker that has a step reports it, and has the next one planned then.
    if (subscription.leaseUntil > nowMs) return;
    this.#schedule.plan(subscription, this.#schedule.next(subscription, nowMs), nowMs);
  }
}

function done(subscription: StoredSubscription): { kind: "done"; subscription: Subscription } {
  return { kind: "done", subscription: toSubscription(subscription) };
}
