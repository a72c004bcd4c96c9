import { getTableColumns } from "drizzle-orm";
import { vi } from "vitest";
import { transactions } from "../../src/db/schema/transactions.ts";
import {
  transactionRow,
  type StoredTransaction,
  type TransactionRow,
} from "../../src/db/transaction-mapper.ts";
import { env } from "./env.ts";

/** Every row of every table of D1, as text. */
export async function dumpD1(): Promise<string> {
  const { results: tables } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
  ).all<{ name: string }>();
  const dumps = [];
  for (const { name } of tables) {
    const { results } = await env.DB.prepare(`SELECT * FROM "${name}"`).all();
    const rows = results.map((row) => (name === "transactions" ? unfolded(row) : row));
    dumps.push(`${name} ${JSON.stringify(rows)}`);
  }
  return dumps.join("\n");
}

/** A row of transactions as the product reads it. */
function unfolded(row: Record<string, unknown>): TransactionRow {
  const stored = Object.entries(getTableColumns(transactions)).map(([name, column]) => {
    const value = row[column.name];
    return [name, value === null ? null : column.mapFromDriverValue(value)] as const;
  });
  return transactionRow(Object.fromEntries(stored) as unknown as StoredTransaction);
}

/** All that was written to the console, from here on. */
export function overhearConsole(): () => string {
  const spies = (["log", "info", "warn", "error", "debug"] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation(() => undefined),
  );
  return () => JSON.stringify(spies.map((spy) => spy.mock.calls));
}
