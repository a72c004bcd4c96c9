import {
  chargebackReversed,
  held,
  takenBack,
  unheld,
  type MovementType,
} from "../../domain/ledger/ledger.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type { ReleasePart } from "../../domain/ledger/release.ts";
import { assert } from "../../lib/assert.ts";
import type { LedgerStore } from "./ledger-store.ts";
import type { ReleaseStore } from "../releases/release-store.ts";

/** Money set aside for a refund or a dispute, and where it goes if nothing comes of it. */
export interface Holding {
  available: Cents;
  /** Of the transaction's own credit that was not released yet. */
  parts: ReleasePart[];
}

/**
 * How money leaves a company that a payer wants back: the transaction's own unreleased credit first,
 * then what is available. Runs inside one `transactionSync`.
 */
export class Funds {
  readonly #ledger: LedgerStore;
  readonly #releases: ReleaseStore;

  constructor(stores: { ledger: LedgerStore; releases: ReleaseStore }) {
    this.#ledger = stores.ledger;
    this.#releases = stores.releases;
  }

  /** What could be set aside for a transaction now. */
  reach(transactionId: string): Cents {
    return this.#releases.sumOf(transactionId) + this.#ledger.balance("available");
  }

  /** Sets an amount aside in `blocked`. It must be within `reach`. */
  hold(type: MovementType, transactionId: string, amount: Cents, nowMs: number): Holding {
    assert(amount > 0, "something is set aside");
    const parts = this.#releases.take(transactionId, amount);
    const awaiting = sumOf(parts);
    const holding = { available: amount - awaiting, parts };
    const postings = held({ awaiting, available: holding.available });
    this.#ledger.post({ type, postings, transactionId, ...taken(parts) }, nowMs);
    return holding;
  }

  /** Gives a holding back to where it came from, what the company owes first. */
  unhold(type: MovementType, transactionId: string, holding: Holding, nowMs: number): void {
    this.#releases.add(transactionId, holding.parts);
    const { available, parts } = holding;
    const owed = this.#ledger.owed();
    const postings = unheld({ awaiting: sumOf(parts), available }, owed);
    const details = parts.length === 0 ? {} : { details: { putBack: parts } };
    this.#ledger.post({ type, postings, transactionId, ...details }, nowMs);
  }

  /** Takes an amount out of the company: what is held for it first; the rest is its debt. */
  takeBack(
    type: MovementType,
    transactionId: string,
    amount: Cents,
    blocked: Cents,
    nowMs: number,
  ): void {
    const parts = this.#releases.take(transactionId, amount - blocked);
    const awaiting = sumOf(parts);
    const missing = amount - blocked - awaiting;
    const available = Math.min(missing, this.#ledger.balance("available"));
    const debt = missing - available;
    const postings = takenBack({ blocked, awaiting, available, debt });
    this.#ledger.post({ type, postings, transactionId, ...taken(parts) }, nowMs);
  }

  /** What a chargeback took comes back, what the company owes first. */
  giveBack(transactionId: string, amount: Cents, nowMs: number): void {
    const postings = chargebackReversed(amount, this.#ledger.owed());
    this.#ledger.post({ type: "chargeback_reversed", postings, transactionId }, nowMs);
  }
}

function taken(parts: ReleasePart[]): { details?: { taken: ReleasePart[] } } {
  return parts.length === 0 ? {} : { details: { taken: parts } };
}

function sumOf(parts: ReleasePart[]): Cents {
  return parts.reduce((sum, part) => sum + part.amount, 0);
}

/** Two holdings of one transaction as one. */
export function mergeHoldings(left: Holding | null, right: Holding): Holding {
  if (left === null) return right;
  return {
    available: left.available + right.available,
    parts: [...left.parts, ...right.parts],
  };
}
