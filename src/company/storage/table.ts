import type { SqlRow } from "./named-sql.ts";

type Verb = "INSERT" | "INSERT OR REPLACE" | "UPDATE";

/** The text that writes these columns. `rest` follows it. */
interface KnownText {
  verb: Verb;
  columns: string[];
  rest: string;
  text: string;
}

/**
 * A table whose rows are written by the names of their columns, so that no two values can be swapped unseen.
 * `Inserted` has the columns of an insert (others get their defaults), `Updated` those that an update may name.
 */
export class Table<Inserted extends SqlRow, Updated extends SqlRow = Inserted> {
  readonly #name: string;
  /** A few: every caller names the same columns each time. */
  readonly #known: KnownText[] = [];

  constructor(name: string) {
    this.#name = name;
  }

  /** Inserts a row. `rest` is what follows its values: `ON CONFLICT ...`, `RETURNING ...`. */
  insert<Returned extends SqlRow>(
    sql: SqlStorage,
    row: Inserted,
    rest = "",
  ): SqlStorageCursor<Returned> {
    const text = this.#textOf("INSERT", Object.keys(row), rest);
    return sql.exec<Returned>(text, ...Object.values(row));
  }

  /** Inserts a row in place of the one that has its key, if any. */
  replace(sql: SqlStorage, row: Inserted): void {
    const text = this.#textOf("INSERT OR REPLACE", Object.keys(row), "");
    sql.exec(text, ...Object.values(row));
  }

  /** Writes some columns of the rows that have every value of `where`; null would find none. */
  update(
    sql: SqlStorage,
    columns: Partial<Updated>,
    where: { [Name in keyof Updated]?: NonNullable<Updated[Name]> },
  ): void {
    const rest = Object.keys(where).map((column) => `${column} = ?`);
    const text = this.#textOf("UPDATE", Object.keys(columns), `WHERE ${rest.join(" AND ")}`);
    sql.exec(text, ...Object.values(columns), ...Object.values(where));
  }

  #textOf(verb: Verb, columns: string[], rest: string): string {
    const known = this.#known.find(
      (each) => each.verb === verb && each.rest === rest && isSame(each.columns, columns),
    );
    if (known !== undefined) return known.text;
    const text = textOf(this.#name, verb, columns, rest);
    this.#known.push({ verb, columns, rest, text });
    return text;
  }
}

function textOf(table: string, verb: Verb, columns: string[], rest: string): string {
  if (verb === "UPDATE") {
    return `UPDATE ${table} SET ${columns.map((column) => `${column} = ?`).join(", ")} ${rest}`;
  }
  const places = columns.map(() => "?").join(", ");
  return `${verb} INTO ${table} (${columns.join(", ")}) VALUES (${places}) ${rest}`;
}

function isSame(some: string[], others: string[]): boolean {
  return (
    some.length === others.length && some.every((column, position) => column === others[position])
  );
}
