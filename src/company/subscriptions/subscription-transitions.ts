import type { SubscriptionEventType } from "../../domain/events/event-types.ts";
import { jsonBytes } from "../../domain/storage/quotas.ts";
import {
  isPayerErasable,
  withoutBankTexts,
  withoutPayer,
} from "../../domain/subscriptions/payer-erasure.ts";
import type { SubscriptionStatus } from "../../domain/subscriptions/subscription.ts";
import type { OutboxStore } from "../outbox/outbox-store.ts";
import type { MetaStore } from "../storage/meta-store.ts";
import type { CyclePayments } from "./cycle-payments.ts";
import { toCycle, type CycleStore, type StoredCycle } from "./cycle-store.ts";
import {
  toSubscription,
  type StoredSubscription,
  type SubscriptionStore,
} from "./subscription-store.ts";

/** A subscription and one of its cycles, as they stand. */
export interface Changed {
  subscription: StoredSubscription;
  cycle: StoredCycle | null;
}

/** The changes of one step. `cycle`: with all of its fields, changed or new. */
export interface Change {
  subscription?: Partial<StoredSubscription>;
  cycle?: StoredCycle | null;
}

/**
 * The only way to change a subscription or a cycle so that others see it: stores both with their next versions, and adds
 * them and their event to the outbox. Runs inside one `transactionSync`.
 */
export class SubscriptionTransitions {
  readonly #subscriptions: SubscriptionStore;
  readonly #cycles: CycleStore;
  readonly #meta: MetaStore;
  readonly #outbox: OutboxStore;
  readonly #payments: CyclePayments;

  constructor(deps: {
    subscriptions: SubscriptionStore;
    cycles: CycleStore;
    meta: MetaStore;
    outbox: OutboxStore;
    cyclePayments: CyclePayments;
  }) {
    this.#subscriptions = deps.subscriptions;
    this.#cycles = deps.cycles;
    this.#meta = deps.meta;
    this.#outbox = deps.outbox;
    this.#payments = deps.cyclePayments;
  }

  /** Stores a change and announces it; null as `type` announces nothing. */
  apply(
    before: StoredSubscription,
    change: Change,
    type: SubscriptionEventType | null,
    nowMs: number,
  ): Changed {
    const merged = { ...before, ...change.subscription };
    const isErased = merged.customer.isErasing === true && isPayerErasable(merged);
    const changed = {
      ...(isErased ? withoutPayer(merged) : merged),
      version: before.version + 1,
      updatedAt: nowMs,
      eventSequence: before.eventSequence + (type === null ? 0 : 1),
    };
    const cycle =
      change.cycle == null
        ? null
        : { ...change.cycle, version: change.cycle.version + 1, updatedAt: nowMs };
    this.#subscriptions.save(changed);
    if (cycle !== null) this.#cycles.save(cycle);
    const subscription = toSubscription(changed);
    const shown = cycle === null ? null : toCycle(cycle);
    const isLinkOver = cycle !== null && this.#payments.isByHandOver(cycle);
    const previous = type === "subscription.created" ? null : before.status;
    this.#outbox.add(
      {
        kind: "subscription",
        subscription,
        cycle: shown,
        event: type === null ? null : this.#event(changed, { type, previous, shown }, nowMs),
        ...(isLinkOver ? { isLinkOver } : {}),
      },
      nowMs,
    );
    if (!isErased) return { subscription: changed, cycle };
    this.#eraseCycles(changed, nowMs);
    return { subscription: changed, cycle: cycle && this.#cycles.find(changed.id, cycle.cycle) };
  }

  /** What banks have said of the payer goes with him. */
  #eraseCycles(changed: StoredSubscription, nowMs: number): void {
    const subscription = toSubscription(changed);
    for (const known of this.#cycles.of(changed.id)) {
      const erased = withoutBankTexts(known);
      if (JSON.stringify(erased) === JSON.stringify(known)) continue;
      const cycle = { ...erased, version: known.version + 1, updatedAt: nowMs };
      this.#cycles.save(cycle);
      const entry = { kind: "subscription" as const, subscription, cycle: toCycle(cycle) };
      this.#outbox.add({ ...entry, event: null }, nowMs);
    }
  }

  #event(
    changed: StoredSubscription,
    about: {
      type: SubscriptionEventType;
      previous: SubscriptionStatus | null;
      shown: object | null;
    },
    nowMs: number,
  ) {
    const bytes = jsonBytes({ ...toSubscription(changed), charge: about.shown });
    return {
      type: about.type,
      ...this.#meta.nextEvent({ nowMs, bytes }),
      sequence: changed.eventSequence,
      previousStatus: about.previous,
      timestamp: nowMs,
    };
  }
}
