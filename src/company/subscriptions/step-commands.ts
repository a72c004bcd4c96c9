import { nextOffer } from "../../domain/subscriptions/dunning/offers.ts";
import { cycleChargeId } from "../../domain/subscriptions/cycle-charge.ts";
import {
  ARRIVED_MS,
  plannedRetryDay,
  type Step,
  type StepKind,
} from "../../domain/subscriptions/next-step.ts";
import { NO_DEBIT, type CycleDebit } from "../../domain/subscriptions/records.ts";
import { dueDateOf, firstDebitedCycle } from "../../domain/subscriptions/schedule.ts";
import { assert } from "../../lib/assert.ts";
import type { MetaStore } from "../storage/meta-store.ts";
import type { ClaimSubscriptionAnswer, ClaimSubscriptionStep } from "./command-types.ts";
import type { CyclePayments } from "./cycle-payments.ts";
import { toCycle, type CycleStore, type StoredCycle } from "./cycle-store.ts";
import type { CycleEnds } from "./cycle-ends.ts";
import type { SubscriptionSchedule } from "./subscription-schedule.ts";
import {
  toSubscription,
  type StoredSubscription,
  type SubscriptionStore,
} from "./subscription-store.ts";
import type { SubscriptionTransitions } from "./subscription-transitions.ts";

/** Steps that one claim does by itself: cycles that were due while a subscription was paused for long. */
const OWN_STEPS_MAX = 50;

/** Gives the steps of subscriptions to Workers. Every method runs inside one `transactionSync`. */
export class StepCommands {
  readonly #subscriptions: SubscriptionStore;
  readonly #cycles: CycleStore;
  readonly #meta: MetaStore;
  readonly #transitions: SubscriptionTransitions;
  readonly #schedule: SubscriptionSchedule;
  readonly #ends: CycleEnds;
  readonly #payments: CyclePayments;

  constructor(deps: {
    subscriptions: SubscriptionStore;
    cycles: CycleStore;
    meta: MetaStore;
    transitions: SubscriptionTransitions;
    schedule: SubscriptionSchedule;
    ends: CycleEnds;
    cyclePayments: CyclePayments;
  }) {
    this.#subscriptions = deps.subscriptions;
    this.#cycles = deps.cycles;
    this.#meta = deps.meta;
    this.#transitions = deps.transitions;
    this.#schedule = deps.schedule;
    this.#ends = deps.ends;
    this.#payments = deps.cyclePayments;
  }

  /**
   * Does what a subscription needs now and the object can do alone, then leases the first step that needs a provider. One
   * Worker has it at a time; what it orders is noted before, so that whoever comes after a crash looks it up first.
   */
  claim({ number }: ClaimSubscriptionStep, nowMs: number): ClaimSubscriptionAnswer {
    let subscription = this.#subscriptions.findNumber(number);
    if (subscription === null) return { kind: "not_found" };
    if (subscription.leaseUntil > nowMs) return { kind: "idle" };
    for (let done = 0; done < OWN_STEPS_MAX; done++) {
      const step = this.#schedule.next(subscription, nowMs);
      if (step === null || step.at > nowMs) {
        this.#schedule.plan(subscription, step, nowMs);
        return { kind: "idle" };
      }
      const advanced = this.#doAlone(subscription, step, nowMs);
      if (advanced === null) return this.#lease(subscription, step, nowMs);
      subscription = advanced;
    }
    this.#schedule.plan(subscription, this.#schedule.next(subscription, nowMs), nowMs);
    return { kind: "idle" };
  }

