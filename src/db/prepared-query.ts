import { is, Param, Placeholder, QueryPromise, sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Database } from "./client.ts";

/** A query, drizzle's or a prepared one: it runs when it is awaited, or as one of a `batch`. */
export interface Query<Rows> extends Promise<Rows> {
  prepare(): PreparedQuery;
}

/** SQL with its parameters in order, and drizzle's mapper of the rows that it answers. */
interface PreparedQuery {
  getQuery(): { sql: string; params: unknown[] };
  /** Rows as arrays, or D1's result of one query of a batch. */
  mapResult(response: unknown, isFromBatch?: boolean): unknown;
}

/** Names a value that each run of a prepared query brings. */
export interface Parameter<Given> {
  /** Bound as it is. */
  <Name extends BindableName<Given>>(name: Name): SQL<Given[Name]>;
  /** Encoded by a column, as JSON or a boolean; null stays null. */
  <Name extends keyof Given & string, Of extends SQLiteColumn>(
    name: Name,
    column: Of & (NonNullable<Given[Name]> extends Of["_"]["data"] ? unknown : never),
  ): SQL<Given[Name]>;
}

type BindableName<Given> = {
  [Name in keyof Given & string]: Given[Name] extends string | number | null ? Name : never;
}[keyof Given & string];

/**
 * A query that answers rows and whose SQL drizzle builds once in an isolate, at the first run: to build it costs more
 * than to bind and map it. It belongs to no database. What changes the SQL is a query of its own, not a parameter.
 */
export function prepareOnce<Given extends Values, Rows extends unknown[]>(
  build: (db: Database, value: Parameter<Given>) => Query<Rows>,
): (db: Database, values: Given) => Query<Rows> {
  let built: Built | undefined;
  return (db, values) => {
    built ??= toBuilt(build(db, parameter as Parameter<Given>).prepare());
    return new BoundQuery<Rows>(db, built, values);
  };
}

/** Runs queries in one transaction of D1, in order. Answers the rows of each. */
export async function batch<Queries extends readonly Query<unknown>[]>(
  db: Database,
  queries: readonly [...Queries],
): Promise<RowsOfEach<Queries>> {
  const prepared = queries.map((query) => query.prepare());
  const results = await db.$client.batch(
    prepared.map((each) => {
      const { sql: text, params } = each.getQuery();
      return db.$client.prepare(text).bind(...params);
    }),
  );
  const rows = prepared.map((each, index) => each.mapResult(results[index], true));
  return rows as RowsOfEach<Queries>;
}

type RowsOfEach<Queries> = { -readonly [Index in keyof Queries]: Awaited<Queries[Index]> };

type Values = Readonly<Record<string, unknown>>;

interface Built {
  text: string;
  /** What each parameter is bound to. */
  bindings: ((values: Values) => unknown)[];
  mapResult: PreparedQuery["mapResult"];
}

class BoundQuery<Rows> extends QueryPromise<Rows> implements Query<Rows> {
  readonly #db: Database;
  readonly #built: Built;
  readonly #values: Values;

  constructor(db: Database, built: Built, values: Values) {
    super();
    this.#db = db;
    this.#built = built;
    this.#values = values;
  }

  override async execute(): Promise<Rows> {
    const statement = this.#db.$client.prepare(this.#built.text).bind(...this.#params());
    return this.#built.mapResult(await statement.raw()) as Rows;
  }

  prepare(): PreparedQuery {
    const { text, mapResult } = this.#built;
    return { getQuery: () => ({ sql: text, params: this.#params() }), mapResult };
  }

  #params(): unknown[] {
    return this.#built.bindings.map((binding) => binding(this.#values));
  }
}

function parameter(name: string, column?: SQLiteColumn): SQL {
  const placeholder = sql.placeholder(name);
  return column === undefined ? sql`${placeholder}` : sql`${sql.param(placeholder, column)}`;
}

function toBuilt(prepared: PreparedQuery): Built {
  const { sql: text, params } = prepared.getQuery();
  return {
    text,
    bindings: params.map(bindingOf),
    mapResult: (response, isFromBatch) => prepared.mapResult(response, isFromBatch),
  };
}

/** As drizzle binds values, whose own filling of placeholders would store a JSON column's null as the text `null`. */
function bindingOf(param: unknown): Built["bindings"][number] {
  if (is(param, Placeholder)) return (values) => values[param.name];
  if (!is(param, Param) || !is(param.value, Placeholder)) return () => param;
  const { encoder, value } = param;
  return (values) => {
    const given = values[value.name];
    return given === null ? null : encoder.mapToDriverValue(given);
  };
}
