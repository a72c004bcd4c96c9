import {
  chargebackReversed,
  holdPlaced,
  clawback,
  holdReleased,
  type MovementType,
} from "../../domain/ledger/ledger.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type { ReleasePart } from "../../domain/ledger/release.ts";
import { assert } from "../../lib/assert.ts";
import type { LedgerStore } from "./ledger-store.ts";
import type { ReleaseStore } from "../releases/release-store.ts";

/** Money in `blocked` for a refund or a dispute, by the origin that a release returns it to. */
export interface Hold {
  available: Cents;
  /** Of the transaction's own unreleased credit. */
  parts: ReleasePart[];
}

/**
 * Holds and takes money that a payer wants back: the transaction's own unreleased credit first,
 * then `available`. Amounts in centavos. Runs inside one `transactionSync`.
 */
export class Holds {
  readonly #ledger: LedgerStore;
  readonly #releases: ReleaseStore;

  constructor(deps: { ledger: LedgerStore; releases: ReleaseStore }) {
    this.#ledger = deps.ledger;
    this.#releases = deps.releases;
  }

  /** The most that `place` accepts for a transaction now. */
  available(transactionId: string): Cents {
    return this.#releases.pendingTotal(transactionId) + this.#ledger.balance("available");
  }

  /** Moves an amount of at most `available()` to `blocked`. */
  place(type: MovementType, transactionId: string, amount: Cents, nowMs: number): Hold {
    assert(amount > 0, "a hold has a positive amount");
    const parts = this.#releases.deduct(transactionId, amount);
    const awaiting = sumOf(parts);
    const hold = { available: amount - awaiting, parts };
    const postings = holdPlaced({ awaiting, available: hold.available });
    this.#ledger.post({ type, postings, transactionId, ...takenDetails(parts) }, nowMs);
    return hold;
  }

  /** Returns a hold to its origin; debt is repaid first (decision 0011). */
  release(type: MovementType, transactionId: string, hold: Hold, nowMs: number): void {
    this.#releases.add(transactionId, hold.parts);
    const { available, parts } = hold;
    const debt = this.#ledger.debt();
    const postings = holdReleased({ awaiting: sumOf(parts), available }, debt);
    const details = parts.length === 0 ? {} : { details: { putBack: parts } };
    this.#ledger.post({ type, postings, transactionId, ...details }, nowMs);
  }

  /** Takes an amount, `blocked` of it from its hold. What the company lacks becomes its debt. */
  clawBack(
    type: MovementType,
    transactionId: string,
    amount: Cents,
    blocked: Cents,
    nowMs: number,
  ): void {
    const parts = this.#releases.deduct(transactionId, amount - blocked);
    const awaiting = sumOf(parts);
    const missing = amount - blocked - awaiting;
    const available = Math.min(missing, this.#ledger.balance("available"));
    const debt = missing - available;
    const postings = clawback({ blocked, awaiting, available, debt });
    this.#ledger.post({ type, postings, transactionId, ...takenDetails(parts) }, nowMs);
  }

  /** Credits a reversed chargeback; debt is repaid first (decision 0011). */
  reverseChargeback(transactionId: string, amount: Cents, nowMs: number): void {
    const postings = chargebackReversed(amount, this.#ledger.debt());
    this.#ledger.post({ type: "chargeback_reversed", postings, transactionId }, nowMs);
  }
}

function takenDetails(parts: ReleasePart[]): { details?: { taken: ReleasePart[] } } {
  return parts.length === 0 ? {} : { details: { taken: parts } };
}

function sumOf(parts: ReleasePart[]): Cents {
  return parts.reduce((sum, part) => sum + part.amount, 0);
}

/** Adds a hold to another one of the same transaction. */
export function mergeHolds(left: Hold | null, right: Hold): Hold {
  if (left === null) return right;
  return {
    available: left.available + right.available,
    parts: [...left.parts, ...right.parts],
  };
}
