import type { CalledAccount } from "../../builders/companies/calls.ts";
import { inAccount, type TestCompany } from "../../builders/companies/company.ts";
import { withDatabase } from "./instrumented-database.ts";

export interface RowCost {
  read: number;
  written: number;
}

/** Counts D1's rows, index entries included, by D1's `meta`. */
export function meteredD1(isCounted: (sql: string) => boolean = () => true) {
  let cost = { read: 0, written: 0 };
  return {
    env: withDatabase({
      after: (sql, read, written) => {
        if (isCounted(sql)) cost = { read: cost.read + read, written: cost.written + written };
      },
    }),
    /** The rows since the last lap. */
    lap: (): RowCost => {
      const spent = cost;
      cost = { read: 0, written: 0 };
      return spent;
    },
  };
}

/** The rows of the object's database that `run` reads and writes. */
export function costInObject(
  company: TestCompany,
  run: (account: CalledAccount) => Promise<unknown>,
): Promise<RowCost> {
  return inAccount(company.id, async (account, { storage: { sql } }) => {
    const heard = countRows(sql);
    await run(account);
    heard.stop();
    return heard.lap();
  });
}

/** Counts the rows of an object's database, index entries included, by its cursors. */
export function countRows(sql: SqlStorage) {
  let cursors: { rowsRead: number; rowsWritten: number }[] = [];
  const exec = sql.exec.bind(sql);
  sql.exec = ((query: string, ...bindings: unknown[]) => {
    const cursor = exec(query, ...bindings);
    cursors.push(cursor);
    return cursor;
  }) as typeof sql.exec;
  return {
    /** The rows since the last lap. */
    lap: (): RowCost => {
      const spent = sumOfCosts(
        cursors.map(({ rowsRead, rowsWritten }) => ({ read: rowsRead, written: rowsWritten })),
      );
      cursors = [];
      return spent;
    },
    stop: () => void (sql.exec = exec),
  };
}

const ZERO_COST: RowCost = { read: 0, written: 0 };

export function sumOfCosts(costs: RowCost[]): RowCost {
  return costs.reduce(
    (sum, { read, written }) => ({ read: sum.read + read, written: sum.written + written }),
    ZERO_COST,
  );
}
