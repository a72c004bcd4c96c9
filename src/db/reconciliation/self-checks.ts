import { and, eq, gt, lte, sql } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { databaseFor, directoryOf } from "../client.ts";
import { companies } from "../schema/companies.ts";
import { checkClaims, selfChecks } from "../schema/operations.ts";
import type { FanOut } from "../sharding/fan-out.ts";
import { runIdempotent } from "../storage-errors.ts";

export type StoredCheck = typeof selfChecks.$inferSelect;

/** A company's last self-check; null if there was none. */
export async function findSelfCheck(env: Env, companyId: number): Promise<StoredCheck | null> {
  const [row] = await databaseFor(env, companyId)
    .select()
    .from(selfChecks)
    .where(eq(selfChecks.companyId, companyId));
  return row ?? null;
}

/** Replaces a company's last self-check. */
export async function saveSelfCheck(env: Env, check: StoredCheck): Promise<void> {
  await runIdempotent(() =>
    databaseFor(env, check.companyId)
      .insert(selfChecks)
      .values(check)
      .onConflictDoUpdate({ target: selfChecks.companyId, set: check })
      .run(),
  );
}

/**
 * The companies of a range of numbers (`after`, `upTo`] that have an event which no check has seen, or whose
 * last check found something, and that were not checked since `checkedBefore`. Two rows are read for each
 * company of the range, whatever its history.
 */
export async function companiesToCheck(
  fanOut: FanOut,
  { after, upTo }: { after: number; upTo: number },
  checkedBefore: number,
): Promise<number[]> {
  const newest = sql`(SELECT max(company_sequence) FROM events WHERE events.company_id = ${companies.id})`;
  const hasNews = sql`${newest} > coalesce(${selfChecks.companySequence}, 0)`;
  const found = await fanOut.query(({ db, isLocal }) =>
    db
      .select({ id: companies.id })
      .from(companies)
      .leftJoin(selfChecks, eq(selfChecks.companyId, companies.id))
      .where(
        and(
          gt(companies.id, after),
          lte(companies.id, upTo),
          isLocal(companies.id),
          sql`coalesce(${selfChecks.checkedAt}, 0) <= ${checkedBefore}`,
          sql`(${hasNews} OR ${selfChecks.violations} <> '[]')`,
        ),
      ),
  );
  return [...found.values()].flat().map(({ id }) => id);
}

/**
 * Claims the checks of some companies in one statement and returns those that no other invocation has: a
 * message may come twice, and a minute may begin before the last one's checks are done.
 */
export async function claimChecks(
  env: Env,
  companyIds: readonly number[],
  nowMs: number,
  until: number,
): Promise<number[]> {
  if (companyIds.length === 0) return [];
  const rows = sql`SELECT value, ${until} FROM json_each(${JSON.stringify(companyIds)}) WHERE true`;
  const claimed = await directoryOf(env)
    .insert(checkClaims)
    .select(rows)
    .onConflictDoUpdate({
      target: checkClaims.companyId,
      set: { claimedUntil: until },
      setWhere: lte(checkClaims.claimedUntil, nowMs),
    })
    .returning({ companyId: checkClaims.companyId });
  return claimed.map(({ companyId }) => companyId);
}
