import type { Cents } from "../../domain/shared/money.ts";
import { MOVEMENTS_KEPT } from "../charges/charge-store.ts";
import type { BookedMovement } from "./movement-row.ts";

/** What a charge says, and what the rows about it do. */
type ChargeTotals = {
  id: string;
  paid: number;
  refunded: number;
  whole: number;
  movements: string;
  /** How many of them; one that names as many as are kept may have lost its credit's. */
  named: number;
  payment: number | null;
  given_back: number;
};

/** Charges against the movements and the payments that they name (I5, I6). */
export class ChargeAudit {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /**
   * One credit for what was paid (I5), of exactly that and with the payment it names (I6); refunded is
   * what went back (I6).
   */
  errors(transactionIds: string[]): Map<string, string> {
    const rows = this.#sql.exec<ChargeTotals>(
      `SELECT c.transaction_id AS id, c.paid_amount AS paid, c.refunded_amount AS refunded,
         c.status = 'refunded' AS whole,
         c.movements, json_array_length(c.movements) AS named,
         (SELECT p.amount FROM payments p
          WHERE p.payment_id = c.payment_id
            AND p.transaction_id = c.transaction_id AND p.suspended = 0) AS payment,
         (SELECT coalesce(sum(o.amount), 0) FROM operations o
          WHERE o.transaction_id = c.transaction_id AND o.kind = 'refund' AND o.status = 'DONE')
         + (SELECT coalesce(sum(d.amount), 0) FROM disputes d
            WHERE d.transaction_id = c.transaction_id AND d.status = 'LOST')
         + (SELECT coalesce(sum(e.booked), 0) FROM external_refunds e
            WHERE e.transaction_id = c.transaction_id) AS given_back
       FROM charges c WHERE c.transaction_id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(transactionIds),
    );
    const errors = new Map<string, string>();
    for (const charge of rows) {
      const { id, paid, refunded } = charge;
      const credits = charge.named < MOVEMENTS_KEPT ? this.#creditsIn(charge) : [paid];
      const credited = credits.reduce((sum, credit) => sum + credit, 0);
      const isFullyRefunded = paid > 0 && refunded === paid;
      if (
        refunded !== Math.min(paid, charge.given_back) ||
        isFullyRefunded !== (charge.whole === 1)
      ) {
        errors.set(id, `I6 transaction ${id} has a refunded amount that differs from its refunds`);
      }
      if (credited !== paid || (charge.payment ?? 0) !== paid) {
        errors.set(id, `I6 transaction ${id} has a paid amount that differs from its credits`);
      }
      if (credits.length > 1) errors.set(id, `I5 transaction ${id} was credited twice`);
    }
    return errors;
  }

  /** What each movement that a charge names credited it with. Centavos. */
  #creditsIn({ id, movements }: ChargeTotals): Cents[] {
    return this.#sql
      .exec<{ credit: number }>(
        `SELECT 0 - coalesce(postings ->> '$.provider', postings ->> '$.suspense') AS credit
         FROM movements
         WHERE sequence IN (SELECT value FROM json_each(?)) AND transaction_id = ?
           AND type IN ('charge_paid', 'suspense_credited')`,
        movements,
        id,
      )
      .toArray()
      .map(({ credit }) => credit);
  }

  /** Movements that their charge does not name: what is told of it would lack them. */
  unlistedMovementErrors(found: BookedMovement[]): string[] {
    const named = new Map(
      this.#sql
        .exec<{ id: string; movements: string }>(
          `SELECT transaction_id AS id, movements FROM charges
           WHERE transaction_id IN (SELECT value FROM json_each(?))`,
          JSON.stringify([...new Set(found.flatMap((each) => each.transactionId ?? []))]),
        )
        .toArray()
        .map(({ id, movements }) => [id, new Set(JSON.parse(movements) as number[])]),
    );
    return found.flatMap(({ sequence, transactionId: id }) => {
      const numbers = named.get(id ?? "");
      const kept = numbers === undefined || numbers.size >= MOVEMENTS_KEPT;
      return kept || numbers.has(sequence)
        ? []
        : [`I6 transaction ${id} does not list its movement ${sequence}`];
    });
  }
}
