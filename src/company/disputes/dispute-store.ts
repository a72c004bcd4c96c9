import type { Cents } from "../../domain/shared/money.ts";
import type { DisputeKind } from "../../domain/charges/charge-history.ts";
import type { Dispute } from "../../domain/charges/transaction.ts";
import type { Hold } from "../ledger/holds.ts";
import {
  detailsOf,
  SET_DETAILS,
  toDetailsRow,
  type DisputeDetails,
  type DisputeDetailsRow,
} from "./dispute-details.ts";
import { named } from "../storage/named-sql.ts";
import { Table } from "../storage/table.ts";

export interface StoredDispute extends Dispute, DisputeDetails {
  kind: DisputeKind;
  transactionId: string;
  /** Centavos of the amount in `blocked`: the company may not have had all of it. */
  held: Cents;
  /** The origin of `held`, to return it if the dispute is won. */
  hold: Hold | null;
  /** What of a lost amount was not taken, because operators had taken it; null of any other, and before it was stored. */
  covered: Cents | null;
}

type DisputeRow = DisputeDetailsRow & {
  id: string;
  kind: DisputeKind;
  transaction_id: string;
  amount: number;
  held: number;
  holding: string | null;
  status: Dispute["status"];
  covered: number | null;
};

const DISPUTES = new Table<DisputeRow>("disputes");

/** Disputes and chargebacks of credited payments, by the provider's id. */
export class DisputeStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  find(id: string): StoredDispute | null {
    const [row] = this.#sql.exec<DisputeRow>("SELECT * FROM disputes WHERE id = ?", id).toArray();
    return row === undefined ? null : fromRow(row);
  }

  /** The ids of the disputes after an id, ascending. */
  idsAfter(id: string, limit: number): string[] {
    return named("SELECT id FROM disputes WHERE id > :id ORDER BY id LIMIT :limit")
      .exec<{ id: string }>(this.#sql, { id, limit })
      .toArray()
      .map((row) => row.id);
  }

  /**
   * A transaction's newest dispute as the API shows it, which lists a chargeback as a refund
   * instead.
   */
  newestOf(transactionId: string): Dispute | null {
    const [row] = this.#sql
      .exec<Pick<DisputeRow, "id" | "amount" | "status" | "created_at">>(
        `SELECT id, amount, status, created_at FROM disputes
         WHERE transaction_id = ? AND kind = 'DISPUTE'
         ORDER BY rowid DESC LIMIT 1`,
        transactionId,
      )
      .toArray();
    if (row === undefined) return null;
    return { id: row.id, amount: row.amount, status: row.status, createdAt: row.created_at };
  }

  /** A transaction's open disputes, oldest first. */
  open(transactionId: string): StoredDispute[] {
    return this.#sql
      .exec<DisputeRow>(
        "SELECT * FROM disputes WHERE transaction_id = ? AND status = 'OPEN' ORDER BY rowid",
        transactionId,
      )
      .toArray()
      .map(fromRow);
  }

  /** What is booked as taken by the payer's bank of a transaction, in centavos; a refund instead is none of it. */
  lostTotal(transactionId: string): Cents {
    return this.#sql
      .exec<{ total: number }>(
        `SELECT coalesce(sum(amount), 0) AS total FROM disputes
         WHERE transaction_id = ? AND status = 'LOST' AND id NOT IN
           (SELECT instead_of FROM operations WHERE operations.transaction_id = disputes.transaction_id
             AND instead_of IS NOT NULL AND operations.status = 'DONE')`,
        transactionId,
      )
      .one().total;
  }

  /** What of that operators had taken, in centavos. */
  coveredTotal(transactionId: string): Cents {
    return this.#sql
      .exec<{ total: number }>(
        `SELECT coalesce(sum(covered), 0) AS total FROM disputes
         WHERE transaction_id = ? AND status = 'LOST'`,
        transactionId,
      )
      .one().total;
  }

  /** Only `DisputeTransitions` calls it, which also announces the change. */
  save(dispute: StoredDispute): void {
    DISPUTES.insert(
      this.#sql,
      {
        id: dispute.id,
        kind: dispute.kind,
        transaction_id: dispute.transactionId,
        amount: dispute.amount,
        held: dispute.held,
        holding: dispute.hold === null ? null : JSON.stringify(dispute.hold),
        status: dispute.status,
        created_at: dispute.createdAt,
        covered: dispute.covered,
        ...toDetailsRow(dispute),
      },
      `ON CONFLICT (id) DO UPDATE
       SET amount = excluded.amount, held = excluded.held, holding = excluded.holding,
         status = excluded.status, covered = excluded.covered, ${SET_DETAILS}`,
    );
  }

  hasOpen(): boolean {
    const open = "SELECT 1 FROM disputes WHERE status = 'OPEN' LIMIT 1";
    return this.#sql.exec(open).toArray().length > 0;
  }

  /** Whether one is about a charge of this account at the PSP. */
  hasOpenAt(account: string): boolean {
    const open = `SELECT 1 FROM disputes INDEXED BY disputes_open JOIN charges USING (transaction_id)
      WHERE disputes.status = 'OPEN' AND account = ? LIMIT 1`;
    return this.#sql.exec(open, account).toArray().length > 0;
  }

  /**
   * Centavos in `blocked` for open disputes; reads at most `limit` + 1 and is null above `limit`.
   */
  heldTotal(limit: number): Cents | null {
    const { open, total } = this.#sql
      .exec<{ open: number; total: number }>(
        `SELECT count(*) AS open, coalesce(sum(held), 0) AS total
         FROM (SELECT held FROM disputes WHERE status = 'OPEN' LIMIT ?)`,
        limit + 1,
      )
      .one();
    return open > limit ? null : total;
  }
}

function fromRow(row: DisputeRow): StoredDispute {
  return {
    id: row.id,
    kind: row.kind,
    transactionId: row.transaction_id,
    amount: row.amount,
    held: row.held,
    hold: row.holding === null ? null : (JSON.parse(row.holding) as Hold),
    status: row.status,
    createdAt: row.created_at,
    covered: row.covered,
    ...detailsOf(row.kind, row),
  };
}
