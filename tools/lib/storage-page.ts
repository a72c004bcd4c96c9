/** The data dictionary: every table, column and index, with what the comments of the schema say of it. */
import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { APPLIED_MIGRATIONS, TABLES } from "../../src/company/storage/tables.ts";
import { MONEY_TABLES } from "../../src/company/storage/money-tables.ts";
import { SERVICE_STATE_TABLES } from "../../src/service-state/tables.ts";
import { ROOT } from "./root.ts";
import { migratedD1, migratedObject } from "./schemas.ts";
import {
  drizzleComments,
  sqlComments,
  type ColumnComment,
  type SchemaComments,
  type TableComments,
} from "./schema-comments.ts";

interface Storage {
  title: string;
  /** The tables as they are. */
  database: DatabaseSync;
  comments: SchemaComments;
}

/** What a column of this name holds that needs no comment of its own. */
const USUAL: Record<string, string> = {
  company_id: "The company that it belongs to.",
  created_at: "When it was made.",
  updated_at: "When it last changed.",
};

const INTRODUCTION = `# The data dictionary

Written by \`npm run docs:storage\` from the comments in the schema: change those. [storage.md](../storage.md) says how to
look at the tables, and in which form they hold money, times and structures.
`;

/** The text of `docs/generated/storage.md`. Throws if a table, a column or an index has no comment. */
export async function storagePage(): Promise<string> {
  const storages = await readStorages();
  const undescribed = storages.flatMap(undescribedIn);
  if (undescribed.length > 0) throw new Error(`Without a comment: ${undescribed.join(", ")}`);
  return [INTRODUCTION, ...storages.map(sectionOf)].join("\n");
}

async function readStorages(): Promise<Storage[]> {
  const serviceState = new DatabaseSync(":memory:");
  serviceState.exec(SERVICE_STATE_TABLES);
  return [
    { title: "D1", database: migratedD1(), comments: commentsOfD1() },
    {
      title: "The company's object",
      database: await migratedObject(),
      comments: commentsOfObject(),
    },
    {
      title: "ServiceState's object",
      database: serviceState,
      comments: sqlComments("src/service-state/tables.ts", SERVICE_STATE_TABLES),
    },
  ];
}

function commentsOfD1(): SchemaComments {
  const files = globSync("src/db/schema/**/*.ts", { cwd: ROOT }).toSorted();
  const tables: SchemaComments = new Map();
  for (const file of files) {
    const found = drizzleComments(file, readFileSync(join(ROOT, file), "utf8"));
    for (const [name, table] of found) tables.set(name, table);
  }
  return tables;
}

function commentsOfObject(): SchemaComments {
  const others = TABLES.slice(MONEY_TABLES.length);
  return new Map([
    ...sqlComments("src/company/storage/money-tables.ts", MONEY_TABLES),
    ...sqlComments("src/company/storage/tables.ts", others),
    ...sqlComments("src/company/storage/tables.ts", APPLIED_MIGRATIONS),
  ]);
}

/** What has no comment, and what has one but is not in the database. */
function undescribedIn({ title, database, comments }: Storage): string[] {
  const tables = tablesOf(database);
  const gone = [...comments.keys()].filter((table) => !tables.includes(table));
  const undescribed = tables.flatMap((table) => {
    const found = comments.get(table);
    if (found?.comment === undefined) return [table];
    const columns = columnsOf(database, table).map(({ name }) => name);
    const indexes = indexesOf(database, table);
    return [
      ...columns.filter((name) => meaningOf(name, found.columns.get(name)) === undefined),
      ...[...found.columns.keys()].filter((name) => !columns.includes(name)),
      ...indexes.filter((name) => found.indexes.get(name) === undefined),
      ...[...found.indexes.keys()].filter((name) => !indexes.includes(name)),
    ].map((name) => `${table}.${name}`);
  });
  return [...undescribed, ...gone].map((name) => `${title}: ${name}`);
}

function meaningOf(name: string, column: ColumnComment | undefined): string | undefined {
  return column === undefined ? undefined : (column.comment ?? USUAL[name]);
}

function sectionOf({ title, database, comments }: Storage): string {
  const entries = Array.from(comments, ([name, table]) => entryOf(database, name, table));
  return [`## ${title}\n`, ...entries].join("\n");
}

function entryOf(database: DatabaseSync, name: string, table: TableComments): string {
  const facts = new Map(columnsOf(database, name).map((column) => [column.name, column]));
  const columns = Array.from(table.columns, ([column, comment]) => {
    const meaning = meaningOf(column, comment) ?? "";
    return `- \`${column}\` ${factsOf(facts.get(column), comment.mode)}: ${textOf(meaning, "  ")}`;
  });
  const key = [...facts.values()].filter((column) => column.key).map((column) => column.name);
  const indexes = Array.from(
    table.indexes,
    ([index, comment]) => `- \`${index}\`: ${textOf(comment ?? "", "  ")}`,
  );
  const keyLine = `- Primary key \`(${key.join(", ")})\``;
  const keys =
    key.length < 2
      ? []
      : [table.key === undefined ? `${keyLine}.` : `${keyLine}: ${textOf(table.key, "  ")}`];
  const found = [...keys, ...indexes];
  return [
    `### \`${name}\`\n`,
    `${textOf(table.comment ?? "", "")} Source: [${table.file}](../../${table.file}).\n`,
    "Columns:\n",
    ...columns,
    ...(found.length === 0 ? [] : ["\nKeys and indexes:\n", ...found]),
    "",
  ].join("\n");
}

interface Column {
  name: string;
  type: string;
  key: boolean;
  nullable: boolean;
}

function factsOf(column: Column | undefined, mode: string | undefined): string {
  const { type = "", key = false, nullable = false } = column ?? {};
  const form = { json: " (JSON)", boolean: " (0 or 1)" }[mode ?? ""] ?? "";
  return `${type}${form}${key ? ", key" : ""}${nullable && !key ? " or NULL" : ""}`;
}

/** Decision records by their number. */
const DECISIONS = new Map<string, string>(
  readdirSync(join(ROOT, "docs/decisions")).map((file) => [file.slice(0, 4), file]),
);

/** A comment as Markdown: its example as code, and its references as links. */
function textOf(comment: string, indent: string): string {
  return comment
    .replace(/^Such as ([[{].*)$/m, "Such as `$1`.")
    .replaceAll(/docs\/([\w-]+\.md)(#[\w-]+)?/g, "[$1](../$1$2)")
    .replaceAll(/decision (\d{4})/g, (text, number: string) => {
      const file = DECISIONS.get(number);
      return file === undefined ? text : `[${text}](../decisions/${file})`;
    })
    .replaceAll("\n", `\n${indent}`);
}

function tablesOf(database: DatabaseSync): string[] {
  return namesOf(
    database,
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  );
}

function columnsOf(database: DatabaseSync, table: string): Column[] {
  const rows = database.prepare("SELECT * FROM pragma_table_info(?)").all(table);
  return rows.map((row) => ({
    name: String(row["name"]),
    type: String(row["type"]),
    key: row["pk"] !== 0,
    nullable: row["notnull"] === 0,
  }));
}

/** The named indexes; an index of a key has no name. */
function indexesOf(database: DatabaseSync, table: string): string[] {
  return namesOf(database, "SELECT name FROM pragma_index_list(?) WHERE origin = 'c'", table);
}

function namesOf(database: DatabaseSync, query: string, ...values: string[]): string[] {
  const rows = database.prepare(query).all(...values);
  return rows.map((row) => String(row["name"]));
}
