import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { migratedD1, migratedObject } from "../../../tools/lib/schemas.ts";

const ROOT = join(import.meta.dirname, "../../..");
const DICTIONARY = readFileSync(join(ROOT, "docs/storage.md"), "utf8");

/** Column or index names by table. */
type ByTable = Record<string, string[]>;

describe.each([
  { section: "D1", database: migratedD1() },
  { section: "The company's object", database: await migratedObject() },
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
