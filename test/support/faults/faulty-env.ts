import type { CallEnvelope } from "../../../src/company/object.ts";
import type { Env } from "../../../src/config.ts";

/** workerd's error for a lost D1 response: the statement may have run. */
export const CONNECTION_LOST = "D1_ERROR: Network connection lost.";
/** An error that is never retried: it stands for a crashed process. */
export const CRASH = "crashed here";

/** Runs one call or fails it. `label` is the SQL of a statement or batch, or the name of an RPC. */
export type Interceptor = <Answer>(label: string, run: () => Promise<Answer>) => Promise<Answer>;

/** An environment whose D1 calls go through `intercept`, once per statement or batch. */
export function withD1(env: Env, intercept: Interceptor): Env {
  const originals = new WeakMap<object, { statement: D1PreparedStatement; sql: string }>();
  const wrap = (statement: D1PreparedStatement, sql: string): D1PreparedStatement => {
    const wrapped = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values), sql),
      first: (column: string) => intercept(sql, () => statement.first(column)),
      run: () => intercept(sql, () => statement.run()),
      all: () => intercept(sql, () => statement.all()),
      raw: () => intercept(sql, () => statement.raw()),
    } as unknown as D1PreparedStatement;
    originals.set(wrapped, { statement, sql });
    return wrapped;
  };
  const original = (statement: D1PreparedStatement) => {
    const known = originals.get(statement);
    if (known === undefined) throw new Error("not a statement of this database");
    return known;
  };
  const DB = {
    prepare: (sql: string) => wrap(env.DB.prepare(sql), sql),
    batch: (statements: D1PreparedStatement[]) =>
      intercept(statements.map((each) => original(each).sql).join(";\n"), () =>
        env.DB.batch(statements.map((each) => original(each).statement)),
      ),
  } as unknown as D1Database;
  return { ...env, DB };
}

/** An environment whose object calls go through `intercept`. */
export function withAccounts(env: Env, intercept: Interceptor): Env {
  return { ...env, COMPANY_ACCOUNT: intercepted(env.COMPANY_ACCOUNT, intercept, callLabel) };
}

/** An environment whose calls to the object of the service's state go through `intercept`. */
export function withServiceState(env: Env, intercept: Interceptor): Env {
  return { ...env, SERVICE_STATE: intercepted(env.SERVICE_STATE, intercept, stateLabel) };
}

const stateLabel = (method: string) => `state.${method}`;

/** Objects whose calls go through `intercept`, under the label of a method and its parameters. */
function intercepted<Objects extends { getByName: (name: string) => any }>(
  objects: Objects,
  intercept: Interceptor,
  labelOf: (method: string, parameters: unknown[]) => string,
): Objects {
  return {
    getByName: (name: string) => {
      const stub = objects.getByName(name);
      return new Proxy(stub, {
        get: (_, method: string) => {
          return (...parameters: unknown[]) =>
            intercept(labelOf(method, parameters), () => stub[method](...parameters));
        },
      });
    },
  } as unknown as Objects;
}

/** Of a call of the object, the name in its envelope; of the platform's own, that of the method. */
function callLabel(method: string, [first]: unknown[]): string {
  return method === "call" ? (first as CallEnvelope).name : method;
}

export interface Fault {
  intercept: Interceptor;
  /** The number of injected faults. */
  injections: () => number;
}

/**
 * Fails calls with a matching label, before or after their effect; the first one only, by
 * default.
 */
export function injectFault(options: {
  on: RegExp;
  when: "before" | "after";
  error?: string;
  times?: number;
}): Fault {
  let strikes = 0;
  return {
    injections: () => strikes,
    intercept: async (label, run) => {
      if (!options.on.test(label) || strikes >= (options.times ?? 1)) return run();
      strikes += 1;
      if (options.when === "after") await run();
      throw new Error(options.error ?? CRASH);
    },
  };
}
