import { held, type Turn } from "./fences.ts";
import type { MovedTable, RowKey } from "./tables.ts";

/** What D1 answers; a BLOB is the list of its bytes. */
export type Row = Record<string, string | number | number[] | null>;

/** Rows of a company in the order of their keys, beyond one of them and up to another. */
export async function readRows(
  database: D1Database,
  table: MovedTable,
  companyId: number,
  range: { after: RowKey | null; upTo?: RowKey | undefined; limit: number },
): Promise<Row[]> {
  const { after, upTo, limit } = range;
  const conditions = [`"${table.company}" = ?`];
  const parameters: (string | number)[] = [companyId];
  for (const [sign, bound] of [
    [">", after],
    ["<=", upTo ?? null],
  ] as const) {
    if (bound === null || bound.length === 0) continue;
    conditions.push(`(${listOf(table.key)}) ${sign} (${marks(bound.length)})`);
    parameters.push(...bound);
  }
  const order = table.key.length === 0 ? "" : `ORDER BY ${listOf(table.key)}`;
  const { results } = await database
    .prepare(
      `SELECT ${listOf(table.columns)} FROM "${table.name}"
       WHERE ${conditions.join(" AND ")} ${order} LIMIT ?`,
    )
    .bind(...parameters, limit)
    .all<Row>();
  return results;
}

/** The row of each key as it stands now; null where there is none. */
export async function readByKeys(
  database: D1Database,
  wanted: KeyedTable[],
  companyId: number,
): Promise<(Row | null)[]> {
  if (wanted.length === 0) return [];
  const answers = await database.batch<Row>(
    wanted.map(({ table, key }) =>
      database
        .prepare(`SELECT ${listOf(table.columns)} FROM "${table.name}" WHERE ${isRow(table)}`)
        .bind(companyId, ...key),
    ),
  );
  return answers.map(({ results }) => results[0] ?? null);
}

/** One row of a table, there or not. */
export interface KeyedTable {
  table: MovedTable;
  key: RowKey;
}

/** What a row is to be in the target: as it was read, or gone. */
export interface Wanted extends KeyedTable {
  row: Row | null;
}

/** Makes rows of the target what they are to be, in one batch of this step alone. */
export async function writeRows(target: D1Database, turn: Turn, wanted: Wanted[]): Promise<void> {
  if (wanted.length === 0) return;
  // What is gone goes first: another row may have got what only one may have.
  const gone = wanted.filter(({ row }) => row === null);
  const there = wanted.filter(({ row }) => row !== null);
  await target.batch([
    held(target, turn, "arriving"),
    ...gone.map(({ table, key }) =>
      target
        .prepare(`DELETE FROM "${table.name}" WHERE ${isRow(table)}`)
        .bind(turn.companyId, ...key),
    ),
    ...there.map(({ table, row }) =>
      target.prepare(upsert(table)).bind(...table.columns.map((column) => toBound(row![column]))),
    ),
  ]);
}

/**
 * Deletes up to `limit` rows of a company, by ranges of their keys, in a batch of this step alone.
 * Answers how many went.
 */
async function deleteSome(
  database: D1Database,
  turn: Turn,
  state: "arriving" | "left",
  table: MovedTable,
  limit: number,
): Promise<number> {
  const { companyId } = turn;
  const [last] =
    table.key.length === 0
      ? []
      : (
          await database
            .prepare(
              `SELECT ${listOf(table.key)} FROM "${table.name}" WHERE "${table.company}" = ?
               ORDER BY ${listOf(table.key)} LIMIT 1 OFFSET ?`,
            )
            .bind(companyId, limit - 1)
            .all<Row>()
        ).results;
  const key = last === undefined ? [] : keyOf(table, last);
  const upTo = key.length === 0 ? "" : `AND (${listOf(table.key)}) <= (${marks(key.length)})`;
  const [, deleted] = await database.batch([
    held(database, turn, state),
    database
      .prepare(`DELETE FROM "${table.name}" WHERE "${table.company}" = ? ${upTo}`)
      .bind(companyId, ...key),
  ]);
  return deleted?.meta.changes ?? 0;
}

/**
 * Deletes up to about `limit` rows of a company from all tables. Answers whether none is left.
 */
export async function deleteAll(
  database: D1Database,
  turn: Turn,
  state: "arriving" | "left",
  tables: MovedTable[],
  limit: number,
): Promise<boolean> {
  let left = limit;
  for (const table of tables) {
    const deleted = await deleteSome(database, turn, state, table, left);
    left -= deleted;
    if (left <= 0) return false;
  }
  return true;
}

export function keyOf(table: MovedTable, row: Row): RowKey {
  return table.key.map((column) => row[column] as string | number);
}

/** Whether two databases have the same row. */
export function isSameRow(left: Row | null, right: Row | null): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function upsert({ name, columns, unique }: MovedTable): string {
  const others = columns.filter((column) => !unique.includes(column));
  const update = others.map((column) => `"${column}" = excluded."${column}"`).join(", ");
  return `INSERT INTO "${name}" (${listOf(columns)}) VALUES (${marks(columns.length)})
    ON CONFLICT (${listOf(unique)}) DO ${update === "" ? "NOTHING" : `UPDATE SET ${update}`}`;
}

/** D1 takes bytes as bytes only. */
function toBound(value: Row[string] | undefined): string | number | Uint8Array | null {
  return Array.isArray(value) ? Uint8Array.from(value) : (value ?? null);
}

/** The condition of one row: whose it is, and its key. */
function isRow({ company, key }: MovedTable): string {
  return [company, ...key].map((column) => `"${column}" = ?`).join(" AND ");
}

function listOf(columns: string[]): string {
  return columns.map((column) => `"${column}"`).join(", ");
}

function marks(count: number): string {
  return Array.from({ length: count }, () => "?").join(", ");
}
