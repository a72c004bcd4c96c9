import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { ACCOUNTS, type Account, type MovementType, type Posting } from "../domain/ledger.ts";
import type { Cents } from "../domain/money.ts";
import type { HashedMovement, MovementLine } from "../domain/movement-hash.ts";
import type { OutboxEntry } from "../domain/outbox.ts";
import { packEntry } from "./entry-codec.ts";
import { ACCOUNT_LETTERS, accountOfLetter, TYPE_NUMBERS, typeOfNumber } from "./short-words.ts";
import { idOrNull, storedIdOrNull } from "./stored-id.ts";

export type AccountBalances = Record<Account, Cents>;

/** A change of money as it is written down: what it moves, and what stands where after it. */
export interface BookedMovement {
  /** Dense within the company, from 1. */
  sequence: number;
  createdAt: number;
  type: MovementType;
  transactionId: string | null;
  withdrawId: number | null;
  postings: Posting[];
  balances: AccountBalances;
  hash: string;
}

/** A place in the order of commits: up to this movement and this note. */
export interface Mark {
  movement: number;
  note: number;
}

export type MovementRow = Record<Account, number> & {
  sequence: number;
  type: number;
  transaction_id: ArrayBuffer | null;
  withdraw_id: number | null;
  created_at: number;
  postings: string;
  hash: ArrayBuffer;
};

type NewestRow = {
  movement: number;
  note: number;
  events: number;
  drained_movement: number;
  drained_note: number;
};

/** What the newest row of each table says of the order of commits. */
const NEWEST = {
  movements: `SELECT sequence AS movement, note, events, drained_movement, drained_note
    FROM movements ORDER BY sequence DESC LIMIT 1`,
  notes: `SELECT movement, number AS note, events, drained_movement, drained_note
    FROM notes ORDER BY number DESC LIMIT 1`,
};

/**
 * The rows that commits leave, one for each. A change of money is a row of `movements`, any other one
 * of `notes`; each carries what the commit owes D1, the number of the company's newest event, and how
 * far D1 was known to have what it is owed. The newest movement is held until the commit ends or the
 * next one comes, so that its entry stands in the same row.
 */
export class Journal {
  readonly #sql: SqlStorage;
  #held: { movement: BookedMovement; entry: OutboxEntry | null } | null = null;
  /** The newest event's number in this commit; null where it announced nothing yet. */
  #events: number | null = null;
  /** Movements of this commit, by their transaction. */
  #booked = new Map<string, number[]>();
  /** How far D1 has everything, as this instance knows; null until it has read it. */
  #drained: Mark | null = null;
  /** How many movements there were when there were most. */
  #longest = 0;
  /** The end of what an instance before this one wrote. */
  #began: Mark | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  newestMovement(): BookedMovement | null {
    if (this.#held !== null) return this.#held.movement;
    const [row] = this.#sql
      .exec<MovementRow>("SELECT * FROM movements ORDER BY sequence DESC LIMIT 1")
      .toArray();
    return row === undefined ? null : movementOf(row);
  }

  /** The place of the newest row. */
  end(): Mark {
    return {
      movement: this.#newest("movements")?.movement ?? 0,
      note: this.#newest("notes")?.note ?? 0,
    };
  }

