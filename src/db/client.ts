import { sql, type SQL } from "drizzle-orm";
import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";
import type { Env } from "../config.ts";
import { databasesOf, isSharded } from "./sharding/databases.ts";
import { COMPANY_FENCE, isPreferredFence, isWritableHere } from "./sharding/fence-filters.ts";
import { companyOfClient } from "./sharding/shard-assignments.ts";
import { routedDatabase } from "./sharding/routed-database.ts";

export type Database = DrizzleD1Database & { $client: D1Database };

/**
 * The database of a company. All access to a company's rows goes through it, so that companies can be
 * spread over several databases (D1 allows 10 GB each). With one database it is `DB`.
 */
export function databaseFor(env: Env, companyId: number): Database {
  return isSharded(env) ? drizzle(routedDatabase(env, companyId)) : drizzle(env.DB);
}

/** The database of the company with this client id; the directory if the id is unknown. */
export async function databaseOfClient(env: Env, clientId: string): Promise<Database> {
  if (!isSharded(env)) return drizzle(env.DB);
  const companyId = await companyOfClient(env, clientId);
  return companyId === null ? drizzle(env.DB) : databaseFor(env, companyId);
}

/** The database of everything that belongs to no company: shard assignments, cursors, the sandbox bank. */
export function directoryOf(env: Env): Database {
  return drizzle(env.DB);
}

/** One of the databases. */
export interface Shard {
  /** The name of its binding. */
  name: string;
  db: Database;
  /** A condition: the row's company lives there and is not moving. Undefined with one database. */
  isLocal: (companyId: SQL | object) => SQL | undefined;
}

/** All databases. The cron queries them with a `FanOut`. */
export function allShards(env: Env): Shard[] {
  const isMultiple = isSharded(env);
  return [...databasesOf(env)].map(([name, database]) => ({
    name,
    db: drizzle(database),
    isLocal: (companyId) => (isMultiple ? isWritableHere(companyId) : undefined),
  }));
}

/** The database of a company as a `FanOut` asks it, and of its rows those of this company only. */
export function shardOfCompany(env: Env, companyId: number): Shard {
  return {
    name: `company ${companyId}`,
    db: databaseFor(env, companyId),
    // The index of what is due finds the rows; that of the company would read its whole history.
    isLocal: (column) => sql`+${column} = ${companyId}`,
  };
}

/**
 * Queries companies in all databases and returns them by id, each as its own database has it. Throws if
 * a database cannot be read, because an incomplete list would look complete.
 */
export async function queryCompaniesAcrossShards<Row extends { id: number; fence: string }>(
  env: Env,
  query: (db: Database, fence: SQL<string>) => Promise<Row[]>,
  limit: number,
): Promise<Row[]> {
  if (!isSharded(env)) return query(drizzle(env.DB), sql<string>`'here'`);
  const found = await Promise.all(
    [...databasesOf(env).values()].map((database) => query(drizzle(database), COMPANY_FENCE)),
  );
  const preferred = new Map<number, Row>();
  for (const row of found.flat()) {
    const other = preferred.get(row.id);
    if (other === undefined || isPreferredFence(row.fence, other.fence)) preferred.set(row.id, row);
  }
  return [...preferred.values()].sort((left, right) => left.id - right.id).slice(0, limit);
}
