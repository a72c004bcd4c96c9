/** A table whose rows move with their company. */
export interface CompanyTable {
  name: string;
  /** The column with the company's id. */
  companyColumn: string;
  /** The copied columns: all but surrogate keys and counters, which each database assigns. */
  columns: string[];
  /** Columns that are unique in every database. */
  unique: string[];
  /** `unique` without the company column; empty if a company has one row. */
  key: string[];
}

/** The values of a table's `key` columns. */
export type RowKey = (string | number)[];

/** Tables of the directory, and tables that each database has for itself. */
const NOT_MIGRATED = new Set([
  "placements",
  "clients",
  "pix_keys",
  "payment_owners",
  "fences",
  "move_changes",
  "cursors",
  "check_claims",
  "anchor_days",
  "storage_gauges",
  "company_creations",
  "company_forks",
  "operators",
  "operator_keys",
  "operator_proposals",
  "users",
  "sessions",
  "accounts",
  "verifications",
  "two_factors",
  "passkeys",
  "memberships",
  "invitations",
  "cashier_devices",
  "cashier_pins",
  "saved_views",
  "schema_version",
  "cron_heartbeats",
  "dead_letters",
  "provider_hosts",
  "provider_accounts",
  "certificate_trials",
  "acknowledgements",
  "alarms",
  "alarm_notices",
  "service_samples",
  "webhook_attempts",
]);
/** Tables of the sandbox bank, which stay in the directory, of SQLite and of D1. */
const FOREIGN_TABLES = /^(sandbox_|sqlite_|_cf_|d1_)/;
/** The table whose row id is the company. */
const COMPANIES = "companies";
const COMPANY_ID = "company_id";
/** Not copied: each database's triggers count it, starting above any other database's value. */
const PER_DATABASE_COUNTER = "credentials_version";

interface ColumnRow {
  tableName: string;
  name: string;
  type: string;
  /** The position in the primary key, from 1; 0 outside it. */
  pk: number;
}

/**
 * All tables with rows of companies, read from the database's own schema so that none is missed. Throws
 * if a table has no company column and is not exempt.
 */
export async function companyTables(database: D1Database): Promise<CompanyTable[]> {
  const [columns, uniques] = await database.batch<ColumnRow>([
    database.prepare(`
      SELECT tables.name AS tableName, columns.name, columns.type, columns.pk
      FROM (SELECT name FROM sqlite_master WHERE type = 'table'
        AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\') AS tables, pragma_table_info(tables.name) AS columns
      ORDER BY tables.name, columns.cid`),
    database.prepare(`
      SELECT tables.name AS tableName, columns.name, '' AS type, columns.seqno + 1 AS pk
      FROM (SELECT name FROM sqlite_master WHERE type = 'table'
          AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\') AS tables,
        pragma_index_list(tables.name) AS indexes, pragma_index_info(indexes.name) AS columns
      WHERE indexes."unique" = 1 AND indexes.partial = 0 AND indexes.origin <> 'pk'
      ORDER BY tables.name, indexes.name, columns.seqno`),
  ]);
  const uniquesOf = Map.groupBy(uniques?.results ?? [], (row) => row.tableName);
  return [...Map.groupBy(columns?.results ?? [], (row) => row.tableName)]
    .filter(([name]) => !NOT_MIGRATED.has(name) && !FOREIGN_TABLES.test(name))
    .map(([name, rows]) => toCompanyTable(name, rows, uniquesOf.get(name) ?? []));
}

function toCompanyTable(name: string, rows: ColumnRow[], uniques: ColumnRow[]): CompanyTable {
  const companyColumn = name === COMPANIES ? "id" : COMPANY_ID;
  const columns = rows.map((row) => row.name).filter((column) => column !== PER_DATABASE_COUNTER);
  if (!columns.includes(companyColumn)) throw new Error(`${name} has no company column`);
  const primary = rows.filter((row) => row.pk > 0).toSorted((left, right) => left.pk - right.pk);
  const [only] = primary;
  const isSurrogate =
    primary.length === 1 &&
    only !== undefined &&
    only.type === "INTEGER" &&
    only.name !== companyColumn;
  const next = uniques.findIndex((row, index) => index > 0 && row.pk === 1);
  const unique = isSurrogate ? uniques.slice(0, next === -1 ? undefined : next) : primary;
  if (unique.length === 0)
    throw new Error(`table ${name} has no unique key besides its row number`);
  const names = unique.map((row) => row.name);
  return {
    name,
    companyColumn,
    columns: isSurrogate ? columns.filter((column) => column !== only.name) : columns,
    unique: names,
    key: names.filter((column) => column !== companyColumn),
  };
}