  /** How many movements there are, and how many there were at least by what notes and drains know. */
  lengths(): { newest: number; known: number } {
    const note = this.#newest("notes");
    const noted = Math.max(note?.movement ?? 0, note?.drained_movement ?? 0);
    return { newest: this.end().movement, known: Math.max(noted, this.#longest) };
  }

  book(movement: BookedMovement): void {
    this.#writeHeld();
    this.#held = { movement, entry: null };
    const { transactionId, sequence } = movement;
    if (transactionId === null) return;
    this.#booked.set(transactionId, [...this.bookedFor(transactionId), sequence]);
  }

  /** The movements of this commit that are about a transaction, oldest first. */
  bookedFor(transactionId: string): number[] {
    return this.#booked.get(transactionId) ?? [];
  }

  /** How many events the company has announced. */
  events(): number {
    if (this.#events !== null) return this.#events;
    return Math.max(this.#newest("movements")?.events ?? 0, this.#newest("notes")?.events ?? 0);
  }

  /** The next number of a company's event, whose entry must follow in the same commit. */
  nextEvent(): number {
    this.#events = this.events() + 1;
    return this.#events;
  }

  /** Writes down what D1 is owed, with the movement it comes of where there is one. */
  owe(entry: OutboxEntry, nowMs: number): void {
    if (this.#held !== null && this.#held.entry === null) {
      this.#held.entry = entry;
      return;
    }
    this.#writeHeld();
    this.#writeNote(entry, nowMs);
  }

  /** The end of a commit: everything it did stands in the tables. */
  flush(): void {
    this.#writeHeld();
    this.#events = null;
    this.#booked.clear();
  }

  /** The commit was undone, and what this instance remembers of it with it. */
  discard(): void {
    this.#held = null;
    this.#events = null;
    this.#booked.clear();
    const { movement, note } = this.end();
    this.#longest = Math.min(this.#longest, movement);
    if (this.#drained === null) return;
    this.#drained = {
      movement: Math.min(this.#drained.movement, movement),
      note: Math.min(this.#drained.note, note),
    };
  }

  drained(): Mark {
    this.#began ??= this.end();
    this.#drained ??= this.#drainedInRows();
    return this.#drained;
  }

  /** Whether D1 is not known to have what was there when this instance began. */
  isUnsure(): boolean {
    const { movement, note } = this.drained();
    return this.#began !== null && (movement < this.#began.movement || note < this.#began.note);
  }

  /** D1 has everything up to here, which the next row will say; until then only this instance knows. */
  setDrained(mark: Mark): void {
    this.#drained = mark;
    this.#longest = Math.max(this.#longest, mark.movement);
  }

  /** Writes down how far D1 has everything, where no row says so yet. */
  keepDrained(): void {
    const { movement, note } = this.drained();
    const kept = this.#drainedInRows();
    if (kept.movement === movement && kept.note === note) return;
    const table = movement > 0 ? "movements" : "notes";
    const key = movement > 0 ? "sequence" : "number";
    this.#sql.exec(
      `UPDATE ${table} SET drained_movement = ?, drained_note = ?
       WHERE ${key} = (SELECT max(${key}) FROM ${table})`,
      movement,
      note,
    );
  }

  #drainedInRows(): Mark {
    const rows = [this.#newest("movements"), this.#newest("notes")];
    return {
      movement: Math.max(...rows.map((row) => row?.drained_movement ?? 0)),
      note: Math.max(...rows.map((row) => row?.drained_note ?? 0)),
    };
  }

  #newest(table: "movements" | "notes"): NewestRow | null {
    const [row] = this.#sql.exec<NewestRow>(NEWEST[table]).toArray();
    return row ?? null;
  }

  #writeHeld(): void {
    if (this.#held === null) return;
    const { movement, entry } = this.#held;
    const events = this.events();
    const drained = this.drained();
    this.#held = null;
    this.#sql.exec(
      `INSERT INTO movements (sequence, type, transaction_id, withdraw_id, created_at, postings,
         available, awaiting, blocked, payout, debt, suspense, fees, provider, hash, entry, note,
         events, drained_movement, drained_note)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      movement.sequence,
      TYPE_NUMBERS[movement.type],
      storedIdOrNull(movement.transactionId),
      movement.withdrawId,
      movement.createdAt,
      packPostings(movement.postings),
      ...ACCOUNTS.map((account) => movement.balances[account]),
      hexToBytes(movement.hash).buffer,
      entry === null ? null : packEntry(entry, { ...movement, events }),
      this.#newest("notes")?.note ?? 0,
      events,
      drained.movement,
      drained.note,
    );
  }

  #writeNote(entry: OutboxEntry, nowMs: number): void {
    const { movement, note } = this.end();
    const events = this.events();
    const drained = this.drained();
    this.#sql.exec(
      `INSERT INTO notes (number, movement, created_at, entry, events, drained_movement,
         drained_note)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      note + 1,
      movement,
      nowMs,
      packEntry(entry, { createdAt: nowMs, transactionId: null, withdrawId: null, events }),
      events,
      drained.movement,
      drained.note,
    );
  }
}

/** By account, in the order in which they were made: no movement has two postings of one account. */
function packPostings(postings: Posting[]): string {
  return JSON.stringify(
    Object.fromEntries(postings.map(({ account, amount }) => [ACCOUNT_LETTERS[account], amount])),
  );
}

export function movementOf(row: MovementRow): BookedMovement {
  const postings = Object.entries(JSON.parse(row.postings) as Record<string, Cents>);
  return {
    sequence: row.sequence,
    createdAt: row.created_at,
    type: typeOfNumber(row.type),
    transactionId: idOrNull(row.transaction_id),
    withdrawId: row.withdraw_id,
    postings: postings.map(([letter, amount]) => ({ account: accountOfLetter(letter), amount })),
    balances: Object.fromEntries(
      ACCOUNTS.map((account) => [account, row[account]]),
    ) as AccountBalances,
    hash: bytesToHex(new Uint8Array(row.hash)),
  };
}

/** A movement's postings, each with what it left its account at. */
export function linesOf({ postings, balances }: BookedMovement): MovementLine[] {
  return postings.map(({ account, amount }) => ({ account, amount, balance: balances[account] }));
}

/** What of a movement its hash is over. */
export function hashedPart(movement: BookedMovement): HashedMovement {
  const { sequence, createdAt, type, transactionId, withdrawId } = movement;
  return { sequence, createdAt, type, transactionId, withdrawId, lines: linesOf(movement) };
}
