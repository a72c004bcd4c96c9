import { and, asc, eq, isNull, lt, sql } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { directoryOf } from "../client.ts";
import { deadLetters } from "../schema/watch/watch.ts";
import { runIdempotent } from "../storage-errors.ts";

export type DeadLetter = typeof deadLetters.$inferSelect;

/** Old ones that one run deletes. */
const DELETED_MAX = 1_000;

/** Keeps a message that a queue gave up. The queue may deliver it again: the first row stays. */
export async function keepDeadLetter(
  env: Env,
  letter: Pick<DeadLetter, "id" | "queue" | "body" | "receivedAt">,
): Promise<void> {
  await runIdempotent(() =>
    directoryOf(env).insert(deadLetters).values(letter).onConflictDoNothing().run(),
  );
}

/** A page, by arrival. `after` is the last one of the page before. */
export async function listDeadLetters(
  env: Env,
  query: { onlyOpen: boolean; after: { receivedAt: number; id: string }; limit: number },
): Promise<DeadLetter[]> {
  const { receivedAt, id, replayedAt } = deadLetters;
  const { onlyOpen, after, limit } = query;
  return directoryOf(env)
    .select()
    .from(deadLetters)
    .where(
      and(
        onlyOpen ? isNull(replayedAt) : undefined,
        sql`(${receivedAt}, ${id}) > (${after.receivedAt}, ${after.id})`,
      ),
    )
    .orderBy(asc(receivedAt), asc(id))
    .limit(limit);
}

export async function findDeadLetter(env: Env, letterId: string): Promise<DeadLetter | null> {
  const [found] = await directoryOf(env)
    .select()
    .from(deadLetters)
    .where(eq(deadLetters.id, letterId));
  return found ?? null;
}

/** Marks one as sent again; the first time stays. */
export async function markReplayed(env: Env, letterId: string, nowMs: number): Promise<void> {
  await directoryOf(env)
    .update(deadLetters)
    .set({ replayedAt: nowMs })
    .where(and(eq(deadLetters.id, letterId), isNull(deadLetters.replayedAt)))
    .run();
}

/** How many wait, counted up to `limit`, and since when the oldest does. */
export async function countDeadLetters(env: Env, limit: number) {
  const rows = await directoryOf(env)
    .select({ receivedAt: deadLetters.receivedAt })
    .from(deadLetters)
    .where(isNull(deadLetters.replayedAt))
    .orderBy(asc(deadLetters.receivedAt), asc(deadLetters.id))
    .limit(limit);
  return { open: rows.length, oldestAt: rows[0]?.receivedAt ?? null };
}

/** Deletes what arrived before a time, at most 1,000 a run. */
export async function deleteDeadLettersBefore(env: Env, before: number): Promise<void> {
  const old = directoryOf(env)
    .select({ id: deadLetters.id })
    .from(deadLetters)
    .where(lt(deadLetters.receivedAt, before))
    .orderBy(asc(deadLetters.receivedAt), asc(deadLetters.id))
    .limit(DELETED_MAX);
  await directoryOf(env)
    .delete(deadLetters)
    .where(sql`${deadLetters.id} IN ${old}`)
    .run();
}
