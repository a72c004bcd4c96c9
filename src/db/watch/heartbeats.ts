import { eq, notInArray, sql } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { directoryOf } from "../client.ts";
import { cronHeartbeats } from "../schema/watch/watch.ts";

export type Heartbeat = typeof cronHeartbeats.$inferSelect;

/** The heartbeat of the cron itself. */
export const MINUTE = "minute";

/** Names that tasks had before: while a version is deployed a message may have one, and its heartbeat stays in D1. */
export const RENAMED_TASKS: ReadonlyMap<string, string> = new Map([
  ["tick_companies", "run_companies"],
  ["gauge_databases", "measure_databases"],
]);

/** A minute's first step of a task, or a later one that failed. */
export interface TaskRun {
  task: string;
  startedAt: number;
  endedAt: number;
  /** Null for a success. */
  error: string | null;
}

/** Failures of one task within this time share a write. */
const WRITE_EVERY_MS = 5_000;

/** Records that the cron's minute has begun. */
export async function recordMinute(env: Env, nowMs: number): Promise<void> {
  await recordRun(env, { task: MINUTE, startedAt: nowMs, endedAt: nowMs, error: null });
}

/** Records a run. A failure right after another writes nothing, so that a task of many steps costs one write. */
export async function recordRun(env: Env, run: TaskRun): Promise<void> {
  const { task, startedAt, endedAt, error } = run;
  const ended =
    error === null
      ? { lastSuccessAt: endedAt }
      : { lastErrorAt: endedAt, lastError: error.slice(0, 500) };
  const { lastSuccessAt, lastErrorAt } = cronHeartbeats;
  const isOld = sql`coalesce(${error === null ? lastSuccessAt : lastErrorAt}, 0) <= ${endedAt - WRITE_EVERY_MS}`;
  await directoryOf(env)
    .insert(cronHeartbeats)
    .values({ task, lastStartAt: startedAt, ...ended })
    .onConflictDoUpdate({
      target: cronHeartbeats.task,
      set: { lastStartAt: startedAt, ...ended },
      setWhere: isOld,
    })
    .run();
}

/** The last runs of every task by its name of today; a task that has never run has none. */
export async function listHeartbeats(env: Env): Promise<Heartbeat[]> {
  return directoryOf(env)
    .select()
    .from(cronHeartbeats)
    .where(notInArray(cronHeartbeats.task, [...RENAMED_TASKS.keys()]))
    .orderBy(cronHeartbeats.task);
}

/** When the cron began last; null if it never has. Unix milliseconds. */
export async function lastMinute(env: Env): Promise<number | null> {
  const [row] = await directoryOf(env)
    .select({ at: cronHeartbeats.lastStartAt })
    .from(cronHeartbeats)
    .where(eq(cronHeartbeats.task, MINUTE));
  return row?.at ?? null;
}
