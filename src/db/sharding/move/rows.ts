import { assertEpoch, type StepLease } from "./fences.ts";
import type { CompanyTable, RowKey } from "./company-tables.ts";

/** A row as D1 returns it; a BLOB is a list of bytes. */
export type Row = Record<string, string | number | number[] | null>;

/** A company's rows in key order, after one key and up to another. */
export async function readRows(
  database: D1Database,
  table: CompanyTable,
  companyId: number,
  range: { after: RowKey | null; upTo?: RowKey | undefined; limit: number },
): Promise<Row[]> {
  const { after, upTo, limit } = range;
  const conditions = [`"${table.companyColumn}" = ?`];
  const parameters: (string | number)[] = [companyId];
  for (const [sign, bound] of [
    [">", after],
    ["<=", upTo ?? null],
  ] as const) {
    if (bound === null || bound.length === 0) continue;
    conditions.push(`(${columnList(table.key)}) ${sign} (${placeholders(bound.length)})`);
    parameters.push(...bound);
  }
  const order = table.key.length === 0 ? "" : `ORDER BY ${columnList(table.key)}`;
  const { results } = await database
    .prepare(
      `SELECT ${columnList(table.columns)} FROM "${table.name}"
       WHERE ${conditions.join(" AND ")} ${order} LIMIT ?`,
    )
    .bind(...parameters, limit)
    .all<Row>();
  return results;
}

/** The current row of each key; null if there is none. */
export async function readByKeys(
  database: D1Database,
  keyed: KeyedTable[],
  companyId: number,
): Promise<(Row | null)[]> {
  if (keyed.length === 0) return [];
  const answers = await database.batch<Row>(
    keyed.map(({ table, key }) =>
      database
        .prepare(
          `SELECT ${columnList(table.columns)} FROM "${table.name}" WHERE ${matchesRow(table)}`,
        )
        .bind(companyId, ...key),
    ),
  );
  return answers.map(({ results }) => results[0] ?? null);
}

/** The key of one row, which may not exist. */
export interface KeyedTable {
  table: CompanyTable;
  key: RowKey;
}

/** A row to write to the target; null to delete it. */
export interface TargetRow extends KeyedTable {
  row: Row | null;
}

/** Writes or deletes rows of the target in one batch, guarded by the step's epoch. */
export async function writeRows(
  target: D1Database,
  lease: StepLease,
  targetRows: TargetRow[],
): Promise<void> {
  if (targetRows.length === 0) return;
  // Deletions go first: another row may have taken a unique value of a deleted one.
  const deleted = targetRows.filter(({ row }) => row === null);
  const upserted = targetRows.filter(({ row }) => row !== null);
  await target.batch([
    assertEpoch(target, lease, "arriving"),
    ...deleted.map(({ table, key }) =>
      target
        .prepare(`DELETE FROM "${table.name}" WHERE ${matchesRow(table)}`)
        .bind(lease.companyId, ...key),
    ),
    ...upserted.map(({ table, row }) =>
      target.prepare(upsert(table)).bind(...table.columns.map((column) => toBound(row![column]))),
    ),
  ]);
}

/** Deletes about `limit` rows of a company from one table, guarded by the step's epoch. Returns the count. */
async function deleteBatch(
  database: D1Database,
  lease: StepLease,
  state: "arriving" | "left",
  table: CompanyTable,
  limit: number,
): Promise<number> {
  const { companyId } = lease;
  const [last] =
    table.key.length === 0
      ? []
      : (
          await database
            .prepare(
              `SELECT ${columnList(table.key)} FROM "${table.name}" WHERE "${table.companyColumn}" = ?
               ORDER BY ${columnList(table.key)} LIMIT 1 OFFSET ?`,
            )
            .bind(companyId, limit - 1)
            .all<Row>()
        ).results;
  const key = last === undefined ? [] : rowKeyOf(table, last);
  const upTo =
    key.length === 0 ? "" : `AND (${columnList(table.key)}) <= (${placeholders(key.length)})`;
  const [, deleted] = await database.batch([
    assertEpoch(database, lease, state),
    database
      .prepare(`DELETE FROM "${table.name}" WHERE "${table.companyColumn}" = ? ${upTo}`)
      .bind(companyId, ...key),
  ]);
  return deleted?.meta.changes ?? 0;
}

/** Deletes about `limit` rows of a company from all tables. Returns whether none is left. */
export async function deleteTenantRows(
  database: D1Database,
  lease: StepLease,
  state: "arriving" | "left",
  tables: CompanyTable[],
  limit: number,
): Promise<boolean> {
  let remaining = limit;
  for (const table of tables) {
    const deleted = await deleteBatch(database, lease, state, table, remaining);
    remaining -= deleted;
    if (remaining <= 0) return false;
  }
  return true;
}

/** The key of a row, in the order of its table's `key`. */
export function rowKeyOf(table: CompanyTable, row: Row): RowKey {
  return table.key.map((column) => row[column] as string | number);
}

/** Whether two rows are equal; both may be missing. */
export function isSameRow(left: Row | null, right: Row | null): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function upsert({ name, columns, unique }: CompanyTable): string {
  const others = columns.filter((column) => !unique.includes(column));
  const update = others.map((column) => `"${column}" = excluded."${column}"`).join(", ");
  return `INSERT INTO "${name}" (${columnList(columns)}) VALUES (${placeholders(columns.length)})
    ON CONFLICT (${columnList(unique)}) DO ${update === "" ? "NOTHING" : `UPDATE SET ${update}`}`;
}

/** D1 returns a BLOB as a list of numbers and accepts it only as bytes. */
function toBound(value: Row[string] | undefined): string | number | Uint8Array | null {
  return Array.isArray(value) ? Uint8Array.from(value) : (value ?? null);
}

/** The condition of one row by company and key. */
function matchesRow({ companyColumn, key }: CompanyTable): string {
  return [companyColumn, ...key].map((column) => `"${column}" = ?`).join(" AND ");
}

function columnList(columns: string[]): string {
  return columns.map((column) => `"${column}"`).join(", ");
}

function placeholders(count: number): string {
  return Array.from({ length: count }, () => "?").join(", ");
}
