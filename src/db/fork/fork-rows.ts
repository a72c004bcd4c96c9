import { and, asc, eq, getTableColumns, gt } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import { drizzle } from "drizzle-orm/d1";
import { configOf, type Env } from "../../config.ts";
import type { BankRecords, BankRow } from "../../domain/fork/bank-book.ts";
import { databaseFor, directoryOf, type Database } from "../client.ts";
import type { StoredTransaction } from "../projection/transaction-mapper.ts";
import { companies, companyClocks } from "../schema/companies.ts";
import { transactions } from "../schema/transactions.ts";
import { databaseNamed } from "../sharding/databases.ts";
import { companyTables } from "../sharding/move/company-tables.ts";
import { shardAssignmentOf } from "../sharding/shard-assignments.ts";

/** Of one statement: its one value is a JSON list of rows, which D1 takes up to 2 MB, and a character has up to 3 bytes. */
const CHARACTERS_PER_STATEMENT = 500_000;
/** Its triggers refuse to delete an entry; a fork that was never finished has none. */
const APPEND_ONLY = "audit_entries";

/** A company's next charges by `seq`, for its fork. */
export function chargesAfter(
  env: Env,
  companyId: number,
  seq: number,
  limit: number,
): Promise<StoredTransaction[]> {
  return databaseFor(env, companyId)
    .select()
    .from(transactions)
    .where(and(eq(transactions.companyId, companyId), gt(transactions.seq, seq)))
    .orderBy(asc(transactions.seq))
    .limit(limit);
}

/** A company's row with its settings, and its clock if that was moved; null if there is no such company. */
export async function findForFork(env: Env, companyId: number) {
  const db = databaseFor(env, companyId);
  const [[company], [clock]] = await db.batch([
    db.select().from(companies).where(eq(companies.id, companyId)),
    db.select().from(companyClocks).where(eq(companyClocks.companyId, companyId)),
  ]);
  return company === undefined ? null : { company, clock: clock ?? null };
}

/** Writes charges of a fork. */
export async function addForkedCharges(
  env: Env,
  companyId: number,
  rows: StoredTransaction[],
): Promise<void> {
  await insertAll(databaseFor(env, companyId), transactions, rows);
}

/** Writes a fork's company, closed, with its clock. */
export async function addForkedCompany(
  env: Env,
  company: typeof companies.$inferInsert & { id: number },
  clock: typeof companyClocks.$inferInsert | null,
): Promise<void> {
  const db = databaseFor(env, company.id);
  await db.insert(companies).values(company);
  if (clock !== null) await db.insert(companyClocks).values(clock);
}

/** Writes what the sandbox's bank knows of a fork. */
export async function addBankRecords(env: Env, records: BankRecords): Promise<void> {
  const { sandboxDatabase } = configOf(env);
  const { $client } =
    sandboxDatabase === null ? directoryOf(env) : drizzle(databaseNamed(env, sandboxDatabase));
  for (const [table, rows] of Object.entries(records) as [string, BankRow[]][]) {
    const columns = Object.keys(rows[0] ?? {});
    await insertRows($client, { table, columns, rows: rows.map((row) => Object.values(row)) });
  }
}

/** Deletes all rows of a fork that was never finished. */
export async function eraseForkedRows(env: Env, companyId: number): Promise<void> {
  const { database } = await shardAssignmentOf(env, companyId, "current");
  const tables = await companyTables(databaseNamed(env, database));
  const { $client } = databaseFor(env, companyId);
  await $client.batch(
    tables
      .filter(({ name }) => name !== APPEND_ONLY)
      .map(({ name, companyColumn }) =>
        $client.prepare(`DELETE FROM "${name}" WHERE "${companyColumn}" = ?`).bind(companyId),
      ),
  );
}

/** Writes rows of a table by its columns. */
export async function insertAll<Table extends SQLiteTable>(
  db: Database,
  table: Table,
  rows: Table["$inferSelect"][],
): Promise<void> {
  const columns = Object.entries(getTableColumns(table));
  const values = rows.map((row) =>
    columns.map(([name, column]) => {
      const value: unknown = (row as Record<string, unknown>)[name] ?? null;
      return value === null ? null : column.mapToDriverValue(value);
    }),
  );
  await insertRows(db.$client, {
    table: getTableConfig(table).name,
    columns: columns.map(([, column]) => column.name),
    rows: values,
  });
}

async function insertRows(
  client: D1Database,
  { table, columns, rows }: { table: string; columns: string[]; rows: unknown[][] },
): Promise<void> {
  if (rows.length === 0) return;
  const names = columns.map((column) => `"${column}"`).join(", ");
  const values = columns.map((_, index) => `value ->> ${index}`).join(", ");
  const insert = client.prepare(
    `INSERT INTO "${table}" (${names}) SELECT ${values} FROM json_each(?) WHERE true`,
  );
  for (const page of pagesOfText(rows.map((row) => JSON.stringify(row)))) {
    await insert.bind(`[${page.join(",")}]`).run();
  }
}

/** Texts in pages of so many characters; one that has more is a page of its own. */
function pagesOfText(texts: string[]): string[][] {
  const pages: string[][] = [];
  let characters = Infinity;
  for (const text of texts) {
    characters += text.length;
    if (characters > CHARACTERS_PER_STATEMENT) {
      pages.push([]);
      characters = text.length;
    }
    pages.at(-1)?.push(text);
  }
  return pages;
}
