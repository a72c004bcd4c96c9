import type { LedgerStore } from "./ledger-store.ts";
import type { MetaStore } from "../storage/meta-store.ts";
import type { WithdrawStore } from "../withdraws/withdraw-store.ts";

/**
 * What other rows than the ledger's own know of its length, so that movements cut off its end are
 * missed: the company's row, which each event writes, and the newest withdraw, which names the movement
 * it was accepted with.
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

  /** How many movements there were at least. */
  minimum(): number {
    return Math.max(this.#meta.get("newest_movement") ?? 0, this.#withdraws.newestMovement());
  }

  /** The end of a commit: writes the length down where its movements left no other row that knows. */
  record(): void {
    if (!this.#ledger.hasPosted()) return;
    const newest = this.#ledger.newestMovement();
    if (newest > this.minimum()) this.#meta.set("newest_movement", newest);
  }
}
