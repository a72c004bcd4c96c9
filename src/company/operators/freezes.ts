import type { Freeze, FreezeCause } from "../../domain/access/freeze.ts";
import { jsonBytes } from "../../domain/storage/quotas.ts";
import type { MetaStore } from "../storage/meta-store.ts";
import type { OutboxStore } from "../outbox/outbox-store.ts";

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
    return { cause: cause === null ? null : (JSON.parse(cause) as FreezeCause), since };
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

  /** Ends a freeze; of a company that is not frozen nothing changes. */
  unfreeze(cause: FreezeCause, nowMs: number): void {
    if (this.isFrozen()) this.#change("company.unfrozen", cause, nowMs);
  }

  #change(type: "company.frozen" | "company.unfrozen", cause: FreezeCause, nowMs: number): void {
    const frozen = type === "company.frozen";
    this.#sql.exec(
      "UPDATE company SET frozen = ?, freeze_cause = ?, frozen_since = ?",
      frozen ? 1 : 0,
      frozen ? JSON.stringify(cause) : null,
      frozen ? nowMs : null,
    );
    this.#outbox.add(
      {
        kind: "freeze",
        cause,
        event: {
          type,
          ...this.#meta.nextEvent({ nowMs, bytes: jsonBytes(cause) }),
          sequence: this.#meta.next("freeze_changes"),
          previousStatus: frozen ? "active" : "frozen",
          timestamp: nowMs,
        },
      },
      nowMs,
    );
  }
}
