import type { Cents } from "../../domain/shared/money.ts";
import type { Dispute } from "../../domain/charges/transaction.ts";
import {
  detailsOf,
  SET_DETAILS,
  toDetailsRow,
  type DisputeDetails,
  type DisputeDetailsRow,
} from "./dispute-details.ts";
import { named } from "../storage/named-sql.ts";
import { Table } from "../storage/table.ts";

/** A dispute of an unexpected payment. Centavos. */
export interface SuspenseDispute extends DisputeDetails {
  id: string;
  paymentId: string;
  amount: Cents;
  status: Dispute["status"];
  createdAt: number;
}

type SuspenseDisputeRow = DisputeDetailsRow & {
  id: string;
  payment_id: string;
  amount: number;
  status: Dispute["status"];
};

const SUSPENSE_DISPUTES = new Table<SuspenseDisputeRow>("suspense_disputes");

/** Disputes of unexpected payments, by the provider's id. */
export class SuspenseDisputeStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  find(id: string): SuspenseDispute | null {
    const [row] = this.#sql
      .exec<SuspenseDisputeRow>("SELECT * FROM suspense_disputes WHERE id = ?", id)
      .toArray();
    if (row === undefined) return null;
    const { payment_id: paymentId, created_at: createdAt, amount, status } = row;
    return { id, paymentId, amount, status, createdAt, ...detailsOf("DISPUTE", row) };
  }

  /** The ids of the disputes after an id, ascending. */
  idsAfter(id: string, limit: number): string[] {
    return named("SELECT id FROM suspense_disputes WHERE id > :id ORDER BY id LIMIT :limit")
      .exec<{ id: string }>(this.#sql, { id, limit })
      .toArray()
      .map((row) => row.id);
  }

  /** Only `DisputeTransitions` calls it, which also announces the change. */
  save(dispute: SuspenseDispute): void {
    SUSPENSE_DISPUTES.insert(
      this.#sql,
      {
        id: dispute.id,
        payment_id: dispute.paymentId,
        amount: dispute.amount,
        status: dispute.status,
        created_at: dispute.createdAt,
        ...toDetailsRow(dispute),
      },
      `ON CONFLICT (id) DO UPDATE
       SET amount = excluded.amount, status = excluded.status, ${SET_DETAILS}`,
    );
  }

  /** Whether a payment has an open dispute. */
  isOpen(paymentId: string): boolean {
    return (
      this.#sql
        .exec(
          `SELECT 1 FROM suspense_disputes INDEXED BY suspense_disputes_open
           WHERE payment_id = ? AND status = 'OPEN' LIMIT 1`,
          paymentId,
        )
        .toArray().length > 0
    );
  }

  hasOpen(): boolean {
    return (
      this.#sql
        .exec(
          `SELECT 1 FROM suspense_disputes INDEXED BY suspense_disputes_open
           WHERE status = 'OPEN' LIMIT 1`,
        )
        .toArray().length > 0
    );
  }

  /** Whether one is about a payment at this account at the PSP. */
  hasOpenAt(account: string): boolean {
    return (
      this.#sql
        .exec(
          `SELECT 1 FROM suspense_disputes INDEXED BY suspense_disputes_open JOIN payments USING (payment_id)
           WHERE suspense_disputes.status = 'OPEN' AND account = ? LIMIT 1`,
          account,
        )
        .toArray().length > 0
    );
  }
}
