import type { Account, MovementType } from "./ledger.ts";
import type { Cents } from "./money.ts";
import { GENESIS_HASH, movementHash, type HashedMovement } from "./movement-hash.ts";
import type { statementLineView } from "./statement.ts";

export type ShownLine = ReturnType<typeof statementLineView>;

export interface StatementProof {
  lines: number;
  movements: number;
  /** What the last line is numbered, and the newest hash: `ledgerSequence` and `ledgerHash`. */
  ledgerSequence: number;
  ledgerHash: string;
  /** What each account comes to, computed from the amounts alone. Centavos. */
  balances: Map<Account, Cents>;
  /** The first thing that does not hold; null where all does. */
  fault: string | null;
}

/**
 * Proves a whole statement, line by line from its first: each running balance is what the amounts add
 * up to, and each movement carries the hash of what it says and of the one before. Needs nothing but
 * the lines, so that whoever holds an export need not trust who made it.
 */
export class StatementProver {
  readonly #balances = new Map<Account, Cents>();
  #lines = 0;
  #movements = 0;
  #sequence = 0;
  #hash = GENESIS_HASH;
  #fault: string | null = null;
  /** The movement whose lines are being read, and the hash it says it has. */
  #open: { movement: HashedMovement; hash: string } | null = null;

  add(line: ShownLine): void {
    if (this.#fault !== null) return;
    this.#lines += 1;
    const name = `line ${this.#lines} (sequence ${line.sequence})`;
    if (line.sequence <= this.#sequence) {
      this.#fault = `${name} does not follow sequence ${this.#sequence}`;
      return;
    }
    this.#sequence = line.sequence;
    if (this.#open !== null && this.#open.hash !== line.hash) this.#close();
    const balance = (this.#balances.get(line.account) ?? 0) + line.amount;
    this.#balances.set(line.account, balance);
    if (balance !== line.balance) {
      this.#fault ??= `${name} says that ${line.account} is ${line.balance}; it is ${balance}`;
    }
    this.#open ??= { movement: this.#movementOf(line), hash: line.hash };
    const { movement } = this.#open;
    if (
      movement.type !== line.type ||
      movement.createdAt !== Date.parse(line.createdAt) ||
      movement.transactionId !== line.transactionId ||
      movement.withdrawId !== line.withdrawId
    ) {
      this.#fault ??= `${name} does not agree with the line before, whose hash it has`;
    }
    movement.lines.push({ account: line.account, amount: line.amount, balance: line.balance });
  }

  end(): StatementProof {
    if (this.#open !== null) this.#close();
    return {
      lines: this.#lines,
      movements: this.#movements,
      ledgerSequence: this.#sequence,
      ledgerHash: this.#hash,
      balances: this.#balances,
      fault: this.#fault,
    };
  }

  #close(): void {
    if (this.#open === null) return;
    const { movement, hash } = this.#open;
    this.#open = null;
    this.#movements = movement.sequence;
    if (movementHash(this.#hash, movement) !== hash) {
      this.#fault ??= `movement ${movement.sequence} (up to sequence ${this.#sequence}) does not carry the hash of what it says`;
    }
    this.#hash = hash;
  }

  #movementOf(line: ShownLine): HashedMovement {
    return {
      sequence: this.#movements + 1,
      createdAt: Date.parse(line.createdAt),
      type: line.type satisfies MovementType,
      transactionId: line.transactionId,
      withdrawId: line.withdrawId,
      lines: [],
    };
  }
}
