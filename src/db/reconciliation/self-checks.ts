import { and, desc, eq, gt, inArray, isNotNull, lte, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Env } from "../../config.ts";
import { allShards, databaseFor, directoryOf } from "../client.ts";
import { runIdempotent } from "../storage-errors.ts";
import { companies } from "../schema/companies.ts";
import { checkClaims, cursors, selfChecks } from "../schema/operations.ts";
import type { FanOut } from "../sharding/fan-out.ts";

export type StoredCheck = typeof selfChecks.$inferSelect;

/** A company's last self-check; null if there was none. */
export async function findSelfCheck(env: Env, companyId: number): Promise<StoredCheck | null> {
  const [row] = await databaseFor(env, companyId)
    .select()
    .from(selfChecks)
    .where(eq(selfChecks.companyId, companyId));
  return row ?? null;
}

/** What a check adds to the counts of its database. */
export interface CopyCounters {
  /** Rows of D1 that were compared with the object. */
  comparedRows: number;
  /** Copies that were rewritten. */
  mendedCopies: number;
}

const COUNTERS = { comparedRows: "compared_rows", mendedCopies: "mended_copies" } as const;

/** Replaces a company's last self-check, and counts what it compared. */
export function selfCheckStatements(
  env: Env,
  check: StoredCheck,
  counts: CopyCounters,
): BatchItem<"sqlite">[] {
  const db = databaseFor(env, check.companyId);
  const added = [
    { name: COUNTERS.comparedRows, value: counts.comparedRows },
    { name: COUNTERS.mendedCopies, value: counts.mendedCopies },
  ].filter(({ value }) => value > 0);
  return [
    db
      .insert(selfChecks)
      .values(check)
      .onConflictDoUpdate({ target: selfChecks.companyId, set: check }),
    ...added.map((row) =>
      db
        .insert(cursors)
        .values(row)
        .onConflictDoUpdate({
          target: cursors.name,
          set: { value: sql`${cursors.value} + ${row.value}` },
        }),
    ),
  ];
}

/** As `selfCheckStatements`, at once. */
export async function saveSelfCheck(
  env: Env,
  check: StoredCheck,
  counts: CopyCounters,
): Promise<void> {
  const [save, ...count] = selfCheckStatements(env, check, counts);
  if (save === undefined) return;
  await runIdempotent(() => databaseFor(env, check.companyId).batch([save, ...count]));
}

/** What all checks have compared and rewritten so far, in all databases. */
export async function copyCounters(env: Env): Promise<CopyCounters> {
  const found = await Promise.all(
    allShards(env).map(({ db }) =>
      db
        .select()
        .from(cursors)
        .where(inArray(cursors.name, Object.values(COUNTERS))),
    ),
  );
  const totalOf = (name: string) =>
    found
      .flat()
      .filter((row) => row.name === name)
      .reduce((sum, { value }) => sum + value, 0);
  return {
    comparedRows: totalOf(COUNTERS.comparedRows),
    mendedCopies: totalOf(COUNTERS.mendedCopies),
  };
}

/** Companies of which a copy was rewritten since a time, the newest first. */
export async function mendedSince(env: Env, sinceMs: number, limit: number) {
  const { companyId, mendedAt, mended } = selfChecks;
  const found = await Promise.all(
    allShards(env).map(({ db, isLocal }) =>
      db
        .select({ companyId, at: mendedAt, copies: mended })
        .from(selfChecks)
        .where(and(isNotNull(mendedAt), gt(mendedAt, sinceMs), isLocal(companyId)))
        .orderBy(desc(mendedAt))
        .limit(limit),
    ),
  );
  return found
    .flat()
    .map((row) => ({
      companyId: row.companyId,
      at: row.at ?? sinceMs,
      copies: row.copies ?? [],
    }))
    .toSorted((one, other) => other.at - one.at)
    .slice(0, limit);
}

/** The rounds of companies, each database's up to a limit. */
export async function roundsOfCompanies(env: Env, limit: number) {
  const { companyId, round, roundEndedAt } = selfChecks;
  const found = await Promise.all(
    allShards(env).map(({ db, isLocal }) =>
      db
        .select({ round, roundEndedAt })
        .from(selfChecks)
        .where(and(gt(companyId, 0), isLocal(companyId)))
        .limit(limit),
    ),
  );
  return found.flat();
}

/**
 * The companies of a range of numbers (`after`, `upTo`] that have an event which no check has seen, or whose
 * last check found something or an open operation, and that were not checked since `checkedBefore`. Two rows are read for each
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
          sql`(${hasNews} OR ${selfChecks.violations} <> '[]' OR ${selfChecks.openOperations} IS NOT NULL)`,
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
