import { eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { Env } from "../../config.ts";
import { runIdempotent } from "../storage-errors.ts";
import { DIRECTORY, isSharded } from "./databases.ts";
import { clients, shardAssignments } from "../schema/routing.ts";

/** A company's database, and the number of its newest move. */
export interface ShardAssignment {
  database: string;
  move: number;
}

/** Entries of each cache of an isolate, a few hundred bytes each. */
const CACHE_ENTRIES_MAX = 10_000;
const DEFAULT_ASSIGNMENT: ShardAssignment = { database: DIRECTORY, move: 0 };

/** An isolate's cache of the directory. Assignments may be stale; a client id never changes its company. */
interface DirectoryCache {
  assignments: Map<number, ShardAssignment>;
  clients: Map<string, number>;
}

const directoryCaches = new WeakMap<D1Database, DirectoryCache>();

/** A company's shard assignment, from this isolate's cache or current from the directory. */
export async function shardAssignmentOf(
  env: Env,
  companyId: number,
  freshness: "cached" | "current",
): Promise<ShardAssignment> {
  const cache = directoryCacheOf(env).assignments;
  const cached = cache.get(companyId);
  if (freshness === "cached" && cached !== undefined) return cached;
  const [row] = await drizzle(env.DB)
    .select({ database: shardAssignments.database, move: shardAssignments.move })
    .from(shardAssignments)
    .where(eq(shardAssignments.companyId, companyId));
  const assignment = row ?? DEFAULT_ASSIGNMENT;
  setCached(cache, companyId, assignment);
  return assignment;
}

/** The company of a client id; null if unknown. Caches the company's shard assignment too. */
export async function companyOfClient(env: Env, clientId: string): Promise<number | null> {
  const cache = directoryCacheOf(env);
  const cached = cache.clients.get(clientId);
  if (cached !== undefined) return cached;
  const [row] = await drizzle(env.DB).all<{
    companyId: number;
    database: string | null;
    move: number | null;
  }>(sql`
    SELECT owner.company_id AS companyId, placements.database, placements.move
    FROM (
      SELECT company_id FROM ${clients} WHERE client_id = ${clientId}
      UNION ALL SELECT company_id FROM applications WHERE client_id = ${clientId} LIMIT 1
    ) AS owner
    LEFT JOIN placements ON placements.company_id = owner.company_id`);
  if (row === undefined) return null;
  const { companyId, database, move } = row;
  setCached(cache.clients, clientId, companyId);
  const assignment = database === null ? DEFAULT_ASSIGNMENT : { database, move: move ?? 0 };
  setCached(cache.assignments, companyId, assignment);
  return companyId;
}

/**
 * Registers a new client id in the directory, which does not see applications of the other databases. Does
 * nothing with one database: a move registers the ids of its company.
 */
export async function registerClient(env: Env, clientId: string, companyId: number): Promise<void> {
  if (!isSharded(env)) return;
  await runIdempotent(() =>
    drizzle(env.DB).insert(clients).values({ clientId, companyId }).onConflictDoNothing(),
  );
}

function directoryCacheOf(env: Env): DirectoryCache {
  const cached = directoryCaches.get(env.DB);
  if (cached !== undefined) return cached;
  const empty: DirectoryCache = { assignments: new Map(), clients: new Map() };
  directoryCaches.set(env.DB, empty);
  return empty;
}

/** Adds an entry; a full cache is emptied first, which costs one query for each entry used again. */
function setCached<Key, Value>(cache: Map<Key, Value>, key: Key, value: Value): void {
  if (cache.size >= CACHE_ENTRIES_MAX) cache.clear();
  cache.set(key, value);
}
