import { sql, type SQL } from "drizzle-orm";
import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";
import type { Env } from "../config.ts";
import { databasesOf, isSpread } from "./sharding/databases.ts";
import type { FENCE_STATES } from "./schema/routing.ts";
import { companyOfClient } from "./sharding/placements.ts";
import { routedDatabase } from "./sharding/routed.ts";

export type Database = DrizzleD1Database & { $client: D1Database };

/**
 * The database of a company: the one way to what is a company's, so that companies can be spread over
 * several databases (10 GB each) without touching a feature. With `DB` alone it is `DB`.
 */
export function databaseFor(env: Env, companyId: number): Database {
  return isSpread(env) ? drizzle(routedDatabase(env, companyId)) : drizzle(env.DB);
}

/** The database of the company that a client id belongs to; the directory where there is none. */
export async function databaseOfClient(env: Env, clientId: string): Promise<Database> {
  if (!isSpread(env)) return drizzle(env.DB);
  const companyId = await companyOfClient(env, clientId);
  return companyId === null ? drizzle(env.DB) : databaseFor(env, companyId);
}

/** What is of no company: the directory itself, the cron's cursors, the sandbox bank's books. */
export function directoryOf(env: Env): Database {
  return drizzle(env.DB);
}

/** One of the databases, as the cron goes through them. */
export interface OneDatabase {
  /** Its binding. */
  name: string;
  db: Database;
  /** Whether a row's company lives there and is not on its way; undefined with `DB` alone. */
  isHere: (companyId: SQL | object) => SQL | undefined;
}

/** All databases, for what is of no company or of all. The cron goes through them by a `Round`. */
export function eachDatabase(env: Env): OneDatabase[] {
  const isSeveral = isSpread(env);
  return [...databasesOf(env)].map(([name, database]) => ({
    name,
    db: drizzle(database),
    isHere: (companyId) => (isSeveral ? unfenced(companyId) : undefined),
  }));
}

function unfenced(companyId: SQL | object): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM fences
    WHERE fences.company_id = ${companyId} AND fences.state <> 'here')`;
}

/** How far a database can be asked about a company: the first is where it lives. */
const NEAREST: readonly string[] = ["here", "closing", "arriving", "left"] satisfies FenceState[];
type FenceState = (typeof FENCE_STATES)[number];

/**
 * The next companies, by their number, of all databases: of each as it stands where it lives. Throws
 * where any database cannot be read: a list that leaves companies out would be taken for whole.
 */
export async function companiesOfAll<Row extends { id: number; fence: string }>(
  env: Env,
  look: (db: Database, fence: SQL<string>) => Promise<Row[]>,
  limit: number,
): Promise<Row[]> {
  if (!isSpread(env)) return look(drizzle(env.DB), sql<string>`'here'`);
  const fence = sql<string>`coalesce(
    (SELECT state FROM fences WHERE fences.company_id = companies.id), 'here')`;
  const found = await Promise.all(
    [...databasesOf(env).values()].map((database) => look(drizzle(database), fence)),
  );
  const nearest = new Map<number, Row>();
  for (const row of found.flat()) {
    const other = nearest.get(row.id);
    const isNearer =
      other === undefined || NEAREST.indexOf(row.fence) < NEAREST.indexOf(other.fence);
    if (isNearer) nearest.set(row.id, row);
  }
  return [...nearest.values()].sort((left, right) => left.id - right.id).slice(0, limit);
}
