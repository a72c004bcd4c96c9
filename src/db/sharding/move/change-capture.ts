import { assertEpoch, type StepLease } from "./fences.ts";
import { isSameRow, readByKeys, writeRows, type KeyedTable } from "./rows.ts";
import type { CompanyTable, RowKey } from "./company-tables.ts";

/** The triggers of each table, and the rows that each logs. */
const OPERATIONS = [
  { name: "insert", rows: ["NEW"] },
  { name: "update", rows: ["OLD", "NEW"] },
  { name: "delete", rows: ["OLD"] },
] as const;

/**
 * Creates triggers that log each change of a company's rows for the duration of its move. They also
 * refuse changes while the company is `closing`.
 */
export async function startChangeCapture(
  source: D1Database,
  lease: StepLease,
  tables: CompanyTable[],
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

/** Drops the triggers and the log. */
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

/** Whether all triggers exist: a schema migration that recreates a table drops them. */
export async function isCapturingChanges(
  source: D1Database,
  companyId: number,
  tables: CompanyTable[],
): Promise<boolean> {
  const existing = new Set(await triggersOf(source, companyId));
  return tables.every((table) =>
    OPERATIONS.every(({ name }) => existing.has(triggerName(companyId, table, name))),
  );
}

/** Logs rows as changed, so that they are copied again. */
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
 * Copies the rows of the oldest logged changes to the target and deletes those log entries. A row is
 * read after its log entry, so a later change has a later entry, which stays. Returns the number of
 * entries. Throws if a written row differs from its source.
 */
export async function applyChanges(
  source: D1Database,
  target: D1Database,
  lease: StepLease,
  tables: CompanyTable[],
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
  const distinct = new Map(
    changes.map((change) => [`${change.tableName} ${change.rowKey}`, change]),
  );
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
  table: CompanyTable,
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

function triggerName(companyId: number, table: CompanyTable, operation: string): string {
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
