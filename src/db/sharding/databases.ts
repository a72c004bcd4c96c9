import type { Env } from "../../config.ts";

/** The binding of the directory: the database that also has the shard assignments. */
export const DIRECTORY = "DB";
/** `DB`, `DB_2`, `DB_3`, ... */
const BINDING = /^DB(_[2-9]|_[1-9]\d+)?$/;

/** The bound databases by binding name; `DB` first. */
export type Databases = ReadonlyMap<string, D1Database>;

const cachedDatabases = new WeakMap<Env, Databases>();

export function databasesOf(env: Env): Databases {
  const cached = cachedDatabases.get(env);
  if (cached !== undefined) return cached;
  const bound = Object.entries(env)
    .filter(([name]) => BINDING.test(name) && name !== DIRECTORY)
    .map(([name, database]) => [name, database as D1Database] as const);
  const databases = new Map([[DIRECTORY, env.DB] as const, ...bound]);
  cachedDatabases.set(env, databases);
  return databases;
}

/** Whether there are several databases. With one, no shard assignment is read. */
export function isSharded(env: Env): boolean {
  return databasesOf(env).size > 1;
}

/** The database of a binding. Throws if it is not bound, since its companies are nowhere else. */
export function databaseNamed(env: Env, name: string): D1Database {
  const database = databasesOf(env).get(name);
  if (database === undefined) throw new Error(`D1_UNBOUND: no D1 binding is called ${name}`);
  return database;
}
