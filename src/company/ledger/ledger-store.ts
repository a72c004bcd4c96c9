import type { AnchoredHead } from "../../domain/ledger/anchor.ts";
import type { LedgerHead } from "../../domain/ledger/balance.ts";
import {
  ACCOUNTS,
  type Account,
  type MovementType,
  type Posting,
} from "../../domain/ledger/ledger.ts";
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

export interface Movement {
  type: MovementType;
  postings: Posting[];
  transactionId?: string;
  withdrawId?: number;
  /** What of it decides money later and is no posting. */
  details?: MovementDetails;
}

/** The append-only double-entry ledger of a company, in its one currency. Centavos throughout. */
export class LedgerStore {
  readonly #sql: SqlStorage;
  /** The movements of this commit, for the charges that they are about. */
  #posted: { transactionId: string | null; sequence: number }[] = [];

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The beginning of a commit. */
  beginCommit(): void {
    this.#posted = [];
  }

  hasPosted(): boolean {
    return this.#posted.length > 0;
  }

  /** The numbers of this commit's movements that are about a transaction, oldest first. */
  postedFor(transactionId: string): number[] {
    return this.#posted
      .filter((movement) => movement.transactionId === transactionId)
      .map(({ sequence }) => sequence);
  }

  balance(account: Account): Cents {
    return this.balances()[account];
  }

  /** What stands on each account: what the newest movement left there. */
  balances(): AccountBalances {
    return balancesAfter(this.#newest());
  }

  /** What the company owes, as a positive amount. */
  debt(): Cents {
    return 0 - this.balance("debt");
  }

  /** The newest movement and its hash, which covers all before it. */
  newestHead(): Omit<AnchoredHead, "day"> {
    const newest = this.#newest();
    return { movement: newest?.sequence ?? 0, hash: newest?.hash ?? GENESIS_HASH };
  }

  /** Where the ledger stands: the number of its statement's last line, and the newest hash. */
  head(): LedgerHead {
    const newest = this.#newest();
    if (newest === null) return { sequence: 0, hash: GENESIS_HASH };
    return { sequence: lastLine(newest), hash: newest.hash };
  }

  /**
   * Books one movement. Its postings sum to zero, and one that would take one of the company's own
   * accounts below zero violates the table's CHECK and undoes the whole commit.
   */
  post({ type, postings, ...about }: Movement, nowMs: number): void {
    const sum = postings.reduce((total, posting) => total + posting.amount, 0);
    assert(sum === 0, `postings of ${type} sum to ${sum}`);
    assert(postings.length >= 2, `${type} has fewer than two postings`);
    const newest = this.#newest();
    const details = about.details === undefined ? null : canonicalJson(about.details);
    const movement: BookedMovement = {
      sequence: (newest?.sequence ?? 0) + 1,
      createdAt: Math.max(nowMs, newest?.createdAt ?? 0),
      type,
      transactionId: about.transactionId ?? null,
      withdrawId: about.withdrawId ?? null,
      postings,
      balances: balancesWith(balancesAfter(newest), postings),
      details,
      detailsHash: details === null ? null : sha256HexSync(details),
      hash: "",
    };
    const hash = movementHash(newest?.hash ?? GENESIS_HASH, hashedPart(movement));
    this.#insert({ ...movement, hash });
    this.#posted.push(movement);
  }

  /**
   * The company's postings in order, after a `sequence`, with the provider's side where it is asked for. Times
   * become bounds of movements first, so that a page never reads past what it shows.
   */
  statement(query: StatementQuery): StatementLine[] {
    if (query.currency !== CURRENCY) return [];
    const first = query.from === null ? 1 : this.#lastBefore(query.from) + 1;
    const last = query.to === null ? Number.MAX_SAFE_INTEGER : this.#lastBefore(query.to + 1);
    const lines: StatementLine[] = [];
    const rows = this.#sql.exec<MovementRow>(
      "SELECT * FROM movements WHERE sequence BETWEEN ? AND ? ORDER BY sequence",
      Math.max(first, movementOfLine(query.after)),
      last,
    );
    for (const row of rows) {
      const shown = linesShown(movementOf(row), query.accounts);
      lines.push(...shown.filter((line) => line.sequence > query.after));
      if (lines.length >= query.limit) break;
    }
    return lines.slice(0, query.limit);
  }

  /** The number of the newest movement; 0 where there is none. */
  newestMovement(): number {
    return this.#sql
      .exec<{ newest: number }>("SELECT coalesce(max(sequence), 0) AS newest FROM movements")
      .one().newest;
  }

