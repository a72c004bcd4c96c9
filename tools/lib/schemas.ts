/** The tables of D1 and of a company's object, as the migrations make them in an empty database. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ROOT } from "./root.ts";

/** By its path, because its types need the Workers platform, which tools lack. */
const OBJECT_MIGRATIONS = join(ROOT, "src/company/storage/migrations.ts");

/** What older code relies on, by table. */
export type Schema = Record<
  string,
  {
    /** By name: the type, with what a row must give. */
    columns: Record<string, string>;
    /** Unique indexes and triggers, each of which can refuse a row. */
    refusing: string[];
  }
>;

/** The schemas of a release. */
export interface Schemas {
  d1: Schema;
  object: Schema;
}

/** An empty D1 database after all migrations but those that contract. */
export function migratedD1(): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  const folder = join(ROOT, "migrations");
  const files = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  for (const file of files.toSorted()) database.exec(readFileSync(join(folder, file), "utf8"));
  return database;
}

/** A company's object after the migrations of its constructor. */
export async function migratedObject(): Promise<DatabaseSync> {
  const { migrateObject } = (await import(OBJECT_MIGRATIONS)) as {
    migrateObject: (storage: object) => void;
  };
  const database = new DatabaseSync(":memory:");
  const exec = (statement: string, ...values: number[]) => {
    if (values.length > 0) return database.prepare(statement).run(...values);
    if (statement.startsWith("SELECT")) return { one: () => database.prepare(statement).get() };
    return database.exec(statement);
  };
  migrateObject({ sql: { exec }, transactionSync: (change: () => void) => change() });
  return database;
}

/** The schemas of this code. */
export async function currentSchemas(): Promise<Schemas> {
  return { d1: schemaOf(migratedD1()), object: schemaOf(await migratedObject()) };
}

export function schemaOf(database: DatabaseSync): Schema {
  const rows = (query: string, ...values: string[]) =>
    database.prepare(query).all(...values) as Record<string, string | number | null>[];
  const tables = rows(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
  );
  return Object.fromEntries(
    tables.map(({ name }) => {
      const table = String(name);
      const columns = rows("SELECT * FROM pragma_table_info(?) ORDER BY name", table).map((one) => [
        String(one["name"]),
        [
          one["type"],
          ...(one["pk"] === 0 ? [] : [`KEY ${one["pk"]}`]),
          ...(one["notnull"] === 0 || one["dflt_value"] !== null ? [] : ["REQUIRED"]),
        ].join(" "),
      ]);
      const refusing = rows(
        `SELECT name FROM pragma_index_list(?1) WHERE "unique" = 1 AND origin <> 'pk'
          UNION ALL SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?1 AND sql LIKE '%RAISE%'
          ORDER BY 1`,
        table,
      ).map((one) => String(one["name"]));
      return [table, { columns: Object.fromEntries(columns), refusing }];
    }),
  );
}

/**
 * What code written for `released` can no longer do with `now`: each is for `migrations/contract`, which old code
 * survives by writing nothing. Empty if every statement of that code still works.
 */
export function breakagesOf(released: Schema, now: Schema): string[] {
  return Object.entries(released).flatMap(([table, { columns, refusing }]) => {
    const found = now[table];
    if (found === undefined) return [`${table} is gone`];
    const old = Object.entries(columns).flatMap(([column, kind]) => {
      const left = found.columns[column];
      if (left === undefined) return [`${table}.${column} is gone`];
      return left === kind ? [] : [`${table}.${column} was "${kind}" and is "${left}"`];
    });
    const added = Object.entries(found.columns)
      .filter(([column, kind]) => !(column in columns) && kind.endsWith("REQUIRED"))
      .map(([column]) => `${table}.${column} is required, and old code does not give it`);
    const stricter = found.refusing
      .filter((name) => !refusing.includes(name))
      .map((name) => `${table}: ${name} refuses rows that old code writes`);
    return old.concat(added, stricter);
  });
}
