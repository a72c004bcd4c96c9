import { ACCOUNTS, type Account, type MovementType, type Posting } from "../domain/ledger.ts";
import type { Cents } from "../domain/money.ts";
import { assert } from "../lib/assert.ts";

export interface Movement {
  type: MovementType;
  currency: string;
  postings: Posting[];
  transactionId?: string;
  withdrawId?: number;
}

/** The append-only double-entry ledger and its cached balances. Centavos throughout. */
export class LedgerStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  balance(currency: string, account: Account): Cents {
    const [row] = this.#sql
      .exec<{ balance: number }>(
        "SELECT balance FROM accounts WHERE currency = ? AND account = ?",
        currency,
        account,
      )
      .toArray();
    return row?.balance ?? 0;
  }

  balances(currency: string): Record<Account, Cents> {
    const found = this.#sql
      .exec<{ account: Account; balance: number }>(
        "SELECT account, balance FROM accounts WHERE currency = ?",
        currency,
      )
      .toArray();
    const byAccount = new Map(found.map((row) => [row.account, row.balance]));
    return Object.fromEntries(
      ACCOUNTS.map((account) => [account, byAccount.get(account) ?? 0]),
    ) as Record<Account, Cents>;
  }

  /**
   * Writes one movement. Its postings sum to zero, and a posting that would take one of the
   * company's own accounts below zero violates the table's CHECK and undoes the whole commit.
   */
  post(movement: Movement, nowMs: number): void {
    const sum = movement.postings.reduce((total, posting) => total + posting.amount, 0);
    assert(sum === 0, `postings of ${movement.type} sum to ${sum}`);
    assert(movement.postings.length >= 2, `${movement.type} has fewer than two postings`);
    const sequence = this.#insertMovement(movement, nowMs);
    for (const posting of movement.postings) this.#insertPosting(sequence, movement, posting);
  }

  #insertMovement(movement: Movement, nowMs: number): number {
    return this.#sql
      .exec<{ sequence: number }>(
        `INSERT INTO movements (type, currency, transaction_id, withdraw_id, created_at)
         VALUES (?, ?, ?, ?, ?) RETURNING sequence`,
        movement.type,
        movement.currency,
        movement.transactionId ?? null,
        movement.withdrawId ?? null,
        nowMs,
      )
      .one().sequence;
  }

  #insertPosting(sequence: number, movement: Movement, posting: Posting): void {
    assert(Number.isSafeInteger(posting.amount), `posting of ${posting.amount}`);
    this.#sql.exec(
      "INSERT INTO accounts (currency, account, balance) VALUES (?, ?, 0) ON CONFLICT DO NOTHING",
      movement.currency,
      posting.account,
    );
    const { balance } = this.#sql
      .exec<{ balance: number }>(
        `UPDATE accounts SET balance = balance + ? WHERE currency = ? AND account = ?
         RETURNING balance`,
        posting.amount,
        movement.currency,
        posting.account,
      )
      .one();
    assert(Number.isSafeInteger(balance), `balance of ${posting.account} is ${balance}`);
    this.#sql.exec(
      "INSERT INTO postings (movement, account, amount, balance) VALUES (?, ?, ?, ?)",
      sequence,
      posting.account,
      posting.amount,
      balance,
    );
  }
}
