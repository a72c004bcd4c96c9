import { and, asc, eq, lte, notInArray } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { directoryOf } from "../client.ts";
import { certificateTrials } from "../schema/watch/watch.ts";
import { runIdempotent } from "../storage-errors.ts";

/** The next certificate of an account, and how its trials went. Times in epoch milliseconds. */
export type CertificateTrial = typeof certificateTrials.$inferSelect;

/** The trials of a company's accounts. */
export async function trialsOf(env: Env, companyId: number): Promise<CertificateTrial[]> {
  return directoryOf(env)
    .select()
    .from(certificateTrials)
    .where(eq(certificateTrials.companyId, companyId));
}

/** Stores a new trial in place of the account's one. False while a swap of that one is being written. */
export async function saveTrial(env: Env, trial: CertificateTrial): Promise<boolean> {
  const saved = await runIdempotent(() =>
    directoryOf(env)
      .insert(certificateTrials)
      .values(trial)
      .onConflictDoUpdate({
        target: [certificateTrials.companyId, certificateTrials.account],
        set: trial,
        setWhere: isAtRest,
      })
      .returning({ account: certificateTrials.account }),
  );
  return saved.length > 0;
}

/** Forgets the trial of an account. False if it has none, or while a swap is being written. */
export async function giveUpTrial(env: Env, companyId: number, account: string): Promise<boolean> {
  const isOfAccount = and(
    eq(certificateTrials.companyId, companyId),
    eq(certificateTrials.account, account),
  );
  const removed = await directoryOf(env)
    .delete(certificateTrials)
    .where(and(isOfAccount, isAtRest))
    .returning({ account: certificateTrials.account });
  return removed.length > 0;
}

/** The trials that are due, the longest first. */
export async function dueTrials(
  env: Env,
  nowMs: number,
  limit: number,
): Promise<CertificateTrial[]> {
  return directoryOf(env)
    .select()
    .from(certificateTrials)
    .where(lte(certificateTrials.nextRunAt, nowMs))
    .orderBy(asc(certificateTrials.nextRunAt))
    .limit(limit);
}

/**
 * Changes a trial as it was read. Null if it has changed since: another run has it, or an operator named another
 * certificate or gave it up.
 */
export async function changeTrial(
  env: Env,
  before: CertificateTrial,
  change: Partial<Omit<CertificateTrial, "companyId" | "account">>,
): Promise<CertificateTrial | null> {
  const [after] = await directoryOf(env)
    .update(certificateTrials)
    .set(change)
    .where(isAsRead(before))
    .returning();
  return after ?? null;
}

/** Forgets a trial as it was read. */
export async function removeTrial(env: Env, trial: CertificateTrial): Promise<void> {
  await runIdempotent(() =>
    directoryOf(env).delete(certificateTrials).where(isAsRead(trial)).run(),
  );
}

const isAtRest = notInArray(certificateTrials.state, ["swapping", "falling_back"]);

function isAsRead({ companyId, account, namedAt, state, nextRunAt }: CertificateTrial) {
  return and(
    eq(certificateTrials.companyId, companyId),
    eq(certificateTrials.account, account),
    eq(certificateTrials.namedAt, namedAt),
    eq(certificateTrials.state, state),
    eq(certificateTrials.nextRunAt, nextRunAt),
  );
}
