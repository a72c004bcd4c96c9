import { and, asc, desc, eq, getTableColumns, gt, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { DailyTotals } from "../../domain/ledger/daily-totals.ts";
import type { ChangedBoleto } from "../../domain/charges/payment-details.ts";
import type { ChargeState } from "../../domain/charges/transaction.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type { NumberedRecords } from "../../domain/shared/numbered-records.ts";
import type { WithdrawRecord } from "../../domain/withdraws/withdraw.ts";
import type { Env } from "../../config.ts";
import { databaseFor, type Database } from "../client.ts";
import { pagesOf } from "../../domain/shared/cron-step.ts";
import { isRowRejected, runIdempotent } from "../storage-errors.ts";
import { inList } from "../in-list.ts";
import { repairDailyReport, selectDailyReports } from "./daily-reports.ts";
import { diffOf, type ProjectionDiff } from "./diff.ts";
import { diffNumbered, type NumberedDiff } from "./numbered-diff.ts";
import {
  boletoVersion,
  chargeProjection,
  mendedBoleto,
  withdrawProjection,
} from "./projected-rows.ts";
import { transactions } from "../schema/transactions.ts";
import { events } from "../schema/webhooks.ts";
import { withdraws } from "../schema/withdraws.ts";

/** Statements of one D1 batch of repairs. */
const REPAIR_BATCH = 20;

/** The projected columns of a transaction. The wide ones have no original, but for a changed due date. */
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
  /** Of its terms the one that moves money: centavos. */
  amount: Cents;
  state: ChargeState;
  /** Since the last change of its due date; null where it had none. Absent of an object of an earlier version. */
  boleto?: ChangedBoleto | null;
}

export interface ProjectionDiffs {
  charges: ProjectionDiff<ChargeSnapshot>[];
  withdraws: ProjectionDiff<WithdrawRecord>[];
  dailyTotals: ProjectionDiff<DailyTotals>[];
  numbered: NumberedDiff[];
}

export function noDiffs(): ProjectionDiffs {
  return { charges: [], withdraws: [], dailyTotals: [], numbered: [] };
}

/** The differences of each kind that a condition holds for. */
export function filterDiffs(
  diffs: ProjectionDiffs,
  holds: (diff: ProjectionDiff<unknown>) => boolean,
): ProjectionDiffs {
  return {
    charges: diffs.charges.filter(holds),
    withdraws: diffs.withdraws.filter(holds),
    dailyTotals: diffs.dailyTotals.filter(holds),
    numbered: diffs.numbered.filter(holds),
  };
}

/** The first differences up to a limit, and the others. */
export function cutDiffs(
  diffs: ProjectionDiffs,
  limit: number,
): { first: ProjectionDiffs; rest: ProjectionDiffs } {
  const all: ProjectionDiff<unknown>[] = Object.values(diffs).flat();
  const isFirst = new Set(all.slice(0, limit));
  return {
    first: filterDiffs(diffs, (diff) => isFirst.has(diff)),
    rest: filterDiffs(diffs, (diff) => !isFirst.has(diff)),
  };
}

/** Differences of several comparisons, of which two may have found the same one. */
export function joinDiffs(all: readonly ProjectionDiffs[]): ProjectionDiffs {
  return {
    charges: once(
      all.flatMap((each) => each.charges),
      ({ snapshot }) => snapshot.transactionId,
    ),
    withdraws: once(
      all.flatMap((each) => each.withdraws),
      ({ snapshot }) => `${snapshot.id}`,
    ),
    dailyTotals: once(
      all.flatMap((each) => each.dailyTotals),
      ({ snapshot }) => `${snapshot.day} ${snapshot.paymentMethod}`,
    ),
    numbered: once(
      all.flatMap((each) => each.numbered),
      ({ kind, snapshot }) => `${kind} ${snapshot.number}`,
    ),
  };
}

function once<Diff>(diffs: Diff[], keyOf: (diff: Diff) => string): Diff[] {
  return [...new Map(diffs.map((diff) => [keyOf(diff), diff])).values()];
}

export function countDiffs(diffs: ProjectionDiffs): number {
  return Object.values(diffs).reduce((sum, each: unknown[]) => sum + each.length, 0);
}

/** Compares snapshots with their projections. An `Awaiting` withdraw has none before its first event. */
export async function diffProjection(
  env: Env,
  companyId: number,
  snapshots: {
    charges: ChargeSnapshot[];
    withdraws: WithdrawRecord[];
    dailyTotals?: DailyTotals[];
    numbered?: NumberedRecords;
  },
): Promise<ProjectionDiffs> {
  const db = databaseFor(env, companyId);
  const chargeIds = snapshots.charges.map((charge) => charge.transactionId);
  const projectable = snapshots.withdraws.filter(({ status }) => status !== "Awaiting");
  const withdrawIds = projectable.map((withdraw) => withdraw.id);
  const { dailyTotals = [] } = snapshots;
  const days = [...new Set(dailyTotals.map(({ day }) => day))];
  const [chargeRows, withdrawRows, dayRows] = await db.batch([
    db
      .select({
        ...CHARGE_COLUMNS,
        dueDate: sql<string | null>`boleto ->> '$.dueDate'`,
        boletoVersion: sql<number | null>`boleto ->> '$.version'`,
      })
      .from(transactions)
      .where(inList(transactions.id, chargeIds)),
    db
      .select()
      .from(withdraws)
      .where(and(eq(withdraws.companyId, companyId), inList(withdraws.id, withdrawIds))),
    selectDailyReports(db, companyId, days),
  ]);
  const chargesById = new Map(chargeRows.map((row) => [row.id, row]));
  const withdrawsById = new Map(withdrawRows.map((row) => [row.id, row]));
  return {
    charges: snapshots.charges.flatMap((snapshot) => {
      const row = chargesById.get(snapshot.transactionId);
      return diffOf(snapshot, chargeRow(snapshot, row?.boletoVersion ?? 0), row).map(
        // Of a charge that D1 lacks the object does not know all.
        (diff) => Object.assign(diff, { isRewritable: diff.projectedVersion !== null }),
      );
    }),
    withdraws: projectable.flatMap((snapshot) =>
      diffOf(snapshot, withdrawProjection(snapshot), withdrawsById.get(snapshot.id), ["payoutId"]),
    ),
    dailyTotals: dailyTotals.flatMap((snapshot) =>
      diffOf(snapshot, snapshot, dayRows.find(isSameDayAndMethod(snapshot))),
    ),
    numbered:
      snapshots.numbered === undefined ? [] : await diffNumbered(db, companyId, snapshots.numbered),
  };
}

