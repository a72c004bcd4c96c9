import { isEndedCharge } from "../../domain/charges/charge-status.ts";
import { nextStep, type CycleState, type Step } from "../../domain/subscriptions/next-step.ts";
import { exponentialBackoffMs } from "../../lib/backoff.ts";
import type { ChargeStore } from "../charges/charge-store.ts";
import type { CyclePayments } from "./cycle-payments.ts";
import { toCycle, type CycleStore, type StoredCycle } from "./cycle-store.ts";
import {
  toSubscription,
  type StoredSubscription,
  type SubscriptionStore,
} from "./subscription-store.ts";

/**
 * The lease of a step: longer than a search in a provider's lists and an order (15 s each), and the making of a charge, so
 * that no two Workers order at once.
 */
const LEASE_MS = 90_000;
/** How long after the end of its lease a Worker counts as crashed. */
const ORPHAN_GRACE_MS = 5_000;
const RETRY_BASE_MS = 30_000;
/** The longest wait after answers that told nothing: an order's window is days long. */
const RETRY_MAX_MS = 3_600_000;

/** Finds what a subscription needs next, and writes when. Runs inside one `transactionSync`. */
export class SubscriptionSchedule {
  readonly #subscriptions: SubscriptionStore;
  readonly #cycles: CycleStore;
  readonly #charges: ChargeStore;
  readonly #payments: CyclePayments;

  constructor(deps: {
    subscriptions: SubscriptionStore;
    cycles: CycleStore;
    charges: ChargeStore;
    cyclePayments: CyclePayments;
  }) {
    this.#subscriptions = deps.subscriptions;
    this.#cycles = deps.cycles;
    this.#charges = deps.charges;
    this.#payments = deps.cyclePayments;
  }

  /** The next step of a subscription; null where nothing is left to do. */
  next(subscription: StoredSubscription, nowMs: number): Step | null {
    const cycles = this.#cycles.open(subscription.id).map((cycle) => this.stateOf(cycle));
    const { mandateCheckedAt, checks } = subscription;
    const state = { subscription: toSubscription(subscription), mandateCheckedAt, cycles };
    return nextStep(state, nowMs, checks);
  }

  stateOf(cycle: StoredCycle): CycleState {
    const { checkedAt, transactionId } = cycle;
    const charge = this.#charges.findStored(transactionId);
    const isChargeOver = charge !== null && isEndedCharge(charge.status);
    return {
      ...toCycle(cycle),
      checkedAt,
      isChargePaid: charge?.paidAt != null,
      isChargeOver,
      isPaidOtherwise: this.#payments.paidByHandAt(cycle) !== null,
      byHandOverAt: this.#payments.byHandOverAt(cycle),
      byHandRefusal: this.#payments.byHandRefusal(cycle),
    };
  }

  /** Writes when the next step is due. */
  plan(subscription: StoredSubscription, step: Step | null, nowMs: number): StoredSubscription {
    return this.#save(subscription, {
      step: step?.kind ?? null,
      checks: 0,
      leaseUntil: 0,
      nextCheckAt: step === null ? null : Math.max(step.at, nowMs),
    });
  }

  /** Gives a step to a Worker, and has another look after it if that crashes. */
  lease(subscription: StoredSubscription, step: Step, nowMs: number): StoredSubscription {
    const leaseUntil = nowMs + LEASE_MS;
    const nextCheckAt = leaseUntil + ORPHAN_GRACE_MS;
    return this.#save(subscription, { step: step.kind, leaseUntil, nextCheckAt });
  }

  /** Has a step that told nothing repeated, at growing waits. */
  postpone(subscription: StoredSubscription, step: Step | null, nowMs: number): StoredSubscription {
    const { checks } = subscription;
    return this.#save(subscription, {
      step: step?.kind ?? null,
      checks: checks + 1,
      leaseUntil: 0,
      nextCheckAt: nowMs + exponentialBackoffMs(checks, RETRY_BASE_MS, RETRY_MAX_MS),
    });
  }

  #save(
    subscription: StoredSubscription,
    change: Partial<Pick<StoredSubscription, "step" | "checks" | "leaseUntil" | "nextCheckAt">>,
  ): StoredSubscription {
    const planned = { ...subscription, ...change };
    this.#subscriptions.save(planned);
    return planned;
  }
}
