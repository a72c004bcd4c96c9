import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../../..");
const DICTIONARY = readFileSync(join(ROOT, "docs/storage.md"), "utf8");

/** Imported by its path, because its types need the Workers platform, which these tests lack. */
const OBJECT_MIGRATIONS = join(ROOT, "src/company/storage/migrations.ts");
const { migrateCompany } = (await import(OBJECT_MIGRATIONS)) as {
  migrateCompany: (storage: object) => void;
};

/** Column or index names by table. */
type ByTable = Record<string, string[]>;

describe.each([
  { section: "D1", database: migratedD1() },
  { section: "The company's object", database: migratedObject() },
])("$section in docs/storage.md", ({ section, database }) => {
  const entries = entriesOf(section);
  const tables = tablesOf(database);
  const ofEach = (find: (table: string) => string[]): ByTable =>
    Object.fromEntries(tables.map((table) => [table, find(table)]));

  test("names each existing table and no other", () => {
    expect(Object.keys(entries).sort()).toEqual(tables.toSorted());
  });

  test("names each existing column of each table and no other", () => {
    const described = ofEach((table) => firstsOf(/^\| `(\w+)` /gm, entries[table]));
    expect(described).toEqual(ofEach((table) => columnsOf(database, table)));
  });

  test("names each existing index of each table and no other", () => {
    const described = ofEach((table) =>
      firstsOf(/^- ((?:`\w+`(?:, )?)+)/gm, entries[table])
        .flatMap((names) => firstsOf(/`(\w+)`/g, names))
        .sort(),
    );
    expect(described).toEqual(ofEach((table) => indicesOf(database, table)));
  });

  test("shows an example row of each table with all its columns", () => {
    const shown = ofEach((table) => {
      const [example] = firstsOf(/```text\n(.*?)```/gs, entries[table]);
      return firstsOf(/^ *(\w+) =/gm, example);
    });
    expect(shown).toEqual(ofEach((table) => columnsOf(database, table)));
  });
});

function migratedD1(): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  const folder = join(ROOT, "migrations");
  const files = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  for (const file of files.sort()) database.exec(readFileSync(join(folder, file), "utf8"));
  return database;
}

/** An object's database after the migrations of its constructor. */
function migratedObject(): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  const exec = (statement: string, ...values: number[]) => {
    if (values.length > 0) return database.prepare(statement).run(...values);
    if (statement.startsWith("SELECT")) return { one: () => database.prepare(statement).get() };
    return database.exec(statement);
  };
  migrateCompany({ sql: { exec }, transactionSync: (change: () => void) => change() });
  return database;
}

function tablesOf(database: DatabaseSync): string[] {
  return namesOf(
    database,
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  );
}

function columnsOf(database: DatabaseSync, table: string): string[] {
  return namesOf(database, "SELECT name FROM pragma_table_info(?) ORDER BY cid", table);
}

/** The named indices; an index of a key has no name. */
function indicesOf(database: DatabaseSync, table: string): string[] {
  return namesOf(
    database,
    "SELECT name FROM pragma_index_list(?) WHERE origin = 'c' ORDER BY name",
    table,
  );
}

function namesOf(database: DatabaseSync, query: string, ...values: string[]): string[] {
  const rows = database.prepare(query).all(...values);
  return rows.map((row) => String(row["name"]));
}

/** The text of a section, by the table in its heading. */
function entriesOf(section: string): Record<string, string> {
  const [, after = ""] = DICTIONARY.split(`\n## ${section}\n`);
  const [own = ""] = after.split(/^## /m);
  const entries = own.split(/^### /m).slice(1);
  return Object.fromEntries(entries.map((entry) => [firstsOf(/^`(\w+)`/g, entry)[0], entry]));
}

/** The first group of each match. */
function firstsOf(pattern: RegExp, text = ""): string[] {
  return [...text.matchAll(pattern)].map(([, first = ""]) => first);
}
