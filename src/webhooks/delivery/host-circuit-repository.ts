import { and, asc, eq, gte, isNotNull, or, sql } from "drizzle-orm";
import { databaseFor, type Database } from "../../db/client.ts";
import { runIdempotent } from "../../db/storage-errors.ts";
import { webhookHosts } from "../../db/schema/webhooks.ts";
import type { Env } from "../../config.ts";

const DAY_MS = 86_400_000;
/** A streak of failures this long opens the host's circuit (decision 0016). */
const OPEN_CIRCUIT_AFTER_MS = 5 * DAY_MS;
/** Retries are at most 13 h apart, so a longer gap between failures starts a new streak. */
const STREAK_RESET_MS = DAY_MS;
/** Failing hosts that one query returns. */
const FAILING_HOSTS_MAX = 100;

export type WebhookHostRow = typeof webhookHosts.$inferSelect;

/** The meaning of an attempt for its host. `no_signal` attempts say nothing about it. */
export type CircuitSignal =
  | { kind: "succeeded" | "no_signal" }
  | { kind: "failed"; failure: string };

/** The statement that ends a host's streak of failures. */
export function recordHostSuccess(db: Database, companyId: number, host: string) {
  return db.delete(webhookHosts).where(isHost(companyId, host));
}

/** The statement that records a failure and opens the circuit after five days. Returns the row. */
export function recordHostFailure(
  db: Database,
  companyId: number,
  host: string,
  failure: string,
  nowMs: number,
) {
  const isSameStreak = sql`${webhookHosts.lastFailureAt} >= ${nowMs - STREAK_RESET_MS}`;
  const isStreakTooLong = sql`${webhookHosts.failingSince} <= ${nowMs - OPEN_CIRCUIT_AFTER_MS}`;
  return db
    .insert(webhookHosts)
    .values({
      companyId,
      host,
      failingSince: nowMs,
      lastFailureAt: nowMs,
      lastFailure: failure,
      openedAt: null,
    })
    .onConflictDoUpdate({
      target: [webhookHosts.companyId, webhookHosts.host],
      set: {
        failingSince: sql`CASE WHEN ${isSameStreak} THEN ${webhookHosts.failingSince} ELSE ${nowMs} END`,
        lastFailureAt: nowMs,
        lastFailure: failure,
        openedAt: sql`coalesce(${webhookHosts.openedAt},
          CASE WHEN ${isSameStreak} AND ${isStreakTooLong} THEN ${nowMs} END)`,
      },
    })
    .returning();
}

/** The query for one row if any circuit of a company is open. */
export function selectAnyOpenCircuit(db: Database, companyId: number) {
  return db
    .select({ one: sql`1` })
    .from(sql`${webhookHosts} INDEXED BY webhook_hosts_off`)
    .where(and(eq(webhookHosts.companyId, companyId), isNotNull(webhookHosts.openedAt)))
    .limit(1);
}

/** The hosts among these whose circuit is open. */
export async function findOpenCircuits(
  env: Env,
  companyId: number,
  hosts: string[],
): Promise<ReadonlySet<string>> {
  const hostList = sql`(SELECT value FROM json_each(${JSON.stringify(hosts)}))`;
  const rows = await databaseFor(env, companyId)
    .select({ host: webhookHosts.host })
    .from(webhookHosts)
    .where(
      and(
        eq(webhookHosts.companyId, companyId),
        sql`${webhookHosts.host} IN ${hostList}`,
        isNotNull(webhookHosts.openedAt),
      ),
    );
  return new Set(rows.map((row) => row.host));
}

/** The hosts with a current streak of failures or an open circuit. */
export async function listFailingHosts(
  env: Env,
  companyId: number,
  nowMs: number,
): Promise<WebhookHostRow[]> {
  return databaseFor(env, companyId)
    .select()
    .from(webhookHosts)
    .where(
      and(
        eq(webhookHosts.companyId, companyId),
        or(
          isNotNull(webhookHosts.openedAt),
          gte(webhookHosts.lastFailureAt, nowMs - STREAK_RESET_MS),
        ),
      ),
    )
    .orderBy(asc(webhookHosts.host))
    .limit(FAILING_HOSTS_MAX);
}

/** Closes a host's circuit and ends its streak, at the merchant's request. */
export async function closeCircuit(env: Env, companyId: number, host: string): Promise<void> {
  await runIdempotent(() => recordHostSuccess(databaseFor(env, companyId), companyId, host).run());
}

function isHost(companyId: number, host: string) {
  return and(eq(webhookHosts.companyId, companyId), eq(webhookHosts.host, host));
}
