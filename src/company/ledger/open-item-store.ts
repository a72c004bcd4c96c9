import type {
  OpenItem,
  OpenItemKind,
  Undecided,
} from "../../domain/reconciliation/ledger-position.ts";

/** Open rows of one kind that are counted and summed. */
const OPEN_ROWS_MAX = 1_000;
/** Undecided payouts and operations that are shown one by one, the next to be asked about first. */
const UNDECIDED_SHOWN = 50;

const PENDING =
  "SELECT amount FROM operations INDEXED BY operations_pending WHERE status = 'PENDING'";

/** Open payouts, operations and disputes, as the reconciliation of money counts them. Centavos. */
export class OpenItemStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The open items whose money may have left the bank already, by kind. */
  openItems(): OpenItem[] {
    return [
      this.#count(
        "payouts_processing",
        "SELECT amount FROM withdraws INDEXED BY withdraws_processing WHERE status = 'Processing'",
      ),
      this.#count("refunds_pending", `${PENDING} AND kind = 'refund'`),
      this.#count("returns_pending", `${PENDING} AND kind = 'return'`),
      this.#count(
        "disputes_open",
        "SELECT amount FROM disputes INDEXED BY disputes_open WHERE status = 'OPEN'",
      ),
    ];
  }

  /** Payouts whose provider has not said what became of them. */
  undecidedPayouts(): Undecided[] {
    return this.#undecided(
      "CAST(id AS TEXT) AS id, 'payout' AS kind",
      "withdraws INDEXED BY withdraws_processing WHERE status = 'Processing'",
    );
  }

  /** As `undecidedPayouts`, of operations. */
  undecidedOperations(): Undecided[] {
    return this.#undecided(
      "operation_id AS id, kind",
      // One that waits for an approval was never sent: its provider owes no answer.
      "operations INDEXED BY operations_pending WHERE status = 'PENDING' AND approval <> 'pending'",
    );
  }

  #count(kind: OpenItemKind, amounts: string): OpenItem {
    const { count, amount } = this.#sql
      .exec<{ count: number; amount: number }>(
        `SELECT count(*) AS count, coalesce(sum(amount), 0) AS amount FROM (${amounts} LIMIT ?)`,
        OPEN_ROWS_MAX + 1,
      )
      .one();
    return { kind, count: Math.min(count, OPEN_ROWS_MAX), amount, more: count > OPEN_ROWS_MAX };
  }

  #undecided(columns: string, from: string): Undecided[] {
    return this.#sql
      .exec<Pick<Undecided, keyof Undecided>>(
        `SELECT ${columns}, amount, created_at AS since, checks, next_check_at AS nextCheckAt
         FROM ${from} ORDER BY next_check_at LIMIT ?`,
        UNDECIDED_SHOWN,
      )
      .toArray();
  }
}
