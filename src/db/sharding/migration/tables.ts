/** A table whose rows belong to companies and move with them. */
export interface MovedTable {
  name: string;
  /** Which column says whose a row is. */
  company: string;
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
const NOT_MOVED = new Set([
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
const NOT_OURS = /^(sandbox_|sqlite_|_cf_|d1_)/;
/** Here the number of the row is the company. */
const COMPANIES = "companies";
const COMPANY_ID = "company_id";
/** Each database counts for itself, and begins beyond whatever another has come to. */
const OWN_COUNT = "credentials_version";

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
export async function movedTables(database: D1Database): Promise<MovedTable[]> {
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
    .filter(([name]) => !NOT_MOVED.has(name) && !NOT_OURS.test(name))
    .map(([name, rows]) => toMovedTable(name, rows, uniquesOf.get(name) ?? []));
}

function toMovedTable(name: string, rows: ColumnRow[], uniques: ColumnRow[]): MovedTable {
  const company = name === COMPANIES ? "id" : COMPANY_ID;
  const columns = rows.map((row) => row.name).filter((column) => column !== OWN_COUNT);
  if (!columns.includes(company)) throw new Error(`${name} does not say whose its rows are`);
  const primary = rows.filter((row) => row.pk > 0).toSorted((left, right) => left.pk - right.pk);
  const [only] = primary;
  const isSurrogate =
    primary.length === 1 && only !== undefined && only.type === "INTEGER" && only.name !== company;
  const next = uniques.findIndex((row, index) => index > 0 && row.pk === 1);
  const unique = isSurrogate ? uniques.slice(0, next === -1 ? undefined : next) : primary;
  if (unique.length === 0) throw new Error(`nothing but a number tells the rows of ${name} apart`);
  const names = unique.map((row) => row.name);
  return {
    name,
    company,
    columns: isSurrogate ? columns.filter((column) => column !== only.name) : columns,
    unique: names,
    key: names.filter((column) => column !== company),
  };
}
