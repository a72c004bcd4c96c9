import { and, desc, eq, gt, lte, sql, type SQL } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { databaseFor } from "../../db/client.ts";
import { lastAuditSequenceAt, lastSeqAt } from "../../db/projection/seq-at-time.ts";
import { auditEntries } from "../../db/schema/audit.ts";
import { transactions } from "../../db/schema/transactions.ts";

/** Charges, and entries of the trail, that one search reads, however many there are. */
const SCAN_MAX = 500;
/** How far the clocks of two writers of one trail may lie apart. */
const CLOCKS_DIFFER_MS = 60_000;
/** Later than anything. */
const LAST_TIME_MS = Number.MAX_SAFE_INTEGER - CLOCKS_DIFFER_MS;

const ENTRY = {
  at: auditEntries.at,
  traceId: auditEntries.traceId,
  actorKind: auditEntries.actorKind,
  actorId: auditEntries.actorId,
  actorName: auditEntries.actorName,
  action: auditEntries.action,
  target: auditEntries.target,
  reason: auditEntries.reason,
};
const CHARGE = {
  at: transactions.createdAt,
  traceId: transactions.traceId,
  id: transactions.id,
  code: sql<string | null>`json_extract(${transactions.failure}, '$.problem.code')`,
};

export type RequestEntry = Awaited<ReturnType<typeof findTrace>>["entries"][number];
export type RequestCharge = Awaited<ReturnType<typeof findTrace>>["charges"][number];

/**
 * What a request left behind: entries of the audit trail and charges, oldest first. Reads the newest of each up to
 * `toMs` (null for now), never more than `SCAN_MAX`. `searchedFrom`: how far back that reached; null if nothing is
 * older. Unix milliseconds.
 */
export async function findTrace(
  env: Env,
  companyId: number,
  { traceId, toMs }: { traceId: string; toMs: number | null },
) {
  const db = databaseFor(env, companyId);
  const to = toMs ?? LAST_TIME_MS;
  const lastEntry = lastAuditSequenceAt(companyId, to + CLOCKS_DIFFER_MS);
  const lastCharge = lastSeqAt(companyId, to);
  const ofTrail = eq(auditEntries.companyId, companyId);
  const ofCompany = eq(transactions.companyId, companyId);
  const [entries, charges, [entryBefore], [chargeBefore]] = await db.batch([
    db
      .select(ENTRY)
      .from(auditEntries)
      .where(
        and(
          ofTrail,
          lte(auditEntries.sequence, lastEntry),
          gt(auditEntries.sequence, beforeWindow(lastEntry)),
          eq(auditEntries.traceId, traceId),
        ),
      )
      .orderBy(auditEntries.sequence),
    db
      .select(CHARGE)
      .from(transactions)
      .where(
        and(
          ofCompany,
          lte(transactions.seq, lastCharge),
          gt(transactions.seq, beforeWindow(lastCharge)),
          eq(transactions.traceId, traceId),
        ),
      )
      .orderBy(transactions.seq),
    db
      .select({ at: auditEntries.at })
      .from(auditEntries)
      .where(and(ofTrail, eq(auditEntries.sequence, beforeWindow(lastEntry)))),
    db
      .select({ at: transactions.createdAt })
      .from(transactions)
      .where(and(ofCompany, eq(transactions.seq, beforeWindow(lastCharge)))),
  ]);
  const ends = [entryBefore, chargeBefore].flatMap((row) => (row === undefined ? [] : [row.at]));
  return { entries, charges, searchedFrom: ends.length === 0 ? null : Math.max(...ends) };
}

/** The newest entries of the trail and the newest charges, newest first, up to `limit` of each. */
export async function newestChanges(env: Env, companyId: number, limit: number) {
  const db = databaseFor(env, companyId);
  const [entries, charges] = await db.batch([
    db
      .select(ENTRY)
      .from(auditEntries)
      .where(eq(auditEntries.companyId, companyId))
      .orderBy(desc(auditEntries.sequence))
      .limit(limit),
    db
      .select(CHARGE)
      .from(transactions)
      .where(eq(transactions.companyId, companyId))
      .orderBy(desc(transactions.seq))
      .limit(limit),
  ]);
  return { entries, charges };
}

/** The number just before those that a search reads. */
function beforeWindow(last: SQL<number>): SQL<number> {
  return sql<number>`(${last} - ${SCAN_MAX})`;
}
