import { and, asc, eq, getTableColumns, gt, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Mismatch } from "../../domain/shared/inspection.ts";
import type { ChargeState } from "../../domain/charges/transaction.ts";
import type { WithdrawRecord } from "../../domain/withdraws/withdraw.ts";
import type { Env } from "../../config.ts";
import { canonicalJson } from "../../lib/hash.ts";
import { databaseFor, type Database } from "../client.ts";
import { runIdempotent } from "../faults.ts";
import { isOneOf } from "../one-of.ts";
import { chargeCopy, withdrawRow } from "./records.ts";
import { transactions } from "../schema/transactions.ts";
import { events } from "../schema/webhooks.ts";
import { withdraws } from "../schema/withdraws.ts";

/** Statements of one D1 batch of repairs. */
const REPAIR_BATCH = 20;

/** What of a transaction is a copy; what may be wide was written once and is compared with nothing. */
const {
  payer: _payer,
  items: _items,
  metadata: _metadata,
  pix: _pix,
  boleto: _boleto,
  failure: _failure,
  ...CHARGE_COPY
} = getTableColumns(transactions);

export interface Charge {
  transactionId: string;
  state: ChargeState;
}

/** A copy that is not what its original says, with the version it had when it was read. */
export interface Different<Original> {
  original: Original;
  /** Null where there is no copy. */
  copyVersion: number | null;
  /** Empty where there is no copy. */
  mismatches: Mismatch[];
}

export interface Differences {
  charges: Different<Charge>[];
  withdraws: Different<WithdrawRecord>[];
}

/** Compares originals with D1's copy of them. A withdraw is copied with its first event, not before. */
export async function diffProjection(
  env: Env,
  companyId: number,
  originals: { charges: Charge[]; withdraws: WithdrawRecord[] },
): Promise<Differences> {
  const db = databaseFor(env, companyId);
  const chargeIds = originals.charges.map((charge) => charge.transactionId);
  const announced = originals.withdraws.filter(({ status }) => status !== "Awaiting");
  const withdrawIds = announced.map((withdraw) => withdraw.id);
  const [chargeRows, withdrawRows] = await db.batch([
    db.select(CHARGE_COPY).from(transactions).where(isOneOf(transactions.id, chargeIds)),
    db
      .select()
      .from(withdraws)
      .where(and(eq(withdraws.companyId, companyId), isOneOf(withdraws.id, withdrawIds))),
  ]);
  const charges = new Map(chargeRows.map((row) => [row.id, row]));
  const copies = new Map(withdrawRows.map((row) => [row.id, row]));
  return {
    charges: originals.charges.flatMap((original) =>
      differenceOf(original, original.state, charges.get(original.transactionId)),
    ),
    withdraws: announced.flatMap((original) =>
      differenceOf(original, withdrawRow(original), copies.get(original.id)),
    ),
  };
}

/**
 * Writes the originals over copies that differ, unless they changed since they were read. A charge
 * that D1 does not have at all cannot be made again. May be run twice.
 */
export async function repairCopies(
  env: Env,
  companyId: number,
  differences: Differences,
): Promise<void> {
  const db = databaseFor(env, companyId);
  const statements: BatchItem<"sqlite">[] = [
    ...differences.charges.flatMap((different) =>
      different.copyVersion === null ? [] : [repairCharge(db, companyId, different)],
    ),
    ...differences.withdraws.map((different) => repairWithdraw(db, different)),
  ];
  for (let start = 0; start < statements.length; start += REPAIR_BATCH) {
    const batch = statements.slice(start, start + REPAIR_BATCH);
    await runIdempotent(() => db.batch(batch as [BatchItem<"sqlite">, ...BatchItem<"sqlite">[]]));
  }
}

/** The next of a company's transactions by `seq`: those D1 says have moved. */
export async function movedCopiesAfter(
  env: Env,
  companyId: number,
  seq: number,
  limit: number,
): Promise<{ seq: number; id: string; moved: boolean }[]> {
  const rows = await databaseFor(env, companyId)
    .select({ seq: transactions.seq, id: transactions.id, version: transactions.version })
    .from(transactions)
    .where(and(eq(transactions.companyId, companyId), gt(transactions.seq, seq)))
    .orderBy(asc(transactions.seq))
    .limit(limit);
  return rows.map((row) => ({ seq: row.seq, id: row.id, moved: row.version > 0 }));
}

/** A withdraw that D1 has beyond the object's last; null where there is none. */
export async function strayWithdraw(
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

/** Which of these events D1 does not have. */
export async function missingEvents(
  env: Env,
  companyId: number,
  companySequences: number[],
): Promise<number[]> {
  const rows = await databaseFor(env, companyId)
    .select({ companySequence: events.companySequence })
    .from(events)
    .where(and(eq(events.companyId, companyId), isOneOf(events.companySequence, companySequences)));
  const there = new Set(rows.map((row) => row.companySequence));
  return companySequences.filter((companySequence) => !there.has(companySequence));
}

/** The next of a company's events after one, with the object each is about. */
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

/** The difference of an original and its copy; nothing where there is none. */
function differenceOf<Original, State extends { version: number }>(
  original: Original,
  state: State,
  copy: State | undefined,
): Different<Original>[] {
  if (copy === undefined) return [{ original, copyVersion: null, mismatches: [] }];
  const mismatches = mismatchesOf(copy, state);
  return mismatches.length === 0 ? [] : [{ original, copyVersion: copy.version, mismatches }];
}

/** Only what the original has is compared: its copy may know more. */
function mismatchesOf<State extends object>(copy: State, original: State): Mismatch[] {
  const fields = Object.keys(original) as (keyof State & string)[];
  return fields
    .map((field) => ({ field, here: copy[field], there: original[field] }))
    .filter(({ here, there }) => canonicalJson(here) !== canonicalJson(there));
}

function repairCharge(
  db: Database,
  companyId: number,
  { original, copyVersion }: Different<Charge>,
) {
  return db
    .update(transactions)
    .set({
      nextSweepAt: sql`coalesce(${transactions.nextSweepAt}, ${transactions.expiresAt})`,
      ...chargeCopy(original.state),
    })
    .where(
      and(
        eq(transactions.companyId, companyId),
        eq(transactions.id, original.transactionId),
        eq(transactions.version, copyVersion ?? 0),
      ),
    );
}

function repairWithdraw(db: Database, { original, copyVersion }: Different<WithdrawRecord>) {
  const row = withdrawRow(original);
  return db
    .insert(withdraws)
    .values(row)
    .onConflictDoUpdate({
      target: [withdraws.companyId, withdraws.id],
      set: row,
      setWhere: sql`${withdraws.version} = ${copyVersion ?? 0}`,
    });
}
