import { sql, type SQL } from "drizzle-orm";
import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";
import type { Env } from "../config.ts";
import { databasesOf, isSharded } from "./sharding/databases.ts";
import type { FENCE_STATES } from "./schema/routing.ts";
import { companyOfClient } from "./sharding/shard-assignments.ts";
import { routedDatabase } from "./sharding/routed-database.ts";

export type Database = DrizzleD1Database & { $client: D1Database };

/**
 * The database of a company: the one way to what is a company's, so that companies can be spread over
 * several databases (10 GB each) without touching a feature. With `DB` alone it is `DB`.
 */
export function databaseFor(env: Env, companyId: number): Database {
  return isSharded(env) ? drizzle(routedDatabase(env, companyId)) : drizzle(env.DB);
}

/** The database of the company that a client id belongs to; the directory where there is none. */
export async function databaseOfClient(env: Env, clientId: string): Promise<Database> {
  if (!isSharded(env)) return drizzle(env.DB);
  const companyId = await companyOfClient(env, clientId);
  return companyId === null ? drizzle(env.DB) : databaseFor(env, companyId);
}

/** What is of no company: the directory itself, the cron's cursors, the sandbox bank's books. */
export function directoryOf(env: Env): Database {
  return drizzle(env.DB);
}

/** One of the databases, as the cron goes through them. */
export interface Shard {
  /** Its binding. */
  name: string;
  db: Database;
  /** Whether a row's company lives there and is not on its way; undefined with `DB` alone. */
  isLocal: (companyId: SQL | object) => SQL | undefined;
}

/** All databases, for what is of no company or of all. The cron goes through them by a `FanOut`. */
export function allShards(env: Env): Shard[] {
  const isMultiple = isSharded(env);
  return [...databasesOf(env)].map(([name, database]) => ({
    name,
    db: drizzle(database),
    isLocal: (companyId) => (isMultiple ? hasNoActiveFence(companyId) : undefined),
  }));
}

function hasNoActiveFence(companyId: SQL | object): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM fences
    WHERE fences.company_id = ${companyId} AND fences.state <> 'here')`;
}

/** How far a database can be asked about a company: the first is where it lives. */
const FENCE_PREFERENCE: readonly string[] = [
  "here",
  "closing",
  "arriving",
  "left",
] satisfies FenceState[];
type FenceState = (typeof FENCE_STATES)[number];

/**
 * The next companies, by their number, of all databases: of each as it stands where it lives. Throws
 * where any database cannot be read: a list that leaves companies out would be taken for whole.
 */
export async function queryCompaniesAcrossShards<Row extends { id: number; fence: string }>(
  env: Env,
  query: (db: Database, fence: SQL<string>) => Promise<Row[]>,
  limit: number,
): Promise<Row[]> {
  if (!isSharded(env)) return query(drizzle(env.DB), sql<string>`'here'`);
  const fence = sql<string>`coalesce(
    (SELECT state FROM fences WHERE fences.company_id = companies.id), 'here')`;
  const found = await Promise.all(
    [...databasesOf(env).values()].map((database) => query(drizzle(database), fence)),
  );
  const preferred = new Map<number, Row>();
  for (const row of found.flat()) {
    const other = preferred.get(row.id);
    const isPreferred =
      other === undefined ||
      FENCE_PREFERENCE.indexOf(row.fence) < FENCE_PREFERENCE.indexOf(other.fence);
    if (isPreferred) preferred.set(row.id, row);
  }
  return [...preferred.values()].sort((left, right) => left.id - right.id).slice(0, limit);
}
