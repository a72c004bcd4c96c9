import { FORKED_TABLES, type ForkedTable } from "../../domain/fork/object-tables.ts";
import type { Account, MovementType, Posting } from "../../domain/ledger/ledger.ts";
import type { MovementDetails } from "../../domain/ledger/movement-details.ts";
import type { SqlRow } from "../storage/named-sql.ts";
import { Table } from "../storage/table.ts";
import type { LedgerStore } from "../ledger/ledger-store.ts";

/** Rows of one table. */
export interface ForkPage {
  table: ForkedTable;
  rows: SqlRow[];
}

/** A movement as its fork books it again: the ledger makes its balances and hashes. */
interface ForkedMovement {
  sequence: number;
  type: MovementType;
  transaction_id: string | null;
  withdraw_id: number | null;
  created_at: number;
  postings: string;
  details: string | null;
}

/** Rows of one page. */
const PAGE_ROWS = 500;

/** Reads all rows of a company for a fork, and writes a fork's. */
export class ForkStore {
  readonly #sql: SqlStorage;
  readonly #ledger: LedgerStore;

  constructor({ sql, ledger }: { sql: SqlStorage; ledger: LedgerStore }) {
    this.#sql = sql;
    this.#ledger = ledger;
  }

  /**
   * All rows of the tables that a fork copies, as lines of JSON (`ForkPage`), read at once so that they agree with each
   * other. Null if they have more than `charactersMax`.
   */
  read(charactersMax: number): string[] | null {
    const lines: string[] = [];
    let characters = 0;
    for (const table of FORKED_TABLES) {
      let rows: SqlRow[] = [];
      const flush = () => {
        if (rows.length === 0) return;
        const line = JSON.stringify({ table, rows } satisfies ForkPage);
        lines.push(line);
        characters += line.length;
        rows = [];
      };
      for (const row of this.#sql.exec<SqlRow>(`SELECT * FROM ${table} LIMIT -1`)) {
        rows.push(row);
        if (rows.length < PAGE_ROWS) continue;
        flush();
        if (characters > charactersMax) return null;
      }
      flush();
    }
    return characters > charactersMax ? null : lines;
  }

  /**
   * Writes a page of a fork, as often as it comes. Movements are booked again, in their order. Runs inside one
   * `transactionSync`.
   */
  write({ table, rows }: ForkPage): void {
    if (table === "movements") {
      const movements = rows as unknown as ForkedMovement[];
      const booked = this.#ledger.newestMovement();
      for (const row of movements) if (row.sequence > booked) this.#book(row);
      return;
    }
    const target = new Table<SqlRow>(table);
    for (const row of rows) {
      if (table === "company") target.update(this.#sql, row, { only: 1 });
      else target.replace(this.#sql, row);
    }
  }

  #book(row: ForkedMovement): void {
    const postings = Object.entries(JSON.parse(row.postings) as Record<Account, number>).map(
      ([account, amount]): Posting => ({ account: account as Account, amount }),
    );
    this.#ledger.post(
      {
        type: row.type,
        postings,
        ...(row.transaction_id === null ? {} : { transactionId: row.transaction_id }),
        ...(row.withdraw_id === null ? {} : { withdrawId: row.withdraw_id }),
        ...(row.details === null ? {} : { details: JSON.parse(row.details) as MovementDetails }),
      },
      row.created_at,
    );
  }
}
