import type { Env } from "../config.ts";
import { errorFields, log } from "../lib/log.ts";
import { withTimeout } from "../lib/timeout.ts";
import { stateOf } from "./stub.ts";

const ASK_TIMEOUT_MS = 3_000;

/**
 * Whether the archive has all that D1 took: no bucket is bound (`missing`), it lacks changes of some companies (`behind`),
 * or the object that knows does not answer (`unknown`). Lists at most `limit` companies, those behind for longest first.
 * Times in Unix milliseconds.
 */
export async function archiveState(env: Env, limit: number) {
  if (env.ARCHIVE === undefined) return { state: "missing" as const, companies: 0, longest: [] };
  try {
    const behind = await withTimeout(stateOf(env).archiveBehind(limit), ASK_TIMEOUT_MS);
    const { companies, longest } = behind;
    return { state: companies === 0 ? ("ok" as const) : ("behind" as const), companies, longest };
  } catch (error) {
    log("error", "archive_unreadable", errorFields(error));
    return { state: "unknown" as const, companies: 0, longest: [] };
  }
}

export type ArchiveState = Awaited<ReturnType<typeof archiveState>>;
