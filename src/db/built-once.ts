import { getTableColumns, is, Param, Placeholder, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { drizzle } from "drizzle-orm/d1";
import type { RunnableQuery } from "drizzle-orm/runnable-query";
import type { SQLiteInsertValue, SQLiteTable } from "drizzle-orm/sqlite-core";
import { assert } from "../lib/assert.ts";
import type { Database } from "./client.ts";

type Result<Query extends BatchItem<"sqlite">> = Query["_"]["result"];
/** What a batch takes. */
type Bound<Query extends BatchItem<"sqlite">> = RunnableQuery<Result<Query>, "sqlite">;
/** Stands for a value that differs from run to run. */
export type Slots<Values> = Record<keyof Values, Placeholder>;
type Slot<Values> = (values: Values) => unknown;

/** As drizzle prepares a query: what `batch` asks of each of its items. */
interface Prepared {
  getQuery: () => { sql: string; params: unknown[] };
  mapResult: (result: unknown, isFromBatch?: boolean) => unknown;
}

/** Where queries are built; nothing is run there. */
const DRAWING_BOARD = drizzle({ prepare: () => null } as unknown as D1Database);

/**
 * A query that always has the same text. drizzle takes longer to build one than D1 to run it, so it does
 * so once, with a slot for each value; every use binds its values, to the database it is given, and
 * goes into a `batch`. Rows are mapped by drizzle as ever.
 */
export function builtOnce<Values extends object, Query extends BatchItem<"sqlite">>(
  build: (db: Database, slots: Slots<Values>) => Query,
): (db: Database, values: Values) => Bound<Query> {
  let known: { prepared: Prepared; text: string; slots: Slot<Values>[] } | undefined;
  return (db, values) => {
    known ??= drawn(build(DRAWING_BOARD, slotsOf<Values>()));
    const { prepared, text, slots } = known;
    const bound = {
      _prepare: () => ({
        stmt: db.$client.prepare(text),
        getQuery: () => ({ sql: text, params: slots.map((slot) => slot(values)) }),
        mapResult: prepared.mapResult.bind(prepared),
      }),
    };
    return bound as unknown as Bound<Query>;
  };
}

/** The values of an INSERT of whole rows: for each column the slot of its name. */
export function everyColumn<Table extends SQLiteTable>(
  table: Table,
  slots: Record<keyof Table["$inferInsert"], Placeholder>,
): SQLiteInsertValue<Table> {
  const columns = Object.entries(getTableColumns(table));
  const stored = columns.filter(([, column]) => column.generated === undefined);
  const all: Record<string, Placeholder> = slots;
  return Object.fromEntries(stored.map(([name]) => [name, all[name]])) as SQLiteInsertValue<Table>;
}

/** Runs one query that was built once, as a batch of its own. */
export async function runOne<Answer>(
  db: Database,
  query: RunnableQuery<Answer, "sqlite">,
): Promise<Answer> {
  const [answer] = await db.batch([query]);
  return answer;
}

function drawn<Values>(query: BatchItem<"sqlite">) {
  const prepared = (query as unknown as { _prepare: () => Prepared })._prepare();
  const { sql: text, params } = prepared.getQuery();
  return { prepared, text, slots: params.map((parameter) => slotOf<Values>(parameter)) };
}

/** Any name is a slot: which there are is known to the types only. */
function slotsOf<Values>(): Slots<Values> {
  return new Proxy({} as Slots<Values>, {
    get: (_, name) => sql.placeholder(String(name)),
  });
}

/** A value of a column goes through the column, as JSON does to become text. */
function slotOf<Values>(parameter: unknown): Slot<Values> {
  if (is(parameter, Placeholder)) return (values) => given(values, parameter);
  if (!is(parameter, Param) || !is(parameter.value, Placeholder)) return () => parameter;
  const { encoder, value } = parameter;
  return (values) => {
    const raw = given(values, value);
    return raw === null ? null : encoder.mapToDriverValue(raw);
  };
}

function given<Values>(values: Values, slot: Placeholder): unknown {
  const value = values[slot.name as keyof Values];
  assert(value !== undefined, `a query was given no ${slot.name}`);
  return value;
}
