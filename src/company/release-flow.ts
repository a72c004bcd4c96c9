import { balanceStatus, type Balances } from "../domain/balance.ts";
import { creditReleased } from "../domain/ledger.ts";
import { CURRENCY } from "../domain/money.ts";
import type { ReleasedCredit } from "../domain/outbox.ts";
import type { LedgerStore } from "./ledger-store.ts";
import type { MetaStore } from "./meta-store.ts";
import type { OutboxStore } from "./outbox-store.ts";
import type { ReleaseStore } from "./release-store.ts";

/** Credits released in one commit, and told in one event; the rest follow in the next. */
const RELEASES_MAX = 100;

/** Credits that become available in their time. Runs inside one `transactionSync`. */
export class ReleaseFlow {
  readonly #releases: ReleaseStore;
  readonly #ledger: LedgerStore;
  readonly #meta: MetaStore;
  readonly #outbox: OutboxStore;

  constructor(stores: {
    releases: ReleaseStore;
    ledger: LedgerStore;
    meta: MetaStore;
    outbox: OutboxStore;
  }) {
    this.#releases = stores.releases;
    this.#ledger = stores.ledger;
    this.#meta = stores.meta;
    this.#outbox = stores.outbox;
  }

  /** Releases what is due. Answers how many credits that were. */
  run(nowMs: number): number {
    const due = this.#releases.due(nowMs, RELEASES_MAX);
    if (due.length === 0) return 0;
    const before = this.balances(CURRENCY);
    for (const release of due) {
      this.#releases.remove(release);
      this.#ledger.post(
        {
          type: "credit_released",
          currency: CURRENCY,
          postings: creditReleased(release.amount, this.#ledger.owed(CURRENCY)),
          transactionId: release.transactionId,
        },
        nowMs,
      );
    }
    this.announce(due, before, nowMs);
    return due.length;
  }

  /** Tells the company that money became available. */
  announce(credits: ReleasedCredit[], before: Balances, nowMs: number): void {
    this.#outbox.add(
      {
        kind: "balance",
        currency: CURRENCY,
        balances: this.balances(CURRENCY),
        releases: credits.map(({ transactionId, installment, amount }) => ({
          transactionId,
          installment,
          amount,
        })),
        event: {
          type: "balance.released",
          companySequence: this.#meta.next("company_sequence"),
          sequence: this.#meta.next("balance_events"),
          previousStatus: balanceStatus(before),
          timestamp: nowMs,
        },
      },
      nowMs,
    );
  }

  balances(currency: string): Balances {
    const { available, awaiting, blocked } = this.#ledger.balances(currency);
    return {
      available,
      awaiting,
      blocked,
      owed: this.#ledger.owed(currency),
      frozen: this.#meta.get("frozen") === 1,
    };
  }
}
