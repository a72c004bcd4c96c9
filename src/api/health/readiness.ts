import { lastMinute } from "../../db/watch/heartbeats.ts";
import { hasNewestMigration } from "../../db/watch/schema-check.ts";
import { databaseLatencies } from "../../db/watch/waiting.ts";
import type { Env } from "../../config.ts";
import type { Clock } from "../../domain/shared/clock.ts";
import { errorFields, log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/timeout.ts";

export type Check = "bindings" | "schema" | "cron";

/** An isolate answers from its last check for so long: anybody may ask. */
const KNOWN_FOR_MS = 5_000;
/** A check that takes longer has failed. */
const TIMEOUT_MS = 3_000;
/** The cron runs every minute, and may miss one. */
const HEARTBEAT_MAX_AGE_MS = 3 * 60_000;

const known = new WeakMap<Env, { at: number; failed: Check[] }>();

/** The checks that fail; empty if the service can work. Never rejects. */
export async function failedChecks(env: Env, clock: Clock): Promise<Check[]> {
  const now = clock.now();
  const last = known.get(env);
  if (last !== undefined && now - last.at < KNOWN_FOR_MS) return last.failed;
  const results = await Promise.all([
    runCheck("bindings", () => areBound(env, clock)),
    runCheck("schema", () => hasNewestMigration(env)),
    runCheck("cron", async () => now - ((await lastMinute(env)) ?? 0) <= HEARTBEAT_MAX_AGE_MS),
  ]);
  const failed = results.filter((check) => check !== null);
  known.set(env, { at: now, failed });
  return failed;
}

async function runCheck(check: Check, run: () => Promise<boolean>): Promise<Check | null> {
  try {
    return (await withTimeout(run(), TIMEOUT_MS)) ? null : check;
  } catch (error) {
    log("warn", "readiness_check_failed", { ...errorFields(error), check });
    return check;
  }
}

/** Whether every database answers, and the objects and queues are bound. They cost a message to ask. */
async function areBound(env: Env, clock: Clock): Promise<boolean> {
  const { COMPANY_ACCOUNT, WEBHOOKS, PAYOUTS, TASKS } = env;
  const bound: unknown[] = [COMPANY_ACCOUNT, WEBHOOKS, PAYOUTS, TASKS];
  if (bound.includes(undefined)) return false;
  const latencies = await databaseLatencies(env, () => clock.now());
  return ![...latencies.values()].includes(null);
}
