import type { ChargeTerms } from "../../domain/charges/transaction.ts";
import { assert } from "../../lib/assert.ts";
import { DueTime } from "../storage/due-time.ts";
import { named } from "../storage/named-sql.ts";
import { Table } from "../storage/table.ts";

/**
 * `held`: the payer has acted and the charge is being made. `open`: it has an open charge. Both have a reservation
 * of the link. `ended`: none of its charges can be paid in time. `paid`: the reservation is sold.
 */
type CheckoutStatus = "held" | "open" | "paid" | "ended";

/** What one payer does under a link. */
export interface StoredCheckout {
  id: string;
  /** The link's number. */
  link: number;
  status: CheckoutStatus;
  /** Until when a reservation is held for a charge that is not made yet; null in any other status. */
  heldUntil: number | null;
  /** The transaction whose payment counts; null before. */
  paidBy: string | null;
  /** Charges that were made in it. */
  charges: number;
  createdAt: number;
}

/** A charge that was made in a checkout. */
interface CheckoutCharge {
  checkoutId: string;
  isOpen: boolean;
  /** Whether the quota of links counts it. */
  isCounted: boolean;
  /** When it gives back its reservation of a limited link (epoch ms); null where only its provider ends it. */
  expiresAt: number | null;
}

type CheckoutChargeRow = {
  checkout_id: string;
  is_open: number;
  is_counted: number;
  expires_at: number | null;
};

type CheckoutRow = {
  id: string;
  link: number;
  status: CheckoutStatus;
  held_until: number | null;
  paid_by: string | null;
  charges: number;
  created_at: number;
};

const CHECKOUTS = new Table<CheckoutRow>("checkouts");

const CHECKOUT_CHARGES = new Table<CheckoutChargeRow & { transaction_id: string; terms: string }>(
  "checkout_charges",
);

/** Checkouts and their charges. */
export class CheckoutStore {
  /** When the first reservation is free whose charge was never made. */
  readonly next: DueTime;
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.next = new DueTime(
      sql,
      `SELECT held_until FROM checkouts INDEXED BY checkouts_held WHERE status = 'held'
       ORDER BY held_until LIMIT 1`,
    );
  }

  find(id: string): StoredCheckout | null {
    const [row] = this.#sql.exec<CheckoutRow>("SELECT * FROM checkouts WHERE id = ?", id).toArray();
    return row === undefined ? null : fromRow(row);
  }

  /** The checkout that a charge was made in; null of any other charge. */
  ofCharge(transactionId: string): StoredCheckout | null {
    const charge = this.findCharge(transactionId);
    if (charge === null) return null;
    const checkout = this.find(charge.checkoutId);
    assert(checkout !== null, "a checkout's charge has its checkout");
    return checkout;
  }

  save(checkout: StoredCheckout): void {
    CHECKOUTS.replace(this.#sql, {
      id: checkout.id,
      link: checkout.link,
      status: checkout.status,
      held_until: checkout.heldUntil,
      paid_by: checkout.paidBy,
      charges: checkout.charges,
      created_at: checkout.createdAt,
    });
  }

  /** Adds an open charge, which the quota of links counts; `expiresAt` as in `CheckoutCharge`. */
  addCharge(checkoutId: string, terms: ChargeTerms, expiresAt: number | null): void {
    CHECKOUT_CHARGES.insert(this.#sql, {
      transaction_id: terms.transactionId,
      checkout_id: checkoutId,
      terms: JSON.stringify(terms),
      is_open: 1,
      is_counted: 1,
      expires_at: expiresAt,
    });
  }

  /** A charge that was made in a checkout; null of any other. */
  findCharge(transactionId: string): CheckoutCharge | null {
    const [row] = this.#sql
      .exec<CheckoutChargeRow>(
        `SELECT checkout_id, is_open, is_counted, expires_at FROM checkout_charges
         WHERE transaction_id = ?`,
        transactionId,
      )
      .toArray();
    if (row === undefined) return null;
    return {
      checkoutId: row.checkout_id,
      isOpen: row.is_open === 1,
      isCounted: row.is_counted === 1,
      expiresAt: row.expires_at,
    };
  }

  closeCharge(transactionId: string): void {
    this.#sql.exec(
      "UPDATE checkout_charges SET is_open = 0 WHERE transaction_id = ?",
      transactionId,
    );
  }

  prolongCharge(transactionId: string, expiresAt: number): void {
    named(
      "UPDATE checkout_charges SET expires_at = :expiresAt WHERE transaction_id = :transactionId",
    ).exec(this.#sql, { expiresAt, transactionId });
  }

  /** When the last of its open charges expires (epoch ms); null if one of them holds its reservation for longer. */
  lastExpiry(checkoutId: string): number | null {
    return this.#sql
      .exec<{ expires_at: number | null }>(
        `SELECT iif(count(*) = count(expires_at), max(expires_at), NULL) AS expires_at
         FROM checkout_charges WHERE checkout_id = ? AND is_open = 1`,
        checkoutId,
      )
      .one().expires_at;
  }

  /** The terms of its charges that are neither paid nor ended. */
  openCharges(checkoutId: string): ChargeTerms[] {
    return this.#sql
      .exec<{ terms: string }>(
        `SELECT terms FROM checkout_charges WHERE checkout_id = ? AND is_open = 1
         ORDER BY transaction_id`,
        checkoutId,
      )
      .toArray()
      .map(({ terms }) => JSON.parse(terms) as ChargeTerms);
  }

  /** Checkouts whose reservation was held in vain, longest first. */
  lapsed(nowMs: number, limit: number): StoredCheckout[] {
    return named(
      `SELECT * FROM checkouts INDEXED BY checkouts_held WHERE status = 'held' AND held_until <= :nowMs
       ORDER BY held_until LIMIT :limit`,
    )
      .exec<CheckoutRow>(this.#sql, { nowMs, limit })
      .toArray()
      .map(fromRow);
  }
}

function fromRow(row: CheckoutRow): StoredCheckout {
  return {
    id: row.id,
    link: row.link,
    status: row.status,
    heldUntil: row.held_until,
    paidBy: row.paid_by,
    charges: row.charges,
    createdAt: row.created_at,
  };
}
