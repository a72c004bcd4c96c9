/** A table whose rows belong to companies and move with them. */
export interface TenantTable {
  name: string;
  /** Which column says whose a row is. */
  companyColumn: string;
  /** What is copied: all columns but numbers that only their own database gives. */
  columns: string[];
  /** What no two rows share, in every database. */
  unique: string[];
  /** What of it tells the rows of one company apart; nothing where it has one row only. */
  key: string[];
}

/** What a row is told apart by, in the order of its table's `key`. */
export type RowKey = (string | number)[];

/** The directory's own, and what each database knows for itself. */
const NOT_MIGRATED = new Set([
  "placements",
  "clients",
  "pix_keys",
  "fences",
  "move_changes",
  "cursors",
  "anchor_days",
  "storage_gauges",
]);
/** The sandbox bank's books, which stay in the directory, and what SQLite and D1 keep. */
const FOREIGN_TABLES = /^(sandbox_|sqlite_|_cf_|d1_)/;
/** Here the number of the row is the company. */
const COMPANIES = "companies";
const COMPANY_ID = "company_id";
/** Each database counts for itself, and begins beyond whatever another has come to. */
const PER_DATABASE_COUNTER = "credentials_version";

interface ColumnRow {
  tableName: string;
  name: string;
  type: string;
  /** Its place in the primary key, from 1; 0 where it is none of it. */
  pk: number;
}

/**
 * All tables with rows of companies, as the database itself tells, so that none is forgotten. Throws
 * where a table says neither whose its rows are nor that they stay.
 */
export async function tenantTables(database: D1Database): Promise<TenantTable[]> {
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
    .map(([name, rows]) => toTenantTable(name, rows, uniquesOf.get(name) ?? []));
}

function toTenantTable(name: string, rows: ColumnRow[], uniques: ColumnRow[]): TenantTable {
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
    companyColumn: companyColumn,
    columns: isSurrogate ? columns.filter((column) => column !== only.name) : columns,
    unique: names,
    key: names.filter((column) => column !== companyColumn),
  };
}
