import type { Account } from "./ledger.ts";
import type { Cents } from "../shared/money.ts";
import { GENESIS_HASH, movementHash, type HashedMovement } from "./movement-hash.ts";
import { lineNumber, movementOfLine, PROVIDER_LINE } from "./statement.ts";
import { isPositiveInteger, lineError, type StatementLineView } from "./statement-lines.ts";

export interface StatementVerification {
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
  error: string | null;
  /** Whether it is all there but the provider's side, without which no sum of zero is proven. */
  missesProviderLines: boolean;
}

interface OpenMovement extends HashedMovement {
  hash: string;
  /** The company's lines so far. */
  companyLines: number;
  sum: bigint;
}

/**
 * Proves a whole statement, line by line from its first: each running balance is what the amounts add
 * up to, each movement carries the hash of what it says and of the one before, and sums to zero. Needs
 * nothing but the lines, so that whoever holds an export need not trust who made it.
 */
export class StatementVerifier {
  readonly #requestedLines: Set<number>;
  readonly #hashes = new Map<number, string>();
  readonly #balances = new Map<Account, Cents>();
  #lines = 0;
  #movements = 0;
  /** The number of the last line, and of the company's last. */
  #sequence = 0;
  #ledgerSequence = 0;
  #hash = GENESIS_HASH;
  #error: string | null = null;
  #open: OpenMovement | null = null;
  #hasProvider = false;
  /** The first movement that does not sum to zero without a provider's line. */
  #unbalanced: number | null = null;

  /** @param requestedLines numbers of lines whose hashes are to be told. */
  constructor(requestedLines: number[] = []) {
    this.#requestedLines = new Set(requestedLines);
  }

  /** The next line, as it was read: a whole number of lines as CSV or JSON says them. */
  add(values: Record<string, unknown>): void {
    if (this.#error !== null) return;
    this.#lines += 1;
    this.#error = this.#verifyLine(values);
  }

  end(): StatementVerification {
    this.#error ??= this.#closeMovement();
    const unbalanced = this.#error === null ? this.#unbalanced : null;
    if (unbalanced !== null && this.#hasProvider) {
      this.#error = `movement ${unbalanced} does not sum to 0`;
    }
    return {
      lines: this.#lines,
      movements: this.#movements,
      ledgerSequence: this.#ledgerSequence,
      ledgerHash: this.#hash,
      balances: this.#balances,
      hashes: this.#hashes,
      error: this.#error,
      missesProviderLines: unbalanced !== null && !this.#hasProvider,
    };
  }

  #verifyLine(values: Record<string, unknown>): string | null {
    const { sequence } = values;
    if (!isPositiveInteger(sequence))
      return `line ${this.#lines}: its sequence is not a positive integer`;
    const name = `line ${this.#lines} (sequence ${sequence})`;
    const unreadable = lineError(values);
    if (unreadable !== null) return `${name}: ${unreadable}`;
    const line = values as unknown as StatementLineView;
    const begins = movementOfLine(sequence) !== this.#open?.sequence;
    const broken = begins ? this.#closeMovement() : null;
    if (broken !== null) return broken;
    const movement = begins ? this.#openMovement(line) : this.#open;
    const isProviders = line.account === "provider";
    const index = isProviders ? PROVIDER_LINE : (movement?.companyLines ?? 0);
    const follows = movement !== null && sequence === lineNumber(movement.sequence, index);
    if (!follows) return `${name} does not follow sequence ${this.#sequence}`;
    this.#sequence = sequence;
    return this.#appendLine(name, line, movement);
  }

  #appendLine(name: string, line: StatementLineView, movement: OpenMovement): string | null {
    const { account, amount, balance, sequence } = line;
    if (!belongsTo(movement, line))
      return `${name} does not agree with the previous line of its movement`;
    if (movement.lines.some((other) => other.account === account)) {
      return `${name}: ${account} occurs twice in its movement`;
    }
    const now = (this.#balances.get(account) ?? 0) + amount;
    if (now !== balance) return `${name} says that ${account} is ${balance}; it is ${now}`;
    this.#balances.set(account, now);
    movement.lines.push({ account, amount, balance });
    movement.sum += BigInt(amount);
    if (account === "provider") this.#hasProvider = true;
    else {
      movement.companyLines += 1;
      this.#ledgerSequence = sequence;
      if (this.#requestedLines.has(sequence)) this.#hashes.set(sequence, line.hash);
    }
    return null;
  }

  /** Null where it is not the movement that follows. */
  #openMovement(line: StatementLineView): OpenMovement | null {
    const sequence = movementOfLine(line.sequence);
    if (sequence !== this.#movements + 1) return null;
    const { type, transactionId, withdrawId, hash, detailsHash } = line;
    const about = { type, transactionId, withdrawId, hash, detailsHash };
    const createdAt = Date.parse(line.createdAt);
    this.#open = { sequence, createdAt, ...about, lines: [], companyLines: 0, sum: 0n };
    return this.#open;
  }

  #closeMovement(): string | null {
    const movement = this.#open;
    if (movement === null) return null;
    this.#open = null;
    this.#movements = movement.sequence;
    const name = `movement ${movement.sequence}`;
    if (movementHash(this.#hash, movement) !== movement.hash) {
      return `${name} (up to sequence ${this.#sequence}) does not carry the hash of its content`;
    }
    this.#hash = movement.hash;
    if (movement.sum === 0n) return null;
    const hasProvider = movement.lines.some(({ account }) => account === "provider");
    if (hasProvider) return `${name} does not sum to 0`;
    this.#unbalanced ??= movement.sequence;
    return null;
  }
}

function belongsTo(movement: OpenMovement, line: StatementLineView): boolean {
  return (
    movement.hash === line.hash &&
    movement.detailsHash === line.detailsHash &&
    movement.type === line.type &&
    movement.createdAt === Date.parse(line.createdAt) &&
    movement.transactionId === line.transactionId &&
    movement.withdrawId === line.withdrawId
  );
}