/** What a repair did with the differences that it could rewrite. */
export interface Repair {
  rewritten: ProjectionDiffs;
  /** D1 refuses the row, for example because another one has its place. */
  refused: ProjectionDiffs;
}

/**
 * Overwrites projections that differ, unless they changed since the comparison. Leaves those that are not rewritable,
 * and those that D1 refuses. The statements of `withWritten` run with each batch: its parameter is what is rewritten
 * once that batch is. Safe to repeat.
 */
export async function repairProjection(
  env: Env,
  companyId: number,
  diffs: ProjectionDiffs,
  withWritten: (rewritten: ProjectionDiffs) => BatchItem<"sqlite">[] = () => [],
): Promise<Repair> {
  const db = databaseFor(env, companyId);
  const rewritten = new Set<ProjectionDiff<unknown>>();
  const refused = new Set<ProjectionDiff<unknown>>();
  const write = async (batch: Rewrite[]): Promise<void> => {
    const after = new Set([...rewritten, ...batch.map(({ diff }) => diff)]);
    const others = withWritten(filterDiffs(diffs, (diff) => after.has(diff)));
    const all = [...batch.map(({ statement }) => statement), ...others];
    try {
      await runIdempotent(() => db.batch(all as [BatchItem<"sqlite">, ...BatchItem<"sqlite">[]]));
      for (const { diff } of batch) rewritten.add(diff);
    } catch (error) {
      if (!isRowRejected(error)) throw error;
      if (batch.length > 1) for (const one of batch) await write([one]);
      else for (const { diff } of batch) refused.add(diff);
    }
  };
  for (const batch of pagesOf(rewritesOf(db, companyId, diffs), REPAIR_BATCH)) await write(batch);
  return {
    rewritten: filterDiffs(diffs, (diff) => rewritten.has(diff)),
    refused: filterDiffs(diffs, (diff) => refused.has(diff)),
  };
}

interface Rewrite {
  diff: ProjectionDiff<unknown>;
  statement: BatchItem<"sqlite">;
}

function rewritesOf(
  db: Database,
  companyId: number,
  { dailyTotals, charges, withdraws: withdrawDiffs, numbered }: ProjectionDiffs,
): Rewrite[] {
  const all: Rewrite[] = [
    // Before the charges, whose trigger counts fiscal keys in the reports' rows.
    ...dailyTotals.map((diff) => {
      const { snapshot, projectedVersion } = diff;
      return { diff, statement: repairDailyReport(db, companyId, snapshot, projectedVersion ?? 0) };
    }),
    ...charges.map((diff) => ({ diff, statement: repairCharge(db, companyId, diff) })),
    ...withdrawDiffs.map((diff) => ({ diff, statement: repairWithdraw(db, diff) })),
    ...numbered.map((diff) => ({ diff, statement: diff.rewrite })),
  ];
  return all.filter(({ diff }) => diff.isRewritable);
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

/** The number of a company's newest transaction; 0 without one. */
export async function newestTransaction(env: Env, companyId: number): Promise<number> {
  const [row] = await databaseFor(env, companyId)
    .select({ seq: transactions.seq })
    .from(transactions)
    .where(eq(transactions.companyId, companyId))
    .orderBy(desc(transactions.seq))
    .limit(1);
  return row?.seq ?? 0;
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

/** The columns of a charge that the object owns; not the due date where D1 has a later one, of `projected`. */
function chargeRow(
  { amount, state, boleto = null }: ChargeSnapshot,
  projected: number,
): ChargeState & { amount: Cents; dueDate?: string | null } {
  const isKnown = boleto !== null && projected <= boletoVersion(boleto, state.version);
  return { amount, ...state, ...(isKnown ? { dueDate: boleto.dueDate } : {}) };
}

function isSameDayAndMethod({ day, paymentMethod }: DailyTotals) {
  return (row: DailyTotals) => row.day === day && row.paymentMethod === paymentMethod;
}

function repairCharge(
  db: Database,
  companyId: number,
  { snapshot, projectedVersion }: ProjectionDiff<ChargeSnapshot>,
) {
  const { nextSweepAt, expiresAt } = transactions;
  return db
    .update(transactions)
    .set({
      // One that is open and has no expiry, such as an authorized card's, is looked at by the next sweep.
      nextSweepAt: sql`coalesce(${nextSweepAt}, ${expiresAt}, ${snapshot.state.updatedAt})`,
      amount: snapshot.amount,
      ...chargeProjection(snapshot.state),
      ...mendedBoleto(snapshot.boleto ?? null, snapshot.state.version),
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
