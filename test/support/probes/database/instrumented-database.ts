import { env } from "../../builders/companies/env.ts";

interface Hooks {
  /** Called once for each call to D1, with its statements. */
  called?: (statements: string[]) => void;
  /** Called before a statement, which waits for it; a throw stands for an error of D1. */
  before?: (sql: string) => void | Promise<void>;
  /** Called after a statement; a throw stands for a lost response. */
  after?: (sql: string, rowsRead: number, rowsWritten: number) => void;
  /** Called with a statement's rows. */
  results?: (rows: Record<string, unknown>[]) => void;
}

/** An environment whose D1 calls these hooks. */
export function withDatabase(hooks: Hooks): typeof env {
  return { ...env, DB: instrument(env.DB, hooks) };
}

/** An environment whose D1 passes each statement's rows to `onRows`. */
export function withResults(onRows: (rows: Record<string, unknown>[]) => void): typeof env {
  return { ...env, DB: instrument(env.DB, { results: onRows }) };
}

const SELECT = /^\s*select/i;

function instrument(db: D1Database, hooks: Hooks): D1Database {
  const originals = new WeakMap<D1PreparedStatement, { sql: string; real: D1PreparedStatement }>();
  const heard = <Result>(sql: string, result: D1Result<Result>): D1Result<Result> => {
    hooks.after?.(sql, result.meta.rows_read, result.meta.rows_written);
    hooks.results?.(result.results as Record<string, unknown>[]);
    return result;
  };

  const wrap = (sql: string, real: D1PreparedStatement): D1PreparedStatement => {
    /** `first` and `raw` return no meta: a second run of the same SELECT counts the rows. */
    const count = async () => {
      if (SELECT.test(sql)) heard(sql, await real.all());
      else hooks.after?.(sql, 0, 0);
    };
    /**
     * Rows and meta of a statement that must run once: `RETURNING` has no duplicate column names.
     */
    const returned = async () => heard(sql, await real.all()).results.map(Object.values);
    const wrapped = {
      bind: (...values: unknown[]) => wrap(sql, real.bind(...values)),
      all: async () => {
        hooks.called?.([sql]);
        await hooks.before?.(sql);
        return heard(sql, await real.all());
      },
      run: async () => {
        hooks.called?.([sql]);
        await hooks.before?.(sql);
        return heard(sql, await real.run());
      },
      first: async (column: string) => {
        hooks.called?.([sql]);
        await hooks.before?.(sql);
        const row = await (column === undefined ? real.first() : real.first(column));
        await count();
        return row;
      },
      raw: async (options?: { columnNames?: false }) => {
        hooks.called?.([sql]);
        await hooks.before?.(sql);
        if (!SELECT.test(sql) && options === undefined) return returned();
        const rows = await real.raw(options);
        await count();
        return rows;
      },
    } as unknown as D1PreparedStatement;
    originals.set(wrapped, { sql, real });
    return wrapped;
  };

  return {
    prepare: (sql: string) => wrap(sql, db.prepare(sql)),
    batch: async (statements: D1PreparedStatement[]) => {
      const known = statements.map((statement) => {
        const original = originals.get(statement);
        if (original === undefined) throw new Error("a statement of another database");
        return original;
      });
      hooks.called?.(known.map(({ sql }) => sql));
      for (const { sql } of known) await hooks.before?.(sql);
      const results = await db.batch(known.map(({ real }) => real));
      return results.map((result, index) => heard(known[index]!.sql, result));
    },
  } as unknown as D1Database;
}
