import type { LedgerStore } from "./ledger-store.ts";
import type { MetaStore } from "../storage/meta-store.ts";
import type { WithdrawStore } from "../withdraws/withdraw-store.ts";

/**
 * The ledger's least length, which reveals a truncated one. Two rows outside the ledger know it:
 * the company's, which each event writes, and the newest withdraw's, which names its first
 * movement.
 */
export class LedgerLength {
  readonly #ledger: LedgerStore;
  readonly #meta: MetaStore;
  readonly #withdraws: WithdrawStore;

  constructor(deps: { ledger: LedgerStore; meta: MetaStore; withdraws: WithdrawStore }) {
    this.#ledger = deps.ledger;
    this.#meta = deps.meta;
    this.#withdraws = deps.withdraws;
  }

  /** The least number of movements. */
  minimum(): number {
    return Math.max(this.#meta.get("newest_movement") ?? 0, this.#withdraws.newestMovement());
  }

  /**
   * Ends a commit: stores the length if no row of the commit implies it. Throws if the commit's
   * payments and refunds are not all in the daily totals.
   */
  record(): void {
    if (!this.#ledger.hasPosted()) return;
    this.#ledger.assertAllCounted();
    const newest = this.#ledger.newestMovement();
    if (newest > this.minimum()) this.#meta.set("newest_movement", newest);
  }
}
