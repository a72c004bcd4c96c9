import { and, asc, eq, gte, isNotNull, or, sql } from "drizzle-orm";
import { databaseFor, type Database } from "../../db/client.ts";
import { runIdempotent } from "../../db/storage-errors.ts";
import { webhookHosts } from "../../db/schema/webhooks.ts";
import type { Env } from "../../config.ts";

const DAY_MS = 86_400_000;
/** A host that failed for so long in a row is sent nothing more (decision 0016). */
const OPEN_CIRCUIT_AFTER_MS = 5 * DAY_MS;
/** Retries are at most 13 h apart, so a longer silence means that nothing was tried in between. */
const STREAK_RESET_MS = DAY_MS;
/** Failing hosts that are shown at once; a merchant has one, a marketplace some. */
const FAILING_HOSTS_MAX = 100;

export type WebhookHostRow = typeof webhookHosts.$inferSelect;

/** What an attempt says of its host. `silent` attempts were never sent. */
export type CircuitSignal =
  | { kind: "succeeded" | "no_signal" }
  | { kind: "failed"; failure: string };

/** The host fails no more. A host that never did has no row, and none is written. */
export function recordHostSuccess(db: Database, companyId: number, host: string) {
  return db.delete(webhookHosts).where(isHost(companyId, host));
}

/** One more failure; after five days of nothing else the host is off. Answers how it stands. */
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

/** One row where any of a company's hosts is switched off; none where all are sent to. */
export function selectAnyOpenCircuit(db: Database, companyId: number) {
  return db
    .select({ one: sql`1` })
    .from(sql`${webhookHosts} INDEXED BY webhook_hosts_off`)
    .where(and(eq(webhookHosts.companyId, companyId), isNotNull(webhookHosts.openedAt)))
    .limit(1);
}

/** Which of these hosts are switched off. */
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

/** The hosts that a company's webhooks fail at now, and those that are off. */
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

/** A merchant says that the host is well again: it begins with a clean slate. */
export async function closeCircuit(env: Env, companyId: number, host: string): Promise<void> {
  await runIdempotent(() => recordHostSuccess(databaseFor(env, companyId), companyId, host).run());
}

function isHost(companyId: number, host: string) {
  return and(eq(webhookHosts.companyId, companyId), eq(webhookHosts.host, host));
}
