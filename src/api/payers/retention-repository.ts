import { and, asc, eq, lte, sql } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { databaseFor } from "../../db/client.ts";
import { companies } from "../../db/schema/companies.ts";
import { payerErasureRequests, payerErasures, payerRetention } from "../../db/schema/payers.ts";
import { transactions } from "../../db/schema/transactions.ts";
import type { FanOut } from "../../db/sharding/fan-out.ts";
import { runIdempotent } from "../../db/storage-errors.ts";
import { HOLDS_PAYER_DATA, insertErasures } from "./repository.ts";

/** A company whose retention is due. */
export interface RetentionScan {
  companyId: number;
  afterSeq: number;
  /** Null where the setting was taken back. */
  retentionDays: number | null;
}

/** Companies whose next charges are to be put in line, longest due first in each database. */
export async function dueRetentionScans(fanOut: FanOut, nowMs: number, limit: number) {
  return fanOut.rows(limit, ({ db, isLocal }) =>
    db
      .select({
        companyId: payerRetention.companyId,
        afterSeq: payerRetention.afterSeq,
        retentionDays: companies.retentionDays,
      })
      .from(payerRetention)
      .innerJoin(companies, eq(companies.id, payerRetention.companyId))
      .where(and(lte(payerRetention.nextRunAt, nowMs), isLocal(payerRetention.companyId)))
      .orderBy(asc(payerRetention.nextRunAt))
      .limit(limit),
  );
}

/** The next charges of a company that were made up to a time; `created_at` never falls as `seq` rises. */
export async function chargesMadeUntil(
  env: Env,
  { companyId, afterSeq }: RetentionScan,
  madeUntil: number,
  limit: number,
): Promise<{ seq: number; holdsData: boolean }[]> {
  const rows = await databaseFor(env, companyId)
    .select({
      seq: transactions.seq,
      createdAt: transactions.createdAt,
      // Of one that has left D1, its file may hold an address.
      holdsData: sql<number>`(${HOLDS_PAYER_DATA} OR archive_file IS NOT NULL)`,
    })
    .from(transactions)
    .where(and(eq(transactions.companyId, companyId), sql`seq > ${afterSeq}`))
    .orderBy(asc(transactions.seq))
    .limit(limit);
  return rows
    .filter(({ createdAt }) => createdAt <= madeUntil)
    .map(({ seq, holdsData }) => ({ seq, holdsData: holdsData === 1 }));
}

/** Puts a company's charges in line, due now, and moves its scan on. */
export async function enqueueRetention(
  env: Env,
  companyId: number,
  seqs: number[],
  next: { afterSeq: number; nextRunAt: number },
  nowMs: number,
): Promise<void> {
  const db = databaseFor(env, companyId);
  const due = seqs.map((seq) => ({ seq, dueAt: nowMs }));
  await runIdempotent(() =>
    db.batch([
      insertErasures(db, companyId, "retention", due).onConflictDoNothing(),
      db.update(payerRetention).set(next).where(eq(payerRetention.companyId, companyId)),
    ]),
  );
}

/**
 * Ends the retention of a company that took its setting back, unless it has set it again since. Setting it again
 * starts from the first charge.
 */
export async function endRetention(env: Env, companyId: number): Promise<void> {
  await databaseFor(env, companyId)
    .delete(payerRetention)
    .where(
      and(
        eq(payerRetention.companyId, companyId),
        sql`(SELECT retention_days FROM companies WHERE id = ${companyId}) IS NULL`,
      ),
    );
}

/** Requests whose charges are not all in line yet. */
export async function unfinishedRequests(fanOut: FanOut, limit: number) {
  return fanOut.rows(limit, ({ db, isLocal }) =>
    db
      .select()
      .from(payerErasureRequests)
      .where(isLocal(payerErasureRequests.companyId))
      .limit(limit),
  );
}

/** Due erasures with their companies' retention, longest due first in each database. */
export async function dueErasures(fanOut: FanOut, nowMs: number, limit: number) {
  return fanOut.rows(limit, ({ db, isLocal }) =>
    db
      .select({ erasure: payerErasures, retentionDays: companies.retentionDays })
      .from(payerErasures)
      .innerJoin(companies, eq(companies.id, payerErasures.companyId))
      .where(and(lte(payerErasures.dueAt, nowMs), isLocal(payerErasures.companyId)))
      .orderBy(asc(payerErasures.dueAt))
      .limit(limit),
  );
}
