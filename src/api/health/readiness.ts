import { lastMinute } from "../../db/watch/heartbeats.ts";
import { hasNewestMigration } from "../../db/watch/schema-check.ts";
import { databaseLatencies } from "../../db/watch/waiting.ts";
import { archiveState, type ArchiveState } from "../../service-state/archive-state.ts";
import { missingBindings, type Env } from "../../config.ts";
import type { Clock } from "../../domain/shared/clock.ts";
import { errorFields, log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/timeout.ts";

type Check = "bindings" | "schema" | "cron";

/** An isolate answers from its last check for so long: anybody may ask. */
const KNOWN_FOR_MS = 5_000;
/** A check that takes longer has failed. */
const TIMEOUT_MS = 3_000;
/** The cron runs every minute, and may miss one. */
const HEARTBEAT_MAX_AGE_MS = 3 * 60_000;

interface Readiness {
  /** The checks that fail; empty if the service can work. */
  failed: Check[];
  /** The service works without its archive: a restore does not. */
  archive: ArchiveState["state"];
}

const known = new WeakMap<Env, { at: number; readiness: Readiness }>();

/** Whether the service can work. Never rejects. */
export async function readinessOf(env: Env, clock: Clock): Promise<Readiness> {
  const now = clock.now();
  const last = known.get(env);
  if (last !== undefined && now - last.at < KNOWN_FOR_MS) return last.readiness;
  const [archive, ...results] = await Promise.all([
    archiveState(env, 0),
    runCheck("bindings", () => areBound(env, clock)),
    runCheck("schema", () => hasNewestMigration(env)),
    runCheck("cron", async () => now - ((await lastMinute(env)) ?? 0) <= HEARTBEAT_MAX_AGE_MS),
  ]);
  const failed = results.filter((check) => check !== null);
  const readiness = { failed, archive: archive.state };
  known.set(env, { at: now, readiness });
  return readiness;
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
  if (missingBindings(env).length > 0) return false;
  const latencies = await databaseLatencies(env, () => clock.now());
  return ![...latencies.values()].includes(null);
}
