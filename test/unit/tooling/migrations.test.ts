import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { ROOT } from "../../../tools/lib/wrangler.ts";
import { tableRewritesOf } from "../../support/probes/database/migration-rules.ts";

/** Imported by its path, because its types need the Workers platform, which these tests lack. */
const OBJECT_MIGRATIONS = join(ROOT, "src/company/storage/migrations.ts");
const { MIGRATIONS } = (await import(OBJECT_MIGRATIONS)) as { MIGRATIONS: readonly string[] };
const { TABLES } = (await import(join(ROOT, "src/company/storage/tables.ts"))) as {
  TABLES: string;
};

/** Indexes on a table that grows, from before the first installation had many rows. */
const EARLY_INDEXES =
  /^CREATE INDEX `(transactions_(end_to_end|paid|fiscal_key|open)|sandbox_payments_payment|withdraws_undecided|daily_reports_day|unexpected_payments_open|emails_(ended|failed)|subscription_cycles_failed)` .*\n?/gm;

/** D1 tables that stay small at any traffic. */
const SMALL: Record<string, string> = {
  companies: "one row for each company",
  company_clocks: "one row for each sandbox company whose clock was moved",
  applications: "at most 50 of a company, most companies have one",
  company_providers: "one row for each PSP of a company",
  former_accounts: "one row for each PSP that a company has left, most companies have none",
  psp_accounts: "a few rows for each live company",
  provider_accounts: "one row for each account that was called",
  api_keys: "a few rows for each application, most companies have one",
  operators: "one row for each person who operates the gateway",
  self_checks: "one row for each company",
  storage_gauges: "one row for each database and company",
  webhook_hosts: "a host that answers has no row",
  callbacks: "at most 1,000 of a company, most companies have none",
};

const FIRST = `CREATE TABLE old (id INTEGER PRIMARY KEY) STRICT; CREATE INDEX old_id ON old (id);`;

it("no migration of the object rewrites a table, because its constructor would wait", () => {
  expect(MIGRATIONS.length).toBeGreaterThan(1);
  expect(tableRewritesOf(MIGRATIONS, () => false)).toEqual([]);
});

it("a new object has the tables, columns, indexes and triggers of a migrated one", () => {
  const made = new DatabaseSync(":memory:");
  made.exec(TABLES);
  const migrated = new DatabaseSync(":memory:");
  for (const change of MIGRATIONS) migrated.exec(change);
  expect(describeTables(made)).toEqual(describeTables(migrated));
  expect(made.prepare("SELECT * FROM company").all()).toEqual(
    migrated.prepare("SELECT * FROM company").all(),
  );
});

/** What a database refuses and finds: by name, without the order of a table's own rules, which has no effect. */
function describeTables(database: DatabaseSync) {
  const made = database.prepare("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").all();
  return Object.fromEntries(
    (made as { name: string; sql: string }[]).map(({ name, sql }) => {
      const plain = sql.replaceAll(/--.*/g, "").replaceAll(/\s+/g, " ");
      const columns = database.prepare(`SELECT * FROM pragma_table_xinfo('${name}')`).all();
      if (!plain.startsWith("CREATE TABLE")) return [name, plain];
      const parts = plain.split(/[,()]/).map((part) => part.trim());
      return [name, { columns, parts: parts.filter((part) => part !== "").toSorted() }];
    }),
  );
}

it("no migration of D1 rewrites a table, because every request would wait", () => {
  const folder = join(ROOT, "migrations");
  const files = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  expect(files.length).toBeGreaterThan(1);
  const migrations = files
    .toSorted()
    .map((name) => readFileSync(join(folder, name), "utf8").replaceAll(EARLY_INDEXES, ""));
  expect(tableRewritesOf(migrations, (table) => table in SMALL)).toEqual([]);
});

it.each([
  ["an update of all rows", "UPDATE old SET id = id + 1;"],
  ["a delete", "DELETE FROM old;"],
  [
    "a copy of a table",
    "CREATE TABLE fresh (id INTEGER) STRICT; INSERT INTO fresh SELECT id FROM old;",
  ],
  ["an index on a table with rows", "CREATE INDEX later ON `old` (id);"],
  ["a unique index", "CREATE UNIQUE INDEX later ON old (id);"],
  ["a column with a check of every row", "ALTER TABLE old ADD COLUMN n INTEGER CHECK (n > 0);"],
  ["a dropped column", "ALTER TABLE old DROP COLUMN id;"],
  ["a dropped table", "DROP TABLE old;"],
  ["a dropped trigger", "DROP TRIGGER t;"],
])("rejects %s", (_what, change) => {
  expect(tableRewritesOf([FIRST, change], () => false)).toHaveLength(1);
});

it.each([
  [
    "a new table with its index",
    "CREATE TABLE fresh (id INTEGER) STRICT; CREATE INDEX i ON fresh (id);",
  ],
  ["a new column", "ALTER TABLE old ADD COLUMN n INTEGER NOT NULL DEFAULT 0;"],
  ["a trigger", "CREATE TRIGGER t AFTER UPDATE ON old BEGIN UPDATE old SET id = 1; END;"],
  [
    "a trigger that is made again",
    "DROP TRIGGER t; CREATE TRIGGER t AFTER UPDATE OF id ON old BEGIN SELECT 1; END;",
  ],
  ["a row of a new table", "CREATE TABLE fresh (id INTEGER) STRICT; INSERT INTO fresh VALUES (1);"],
  ["a statement in a comment", "-- UPDATE old; \nCREATE TABLE fresh (id INTEGER) STRICT;"],
])("accepts %s", (_what, change) => {
  expect(tableRewritesOf([FIRST, change], () => false)).toEqual([]);
});

it("accepts a later index on a table that is known to be small", () => {
  const change = "CREATE INDEX later ON old (id);";
  expect(tableRewritesOf([FIRST, change], (table) => table === "old")).toEqual([]);
});
