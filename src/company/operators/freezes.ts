import type { Freeze, FreezeCause, FreezeChange } from "../../domain/access/freeze.ts";
import { jsonBytes } from "../../domain/storage/quotas.ts";
import type { MetaStore } from "../storage/meta-store.ts";
import type { OutboxStore } from "../outbox/outbox-store.ts";

/** A cause as it is stored. */
type StoredCause = FreezeCause & {
  /** The company's event waits for the end of a restore, which raises the numbers of events. */
  isUnannounced?: true;
};

/**
 * The one place that freezes a company and ends the freeze: stores why and by whom, and announces it. Every method
 * that writes runs inside one `transactionSync`.
 */
export class Freezes {
  readonly #sql: SqlStorage;
  readonly #meta: MetaStore;
  readonly #outbox: OutboxStore;

  constructor(deps: { sql: SqlStorage; meta: MetaStore; outbox: OutboxStore }) {
    this.#sql = deps.sql;
    this.#meta = deps.meta;
    this.#outbox = deps.outbox;
  }

  isFrozen(): boolean {
    return this.#meta.get("frozen") === 1;
  }

  /** The company's freeze; null if it is not frozen. */
  find(): Freeze | null {
    if (!this.isFrozen()) return null;
    const { cause, since } = this.#sql
      .exec<{ cause: string | null; since: number | null }>(
        "SELECT freeze_cause AS cause, frozen_since AS since FROM company",
      )
      .one();
    if (cause === null) return { cause, since };
    const { isUnannounced: _isUnannounced, ...stored } = JSON.parse(cause) as StoredCause;
    return { cause: stored, since };
  }

  /** Freezes the company; one that is frozen keeps its cause, and notes that it was asked for again. */
  freeze(cause: FreezeCause, nowMs: number): void {
    if (this.isFrozen()) this.#meta.set("frozen_again_at", nowMs);
    else this.#change("company.frozen", cause, nowMs);
  }

  /** Whether the company was frozen, or frozen again, after a time (Unix milliseconds). */
  wasFrozenSince(timeMs: number): boolean {
    const since = this.find()?.since ?? 0;
    return this.isFrozen() && Math.max(since, this.#meta.get("frozen_again_at") ?? 0) > timeMs;
  }

  set(change: FreezeChange, cause: FreezeCause, nowMs: number): void {
    if (change === false) this.unfreeze(cause, nowMs);
    else if (change === true || this.isFrozen()) this.freeze(cause, nowMs);
    else this.#store({ ...cause, isUnannounced: true }, nowMs);
  }

  /** Announces a freeze `for_restore`, once. */
  announceRestored(nowMs: number): void {
    const { cause } = this.#sql
      .exec<{ cause: string | null }>("SELECT freeze_cause AS cause FROM company")
      .one();
    if (cause === null) return;
    const { isUnannounced = false, ...stored } = JSON.parse(cause) as StoredCause;
    if (!isUnannounced) return;
    this.#sql.exec("UPDATE company SET freeze_cause = ?", JSON.stringify(stored));
    this.#announce("company.frozen", stored, nowMs);
  }

  /** Ends a freeze; of a company that is not frozen nothing changes. */
  unfreeze(cause: FreezeCause, nowMs: number): void {
    if (this.isFrozen()) this.#change("company.unfrozen", cause, nowMs);
  }

  #change(type: "company.frozen" | "company.unfrozen", cause: FreezeCause, nowMs: number): void {
    this.#store(type === "company.frozen" ? cause : null, nowMs);
    this.#announce(type, cause, nowMs);
  }

  /** `cause`: null ends the freeze. */
  #store(cause: StoredCause | null, nowMs: number): void {
    this.#sql.exec(
      "UPDATE company SET frozen = ?, freeze_cause = ?, frozen_since = ?",
      cause === null ? 0 : 1,
      cause === null ? null : JSON.stringify(cause),
      cause === null ? null : nowMs,
    );
  }

  #announce(type: "company.frozen" | "company.unfrozen", cause: FreezeCause, nowMs: number): void {
    this.#outbox.add(
      {
        kind: "freeze",
        cause,
        event: {
          type,
          ...this.#meta.nextEvent({ nowMs, bytes: jsonBytes(cause) }),
          sequence: this.#meta.next("freeze_changes"),
          previousStatus: type === "company.frozen" ? "active" : "frozen",
          timestamp: nowMs,
        },
      },
      nowMs,
    );
  }
}
