import { saoPauloDay } from "../../domain/shared/business-day.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type {
  ForecastDay,
  PendingRelease,
  ReleasePart,
  ReleaseQuery,
} from "../../domain/ledger/release.ts";
import { DueTime } from "../storage/due-time.ts";
import { named } from "../storage/named-sql.ts";
import { Table } from "../storage/table.ts";

type ReleaseRow = {
  transaction_id: string;
  installment: number;
  amount: number;
  due_at: number;
  day: string;
};

const RELEASES = new Table<ReleaseRow>("releases");

/**
 * Credits before their release date, which add up to `awaiting`: by transaction and installment, and
 * by day for the forecast. A row is deleted when its amount is zero.
 */
export class ReleaseStore {
  readonly next: DueTime;
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.next = new DueTime(sql, "SELECT min(due_at) FROM releases");
  }

  /** Adds parts, or restores what was deducted from them. */
  add(transactionId: string, parts: ReleasePart[]): void {
    for (const { installment, amount, dueAt } of parts) {
      const { day } = RELEASES.insert<{ day: string }>(
        this.#sql,
        {
          transaction_id: transactionId,
          installment,
          amount,
          due_at: dueAt,
          day: saoPauloDay(dueAt),
        },
        "ON CONFLICT DO UPDATE SET amount = amount + excluded.amount RETURNING day",
      ).one();
      this.#addToDay(day, amount);
    }
  }

  /** Deducts up to `amount` from a transaction's parts, latest first; returns the deducted parts. */
  deduct(transactionId: string, amount: Cents): ReleasePart[] {
    const deducted: ReleasePart[] = [];
    let missing = amount;
    for (const part of this.#partsOf(transactionId)) {
      if (missing === 0) break;
      const share = Math.min(missing, part.amount);
      this.remove({ transactionId, ...part, amount: share });
      deducted.push({ ...part, amount: share });
      missing -= share;
    }
    return deducted;
  }

  /** Deducts an amount from one installment. */
  remove(release: PendingRelease): void {
    const { transactionId: id, installment, amount } = release;
    const { day } = named(
      "SELECT day FROM releases WHERE transaction_id = :id AND installment = :installment",
    )
      .exec<{ day: string }>(this.#sql, { id, installment })
      .one();
    named(
      "DELETE FROM releases WHERE transaction_id = :id AND installment = :installment AND amount = :amount",
    ).exec(this.#sql, { id, installment, amount });
    named(
      "UPDATE releases SET amount = amount - :amount WHERE transaction_id = :id AND installment = :installment",
    ).exec(this.#sql, { amount, id, installment });
    this.#addToDay(day, -amount);
  }

  pendingTotal(transactionId: string): Cents {
    return this.#partsOf(transactionId).reduce((sum, part) => sum + part.amount, 0);
  }

  /** Due credits, earliest first. */
  due(nowMs: number, limit: number): PendingRelease[] {
    return named(
      "SELECT * FROM releases WHERE due_at <= :nowMs ORDER BY due_at, transaction_id, installment LIMIT :limit",
    )
      .exec<ReleaseRow>(this.#sql, { nowMs, limit })
      .toArray()
      .map((row) => toRelease(row.transaction_id, toPart(row)));
  }

  /** The releases of a period, earliest first, and one more than `limit` if there are more. Reads only these. */
  page({ from, to, after, limit }: ReleaseQuery): PendingRelease[] {
    const start = after ?? { dueAt: from, transactionId: "", installment: 0 };
    return named(
      `SELECT * FROM releases
         WHERE (due_at, transaction_id, installment) > (:dueAt, :transactionId, :installment) AND due_at <= :to
         ORDER BY due_at, transaction_id, installment LIMIT :limit`,
    )
      .exec<ReleaseRow>(this.#sql, { ...start, to, limit: limit + 1 })
      .toArray()
      .map((row) => toRelease(row.transaction_id, toPart(row)));
  }

  /** Credits to be released, by day (São Paulo), in centavos. */
  forecast(): ForecastDay[] {
    return this.#sql
      .exec<{ date: string; amount: number }>(
        "SELECT day AS date, amount FROM release_days ORDER BY day",
      )
      .toArray();
  }

  #partsOf(transactionId: string): ReleasePart[] {
    return this.#sql
      .exec<ReleaseRow>(
        "SELECT * FROM releases WHERE transaction_id = ? ORDER BY installment DESC",
        transactionId,
      )
      .toArray()
      .map(toPart);
  }

  /** `day` is the stored one: the rules that compute a future day may change. */
  #addToDay(day: string, amount: Cents): void {
    this.#sql.exec(
      "INSERT INTO release_days (day, amount) VALUES (?, 0) ON CONFLICT DO NOTHING",
      day,
    );
    named("UPDATE release_days SET amount = amount + :amount WHERE day = :day").exec(this.#sql, {
      amount,
      day,
    });
    this.#sql.exec("DELETE FROM release_days WHERE day = ? AND amount = 0", day);
  }
}

function toPart(row: ReleaseRow): ReleasePart {
  return { installment: row.installment, amount: row.amount, dueAt: row.due_at };
}

function toRelease(transactionId: string, part: ReleasePart): PendingRelease {
  return { transactionId, ...part };
}
