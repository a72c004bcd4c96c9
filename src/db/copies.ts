import { and, asc, eq, gt, lte, sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { ChargeState } from "../domain/transaction.ts";
import type { WithdrawRecord } from "../domain/withdraw.ts";
import type { Env } from "../env.ts";
import { canonicalJson } from "../lib/hash.ts";
import { databaseFor, type Database } from "./client.ts";
import { runIdempotent } from "./faults.ts";
import { withdrawRow } from "./records.ts";
import { transactions } from "./schema/transactions.ts";
import { events } from "./schema/webhooks.ts";
import { withdraws } from "./schema/withdraws.ts";
import { toTransactionRecord } from "./transaction-mapper.ts";

/** Statements of one D1 batch of repairs. */
const REPAIR_BATCH = 20;

export interface Charge {
  transactionId: string;
  state: ChargeState;
}

/** What of D1's copy is not what its original says. `missing` charges cannot be made again. */
export interface Differences {
  charges: Charge[];
  missing: string[];
  withdraws: WithdrawRecord[];
}

/**
 * Compares originals with D1's copy of them. A copy that is newer than what was read before it was
 * written meanwhile, which is no difference.
 */
export async function compareCopies(
  env: Env,
  companyId: number,
  originals: { charges: Charge[]; withdraws: WithdrawRecord[] },
): Promise<Differences> {
  const db = databaseFor(env, companyId);
  const [chargeRows, withdrawRows] = await db.batch([
    db
      .select()
      .from(transactions)
      .where(
        isOneOf(
          transactions.id,
          originals.charges.map((charge) => charge.transactionId),
        ),
      ),
    db
      .select()
      .from(withdraws)
      .where(
        and(
          eq(withdraws.companyId, companyId),
          isOneOf(
            withdraws.id,
            originals.withdraws.map((withdraw) => withdraw.id),
          ),
        ),
      ),
  ]);
  const charges = new Map(chargeRows.map((row) => [row.id, toTransactionRecord(row)]));
  const copies = new Map(withdrawRows.map((row) => [row.id, row]));
  return {
    missing: originals.charges
      .map((charge) => charge.transactionId)
      .filter((id) => !charges.has(id)),
    charges: originals.charges.filter(({ transactionId, state }) => {
      const copy = charges.get(transactionId);
      return copy !== undefined && differs(copy, state);
    }),
    withdraws: originals.withdraws.filter((original) => {
      const copy = copies.get(original.id);
      return copy === undefined || differs(copy, withdrawRow(original));
    }),
  };
}

/** Writes the originals over copies that differ, and are not newer. May be run twice. */
export async function repairCopies(
  env: Env,
  companyId: number,
  differences: Pick<Differences, "charges" | "withdraws">,
): Promise<void> {
  const db = databaseFor(env, companyId);
  const statements: BatchItem<"sqlite">[] = [
    ...differences.charges.map((charge) => repairCharge(db, companyId, charge)),
    ...differences.withdraws.map((withdraw) => repairWithdraw(db, withdraw)),
  ];
  for (let start = 0; start < statements.length; start += REPAIR_BATCH) {
    const batch = statements.slice(start, start + REPAIR_BATCH);
    await runIdempotent(() => db.batch(batch as [BatchItem<"sqlite">, ...BatchItem<"sqlite">[]]));
  }
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

/** Only what the original has is compared: its copy may know more. */
function differs<Original extends { version: number }>(
  copy: Original,
  original: Original,
): boolean {
  if (copy.version > original.version) return false;
  const names = Object.keys(original) as (keyof Original)[];
  return names.some((name) => canonicalJson(copy[name]) !== canonicalJson(original[name]));
}

function repairCharge(db: Database, companyId: number, { transactionId, state }: Charge) {
  return db
    .update(transactions)
    .set(state)
    .where(
      and(
        eq(transactions.companyId, companyId),
        eq(transactions.id, transactionId),
        lte(transactions.version, state.version),
      ),
    );
}

function repairWithdraw(db: Database, withdraw: WithdrawRecord) {
  const row = withdrawRow(withdraw);
  return db
    .insert(withdraws)
    .values(row)
    .onConflictDoUpdate({
      target: [withdraws.companyId, withdraws.id],
      set: row,
      setWhere: sql`${withdraws.version} <= ${row.version}`,
    });
}

/** One parameter for all of them: D1 takes at most 100. */
function isOneOf(column: SQL | object, values: (string | number)[]): SQL {
  return sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;
}