  /** Does a step that needs nobody else; null for any other. */
  #doAlone(subscription: StoredSubscription, step: Step, nowMs: number): StoredSubscription | null {
    switch (step.kind) {
      case "open_cycle":
        return this.#openCycle(subscription, nowMs);
      case "expire":
        return this.#ends.endSubscription(subscription, "expired", nowMs);
      case "complete":
        return this.#ends.endSubscription(subscription, "completed", nowMs);
      case "plan_retry": {
        const cycle = this.#cycleOf(subscription, step);
        const retryDay = plannedRetryDay(toSubscription(subscription), toCycle(cycle), nowMs);
        const debit = { ...cycle.debit, retryDay, retryOrderedAt: null };
        return this.#save(subscription, { ...cycle, debit }, nowMs);
      }
      case "give_up":
        return this.#ends.giveUp(subscription, this.#cycleOf(subscription, step), nowMs);
      case "offer_link": {
        const cycle = this.#cycleOf(subscription, step);
        const offer = nextOffer(toSubscription(subscription), this.#schedule.stateOf(cycle));
        assert(offer !== null, "a cycle without an offer has no such step");
        return this.#save(
          subscription,
          this.#payments.withByHand(cycle, offer.method, nowMs),
          nowMs,
        );
      }
      case "end_dunning": {
        const cycle = this.#cycleOf(subscription, step);
        // What may be paid by hand is read first.
        if (cycle.recovery?.byHand !== undefined) return null;
        return this.#ends.endDunning(subscription, cycle, nowMs);
      }
      case "create_mandate":
      case "ask_approval":
      case "check_mandate":
      case "end_mandate":
      case "order_debit":
      case "check_debit":
      case "order_retry":
      case "check_retry":
      case "end_debit":
      case "make_by_hand":
      case "email_link":
      // A charge that may be paid by hand is ended first, also one that a restore has lost.
      case "close_cycle":
        return null;
    }
  }

  /** One that cannot be ordered any more is opened too: its debit is looked for before it is skipped. */
  #openCycle(before: StoredSubscription, nowMs: number): StoredSubscription {
    const { id, terms, nextCycle, amount } = before;
    const cycle: StoredCycle = {
      number: this.#meta.numberAfter(this.#cycles.newest(), "cycle_floor"),
      subscriptionId: id,
      cycle: nextCycle,
      dueDate: dueDateOf(terms, nextCycle),
      amount,
      status: "open",
      transactionId: cycleChargeId(before, nextCycle),
      debit: NO_DEBIT,
      attempts: [],
      recovery: null,
      checkedAt: null,
      createdAt: nowMs,
      updatedAt: nowMs,
      version: 0,
    };
    return this.#save({ ...before, nextCycle: nextCycle + 1 }, cycle, nowMs);
  }

  #lease(before: StoredSubscription, step: Step, nowMs: number): ClaimSubscriptionAnswer {
    const cycle =
      step.cycle === null ? this.#approvalCycle(before, step) : this.#cycleOf(before, step);
    const noted = noteOf(step.kind, before, cycle, nowMs);
    const after =
      noted.change === null
        ? { subscription: before, cycle }
        : this.#transitions.apply(before, noted.change, null, nowMs);
    const leased = this.#schedule.lease(after.subscription, step, nowMs);
    const shown = after.cycle ?? cycle;
    return {
      kind: "do",
      step,
      subscription: toSubscription(leased),
      cycle: shown === null ? null : toCycle(shown),
      isRepeated: noted.isRepeated,
      maySend: noted.maySend,
      lease: leased.leaseUntil,
    };
  }

  /**
   * The cycle that is paid with the approval: its charge is made before the mandate, whose code is for both until the payer
   * has approved. One who has paid and not approved is asked for no money again: the mandate's own code is read then.
   */
  #approvalCycle({ id, status, terms }: StoredSubscription, { kind }: Step): StoredCycle | null {
    const isPending = status === "pending_approval" && kind !== "end_mandate";
    const isWithCharge = firstDebitedCycle(terms.journey) > 1;
    const cycle = isPending && isWithCharge ? this.#cycles.find(id, 1) : null;
    const isCode = kind !== "create_mandate" && cycle !== null;
    return isCode && this.#payments.isChargePaid(cycle) ? null : cycle;
  }

  #cycleOf({ id }: StoredSubscription, step: Step): StoredCycle {
    const cycle = step.cycle === null ? null : this.#cycles.find(id, step.cycle);
    assert(cycle !== null, `a step ${step.kind} is about a cycle`);
    return cycle;
  }

  #save(before: StoredSubscription, cycle: StoredCycle, nowMs: number): StoredSubscription {
    return this.#transitions.apply(before, { cycle }, null, nowMs).subscription;
  }
}

/** What is noted before an order is sent: that the provider may have it from then on. */
function noteOf(
  kind: StepKind,
  { mandate }: StoredSubscription,
  cycle: StoredCycle | null,
  nowMs: number,
): {
  isRepeated: boolean;
  maySend: boolean;
  change: { subscription?: Partial<StoredSubscription>; cycle?: StoredCycle } | null;
} {
  if (kind === "create_mandate") {
    const sentAt = mandate.sentAt ?? mandate.orderedAt;
    const isRepeated = sentAt !== null;
    // Each order is looked for as long as it may be on its way, also a repeated one.
    if (isRepeated && nowMs - sentAt < ARRIVED_MS)
      return { isRepeated, maySend: false, change: null };
    const ordered = { ...mandate, orderedAt: mandate.orderedAt ?? nowMs, sentAt: nowMs };
    return { isRepeated, maySend: true, change: { subscription: { mandate: ordered } } };
  }
  const name =
    kind === "order_debit" ? "orderedAt" : kind === "order_retry" ? "retryOrderedAt" : null;
  if (name === null || cycle === null) return { isRepeated: false, maySend: true, change: null };
  if (cycle.debit[name] !== null) return { isRepeated: true, maySend: true, change: null };
  const debit: CycleDebit = { ...cycle.debit, [name]: nowMs };
  return { isRepeated: false, maySend: true, change: { cycle: { ...cycle, debit } } };
}
