import { held, type Turn } from "./fences.ts";
import { isSameRow, readByKeys, writeRows, type KeyedTable } from "./rows.ts";
import type { MovedTable, RowKey } from "./tables.ts";

/** Triggers of one statement each; a write of the company's adds a row to the log, another's nothing. */
const OPERATIONS = [
  { name: "insert", rows: ["NEW"] },
  { name: "update", rows: ["OLD", "NEW"] },
  { name: "delete", rows: ["OLD"] },
] as const;

/**
 * Begins to note which of a company's rows change, whoever changes them: triggers that stand for as
 * long as it is moved. They also refuse what would change a row while the company is `closing`.
 */
export async function watchChanges(
  source: D1Database,
  turn: Turn,
  tables: MovedTable[],
): Promise<void> {
  const { companyId } = turn;
  await source.batch([
    held(source, turn, "here"),
    ...dropTriggers(source, await triggersOf(source, companyId)),
    source.prepare("DELETE FROM move_changes WHERE company_id = ?").bind(companyId),
    ...tables.flatMap((table) =>
      OPERATIONS.map(({ name, rows }) => source.prepare(triggerSql(companyId, table, name, rows))),
    ),
  ]);
}

/** Ends it: nothing is noted any more, nor kept. */
export async function unwatchChanges(
  source: D1Database,
  turn: Turn,
  state: "here" | "left",
): Promise<void> {
  const { companyId } = turn;
  await source.batch([
    held(source, turn, state),
    ...dropTriggers(source, await triggersOf(source, companyId)),
    source.prepare("DELETE FROM move_changes WHERE company_id = ?").bind(companyId),
  ]);
}

/** Whether every change of every table is noted: a migration that makes a table anew drops triggers. */
export async function isWatched(
  source: D1Database,
  companyId: number,
  tables: MovedTable[],
): Promise<boolean> {
  const there = new Set(await triggersOf(source, companyId));
  return tables.every((table) =>
    OPERATIONS.every(({ name }) => there.has(triggerName(companyId, table, name))),
  );
}

/** Notes rows as if they had changed. */
export async function noteChanges(
  source: D1Database,
  companyId: number,
  rows: KeyedTable[],
): Promise<void> {
  if (rows.length === 0) return;
  await source.batch(
    rows.map(({ table, key }) =>
      source
        .prepare("INSERT INTO move_changes (company_id, table_name, row_key) VALUES (?, ?, ?)")
        .bind(companyId, table.name, JSON.stringify(key)),
    ),
  );
}

/**
 * Makes the target's rows what the source's are, of the oldest changes that were noted. A row is read
 * after its note, so that whatever changes it later is noted later, and stays. Answers how many notes
 * there were.
 */
export async function applyChanges(
  source: D1Database,
  target: D1Database,
  turn: Turn,
  tables: MovedTable[],
  limit: number,
): Promise<number> {
  const { companyId } = turn;
  const { results: notes } = await source
    .prepare(
      `SELECT number, table_name AS tableName, row_key AS rowKey FROM move_changes
       WHERE company_id = ? ORDER BY number LIMIT ?`,
    )
    .bind(companyId, limit)
    .all<{ number: number; tableName: string; rowKey: string }>();
  const last = notes.at(-1);
  if (last === undefined) return 0;
  const distinct = new Map(notes.map((note) => [`${note.tableName} ${note.rowKey}`, note]));
  const changed = [...distinct.values()].flatMap(({ tableName, rowKey }) => {
    const table = tables.find(({ name }) => name === tableName);
    return table === undefined ? [] : [{ table, key: JSON.parse(rowKey) as RowKey }];
  });
  const rows = await readByKeys(source, changed, companyId);
  const wanted = changed.map((each, index) => Object.assign(each, { row: rows[index] ?? null }));
  await writeRows(target, turn, wanted);
  const written = await readByKeys(target, changed, companyId);
  const differs = wanted.find(({ row }, index) => !isSameRow(row, written[index] ?? null));
  if (differs !== undefined) {
    throw new Error(`a row of ${differs.table.name} did not come out as it went in`);
  }
  await source
    .prepare("DELETE FROM move_changes WHERE company_id = ? AND number <= ?")
    .bind(companyId, last.number)
    .run();
  return notes.length;
}

function triggerSql(
  companyId: number,
  table: MovedTable,
  operation: string,
  rows: readonly ("OLD" | "NEW")[],
): string {
  const isCompanys = rows.map((row) => `${row}."${table.company}" = ${companyId}`).join(" OR ");
  const notes = rows.map((row) => {
    const key = table.key.map((column) => `${row}."${column}"`).join(", ");
    return `SELECT ${companyId}, '${table.name}', json_array(${key})
      WHERE ${row}."${table.company}" = ${companyId}`;
  });
  return `CREATE TRIGGER "${triggerName(companyId, table, operation)}"
    AFTER ${operation.toUpperCase()} ON "${table.name}" WHEN ${isCompanys} BEGIN
      SELECT RAISE(ABORT, 'fence_holds') FROM fences
        WHERE company_id = ${companyId} AND state = 'closing';
      INSERT INTO move_changes (company_id, table_name, row_key) ${notes.join(" UNION ")};
    END`;
}

function triggerName(companyId: number, table: MovedTable, operation: string): string {
  return `moving_${companyId}_${table.name}_${operation}`;
}

async function triggersOf(source: D1Database, companyId: number): Promise<string[]> {
  const { results } = await source
    .prepare("SELECT name FROM sqlite_master WHERE type = 'trigger' AND name GLOB ?")
    .bind(`moving_${companyId}_*`)
    .all<{ name: string }>();
  return results.map(({ name }) => name);
}

function dropTriggers(source: D1Database, names: string[]) {
  return names.map((name) => source.prepare(`DROP TRIGGER IF EXISTS "${name}"`));
}
