import type { LedgerHead } from "../domain/balance.ts";
import { ACCOUNTS, type Account, type MovementType, type Posting } from "../domain/ledger.ts";
import type { Cents } from "../domain/money.ts";
import { GENESIS_HASH, movementHash, type MovementLine } from "../domain/movement-hash.ts";
import type { StatementLine, StatementQuery } from "../domain/statement.ts";
import type { ToldMovement } from "../domain/timeline.ts";
import { assert } from "../lib/assert.ts";

export interface Movement {
  type: MovementType;
  currency: string;
  postings: Posting[];
  transactionId?: string;
  withdrawId?: number;
}

type ToldPosting = {
  number: number;
  at: number;
  type: ToldMovement["type"];
  account: Account;
  amount: Cents;
};

type NewestMovement = { sequence: number; created_at: number; hash: string };

/** The append-only double-entry ledger and its cached balances. Centavos throughout. */
export class LedgerStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  balance(currency: string, account: Account): Cents {
    return this.balances(currency)[account];
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

  /** What the company owes, as a positive amount. */
  owed(currency: string): Cents {
    return 0 - this.balance(currency, "debt");
  }

  /** Where the ledger stands: the number of its statement's last line, and the newest hash. */
  head(): LedgerHead {
    const newest = this.#newest();
    if (newest === null) return { sequence: 0, hash: GENESIS_HASH };
    const { sequence } = this.#sql
      .exec<{ sequence: number }>(
        `SELECT max(sequence) AS sequence FROM postings
         WHERE movement = ? AND account <> 'provider'`,
        newest.sequence,
      )
      .one();
    return { sequence, hash: newest.hash };
  }

  /**
   * Writes one movement. Its postings sum to zero, and a posting that would take one of the
   * company's own accounts below zero violates the table's CHECK and undoes the whole commit.
   */
  post(movement: Movement, nowMs: number): void {
    const sum = movement.postings.reduce((total, posting) => total + posting.amount, 0);
    assert(sum === 0, `postings of ${movement.type} sum to ${sum}`);
    assert(movement.postings.length >= 2, `${movement.type} has fewer than two postings`);
    const newest = this.#newest();
    const lines = movement.postings.map((posting) => this.#book(movement.currency, posting));
    const written = {
      sequence: (newest?.sequence ?? 0) + 1,
      createdAt: Math.max(nowMs, newest?.created_at ?? 0),
      type: movement.type,
      transactionId: movement.transactionId ?? null,
      withdrawId: movement.withdrawId ?? null,
      lines,
    };
    this.#sql.exec(
      `INSERT INTO movements (sequence, type, currency, transaction_id, withdraw_id, created_at, hash)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      written.sequence,
      written.type,
      movement.currency,
      written.transactionId,
      written.withdrawId,
      written.createdAt,
      movementHash(newest?.hash ?? GENESIS_HASH, written),
    );
    for (const line of lines) {
      this.#sql.exec(
        "INSERT INTO postings (movement, account, amount, balance) VALUES (?, ?, ?, ?)",
        written.sequence,
        line.account,
        line.amount,
        line.balance,
      );
    }
  }

  /**
   * The company's postings in order, after a `sequence`: the outside world's side is left out. Times
   * become bounds of `sequence` first, so that a page never reads past what it shows.
   */
  statement(query: StatementQuery): StatementLine[] {
    return this.#sql
      .exec<StatementLine & Record<string, SqlStorageValue>>(
        `SELECT p.sequence, m.created_at AS createdAt, m.type, p.account, p.amount, p.balance,
           m.transaction_id AS transactionId, m.withdraw_id AS withdrawId, m.hash
         FROM postings p JOIN movements m ON m.sequence = p.movement
         WHERE p.sequence > ? AND p.sequence <= ? AND p.account <> 'provider' AND m.currency = ?
         ORDER BY p.sequence LIMIT ?`,
        query.from === null
          ? query.after
          : Math.max(query.after, this.#lastPostingBefore(query.from)),
        query.to === null ? Number.MAX_SAFE_INTEGER : this.#lastPostingBefore(query.to + 1),
        query.currency,
        query.limit,
      )
      .toArray();
  }

  /** The number of the newest movement; 0 where there is none. */
  newestMovement(): number {
    return this.#newest()?.sequence ?? 0;
  }

  /** The newest movements that are about a transaction with all their postings, oldest first. */
  ofTransaction(transactionId: string, limit: number): ToldMovement[] {
    const rows = this.#sql.exec<ToldPosting>(
      `SELECT m.sequence AS number, m.created_at AS at, m.type, p.account, p.amount
       FROM (SELECT sequence, created_at, type
             FROM movements INDEXED BY movements_transaction
             WHERE transaction_id = ? ORDER BY sequence DESC LIMIT ?) m
         CROSS JOIN postings p ON p.movement = m.sequence
       ORDER BY m.sequence, p.sequence`,
      transactionId,
      limit,
    );
    const movements = new Map<number, ToldMovement>();
    for (const { number, at, type, account, amount } of rows) {
      const movement = movements.get(number) ?? { number, at, type, postings: [] };
      movement.postings.push({ account, amount });
      movements.set(number, movement);
    }
    return [...movements.values()];
  }

  #newest(): NewestMovement | null {
    const [row] = this.#sql
      .exec<NewestMovement>(
        "SELECT sequence, created_at, hash FROM movements ORDER BY sequence DESC LIMIT 1",
      )
      .toArray();
    return row ?? null;
  }

  /** Adds a posting to its account's cached balance. */
  #book(currency: string, posting: Posting): MovementLine {
    assert(Number.isSafeInteger(posting.amount), `posting of ${posting.amount}`);
    this.#sql.exec(
      "INSERT INTO accounts (currency, account, balance) VALUES (?, ?, 0) ON CONFLICT DO NOTHING",
      currency,
      posting.account,
    );
    const { balance } = this.#sql
      .exec<{ balance: number }>(
        `UPDATE accounts SET balance = balance + ? WHERE currency = ? AND account = ?
         RETURNING balance`,
        posting.amount,
        currency,
        posting.account,
      )
      .one();
    assert(Number.isSafeInteger(balance), `balance of ${posting.account} is ${balance}`);
    return { ...posting, balance };
  }

  /**
   * The last posting made before a time, found by halving the dense movement numbers, along which
   * `created_at` never falls: about twenty reads among a million movements.
   */
  #lastPostingBefore(timeMs: number): number {
    let low = 0;
    let high = this.#newest()?.sequence ?? 0;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const { created_at: madeAt } = this.#sql
        .exec<{ created_at: number }>("SELECT created_at FROM movements WHERE sequence = ?", middle)
        .one();
      if (madeAt < timeMs) low = middle;
      else high = middle - 1;
    }
    const [row] = this.#sql
      .exec<{ sequence: number }>(
        "SELECT sequence FROM postings WHERE movement = ? ORDER BY sequence DESC LIMIT 1",
        low,
      )
      .toArray();
    return row?.sequence ?? 0;
  }
}
