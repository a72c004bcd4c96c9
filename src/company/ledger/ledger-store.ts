import type { AnchoredHead } from "../../domain/ledger/anchor.ts";
import type { LedgerHead } from "../../domain/ledger/balance.ts";
import {
  ACCOUNTS,
  type Account,
  type MovementType,
  type Posting,
  type TransactionMovementType,
} from "../../domain/ledger/ledger.ts";
import { dailySumsOf } from "../../domain/ledger/daily-totals.ts";
import { CURRENCY, type Cents } from "../../domain/shared/money.ts";
import type { MovementDetails } from "../../domain/ledger/movement-details.ts";
import {
  GENESIS_HASH,
  movementHash,
  sha256HexSync,
  type MovementLine,
} from "../../domain/ledger/movement-hash.ts";
import {
  lineNumber,
  movementOfLine,
  PROVIDER_LINE,
  type StatementLine,
  type StatementQuery,
} from "../../domain/ledger/statement.ts";
import type { TimelineMovement } from "../../domain/charges/timeline.ts";
import { assert } from "../../lib/assert.ts";
import { canonicalJson } from "../../lib/hash.ts";
import {
  hashedPart,
  isHashed,
  linesOf,
  movementOf,
  toPostingsJson,
  type AccountBalances,
  type BookedMovement,
  type MovementRow,
} from "./movement-row.ts";
import { named } from "../storage/named-sql.ts";
import { ReadOnce } from "../storage/read-once.ts";
import { Table } from "../storage/table.ts";

export interface Movement {
  type: MovementType;
  postings: Posting[];
  transactionId?: string;
  withdrawId?: number;
  /** Facts beside the postings that later decide money, such as payee and release days. */
  details?: MovementDetails;
}

const MOVEMENTS = new Table<MovementRow>("movements");

/** A company's append-only double-entry ledger, in one currency. Centavos. */
export class LedgerStore {
  readonly #sql: SqlStorage;
  /** The movements of this commit. */
  #posted: BookedMovement[] = [];
  /** Of these, those that no daily total counts yet. */
  #uncounted: BookedMovement[] = [];
  /** Only `post` changes it. */
  readonly #newest = new ReadOnce(() => this.#readNewest());

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Starts a commit: forgets the movements of the previous one. */
  beginCommit(): void {
    this.#posted = [];
    this.#uncounted = [];
    this.#newest.beginCommit();
  }

  /** Ends a commit, also one that is rolled back. */
  endCommit(): void {
    this.#newest.endCommit();
  }

  /** Whether this commit booked a movement. */
  hasPosted(): boolean {
    return this.#posted.length > 0;
  }

  /** Sequences of a transaction's movements in this commit, oldest first. */
  postedFor(transactionId: string): number[] {
    return this.#posted
      .filter((movement) => movement.transactionId === transactionId)
      .map(({ sequence }) => sequence);
  }

  /** A transaction's movements of this commit that the daily totals do not count yet, once. */
  takeUncounted(transactionId: string): BookedMovement[] {
    const taken = this.#uncounted.filter((movement) => movement.transactionId === transactionId);
    this.#uncounted = this.#uncounted.filter((movement) => !taken.includes(movement));
    return taken;
  }

  /** Throws if this commit booked a payment or refund that no daily total counts. */
  assertAllCounted(): void {
    const missed = this.#uncounted.find((movement) => dailySumsOf(movement) !== null);
    assert(missed === undefined, `no daily total counts the movement ${missed?.type}`);
  }

  balance(account: Account): Cents {
    return this.balances()[account];
  }

