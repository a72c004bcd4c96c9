import type { CompanyAccount } from "../../src/company/account.ts";
import { inAccount, type TestCompany } from "./company.ts";
import { withDatabase } from "./database.ts";

export interface Cost {
  read: number;
  written: number;
}

/** Counts the rows of D1, index entries among them, by D1's own `meta`. */
export function meteredD1(counts: (sql: string) => boolean = () => true) {
  let cost = { read: 0, written: 0 };
  return {
    env: withDatabase({
      after: (sql, read, written) => {
        if (counts(sql)) cost = { read: cost.read + read, written: cost.written + written };
      },
    }),
    /** What was spent since the last lap. */
    lap: (): Cost => {
      const spent = cost;
      cost = { read: 0, written: 0 };
      return spent;
    },
  };
}

/** The rows of its own database that a run inside a company's object reads and writes. */
export function costInObject(
  company: TestCompany,
  run: (account: CompanyAccount) => Promise<unknown>,
): Promise<Cost> {
  return inAccount(company.id, async (account, { storage }) => {
    const { sql } = storage;
    const exec = sql.exec.bind(sql);
    const cursors: { rowsRead: number; rowsWritten: number }[] = [];
    sql.exec = ((query: string, ...bindings: unknown[]) => {
      const cursor = exec(query, ...bindings);
      cursors.push(cursor);
      return cursor;
    }) as typeof sql.exec;
    await run(account);
    sql.exec = exec;
    return {
      read: cursors.reduce((sum, cursor) => sum + cursor.rowsRead, 0),
      written: cursors.reduce((sum, cursor) => sum + cursor.rowsWritten, 0),
    };
  });
}
