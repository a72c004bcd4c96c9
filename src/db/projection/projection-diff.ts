import { and, asc, eq, getTableColumns, gt, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { DailyTotals } from "../../domain/ledger/daily-totals.ts";
import type { Mismatch } from "../../domain/shared/inspection.ts";
import type { ChargeState } from "../../domain/charges/transaction.ts";
import type { WithdrawRecord } from "../../domain/withdraws/withdraw.ts";
import type { Env } from "../../config.ts";
import { canonicalJson } from "../../lib/hash.ts";
import { databaseFor, type Database } from "../client.ts";
import { runIdempotent } from "../storage-errors.ts";
import { inList } from "../in-list.ts";
import { repairDailyReport, selectDailyReports } from "./daily-reports.ts";
import { chargeProjection, withdrawProjection } from "./projection-writer.ts";
import { transactions } from "../schema/transactions.ts";
import { events } from "../schema/webhooks.ts";
import { withdraws } from "../schema/withdraws.ts";

/** Statements of one D1 batch of repairs. */
const REPAIR_BATCH = 20;

/** The projected columns of a transaction. The wide ones are written once and have no original. */
const {
  payer: _payer,
  items: _items,
  metadata: _metadata,
  pix: _pix,
  boleto: _boleto,
  failure: _failure,
  ...CHARGE_COLUMNS
} = getTableColumns(transactions);

export interface ChargeSnapshot {
  transactionId: string;
  state: ChargeState;
}

/** A projection that differs from its original. */
export interface ProjectionDiff<Snapshot> {
  snapshot: Snapshot;
  /** The projection's version when it was read; null if there is none. */
  projectedVersion: number | null;
  /** Empty if there is no projection. */
  mismatches: Mismatch[];
}

export interface ProjectionDiffs {
  charges: ProjectionDiff<ChargeSnapshot>[];
  withdraws: ProjectionDiff<WithdrawRecord>[];
  dailyTotals: ProjectionDiff<DailyTotals>[];
}

/** Compares snapshots with their projections. An `Awaiting` withdraw has none before its first event. */
export async function diffProjection(
  env: Env,
  companyId: number,
  snapshots: {
    charges: ChargeSnapshot[];
    withdraws: WithdrawRecord[];
    dailyTotals?: DailyTotals[];
  },
): Promise<ProjectionDiffs> {
  const db = databaseFor(env, companyId);
  const chargeIds = snapshots.charges.map((charge) => charge.transactionId);
  const projectable = snapshots.withdraws.filter(({ status }) => status !== "Awaiting");
  const withdrawIds = projectable.map((withdraw) => withdraw.id);
  const { dailyTotals = [] } = snapshots;
  const days = [...new Set(dailyTotals.map(({ day }) => day))];
  const [chargeRows, withdrawRows, dayRows] = await db.batch([
    db.select(CHARGE_COLUMNS).from(transactions).where(inList(transactions.id, chargeIds)),
    db
      .select()
      .from(withdraws)
      .where(and(eq(withdraws.companyId, companyId), inList(withdraws.id, withdrawIds))),
    selectDailyReports(db, companyId, days),
  ]);
  const chargesById = new Map(chargeRows.map((row) => [row.id, row]));
  const withdrawsById = new Map(withdrawRows.map((row) => [row.id, row]));
  return {
    charges: snapshots.charges.flatMap((snapshot) =>
      diffOf(snapshot, snapshot.state, chargesById.get(snapshot.transactionId)),
    ),
    withdraws: projectable.flatMap((snapshot) =>
      diffOf(snapshot, withdrawProjection(snapshot), withdrawsById.get(snapshot.id)),
    ),
    dailyTotals: dailyTotals.flatMap((snapshot) =>
      diffOf(snapshot, snapshot, dayRows.find(isSameDayAndMethod(snapshot))),
    ),
  };
}

/**
 * Overwrites projections that differ, unless they changed since the comparison. Cannot restore a charge
 * that D1 lacks entirely. Safe to repeat.
 */
export async function repairProjection(
  env: Env,
  companyId: number,
  diffs: ProjectionDiffs,
): Promise<void> {
  const db = databaseFor(env, companyId);
  const statements: BatchItem<"sqlite">[] = [
    // Before the charges, whose trigger counts fiscal keys in the reports' rows.
    ...diffs.dailyTotals.map(({ snapshot, projectedVersion }) =>
      repairDailyReport(db, companyId, snapshot, projectedVersion ?? 0),
    ),
    ...diffs.charges.flatMap((diff) =>
      diff.projectedVersion === null ? [] : [repairCharge(db, companyId, diff)],
    ),
    ...diffs.withdraws.map((diff) => repairWithdraw(db, diff)),
  ];
  for (let start = 0; start < statements.length; start += REPAIR_BATCH) {
    const batch = statements.slice(start, start + REPAIR_BATCH);
    await runIdempotent(() => db.batch(batch as [BatchItem<"sqlite">, ...BatchItem<"sqlite">[]]));
  }
}

/** The next of a company's transactions by `seq`, and whether D1 has a status transition of each. */
export async function transactionVersionsAfter(
  env: Env,
  companyId: number,
  seq: number,
  limit: number,
): Promise<{ seq: number; id: string; hasTransitioned: boolean }[]> {
  const rows = await databaseFor(env, companyId)
    .select({ seq: transactions.seq, id: transactions.id, version: transactions.version })
    .from(transactions)
    .where(and(eq(transactions.companyId, companyId), gt(transactions.seq, seq)))
    .orderBy(asc(transactions.seq))
    .limit(limit);
  return rows.map((row) => ({ seq: row.seq, id: row.id, hasTransitioned: row.version > 0 }));
}

/** The first withdraw that D1 has beyond the object's last; null if there is none. */
export async function findOrphanWithdraw(
  env: Env,
  companyId: number,
  withdrawCount: number,
): Promise<number | null> {
  const [row] = await databaseFor(env, companyId)
    .select({ id: withdraws.id })
    .from(withdraws)
    .where(and(eq(withdraws.companyId, companyId), gt(withdraws.id, withdrawCount)))
    .orderBy(asc(withdraws.id))
    .limit(1);
  return row?.id ?? null;
}

/** The given events that D1 does not have. */
export async function missingEvents(
  env: Env,
  companyId: number,
  companySequences: number[],
): Promise<number[]> {
  const rows = await databaseFor(env, companyId)
    .select({ companySequence: events.companySequence })
    .from(events)
    .where(and(eq(events.companyId, companyId), inList(events.companySequence, companySequences)));
  const found = new Set(rows.map((row) => row.companySequence));
  return companySequences.filter((companySequence) => !found.has(companySequence));
}

/** The next of a company's events, with the object of each. */
export async function eventsAfter(
  env: Env,
  companyId: number,
  companySequence: number,
  limit: number,
): Promise<{ companySequence: number; objectId: string }[]> {
  return databaseFor(env, companyId)
    .select({ companySequence: events.companySequence, objectId: events.objectId })
    .from(events)
    .where(and(eq(events.companyId, companyId), gt(events.companySequence, companySequence)))
    .orderBy(asc(events.companySequence))
    .limit(limit);
}

/** The difference of a snapshot and its projection; empty if they are equal. */
function diffOf<Snapshot, State extends { version: number }>(
  snapshot: Snapshot,
  state: State,
  projected: State | undefined,
): ProjectionDiff<Snapshot>[] {
  if (projected === undefined) return [{ snapshot, projectedVersion: null, mismatches: [] }];
  const mismatches = mismatchesOf(projected, state);
  return mismatches.length === 0
    ? []
    : [{ snapshot, projectedVersion: projected.version, mismatches }];
}

/** Compares only the snapshot's fields: the projection has more. */
function mismatchesOf<State extends object>(projected: State, snapshot: State): Mismatch[] {
  const fields = Object.keys(snapshot) as (keyof State & string)[];
  return fields
    .map((field) => ({ field, here: projected[field], there: snapshot[field] }))
    .filter(({ here, there }) => canonicalJson(here) !== canonicalJson(there));
}

function isSameDayAndMethod({ day, paymentMethod }: DailyTotals) {
  return (row: DailyTotals) => row.day === day && row.paymentMethod === paymentMethod;
}

function repairCharge(
  db: Database,
  companyId: number,
  { snapshot, projectedVersion }: ProjectionDiff<ChargeSnapshot>,
) {
  return db
    .update(transactions)
    .set({
      nextSweepAt: sql`coalesce(${transactions.nextSweepAt}, ${transactions.expiresAt})`,
      ...chargeProjection(snapshot.state),
    })
    .where(
      and(
        eq(transactions.companyId, companyId),
        eq(transactions.id, snapshot.transactionId),
        eq(transactions.version, projectedVersion ?? 0),
      ),
    );
}

function repairWithdraw(
  db: Database,
  { snapshot, projectedVersion }: ProjectionDiff<WithdrawRecord>,
) {
  const row = withdrawProjection(snapshot);
  return db
    .insert(withdraws)
    .values(row)
    .onConflictDoUpdate({
      target: [withdraws.companyId, withdraws.id],
      set: row,
      setWhere: sql`${withdraws.version} = ${projectedVersion ?? 0}`,
    });
}