  /** The balances after the newest movement. */
  balances(): AccountBalances {
    return balancesAfter(this.#newest.read());
  }

  /** The company's debt, as a positive amount. */
  debt(): Cents {
    return 0 - this.balance("debt");
  }

  /** The newest movement and its hash, which covers all earlier ones. */
  newestHead(): Omit<AnchoredHead, "day"> {
    const newest = this.#newest.read();
    return { movement: newest?.sequence ?? 0, hash: newest?.hash ?? GENESIS_HASH };
  }

  /** The number of the statement's last line, and the newest hash. */
  head(): LedgerHead {
    const newest = this.#newest.read();
    if (newest === null) return { sequence: 0, hash: GENESIS_HASH };
    return { sequence: lastLine(newest), hash: newest.hash };
  }

  /**
   * Books one movement. Its postings must sum to zero. A company account below zero violates the
   * table's CHECK, which rolls the commit back.
   */
  post({ type, postings, ...subject }: Movement, nowMs: number): void {
    const sum = postings.reduce((total, posting) => total + posting.amount, 0);
    assert(sum === 0, `postings of ${type} sum to ${sum}`);
    assert(postings.length >= 2, `${type} has fewer than two postings`);
    const newest = this.#newest.read();
    const details = subject.details === undefined ? null : canonicalJson(subject.details);
    const movement: BookedMovement = {
      sequence: (newest?.sequence ?? 0) + 1,
      createdAt: Math.max(nowMs, newest?.createdAt ?? 0),
      type,
      transactionId: subject.transactionId ?? null,
      withdrawId: subject.withdrawId ?? null,
      postings,
      balances: balancesWith(balancesAfter(newest), postings),
      details,
      detailsHash: details === null ? null : sha256HexSync(details),
      hash: "",
    };
    const hash = movementHash(newest?.hash ?? GENESIS_HASH, hashedPart(movement));
    const booked = { ...movement, hash };
    this.#insert(booked);
    this.#posted.push(movement);
    this.#uncounted.push(movement);
    this.#newest.set(booked);
  }

  /**
   * The company's postings after `query.after`, in order; `accounts: "all"` adds the provider's.
   * Times become bounds of movements first, so that a page reads no more than it shows.
   */
  statement(query: StatementQuery): StatementLine[] {
    if (query.currency !== CURRENCY) return [];
    const first = query.from === null ? 1 : this.lastBefore(query.from) + 1;
    const last = query.to === null ? Number.MAX_SAFE_INTEGER : this.lastBefore(query.to + 1);
    const lines: StatementLine[] = [];
    const rows = named(
      "SELECT * FROM movements WHERE sequence BETWEEN :from AND :last ORDER BY sequence",
    ).exec<MovementRow>(this.#sql, { from: Math.max(first, movementOfLine(query.after)), last });
    for (const row of rows) {
      const all = statementLines(movementOf(row), query.accounts);
      lines.push(...all.filter((line) => line.sequence > query.after));
      if (lines.length >= query.limit) break;
    }
    return lines.slice(0, query.limit);
  }

  /** The balance of `available` after the last movement up to a time. Centavos. */
  availableAt(timeMs: number): Cents {
    const [row] = this.#sql
      .exec<{ available: number }>(
        "SELECT available FROM movements WHERE sequence = ?",
        this.lastBefore(timeMs + 1),
      )
      .toArray();
    return row?.available ?? 0;
  }

  /**
   * Ids of the payments of `amount` centavos that were credited from `from` until before `to` (epoch ms), oldest
   * first. Reads `limit` movements at most; `isWhole` is false if there are more.
   */
  paymentsBetween(amount: Cents, from: number, to: number, limit: number) {
    const first = this.lastBefore(from) + 1;
    const last = this.lastBefore(to);
    const ids = named(
      `SELECT details ->> '$.paymentId' AS id FROM movements
         WHERE sequence BETWEEN :first AND :end AND type IN ('charge_paid', 'suspense_credited')
           AND details ->> '$.paidAmount' = :amount
         ORDER BY sequence`,
    )
      .exec<{ id: string }>(this.#sql, { first, end: Math.min(last, first + limit - 1), amount })
      .toArray()
      .map(({ id }) => id);
    return { ids, isWhole: last - first < limit };
  }

  /** The newest movement's sequence; 0 in an empty ledger. */
  newestMovement(): number {
    return this.#newest.read()?.sequence ?? 0;
  }

  /** A movement whose hash covers its content and its predecessor; null if missing or changed. */
  findVerified(sequence: number): BookedMovement | null {
    const found = named(
      "SELECT * FROM movements WHERE sequence BETWEEN :previous AND :sequence ORDER BY sequence DESC",
    )
      .exec<MovementRow>(this.#sql, { previous: sequence - 1, sequence })
      .toArray()
      .map(movementOf);
    const [movement, previous] = found;
    if (movement?.sequence !== sequence || !isHashed(movement, previous?.hash ?? GENESIS_HASH)) {
      return null;
    }
    return movement;
  }

  /** The number of a movement's last line in the statement; null if there is no such movement. */
  lastLineOf(sequence: number): number | null {
    const [row] = this.#sql
      .exec<MovementRow>("SELECT * FROM movements WHERE sequence = ?", sequence)
      .toArray();
    return row === undefined ? null : lastLine(movementOf(row));
  }

  /** A movement's hash; null if there is no such movement. */
  hashOf(sequence: number): string | null {
    const [row] = this.#sql
      .exec<{ hash: string }>("SELECT hash FROM movements WHERE sequence = ?", sequence)
      .toArray();
    return row?.hash ?? null;
  }

  /** The heads whose movement is missing or has another hash. */
  mismatchedHeads(heads: readonly AnchoredHead[]): AnchoredHead[] {
    if (heads.length === 0) return [];
    const sequences = JSON.stringify(heads.map(({ movement }) => movement));
    const rows = this.#sql
      .exec<{ sequence: number; hash: string }>(
        "SELECT sequence, hash FROM movements WHERE sequence IN (SELECT value FROM json_each(?))",
        sequences,
      )
      .toArray();
    const hashes = new Map(rows.map(({ sequence, hash }) => [sequence, hash]));
    return heads.filter(({ movement, hash }) => hashes.get(movement) !== hash);
  }

  /** Movements by sequence with all their postings, oldest first. */
  bySequence<Type extends MovementType = TransactionMovementType>(
    sequences: number[],
  ): TimelineMovement<Type>[] {
    return this.#sql
      .exec<MovementRow>(
        `SELECT * FROM movements WHERE sequence IN (SELECT value FROM json_each(?))
         ORDER BY sequence`,
        JSON.stringify(sequences),
      )
      .toArray()
      .map(movementOf)
      .map(({ sequence, createdAt, type, postings, hash }) => ({
        number: sequence,
        at: createdAt,
        type: type as Type,
        postings,
        hash,
      }));
  }

  #readNewest(): BookedMovement | null {
    const [row] = this.#sql
      .exec<MovementRow>("SELECT * FROM movements ORDER BY sequence DESC LIMIT 1")
      .toArray();
    return row === undefined ? null : movementOf(row);
  }

  #insert(movement: BookedMovement): void {
    MOVEMENTS.insert(this.#sql, {
      sequence: movement.sequence,
      type: movement.type,
      transaction_id: movement.transactionId,
      withdraw_id: movement.withdrawId,
      created_at: movement.createdAt,
      postings: toPostingsJson(movement.postings),
      ...movement.balances,
      hash: movement.hash,
      details: movement.details,
      details_hash: movement.detailsHash,
    });
  }

  /**
   * The last movement before a time. A binary search, as `created_at` never decreases: about 20
   * reads among a million movements.
   */
  lastBefore(timeMs: number): number {
    let low = 0;
    let high = this.newestMovement();
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const { created_at: createdAt } = this.#sql
        .exec<{ created_at: number }>("SELECT created_at FROM movements WHERE sequence = ?", middle)
        .one();
      if (createdAt < timeMs) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** The balances after a movement; zeros after none. */
export function balancesAfter(newest: BookedMovement | null): AccountBalances {
  if (newest !== null) return newest.balances;
  return Object.fromEntries(ACCOUNTS.map((account) => [account, 0])) as AccountBalances;
}

/** The balances after a movement, in which each account occurs at most once. */
function balancesWith(before: AccountBalances, postings: Posting[]): AccountBalances {
  const after = { ...before };
  const moved = new Set<Account>();
  for (const { account, amount } of postings) {
    assert(!moved.has(account), `two postings of ${account}`);
    assert(Number.isSafeInteger(amount) && amount !== 0, `posting of ${amount}`);
    after[account] += amount;
    assert(Number.isSafeInteger(after[account]), `balance of ${account} is ${after[account]}`);
    moved.add(account);
  }
  return after;
}

/** The number of a movement's last line in the statement. */
export function lastLine(movement: BookedMovement): number {
  return lineNumber(movement.sequence, statementLines(movement, "company").length - 1);
}

/**
 * A movement's lines in the statement. The provider's has the movement's last number, so that the
 * other numbers do not depend on whether it is shown.
 */
function statementLines(
  movement: BookedMovement,
  accounts: StatementQuery["accounts"],
): StatementLine[] {
  const { sequence, createdAt, type, transactionId, withdrawId, detailsHash, hash } = movement;
  const subject = { transactionId, withdrawId, hash, detailsHash };
  const lines = linesOf(movement);
  const [company, provider] = [
    lines.filter(({ account }) => account !== "provider"),
    accounts === "all" ? lines.filter(({ account }) => account === "provider") : [],
  ];
  const toStatementLine = (line: MovementLine, index: number) => ({
    sequence: lineNumber(sequence, index),
    createdAt,
    type,
    ...line,
    ...subject,
  });
  return [
    ...company.map(toStatementLine),
    ...provider.map((line) => toStatementLine(line, PROVIDER_LINE)),
  ];
}
