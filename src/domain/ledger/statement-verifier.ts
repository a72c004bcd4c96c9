import type { Account } from "./ledger.ts";
import type { Cents } from "../shared/money.ts";
import { GENESIS_HASH, movementHash, type HashedMovement } from "./movement-hash.ts";
import { lineNumber, movementOfLine, PROVIDER_LINE } from "./statement.ts";
import { movementError } from "./movement-rules.ts";
import { WithdrawLives } from "./withdraw-lives.ts";
import { isPositiveInteger, lineError, type StatementLineView } from "./statement-lines.ts";

export interface StatementVerification {
  lines: number;
  movements: number;
  /** Number of the company's last line and hash of the newest movement, as the balance shows them. */
  ledgerSequence: number;
  ledgerHash: string;
  /** Balance of each account, computed from the amounts alone. Centavos. */
  balances: Map<Account, Cents>;
  /** The hashes of the requested lines, by line number. */
  hashes: Map<number, string>;
  /** The first error; null for a valid statement. */
  error: string | null;
  /** Whether only the provider's lines are missing, without which no zero sum can be checked. */
  missesProviderLines: boolean;
}

interface OpenMovement extends HashedMovement {
  hash: string;
  /** How many of its lines so far are not the provider's. */
  companyLines: number;
  sum: bigint;
}

/**
 * Verifies a statement line by line, from its first line: each running balance is the sum of the amounts,
 * each movement has the hash of its content and of the previous hash, sums to zero and touches only the accounts
 * of its type, no balance has a wrong sign, no time falls, and each withdraw ends once. Needs only the lines, so
 * the holder of an export need not trust the gateway.
 */
export class StatementVerifier {
  readonly #requestedLines: Set<number>;
  readonly #hashes = new Map<number, string>();
  readonly #balances = new Map<Account, Cents>();
  #lines = 0;
  #movements = 0;
  /** Number of the last line, and of the last one that is not the provider's. */
  #sequence = 0;
  #ledgerSequence = 0;
  #hash = GENESIS_HASH;
  /** When the last closed movement was made, epoch milliseconds. */
  #time = Number.NEGATIVE_INFINITY;
  readonly #withdraws = new WithdrawLives();
  #error: string | null = null;
  #open: OpenMovement | null = null;
  #hasProvider = false;
  /** The first movement that has no provider's line and does not sum to zero. */
  #unbalanced: number | null = null;

  /** @param requestedLines line numbers whose hashes the result must contain. */
  constructor(requestedLines: number[] = []) {
    this.#requestedLines = new Set(requestedLines);
  }

  /** Verifies the next line, as parsed from CSV or JSON. Ignored after the first error. */
  add(values: Record<string, unknown>): void {
    if (this.#error !== null) return;
    this.#lines += 1;
    this.#error = this.#verifyLine(values);
  }

  /** The result, after the last line. */
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
    const valueError = lineError(values);
    if (valueError !== null) return `${name}: ${valueError}`;
    const line = values as unknown as StatementLineView;
    const isFirst = movementOfLine(sequence) !== this.#open?.sequence;
    const previousError = isFirst ? this.#closeMovement() : null;
    if (previousError !== null) return previousError;
    const movement = isFirst ? this.#openMovement(line) : this.#open;
    const isProviderLine = line.account === "provider";
    const index = isProviderLine ? PROVIDER_LINE : (movement?.companyLines ?? 0);
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
    const sum = (this.#balances.get(account) ?? 0) + amount;
    if (sum !== balance) return `${name} says that ${account} is ${balance}; it is ${sum}`;
    this.#balances.set(account, sum);
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

  /** Null when the line is not of the next movement. */
  #openMovement(line: StatementLineView): OpenMovement | null {
    const sequence = movementOfLine(line.sequence);
    if (sequence !== this.#movements + 1) return null;
    const { type, transactionId, withdrawId, hash, detailsHash } = line;
    const fields = { type, transactionId, withdrawId, hash, detailsHash };
    const createdAt = Date.parse(line.createdAt);
    this.#open = { sequence, createdAt, ...fields, lines: [], companyLines: 0, sum: 0n };
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
    if (movement.sum !== 0n) {
      const hasProvider = movement.lines.some(({ account }) => account === "provider");
      if (hasProvider) return `${name} does not sum to 0`;
      this.#unbalanced ??= movement.sequence;
    }
    const broken = this.#brokenRule(movement);
    return broken === null ? null : `${name}: ${broken}`;
  }

  /** What a movement whose hash is right cannot be, however its lines were written. */
  #brokenRule(movement: OpenMovement): string | null {
    if (movement.createdAt < this.#time) return "it is earlier than the one before";
    this.#time = movement.createdAt;
    const error = movementError(movement) ?? this.#withdraws.add(movement);
    if (error !== null) return error;
    const available = this.#balances.get("available") ?? 0;
    const debt = this.#balances.get("debt") ?? 0;
    return debt < 0 && available > 0 ? `available is ${available} beside a debt` : null;
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
