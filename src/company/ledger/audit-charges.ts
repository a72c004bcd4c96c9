import type { Cents } from "../../domain/shared/money.ts";
import { MOVEMENTS_KEPT } from "../charges/charge-store.ts";
import type { BookedMovement } from "./movement-row.ts";
import { named } from "../storage/named-sql.ts";

/** A charge's amounts, and those of the rows that belong to it. Centavos. */
type ChargeTotals = {
  id: string;
  paid: number;
  refunded: number;
  is_refunded: number;
  movements: string;
  /** Number of `movements`; at `MOVEMENTS_KEPT` the credit's may have been dropped. */
  listed: number;
  payment: number | null;
  returned: number;
};

/** Compares charges with the movements and payments that they list (I5, I6). */
export class ChargeAudit {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /**
   * Errors by transaction. A paid charge has one credit (I5), whose amount is the paid amount and
   * the payment's (I6). Its refunded amount is the sum of what was returned (I6).
   */
  errors(transactionIds: string[]): Map<string, string> {
    const rows = this.#sql.exec<ChargeTotals>(
      `SELECT c.transaction_id AS id, c.paid_amount AS paid, c.refunded_amount AS refunded,
         c.status = 'refunded' AS is_refunded,
         c.movements, json_array_length(c.movements) AS listed,
         (SELECT p.amount FROM payments p
          WHERE p.payment_id = c.payment_id
            AND p.transaction_id = c.transaction_id AND p.suspended = 0) AS payment,
         (SELECT coalesce(sum(o.amount), 0) FROM operations o
          WHERE o.transaction_id = c.transaction_id AND o.kind = 'refund' AND o.status = 'DONE')
         + (SELECT coalesce(sum(d.amount), 0) FROM disputes d
            WHERE d.transaction_id = c.transaction_id AND d.status = 'LOST')
         + (SELECT coalesce(sum(e.booked), 0) FROM external_refunds e
            WHERE e.transaction_id = c.transaction_id) AS returned
       FROM charges c WHERE c.transaction_id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(transactionIds),
    );
    const errors = new Map<string, string>();
    for (const charge of rows) {
      const { id, paid, refunded } = charge;
      const credits = charge.listed < MOVEMENTS_KEPT ? this.#creditsIn(charge) : [paid];
      const credited = credits.reduce((sum, credit) => sum + credit, 0);
      const isFullyRefunded = paid > 0 && refunded === paid;
      if (
        refunded !== Math.min(paid, charge.returned) ||
        isFullyRefunded !== (charge.is_refunded === 1)
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

  /** The amount of each listed movement that credited the charge. Centavos. */
  #creditsIn({ id, movements }: ChargeTotals): Cents[] {
    return named(
      `SELECT 0 - coalesce(postings ->> '$.provider', postings ->> '$.suspense') AS credit
         FROM movements
         WHERE sequence IN (SELECT value FROM json_each(:movements)) AND transaction_id = :id
           AND type IN ('charge_paid', 'suspense_credited')`,
    )
      .exec<{ credit: number }>(this.#sql, { movements, id })
      .toArray()
      .map(({ credit }) => credit);
  }

  /** Movements that their charge does not list: its timeline would lack them. */
  unlistedMovementErrors(movements: BookedMovement[]): string[] {
    const listed = new Map(
      this.#sql
        .exec<{ id: string; movements: string }>(
          `SELECT transaction_id AS id, movements FROM charges
           WHERE transaction_id IN (SELECT value FROM json_each(?))`,
          JSON.stringify([...new Set(movements.flatMap((each) => each.transactionId ?? []))]),
        )
        .toArray()
        .map(({ id, movements: sequences }) => [id, new Set(JSON.parse(sequences) as number[])]),
    );
    return movements.flatMap(({ sequence, transactionId: id }) => {
      const sequences = listed.get(id ?? "");
      const mayBeDropped = sequences === undefined || sequences.size >= MOVEMENTS_KEPT;
      return mayBeDropped || sequences.has(sequence)
        ? []
        : [`I6 transaction ${id} does not list its movement ${sequence}`];
    });
  }
}
