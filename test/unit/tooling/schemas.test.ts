import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { ROOT } from "../../../tools/lib/root.ts";
import { breakagesOf, currentSchemas, schemaOf, type Schemas } from "../../../tools/lib/schemas.ts";

const CONTRACT = join(ROOT, "migrations/contract");
const released = JSON.parse(
  readFileSync(join(ROOT, "migrations/released.json"), "utf8"),
) as Schemas;

/** Imported by its path, because its types need the Workers platform, which these tests lack. */
const { CONTRACTS } = (await import(join(ROOT, "src/db/schema-versions.ts"))) as {
  CONTRACTS: number;
};

it.each(["d1", "object"] as const)(
  "%s: the released code can still write and read everything after the new migrations",
  async (storage) => {
    const now = await currentSchemas();
    expect(Object.keys(released[storage]).length).toBeGreaterThan(10);
    expect(breakagesOf(released[storage], now[storage])).toEqual([]);
  },
);

it("each migration that contracts counts itself, and the code knows them all", () => {
  const files = existsSync(CONTRACT) ? readdirSync(CONTRACT) : [];
  expect(files).toHaveLength(CONTRACTS);
  for (const file of files) {
    const text = readFileSync(join(CONTRACT, file), "utf8");
    expect(text, file).toContain("UPDATE schema_version SET contracts = contracts + 1");
  }
});

const OLD = "CREATE TABLE old (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;";

it.each([
  ["a dropped table", "DROP TABLE old;", "old is gone"],
  ["a dropped column", "ALTER TABLE old DROP COLUMN name;", "old.name is gone"],
  ["a renamed column", "ALTER TABLE old RENAME COLUMN name TO label;", "old.name is gone"],
  [
    "a required column",
    "DROP TABLE old; CREATE TABLE old (id INTEGER PRIMARY KEY, name TEXT NOT NULL, more TEXT NOT NULL) STRICT;",
    "old.more is required, and old code does not give it",
  ],
  [
    "another type",
    "DROP TABLE old; CREATE TABLE old (id INTEGER PRIMARY KEY, name BLOB NOT NULL) STRICT;",
    'old.name was "TEXT REQUIRED" and is "BLOB REQUIRED"',
  ],
  [
    "a unique index",
    "CREATE UNIQUE INDEX one ON old (name);",
    "old: one refuses rows that old code writes",
  ],
  [
    "a trigger that refuses",
    "CREATE TRIGGER never BEFORE UPDATE ON old BEGIN SELECT RAISE(ABORT, 'no'); END;",
    "old: never refuses rows that old code writes",
  ],
])("finds %s", (_what, change, fault) => {
  expect(breakagesOf(schemaAfter(OLD), schemaAfter(OLD + change))).toContain(fault);
});

it.each([
  ["a column that may be empty", "ALTER TABLE old ADD COLUMN more TEXT;"],
  ["a column with a default", "ALTER TABLE old ADD COLUMN more TEXT NOT NULL DEFAULT '';"],
  ["a table", "CREATE TABLE fresh (id INTEGER PRIMARY KEY, more TEXT NOT NULL) STRICT;"],
  ["an index", "CREATE INDEX old_name ON old (name);"],
])("accepts %s that is added", (_what, change) => {
  expect(breakagesOf(schemaAfter(OLD), schemaAfter(OLD + change))).toEqual([]);
});

function schemaAfter(script: string) {
  const database = new DatabaseSync(":memory:");
  database.exec(script);
  return schemaOf(database);
}
