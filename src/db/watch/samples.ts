import { and, asc, desc, gte, lt, lte, sql } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { SAMPLE_EVERY_MS, type ServiceSample } from "../../domain/figures/service-sample.ts";
import { directoryOf } from "../client.ts";
import { serviceSamples } from "../schema/watch/watch.ts";

/** Old samples that one run deletes. */
const DELETED_MAX = 100;

/** The newest sample up to a time; null before the first. */
export async function newestSample(env: Env, upTo: number): Promise<ServiceSample | null> {
  const [row] = await directoryOf(env)
    .select()
    .from(serviceSamples)
    .where(lte(serviceSamples.at, upTo))
    .orderBy(desc(serviceSamples.at))
    .limit(1);
  return row ?? null;
}

/**
 * The samples of some times, each the nearest one, or the first one after it where the service is younger or the cron
 * stood still; null where there is none up to `upTo`. Reads one row for each.
 */
export async function samplesAt(
  env: Env,
  { times, upTo }: { times: readonly number[]; upTo: number },
): Promise<(ServiceSample | null)[]> {
  return Promise.all(
    times.map(async (time) => {
      const [row] = await directoryOf(env)
        .select()
        .from(serviceSamples)
        .where(
          and(gte(serviceSamples.at, time - SAMPLE_EVERY_MS / 2), lte(serviceSamples.at, upTo)),
        )
        .orderBy(asc(serviceSamples.at))
        .limit(1);
      return row ?? null;
    }),
  );
}

/** Stores a sample; the first one of a time stays. */
export async function saveSample(env: Env, sample: ServiceSample): Promise<void> {
  await directoryOf(env).insert(serviceSamples).values(sample).onConflictDoNothing().run();
}

/** Deletes the samples from before a time, at most 100 a run. */
export async function deleteSamplesBefore(env: Env, before: number): Promise<void> {
  const { at } = serviceSamples;
  const db = directoryOf(env);
  const old = db.select({ at }).from(serviceSamples).where(lt(at, before)).orderBy(asc(at));
  await db
    .delete(serviceSamples)
    .where(sql`${at} IN ${old.limit(DELETED_MAX)}`)
    .run();
}
