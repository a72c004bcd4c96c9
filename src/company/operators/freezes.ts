import {
  FREEZE_WITHDRAWS,
  type Freeze,
  type FreezeCause,
  type FreezeChange,
  type FreezeScope,
} from "../../domain/access/freeze.ts";
import { jsonBytes } from "../../domain/storage/quotas.ts";
import type { MetaStore } from "../storage/meta-store.ts";
import type { OutboxStore } from "../outbox/outbox-store.ts";
import { FreezeStore, type StoredCause } from "./freeze-store.ts";

/**
 * The one place that freezes a company and ends the freeze: stores why and by whom, and announces it. Every method
 * that writes runs inside one `transactionSync`.
 */
export class Freezes {
  readonly #store: FreezeStore;
  readonly #meta: MetaStore;
  readonly #outbox: OutboxStore;

  constructor(deps: { freeze: FreezeStore; meta: MetaStore; outbox: OutboxStore }) {
    this.#store = deps.freeze;
    this.#meta = deps.meta;
    this.#outbox = deps.outbox;
  }

  /** Whether every way out of the money is stopped. */
  isFrozen(): boolean {
    return this.#meta.get("frozen") === 1;
  }

  /** The company's freeze; null if it is not frozen. */
  find(): Freeze | null {
    const { cause, since } = this.#store.read();
    if (cause === null) return this.isFrozen() ? { cause, since, ...FREEZE_WITHDRAWS } : null;
    const { reason, by, scope = FREEZE_WITHDRAWS } = cause;
    return { cause: { reason, by }, since, ...scope };
  }

  /**
   * Freezes the company. One that is frozen stays so for its cause, and notes that it was asked for again; where more
   * is to stop than did, for the new cause.
   */
  freeze(cause: FreezeCause, nowMs: number, asked = FREEZE_WITHDRAWS): void {
    const before = this.find() ?? { withdraws: false, charges: false };
    const scope = union(before, asked);
    if (before.withdraws === scope.withdraws && before.charges === scope.charges) {
      this.#meta.set("frozen_again_at", nowMs);
      return;
    }
    const isUnannounced = this.#store.read().cause?.isUnannounced === true;
    this.#store.write({ ...cause, scope, ...(isUnannounced ? { isUnannounced } : {}) }, nowMs);
    const wasFrozen = before.withdraws || before.charges;
    if (!isUnannounced) this.#announce("company.frozen", { ...cause, scope }, wasFrozen, nowMs);
  }

  /** Freezes withdraws, and says so at the end of the restore. What was frozen stays so, for its cause. */
  #freezeForRestore(cause: FreezeCause, nowMs: number): void {
    const { cause: known, since } = this.#store.read();
    const before = this.find();
    if (before?.withdraws === true) {
      this.#meta.set("frozen_again_at", nowMs);
      return;
    }
    const scope = union(before ?? { withdraws: false, charges: false }, FREEZE_WITHDRAWS);
    this.#store.write({ ...(known ?? cause), scope, isUnannounced: true }, since ?? nowMs);
    if (before !== null) this.#meta.set("frozen_again_at", nowMs);
  }

  /** Whether the company was frozen, or frozen again, after a time (Unix milliseconds). */
  wasFrozenSince(timeMs: number): boolean {
    const freeze = this.find();
    if (freeze === null) return false;
    return Math.max(freeze.since ?? 0, this.#meta.get("frozen_again_at") ?? 0) > timeMs;
  }

  set(change: FreezeChange, cause: FreezeCause, nowMs: number): void {
    if (change === false) this.unfreeze(cause, nowMs);
    else if (change === true) this.freeze(cause, nowMs);
    else if (change === "for_restore") this.#freezeForRestore(cause, nowMs);
    else this.freeze(cause, nowMs, change);
  }

  /** Announces a freeze `for_restore`, once. */
  announceRestored(nowMs: number): void {
    const { cause, since } = this.#store.read();
    if (cause === null) return;
    const { isUnannounced = false, ...stored } = cause;
    if (!isUnannounced) return;
    this.#store.writeCause(stored);
    this.#announce("company.frozen", stored, false, nowMs, since ?? nowMs);
  }

  /** Ends a freeze; of a company that is not frozen nothing changes. */
  unfreeze(cause: FreezeCause, nowMs: number): void {
    if (this.find() === null) return;
    this.#store.write(null, nowMs);
    const scope = { withdraws: false, charges: false };
    this.#announce("company.unfrozen", { ...cause, scope }, true, nowMs);
  }

  #announce(
    type: "company.frozen" | "company.unfrozen",
    { scope = FREEZE_WITHDRAWS, ...cause }: StoredCause,
    wasFrozen: boolean,
    nowMs: number,
    since = nowMs,
  ): void {
    this.#outbox.add(
      {
        kind: "freeze",
        cause,
        scope,
        since,
        event: {
          type,
          ...this.#meta.nextEvent({ nowMs, bytes: jsonBytes(cause) }),
          sequence: this.#meta.next("freeze_changes"),
          previousStatus: wasFrozen ? "frozen" : "active",
          timestamp: nowMs,
        },
      },
      nowMs,
    );
  }
}

function union(one: FreezeScope, other: FreezeScope): FreezeScope {
  return {
    withdraws: one.withdraws || other.withdraws,
    charges: one.charges || other.charges,
  };
}
