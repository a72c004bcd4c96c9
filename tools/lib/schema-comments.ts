/** What the comments of a schema's source say of its tables, columns and indexes. */

/** A comment of the source, without its marks; `undefined` where there is none. */
type Comment = string | undefined;

export interface ColumnComment {
  comment: Comment;
  /** How the code stores it, where SQLite's type does not say so, such as `json`. */
  mode?: string | undefined;
}

export interface TableComments {
  /** The file of the table, from the repository's root. */
  file: string;
  comment: Comment;
  /** By name, in the source's order. */
  columns: Map<string, ColumnComment>;
  indexes: Map<string, Comment>;
  /** What a primary key of several columns is for. */
  key?: Comment;
}

/** By table, in the source's order. */
export type SchemaComments = Map<string, TableComments>;

/** A table, a column, an index or a key of drizzle, with the comment before it. */
const DRIZZLE_PART =
  /(?:\/\*\*(?<comment>(?:(?!\*\/)[^])*)\*\/\s*)?(?:export const \w+ = sqliteTable\(\s*"(?<table>\w+)"|\w+: (?:text|integer)\(\s*"(?<column>\w+)"(?:,\s*\{\s*mode: "(?<mode>\w+)")?|(?:index|uniqueIndex)\("(?<index>\w+)"\)|(?<key>primaryKey)\()/g;

/** The tables of a file of `src/db/schema`. */
export function drizzleComments(file: string, source: string): SchemaComments {
  const tables: SchemaComments = new Map();
  let current: TableComments | undefined;
  for (const { groups = {} } of source.matchAll(DRIZZLE_PART)) {
    const { comment: written } = groups;
    const comment = written === undefined ? undefined : withoutStars(written);
    const { table, column, mode, index, key } = groups;
    if (table !== undefined) {
      current = { file, comment, columns: new Map(), indexes: new Map() };
      tables.set(table, current);
    } else if (column !== undefined) current?.columns.set(column, { comment, mode });
    else if (index !== undefined) current?.indexes.set(index, comment);
    else if (key !== undefined && current !== undefined) current.key = comment;
  }
  return tables;
}

/** The text between the marks of a comment: its lines, without their stars. */
export function withoutStars(comment: string): string {
  const lines = comment.split("\n").map((line) => line.replace(/^\s*\* ?/, "").trimEnd());
  return lines.join("\n").trim();
}

const SQL_TABLE = /^CREATE TABLE (?:IF NOT EXISTS )?(\w+) \(/;
const SQL_INDEX = /^CREATE (?:UNIQUE )?INDEX (\w+)/;
const SQL_COLUMN = /^(\w+) (?:TEXT|INTEGER|REAL|BLOB)\b/;
const SQL_COMMENT = /(?:^|\s)-- (.*)$/;

/** The tables of SQL whose comments stand before a statement or a column, or at the end of a column's line. */
export function sqlComments(file: string, sql: string): SchemaComments {
  const tables: SchemaComments = new Map();
  let current: TableComments | undefined;
  let before: string[] = [];
  for (const line of sql.split("\n").map((one) => one.trim())) {
    const [, own] = SQL_COMMENT.exec(line) ?? [];
    if (own !== undefined && line.startsWith("--")) {
      before.push(own);
      continue;
    }
    const comment = [...before, ...(own === undefined ? [] : [own])].join("\n") || undefined;
    before = [];
    const [, table] = SQL_TABLE.exec(line) ?? [];
    const [, index] = SQL_INDEX.exec(line) ?? [];
    const [, column] = SQL_COLUMN.exec(line) ?? [];
    if (table !== undefined) {
      current = { file, comment, columns: new Map(), indexes: new Map() };
      tables.set(table, current);
    } else if (index !== undefined) current?.indexes.set(index, comment);
    else if (column !== undefined) current?.columns.set(column, { comment });
  }
  return tables;
}
