import { assert } from "../lib/assert.ts";
import { ACCOUNT_LETTERS, TYPE_NUMBERS } from "./short-words.ts";

/** Tables that name transactions. */
const TABLES = [
  "movements",
  "charges",
  "payments",
  "releases",
  "operations",
  "disputes",
  "audit_suspects",
];

/** What is written otherwise than it was, by its column: of another type, as this makes it of the old one. */
const CHANGED = new Map([
  ["transaction_id", { type: "BLOB", value: "unhex(transaction_id, '-')" }],
  ["type", { type: "INTEGER", value: `CASE type ${types()} END` }],
  ["postings", { type: "TEXT", value: postings() }],
]);

/**
 * Ids of transactions become the 16 bytes of their UUIDs in every table, types of movements numbers and
 * accounts in postings letters (`stored-id.ts`, `short-words.ts`). Each table is made anew with the rules
 * and indices that it had. Trails and entries stay as they are: what was stored in full reads as itself.
 */
export function shortenRows(sql: SqlStorage): void {
  for (const table of TABLES) {
    const schema = sql
      .exec<{ type: string; ddl: string }>(
        "SELECT type, sql AS ddl FROM sqlite_master WHERE tbl_name = ? AND sql IS NOT NULL",
        table,
      )
      .toArray();
    const made = schema.find(({ type }) => type === "table");
    assert(made !== undefined, `the object has ${table}`);
    const indices = schema.filter(({ type }) => type === "index");
    const columns = sql
      .exec<{ name: string }>("SELECT name FROM pragma_table_info(?)", table)
      .toArray()
      .map(({ name }) => CHANGED.get(name)?.value ?? name);
    const statements = [
      [...CHANGED].reduce(withType, made.ddl.replace(table, `${table}_now`)),
      `INSERT INTO ${table}_now SELECT ${columns.join()} FROM ${table}`,
      `DROP TABLE ${table}`,
      `ALTER TABLE ${table}_now RENAME TO ${table}`,
      ...indices.map(({ ddl }) => ddl),
    ];
    sql.exec(statements.join(";"));
  }
}

function withType(ddl: string, [column, { type }]: [string, { type: string }]): string {
  return ddl.replace(new RegExp(`\\b${column} TEXT\\b`), `${column} ${type}`);
}

function types(): string {
  return Object.entries(TYPE_NUMBERS)
    .map(([type, number]) => `WHEN '${type}' THEN ${number}`)
    .join(" ");
}

function postings(): string {
  return Object.entries(ACCOUNT_LETTERS).reduce(
    (sql, [account, letter]) => `replace(${sql}, '"${account}"', '"${letter}"')`,
    "postings",
  );
}
