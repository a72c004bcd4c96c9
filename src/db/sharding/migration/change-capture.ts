import { assertEpoch, type StepLease } from "./fences.ts";
import { isSameRow, readByKeys, writeRows, type KeyedTable } from "./rows.ts";
import type { TenantTable, RowKey } from "./tenant-tables.ts";

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
export async function startChangeCapture(
  source: D1Database,
  lease: StepLease,
  tables: TenantTable[],
): Promise<void> {
  const { companyId } = lease;
  await source.batch([
    assertEpoch(source, lease, "here"),
    ...dropTriggers(source, await triggersOf(source, companyId)),
    source.prepare("DELETE FROM move_changes WHERE company_id = ?").bind(companyId),
    ...tables.flatMap((table) =>
      OPERATIONS.map(({ name, rows }) => source.prepare(triggerSql(companyId, table, name, rows))),
    ),
  ]);
}

/** Ends it: nothing is noted any more, nor kept. */
export async function stopChangeCapture(
  source: D1Database,
  lease: StepLease,
  state: "here" | "left",
): Promise<void> {
  const { companyId } = lease;
  await source.batch([
    assertEpoch(source, lease, state),
    ...dropTriggers(source, await triggersOf(source, companyId)),
    source.prepare("DELETE FROM move_changes WHERE company_id = ?").bind(companyId),
  ]);
}

/** Whether every change of every table is noted: a migration that makes a table anew drops triggers. */
export async function isCapturingChanges(
  source: D1Database,
  companyId: number,
  tables: TenantTable[],
): Promise<boolean> {
  const existing = new Set(await triggersOf(source, companyId));
  return tables.every((table) =>
    OPERATIONS.every(({ name }) => existing.has(triggerName(companyId, table, name))),
  );
}

/** Notes rows as if they had changed. */
export async function captureChanges(
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
  lease: StepLease,
  tables: TenantTable[],
  limit: number,
): Promise<number> {
  const { companyId } = lease;
  const { results: changes } = await source
    .prepare(
      `SELECT number, table_name AS tableName, row_key AS rowKey FROM move_changes
       WHERE company_id = ? ORDER BY number LIMIT ?`,
    )
    .bind(companyId, limit)
    .all<{ number: number; tableName: string; rowKey: string }>();
  const last = changes.at(-1);
  if (last === undefined) return 0;
  const distinct = new Map(changes.map((note) => [`${note.tableName} ${note.rowKey}`, note]));
  const changed = [...distinct.values()].flatMap(({ tableName, rowKey }) => {
    const table = tables.find(({ name }) => name === tableName);
    return table === undefined ? [] : [{ table, key: JSON.parse(rowKey) as RowKey }];
  });
  const rows = await readByKeys(source, changed, companyId);
  const targetRows = changed.map((each, index) =>
    Object.assign(each, { row: rows[index] ?? null }),
  );
  await writeRows(target, lease, targetRows);
  const written = await readByKeys(target, changed, companyId);
  const mismatch = targetRows.find(({ row }, index) => !isSameRow(row, written[index] ?? null));
  if (mismatch !== undefined) {
    throw new Error(`table ${mismatch.table.name}: a copied row differs from its source`);
  }
  await source
    .prepare("DELETE FROM move_changes WHERE company_id = ? AND number <= ?")
    .bind(companyId, last.number)
    .run();
  return changes.length;
}

function triggerSql(
  companyId: number,
  table: TenantTable,
  operation: string,
  rows: readonly ("OLD" | "NEW")[],
): string {
  const isOfCompany = rows
    .map((row) => `${row}."${table.companyColumn}" = ${companyId}`)
    .join(" OR ");
  const capturedRows = rows.map((row) => {
    const key = table.key.map((column) => `${row}."${column}"`).join(", ");
    return `SELECT ${companyId}, '${table.name}', json_array(${key})
      WHERE ${row}."${table.companyColumn}" = ${companyId}`;
  });
  return `CREATE TRIGGER "${triggerName(companyId, table, operation)}"
    AFTER ${operation.toUpperCase()} ON "${table.name}" WHEN ${isOfCompany} BEGIN
      SELECT RAISE(ABORT, 'fence_holds') FROM fences
        WHERE company_id = ${companyId} AND state = 'closing';
      INSERT INTO move_changes (company_id, table_name, row_key) ${capturedRows.join(" UNION ")};
    END`;
}

function triggerName(companyId: number, table: TenantTable, operation: string): string {
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