  /** A movement whose hash is of what it says and of the one before; null where there is none such. */
  findVerified(number: number): BookedMovement | null {
    const found = this.#sql
      .exec<MovementRow>(
        "SELECT * FROM movements WHERE sequence BETWEEN ? AND ? ORDER BY sequence DESC",
        number - 1,
        number,
      )
      .toArray()
      .map(movementOf);
    const [movement, before] = found;
    if (movement?.sequence !== number || !isHashed(movement, before?.hash ?? GENESIS_HASH)) {
      return null;
    }
    return movement;
  }

  /** The number of the statement's last line of a movement; null where there is no such movement. */
  lastLineOf(number: number): number | null {
    const [row] = this.#sql
      .exec<MovementRow>("SELECT * FROM movements WHERE sequence = ?", number)
      .toArray();
    return row === undefined ? null : lastLine(movementOf(row));
  }

  /** Null where there is no such movement. */
  hashOf(number: number): string | null {
    const [row] = this.#sql
      .exec<{ hash: string }>("SELECT hash FROM movements WHERE sequence = ?", number)
      .toArray();
    return row?.hash ?? null;
  }

  /** The heads that no movement here has the hash of. */
  mismatchedHeads(heads: readonly AnchoredHead[]): AnchoredHead[] {
    if (heads.length === 0) return [];
    const numbers = JSON.stringify(heads.map(({ movement }) => movement));
    const rows = this.#sql
      .exec<{ sequence: number; hash: string }>(
        "SELECT sequence, hash FROM movements WHERE sequence IN (SELECT value FROM json_each(?))",
        numbers,
      )
      .toArray();
    const hashes = new Map(rows.map(({ sequence, hash }) => [sequence, hash]));
    return heads.filter(({ movement, hash }) => hashes.get(movement) !== hash);
  }

  /** Movements by their numbers with all their postings, oldest first. */
  bySequence(numbers: number[]): TimelineMovement[] {
    return this.#sql
      .exec<MovementRow>(
        `SELECT * FROM movements WHERE sequence IN (SELECT value FROM json_each(?))
         ORDER BY sequence`,
        JSON.stringify(numbers),
      )
      .toArray()
      .map(movementOf)
      .map(({ sequence, createdAt, type, postings }) => ({
        number: sequence,
        at: createdAt,
        type: type as TimelineMovement["type"],
        postings,
      }));
  }

  #newest(): BookedMovement | null {
    const [row] = this.#sql
      .exec<MovementRow>("SELECT * FROM movements ORDER BY sequence DESC LIMIT 1")
      .toArray();
    return row === undefined ? null : movementOf(row);
  }

  #insert(movement: BookedMovement): void {
    this.#sql.exec(
      `INSERT INTO movements (sequence, type, transaction_id, withdraw_id, created_at, postings,
         available, awaiting, blocked, payout, debt, suspense, fees, provider, hash, details,
         details_hash)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      movement.sequence,
      movement.type,
      movement.transactionId,
      movement.withdrawId,
      movement.createdAt,
      toPostingsJson(movement.postings),
      ...ACCOUNTS.map((account) => movement.balances[account]),
      movement.hash,
      movement.details,
      movement.detailsHash,
    );
  }

  /**
   * The last movement made before a time, found by halving the dense numbers, along which
   * `created_at` never falls: about twenty reads among a million movements.
   */
  #lastBefore(timeMs: number): number {
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

function balancesAfter(newest: BookedMovement | null): AccountBalances {
  if (newest !== null) return newest.balances;
  return Object.fromEntries(ACCOUNTS.map((account) => [account, 0])) as AccountBalances;
}

/** No account is in a movement twice: its balance after the movement is the one after its posting. */
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

/** The number of a movement's last line as the statement shows it. */
function lastLine(movement: BookedMovement): number {
  return lineNumber(movement.sequence, linesShown(movement, "company").length - 1);
}

/**
 * A movement's lines as the statement shows them. The provider's, where it is asked for, has the last
 * number of the movement, so that the others have the same number with it and without.
 */
function linesShown(
  movement: BookedMovement,
  accounts: StatementQuery["accounts"],
): StatementLine[] {
  const { sequence, createdAt, type, transactionId, withdrawId, detailsHash, hash } = movement;
  const about = { transactionId, withdrawId, hash, detailsHash };
  const lines = linesOf(movement);
  const [own, provider] = [
    lines.filter(({ account }) => account !== "provider"),
    accounts === "all" ? lines.filter(({ account }) => account === "provider") : [],
  ];
  const shown = (line: MovementLine, index: number) => ({
    sequence: lineNumber(sequence, index),
    createdAt,
    type,
    ...line,
    ...about,
  });
  return [...own.map(shown), ...provider.map((line) => shown(line, PROVIDER_LINE))];
}
