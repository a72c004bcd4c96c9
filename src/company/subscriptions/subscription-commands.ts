import { jsonBytes, SMALL_WRITE_BYTES } from "../../domain/storage/quotas.ts";
import { cycleChargeId } from "../../domain/subscriptions/cycle-charge.ts";
import {
  NO_DEBIT,
  NO_MANDATE,
  SUBSCRIPTIONS_MAX,
  type Subscription,
  type SubscriptionCustomer,
} from "../../domain/subscriptions/records.ts";
import { isPayerErasable, isPayerErased } from "../../domain/subscriptions/payer-erasure.ts";
import { dueDateOf, firstDebitedCycle } from "../../domain/subscriptions/schedule.ts";
import {
  canTransitionSubscription,
  isSubscriptionOver,
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
  EraseRestoredPayers,
} from "./command-types.ts";
import type { CycleEnds } from "./cycle-ends.ts";
import type { CycleStore, StoredCycle } from "./cycle-store.ts";
import type { SubscriptionSchedule } from "./subscription-schedule.ts";
import {
  toSubscription,
  type StoredSubscription,
  type SubscriptionStore,
} from "./subscription-store.ts";
import type { SubscriptionTransitions } from "./subscription-transitions.ts";

type ChangeOfSubscription = Extract<ActOnSubscription["action"], { kind: "change" }>;

/** The operation of the idempotency keys of new subscriptions. */
const OPERATION = "subscription";

/** Makes and changes subscriptions for merchants. Every method runs inside one `transactionSync`. */
export class SubscriptionCommands {
  readonly #subscriptions: SubscriptionStore;
  readonly #cycles: CycleStore;
  readonly #meta: MetaStore;
  readonly #keys: IdempotencyStore;
  readonly #usage: DailyUsage;
  readonly #transitions: SubscriptionTransitions;
  readonly #schedule: SubscriptionSchedule;
  readonly #ends: CycleEnds;

  constructor(deps: {
    subscriptions: SubscriptionStore;
    cycles: CycleStore;
    meta: MetaStore;
    keys: IdempotencyStore;
    usage: DailyUsage;
    transitions: SubscriptionTransitions;
    schedule: SubscriptionSchedule;
    ends: CycleEnds;
  }) {
    this.#subscriptions = deps.subscriptions;
    this.#cycles = deps.cycles;
    this.#meta = deps.meta;
    this.#keys = deps.keys;
    this.#usage = deps.usage;
    this.#transitions = deps.transitions;
    this.#schedule = deps.schedule;
    this.#ends = deps.ends;
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

  /** Cancels, pauses or resumes a subscription, or changes what its next cycles are debited and how they are dunned. */
  act({ id, action }: ActOnSubscription, nowMs: number): ActOnSubscriptionAnswer {
    const subscription = this.#subscriptions.find(id);
    if (subscription === null) return { kind: "not_found" };
    switch (action.kind) {
      case "cancel":
      case "pause":
        return this.#stop(subscription, action.kind, nowMs);
      case "resume":
        return this.#resume(subscription, nowMs);
      case "change":
        return this.#change(subscription, action, nowMs);
    }
  }

  /** A repeated one changes nothing. */
  #stop(
    subscription: StoredSubscription,
    action: "cancel" | "pause",
    nowMs: number,
  ): ActOnSubscriptionAnswer {
    if (subscription.status === (action === "cancel" ? "cancelled" : "paused"))
      return done(subscription);
    const stopped = this.#ends.stop(subscription, action, nowMs);
    if (stopped === null) return { kind: "not_allowed" };
    this.#replan(stopped, nowMs);
    return done(stopped);
  }

  #resume(subscription: StoredSubscription, nowMs: number): ActOnSubscriptionAnswer {
    if (subscription.status === "active" || subscription.status === "past_due")
      return done(subscription);
    if (subscription.status !== "paused") return { kind: "not_allowed" };
    const isPastDue = this.#ends.isPastDue(subscription.id, 0);
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

  #change(
    subscription: StoredSubscription,
    { amount = subscription.amount, dunning = subscription.dunning }: ChangeOfSubscription,
    nowMs: number,
  ): ActOnSubscriptionAnswer {
    const { terms, customer, status } = subscription;
    const isSameAmount = amount === subscription.amount;
    const isSame = JSON.stringify(dunning) === JSON.stringify(subscription.dunning);
    if (isSameAmount && isSame) return done(subscription);
    if (!isSameAmount && terms.amount.kind === "fixed") return { kind: "fixed" };
    if (terms.amount.kind === "variable" && amount < terms.amount.minimum)
      return { kind: "below", minimum: terms.amount.minimum };
    if (dunning?.link === "email" && customer.email === "") return { kind: "no_email" };
    if (!canTransitionSubscription(status, "cancelled")) return { kind: "not_allowed" };
    const change = { subscription: { amount, dunning } };
    const changed = this.#transitions.apply(subscription, change, null, nowMs).subscription;
    this.#replan(changed, nowMs);
    return done(changed);
  }

  /** Removes who was debited from ended subscriptions of these charges. One that lasts needs its payer. */
  erasePayers(transactionIds: string[], nowMs: number): void {
    for (const transactionId of transactionIds) {
      const cycle = this.#cycles.ofAnyCharge(transactionId);
      const found = cycle === null ? null : this.#subscriptions.find(cycle.subscriptionId);
      if (found !== null && isSubscriptionOver(found.status)) this.#erasePayer(found, nowMs);
    }
  }

  /** Removes who is debited from subscriptions, by their numbers: at once where they have ended, else as they end. */
  erasePayersOf({ numbers }: ErasePayersOf, nowMs: number): ErasePayersOfAnswer {
    const known = numbers.flatMap((number) => this.#subscriptions.findNumber(number) ?? []);
    for (const subscription of known)
      this.#erasePayer(subscription, nowMs, { erasesCharges: true });
    const erased = known.filter(isPayerErasable).length;
    return { erased, open: known.length - erased };
  }

  /** Removes who is debited, likewise, where an object that was restored has forgotten that it did. */
  eraseRestoredPayers({ subscriptions }: EraseRestoredPayers, nowMs: number): void {
    for (const { id, isAsked } of subscriptions) {
      const found = this.#subscriptions.find(id);
      if (found !== null) this.#erasePayer(found, nowMs, isAsked ? { erasesCharges: true } : {});
    }
  }

  #erasePayer(
    subscription: StoredSubscription,
    nowMs: number,
    asked: Pick<SubscriptionCustomer, "erasesCharges"> = {},
  ): void {
    const customer = { ...subscription.customer, ...asked, isErasing: true as const };
    const isSame = customer.erasesCharges === subscription.customer.erasesCharges;
    if (isPayerErased(subscription) || (subscription.customer.isErasing === true && isSame)) return;
    const change = { customer };
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
