import type { Account } from "./ledger.ts";
import type { Cents } from "../shared/money.ts";
import { GENESIS_HASH, movementHash, type HashedMovement } from "./movement-hash.ts";
import { lineNumber, movementOfLine, PROVIDER_LINE } from "./statement.ts";
import { isNumber, lineFault, type ShownLine } from "./statement-lines.ts";

export interface StatementProof {
  lines: number;
  movements: number;
  /** What the company's last line is numbered, and the newest hash: `ledgerSequence` and `ledgerHash`. */
  ledgerSequence: number;
  ledgerHash: string;
  /** What each account comes to, computed from the amounts alone. Centavos. */
  balances: Map<Account, Cents>;
  /** The hashes of the lines that were asked for, by their numbers. */
  hashes: Map<number, string>;
  /** The first thing that does not hold; null where all does. */
  fault: string | null;
  /** Whether it is all there but the provider's side, without which no sum of zero is proven. */
  lacksProvider: boolean;
}

interface OpenMovement extends HashedMovement {
  hash: string;
  /** The company's lines so far. */
  own: number;
  sum: bigint;
}

/**
 * Proves a whole statement, line by line from its first: each running balance is what the amounts add
 * up to, each movement carries the hash of what it says and of the one before, and sums to zero. Needs
 * nothing but the lines, so that whoever holds an export need not trust who made it.
 */
export class StatementProver {
  readonly #asked: Set<number>;
  readonly #hashes = new Map<number, string>();
  readonly #balances = new Map<Account, Cents>();
  #lines = 0;
  #movements = 0;
  /** The number of the last line, and of the company's last. */
  #sequence = 0;
  #ledgerSequence = 0;
  #hash = GENESIS_HASH;
  #fault: string | null = null;
  #open: OpenMovement | null = null;
  #hasProvider = false;
  /** The first movement that does not sum to zero without a provider's line. */
  #unbalanced: number | null = null;

  /** @param asked numbers of lines whose hashes are to be told. */
  constructor(asked: number[] = []) {
    this.#asked = new Set(asked);
  }

  /** The next line, as it was read: a whole number of lines as CSV or JSON says them. */
  add(values: Record<string, unknown>): void {
    if (this.#fault !== null) return;
    this.#lines += 1;
    this.#fault = this.#next(values);
  }

  end(): StatementProof {
    this.#fault ??= this.#close();
    const unbalanced = this.#fault === null ? this.#unbalanced : null;
    if (unbalanced !== null && this.#hasProvider) {
      this.#fault = `movement ${unbalanced} does not sum to 0`;
    }
    return {
      lines: this.#lines,
      movements: this.#movements,
      ledgerSequence: this.#ledgerSequence,
      ledgerHash: this.#hash,
      balances: this.#balances,
      hashes: this.#hashes,
      fault: this.#fault,
      lacksProvider: unbalanced !== null && !this.#hasProvider,
    };
  }

  #next(values: Record<string, unknown>): string | null {
    const { sequence } = values;
    if (!isNumber(sequence)) return `line ${this.#lines}: its sequence is none`;
    const name = `line ${this.#lines} (sequence ${sequence})`;
    const unreadable = lineFault(values);
    if (unreadable !== null) return `${name}: ${unreadable}`;
    const line = values as unknown as ShownLine;
    const begins = movementOfLine(sequence) !== this.#open?.sequence;
    const broken = begins ? this.#close() : null;
    if (broken !== null) return broken;
    const movement = begins ? this.#begin(line) : this.#open;
    const isProviders = line.account === "provider";
    const index = isProviders ? PROVIDER_LINE : (movement?.own ?? 0);
    const follows = movement !== null && sequence === lineNumber(movement.sequence, index);
    if (!follows) return `${name} does not follow sequence ${this.#sequence}`;
    this.#sequence = sequence;
    return this.#take(name, line, movement);
  }

  #take(name: string, line: ShownLine, movement: OpenMovement): string | null {
    const { account, amount, balance, sequence } = line;
    if (!isOf(movement, line)) return `${name} does not agree with the line before of its movement`;
    if (movement.lines.some((other) => other.account === account)) {
      return `${name}: ${account} is in its movement twice`;
    }
    const now = (this.#balances.get(account) ?? 0) + amount;
    if (now !== balance) return `${name} says that ${account} is ${balance}; it is ${now}`;
    this.#balances.set(account, now);
    movement.lines.push({ account, amount, balance });
    movement.sum += BigInt(amount);
    if (account === "provider") this.#hasProvider = true;
    else {
      movement.own += 1;
      this.#ledgerSequence = sequence;
      if (this.#asked.has(sequence)) this.#hashes.set(sequence, line.hash);
    }
    return null;
  }

  /** Null where it is not the movement that follows. */
  #begin(line: ShownLine): OpenMovement | null {
    const sequence = movementOfLine(line.sequence);
    if (sequence !== this.#movements + 1) return null;
    const { type, transactionId, withdrawId, hash, detailsHash } = line;
    const about = { type, transactionId, withdrawId, hash, detailsHash };
    const createdAt = Date.parse(line.createdAt);
    this.#open = { sequence, createdAt, ...about, lines: [], own: 0, sum: 0n };
    return this.#open;
  }

  #close(): string | null {
    const movement = this.#open;
    if (movement === null) return null;
    this.#open = null;
    this.#movements = movement.sequence;
    const name = `movement ${movement.sequence}`;
    if (movementHash(this.#hash, movement) !== movement.hash) {
      return `${name} (up to sequence ${this.#sequence}) does not carry the hash of what it says`;
    }
    this.#hash = movement.hash;
    if (movement.sum === 0n) return null;
    const hasProvider = movement.lines.some(({ account }) => account === "provider");
    if (hasProvider) return `${name} does not sum to 0`;
    this.#unbalanced ??= movement.sequence;
    return null;
  }
}

function isOf(movement: OpenMovement, line: ShownLine): boolean {
  return (
    movement.hash === line.hash &&
    movement.detailsHash === line.detailsHash &&
    movement.type === line.type &&
    movement.createdAt === Date.parse(line.createdAt) &&
    movement.transactionId === line.transactionId &&
    movement.withdrawId === line.withdrawId
  );
}
