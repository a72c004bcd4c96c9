import { balanceStatus, type Balances } from "../../domain/ledger/balance.ts";
import { creditReleased } from "../../domain/ledger/ledger.ts";
import { CURRENCY } from "../../domain/shared/money.ts";
import { jsonBytes } from "../../domain/storage/quotas.ts";
import type { ReleasedCredit } from "../../domain/events/outbox-entry.ts";
import type { ChargeStore } from "../charges/charge-store.ts";
import type { ContradictionStore } from "../contradictions/contradiction-store.ts";
import type { LedgerStore } from "../ledger/ledger-store.ts";
import type { MetaStore } from "../storage/meta-store.ts";
import type { OutboxStore } from "../outbox/outbox-store.ts";
import type { ReleaseStore } from "./release-store.ts";

/** Credits of one commit and event; the next commit releases more. */
const RELEASES_PER_COMMIT = 100;

/** Releases credits on their date. Every method runs inside one `transactionSync`. */
export class ReleaseCommands {
  readonly #releases: ReleaseStore;
  readonly #charges: ChargeStore;
  readonly #ledger: LedgerStore;
  readonly #meta: MetaStore;
  readonly #outbox: OutboxStore;
  readonly #contradictions: ContradictionStore;

  constructor(deps: {
    releases: ReleaseStore;
    charges: ChargeStore;
    ledger: LedgerStore;
    meta: MetaStore;
    outbox: OutboxStore;
    contradictions: ContradictionStore;
  }) {
    this.#releases = deps.releases;
    this.#charges = deps.charges;
    this.#ledger = deps.ledger;
    this.#meta = deps.meta;
    this.#outbox = deps.outbox;
    this.#contradictions = deps.contradictions;
  }

  /** Releases due credits; returns how many. */
  releaseDue(nowMs: number): number {
    const due = this.#releases.due(nowMs, RELEASES_PER_COMMIT);
    if (due.length === 0) return 0;
    const before = this.balances();
    for (const release of due) {
      this.#releases.remove(release);
      const { transactionId, ...part } = release;
      const postings = creditReleased(release.amount, this.#ledger.debt());
      const details = { released: [part] };
      this.#ledger.post({ type: "credit_released", postings, transactionId, details }, nowMs);
      this.#charges.addMovement(transactionId, this.#ledger.newestMovement());
    }
    this.announce(due, before, nowMs);
    return due.length;
  }

  /** Announces to the company that money became available. */
  announce(credits: ReleasedCredit[], before: Balances, nowMs: number): void {
    const releases = credits.map(({ transactionId, installment, amount }) => ({
      transactionId,
      installment,
      amount,
    }));
    this.#outbox.add(
      {
        kind: "balance",
        currency: CURRENCY,
        balances: this.balances(),
        releases,
        event: {
          type: "balance.released",
          ...this.#meta.nextEvent({ nowMs, bytes: jsonBytes(releases) }),
          sequence: this.#meta.next("balance_events"),
          previousStatus: balanceStatus(before),
          timestamp: nowMs,
        },
      },
      nowMs,
    );
  }

  /** The balances as the API shows them, in centavos. */
  balances(): Balances {
    const { available, awaiting, blocked } = this.#ledger.balances();
    return {
      available,
      held: Math.min(this.#contradictions.heldTotal(), available),
      awaiting,
      blocked,
      owed: this.#ledger.debt(),
      frozen: this.#meta.get("frozen") === 1,
    };
  }
}
