import type { Account, MovementType, Posting } from "../../../../src/domain/ledger/ledger.ts";
import { GENESIS_HASH, movementHash } from "../../../../src/domain/ledger/movement-hash.ts";
import {
  lineNumber,
  PROVIDER_LINE,
  statementLineView,
} from "../../../../src/domain/ledger/statement.ts";
import { statementCsvLine } from "../../../../src/domain/ledger/statement-csv.ts";

interface Subject {
  transactionId?: string;
  withdrawId?: number;
}

/** A statement with right hashes and balances, whatever its movements say. Amounts in centavos. */
export class StatementBuilder {
  /** The CSV's lines below the header. */
  readonly lines: string[] = [];
  readonly #balances = new Map<Account, number>();
  #sequence = 0;
  #hash = GENESIS_HASH;
  #now: number;

  constructor(nowMs: number) {
    this.#now = nowMs;
  }

  balance(account: Account): number {
    return this.#balances.get(account) ?? 0;
  }

  /** Moves the time of the next movements, also back. */
  advance(ms: number): this {
    this.#now += ms;
    return this;
  }

  post(type: MovementType, about: Subject, postings: Posting[]): this {
    this.#sequence += 1;
    const ordered = [
      ...postings.filter(({ account }) => account !== "provider"),
      ...postings.filter(({ account }) => account === "provider"),
    ];
    const lines = ordered.map(({ account, amount }) => {
      const balance = this.balance(account) + amount;
      this.#balances.set(account, balance);
      return { account, amount, balance };
    });
    const movement = {
      sequence: this.#sequence,
      createdAt: this.#now,
      type,
      transactionId: about.transactionId ?? null,
      withdrawId: about.withdrawId ?? null,
      detailsHash: null,
    };
    this.#hash = movementHash(this.#hash, { ...movement, lines });
    lines.forEach((line, index) => {
      const place = line.account === "provider" ? PROVIDER_LINE : index;
      const sequence = lineNumber(movement.sequence, place);
      const shown = statementLineView({ ...movement, ...line, sequence, hash: this.#hash });
      this.lines.push(statementCsvLine(shown).trimEnd());
    });
    return this;
  }
}
