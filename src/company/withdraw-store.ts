import type { Cents } from "../domain/money.ts";
import type { PixKeyType } from "../domain/pix-key.ts";
import type { WithdrawRecord } from "../domain/withdraw.ts";
import type { WithdrawStatus } from "../domain/withdraw-status.ts";
import type { Attempt } from "./attempts.ts";
import { DueRows } from "./due-rows.ts";

export interface StoredWithdraw extends WithdrawRecord, Attempt {
  /** Events of this withdraw so far. */
  eventSequence: number;
}

type WithdrawRow = {
  id: number;
  payout_id: string;
  idempotency_key: string;
  amount: number;
  fee: number;
  currency: string;
  pix_key: string;
  pix_key_type: PixKeyType;
  creditor_document: string;
  description: string;
  metadata: string | null;
  status: WithdrawStatus;
  version: number;
  event_sequence: number;
  end_to_end_id: string | null;
  failure_reason: string | null;
  created_at: number;
  updated_at: number;
  payout_checks: number;
  lease_until: number;
  next_check_at: number | null;
};

/** The company's withdraws, and the idempotency keys that made them. */
export class WithdrawStore {
  /** Withdraws whose payout must be looked after. */
  readonly owed: DueRows;
  readonly #sql: SqlStorage;
  readonly #companyId: () => number;

  constructor(sql: SqlStorage, companyId: () => number) {
    this.#sql = sql;
    this.owed = new DueRows(sql, "withdraws");
    this.#companyId = companyId;
  }

  find(id: number): StoredWithdraw | null {
    const [row] = this.#sql.exec<WithdrawRow>("SELECT * FROM withdraws WHERE id = ?", id).toArray();
    return row === undefined ? null : fromRow(row, this.#companyId());
  }

  /** The withdraws with ids from `first` to `last`, ascending. */
  range(first: number, last: number): StoredWithdraw[] {
    return this.#sql
      .exec<WithdrawRow>(
        "SELECT * FROM withdraws WHERE id BETWEEN ? AND ? ORDER BY id",
        first,
        last,
      )
      .toArray()
      .map((row) => fromRow(row, this.#companyId()));
  }

  /** How many there are: ids are dense. */
  count(): number {
    return this.#sql
      .exec<{ total: number }>("SELECT coalesce(max(id), 0) AS total FROM withdraws")
      .one().total;
  }

  insert(withdraw: StoredWithdraw): void {
    this.#sql.exec(
      `INSERT INTO withdraws (id, payout_id, idempotency_key, amount, fee, currency, pix_key,
         pix_key_type, creditor_document, description, metadata, status, version, event_sequence,
         end_to_end_id, failure_reason, created_at, updated_at, payout_checks,
         lease_until, next_check_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      withdraw.id,
      withdraw.payoutId,
      withdraw.idempotencyKey,
      withdraw.amount,
      withdraw.fee,
      withdraw.currency,
      withdraw.pixKey,
      withdraw.pixKeyType,
      withdraw.creditorDocument,
      withdraw.description,
      withdraw.metadata,
      withdraw.status,
      withdraw.version,
      withdraw.eventSequence,
      withdraw.endToEndId,
      withdraw.failureReason,
      withdraw.createdAt,
      withdraw.updatedAt,
      withdraw.checks,
      withdraw.leaseUntil,
      withdraw.nextCheckAt,
    );
  }

  /** Writes what of a withdraw can change. */
  update(withdraw: StoredWithdraw): void {
    this.#sql.exec(
      `UPDATE withdraws SET status = ?, version = ?, event_sequence = ?, end_to_end_id = ?,
         failure_reason = ?, updated_at = ?, payout_checks = ?, lease_until = ?,
         next_check_at = ? WHERE id = ?`,
      withdraw.status,
      withdraw.version,
      withdraw.eventSequence,
      withdraw.endToEndId,
      withdraw.failureReason,
      withdraw.updatedAt,
      withdraw.checks,
      withdraw.leaseUntil,
      withdraw.nextCheckAt,
      withdraw.id,
    );
  }

  /** Lets what was held while the company was frozen be sent. */
  releaseHeld(nowMs: number): void {
    this.#sql.exec(
      "UPDATE withdraws SET next_check_at = ? WHERE status = 'Awaiting' AND next_check_at > ?",
      nowMs,
      nowMs,
    );
  }

  /** The newest withdraw of this key and amount since a time that was not undone. */
  findAlike(pixKey: string, amount: Cents, sinceMs: number): number | null {
    const [row] = this.#sql
      .exec<{ id: number }>(
        `SELECT id FROM withdraws INDEXED BY withdraws_payee
         WHERE pix_key = ? AND amount = ? AND created_at >= ?
           AND status NOT IN ('Failed', 'Cancelled', 'Returned')
         ORDER BY created_at DESC, id DESC LIMIT 1`,
        pixKey,
        amount,
        sinceMs,
      )
      .toArray();
    return row?.id ?? null;
  }

  /** What was withdrawn on a day and not undone since. */
  sumOfDay(day: string): Cents {
    const [row] = this.#sql
      .exec<{ amount: number }>("SELECT amount FROM withdraw_days WHERE day = ?", day)
      .toArray();
    return row?.amount ?? 0;
  }

  addToDay(day: string, amount: Cents): void {
    this.#sql.exec(
      "INSERT INTO withdraw_days (day, amount) VALUES (?, 0) ON CONFLICT DO NOTHING",
      day,
    );
    this.#sql.exec("UPDATE withdraw_days SET amount = amount + ? WHERE day = ?", amount, day);
  }

  /** What is on its way to payees, summed from the withdraws (invariant I4). */
  sumOnTheWay(): Cents {
    return this.#sql
      .exec<{ total: number }>(
        `SELECT coalesce(sum(amount), 0) AS total FROM withdraws INDEXED BY withdraws_open
         WHERE status IN ('Awaiting', 'Processing')`,
      )
      .one().total;
  }
}

function fromRow(row: WithdrawRow, companyId: number): StoredWithdraw {
  return {
    id: row.id,
    companyId,
    payoutId: row.payout_id,
    idempotencyKey: row.idempotency_key,
    amount: row.amount,
    fee: row.fee,
    currency: row.currency,
    pixKey: row.pix_key,
    pixKeyType: row.pix_key_type,
    creditorDocument: row.creditor_document,
    description: row.description,
    metadata: row.metadata,
    status: row.status,
    version: row.version,
    eventSequence: row.event_sequence,
    endToEndId: row.end_to_end_id,
    failureReason: row.failure_reason,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    checks: row.payout_checks,
    leaseUntil: row.lease_until,
    nextCheckAt: row.next_check_at,
  };
}
