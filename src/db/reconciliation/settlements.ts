import { and, between, eq, getTableColumns, lte, sql } from "drizzle-orm";
import type { Env } from "../../config.ts";
import {
  newFaults,
  dueBefore,
  windowOfDay,
  type ComparedLine,
  type DifferenceKind,
} from "../../domain/reconciliation/settlement.ts";
import type { Cents } from "../../domain/shared/money.ts";
import { databaseFor } from "../client.ts";
import { inList } from "../in-list.ts";
import { runIdempotent } from "../storage-errors.ts";
import { settlementDifferences, settlementPasses, settlements } from "../schema/reconciliation.ts";
import { transactions } from "../schema/transactions.ts";

/** A company's account at a house that tells its settlements. */
export interface SettlingAccount {
  companyId: number;
  account: string;
}

/** Where the reading of an account's settlements is: at a day, and a page of it. */
export type SettlementPass = Pick<
  typeof settlementPasses.$inferSelect,
  "day" | "overdueDay" | "cursor" | "nextRunAt"
>;

/**
 * Claims the pass of an account until `leaseUntil`; null if it is not due, or another run has it. The first claim makes
 * it, at the day `from`.
 */
export async function claimSettlementPass(
  env: Env,
  { companyId, account }: SettlingAccount,
  { from, nowMs, leaseUntil }: { from: string; nowMs: number; leaseUntil: number },
): Promise<SettlementPass | null> {
  const { day, overdueDay, cursor, nextRunAt } = settlementPasses;
  const [claimed] = await databaseFor(env, companyId)
    .insert(settlementPasses)
    .values({
      companyId,
      account,
      day: from,
      overdueDay: from,
      cursor: null,
      nextRunAt: leaseUntil,
    })
    .onConflictDoUpdate({
      target: [settlementPasses.companyId, settlementPasses.account],
      set: { nextRunAt: leaseUntil },
      setWhere: lte(nextRunAt, nowMs),
    })
    .returning({ day, overdueDay, cursor, nextRunAt });
  return claimed ?? null;
}

/** Saves the progress of a pass, if the run that claimed it until `leaseUntil` still has it. */
export async function saveSettlementPass(
  env: Env,
  { companyId, account }: SettlingAccount,
  leaseUntil: number,
  pass: SettlementPass,
): Promise<void> {
  const table = settlementPasses;
  await runIdempotent(() =>
    databaseFor(env, companyId)
      .update(table)
      .set(pass)
      .where(
        and(
          eq(table.companyId, companyId),
          eq(table.account, account),
          eq(table.nextRunAt, leaseUntil),
        ),
      )
      .run(),
  );
}

const { companyId: _company, account: _account, ...LINE_COLUMNS } = getTableColumns(settlements);
const TERMS = {
  id: transactions.id,
  paymentMethod: transactions.paymentMethod,
  installments: transactions.installments,
  paidAmount: transactions.paidAmount,
  refundedAmount: transactions.refundedAmount,
  paidAt: transactions.paidAt,
  feeBasisPoints: transactions.feeBasisPoints,
  feeFixed: transactions.feeFixed,
  releaseDays: transactions.releaseDays,
};
export type SettledTerms = Pick<typeof transactions.$inferSelect, keyof typeof TERMS>;

/** The terms of transactions, and all lines of them that an account's house has told before. One trip. */
export async function findSettled(
  env: Env,
  { companyId, account }: SettlingAccount,
  transactionIds: string[],
): Promise<{ terms: SettledTerms[]; lines: ComparedLine[] }> {
  const db = databaseFor(env, companyId);
  const [terms, lines] = await db.batch([
    db
      .select(TERMS)
      .from(transactions)
      .where(and(inList(transactions.id, transactionIds), eq(transactions.companyId, companyId))),
    db
      .select(LINE_COLUMNS)
      .from(settlements)
      .where(
        and(
          eq(settlements.companyId, companyId),
          inList(settlements.transactionId, transactionIds),
          eq(settlements.account, account),
        ),
      ),
  ]);
  return { terms, lines };
}

/**
 * Writes lines with their new faults, found on a day, in one batch: a run that repeats a page finds the lines as they
 * are, and their faults already there.
 */
export async function saveLines(
  env: Env,
  { companyId, account }: SettlingAccount,
  day: string,
  { lines, before }: { lines: ComparedLine[]; before: ReadonlyMap<string, ComparedLine> },
): Promise<void> {
  if (lines.length === 0) return;
  const db = databaseFor(env, companyId);
  const faults = lines.flatMap((line) =>
    newFaults(line, before.get(line.line)).map(({ kind, amount }) => ({
      kind,
      amount,
      transactionId: line.transactionId,
      line: line.line,
    })),
  );
  const columns = Object.keys(LINE_COLUMNS) as (keyof typeof LINE_COLUMNS)[];
  const values = sql.join(
    columns.map((name) => sql.raw(`value ->> '${name}'`)),
    sql`, `,
  );
  const replaced = Object.fromEntries(
    columns.map((name) => [name, sql.raw(`excluded.${LINE_COLUMNS[name].name}`)]),
  );
  await runIdempotent(() =>
    db.batch([
      db
        .insert(settlements)
        .select(
          sql`SELECT ${companyId}, ${account}, ${values} FROM json_each(${JSON.stringify(lines)}) WHERE true`,
        )
        .onConflictDoUpdate({
          target: [settlements.companyId, settlements.account, settlements.line],
          set: replaced,
        }),
      db
        .insert(settlementDifferences)
        .select(
          sql`SELECT ${companyId}, ${day}, ${account}, value ->> 'kind', value ->> 'transactionId', value ->> 'line',
            value ->> 'amount' FROM json_each(${JSON.stringify(faults)}) WHERE true`,
        )
        .onConflictDoUpdate({
          target: DIFFERENCE,
          set: { amount: sql`excluded.amount` },
        }),
    ]),
  );
}

const DIFFERENCE = [
  settlementDifferences.companyId,
  settlementDifferences.day,
  settlementDifferences.account,
  settlementDifferences.kind,
  settlementDifferences.transactionId,
  settlementDifferences.line,
];

/**
 * Finds what is overdue on a day: payments of the account of some days before without all of their lines, and lines of
 * that day that still wait. Reads the company's payments, and the waiting lines, of that one day.
 */
export async function findOverdue(
  env: Env,
  { companyId, account }: SettlingAccount,
  day: string,
): Promise<void> {
  const db = databaseFor(env, companyId);
  const since = dueBefore(day);
  const { from, to } = windowOfDay(since);
  await runIdempotent(() =>
    db.batch([
      db.insert(settlementDifferences).select(missingLines()).onConflictDoNothing(),
      db.insert(settlementDifferences).select(unpaidLines()).onConflictDoNothing(),
    ]),
  );

  function missingLines() {
    return sql`SELECT ${companyId}, ${day}, ${account}, 'missing', id, '', paid_amount
      FROM transactions INDEXED BY transactions_paid
      WHERE company_id = ${companyId} AND paid_at >= ${from} AND paid_at < ${to} AND account = ${account}
        AND paid_amount > 0 AND refunded_amount = 0 AND installments >
          (SELECT count(*) FROM settlements INDEXED BY settlements_transaction
            WHERE company_id = ${companyId} AND transaction_id = transactions.id AND type = 'CREDIT')`;
  }

  function unpaidLines() {
    return sql`SELECT ${companyId}, ${day}, ${account}, 'unpaid', transaction_id, line, abs(gross)
      FROM settlements INDEXED BY settlements_waiting
      WHERE company_id = ${companyId} AND state = 'waiting' AND paid_on = ${since} AND account = ${account}`;
  }
}

/** Differences of one kind of a day. Centavos. */
export interface DifferenceSum {
  kind: DifferenceKind;
  count: number;
  amount: Cents;
}

/** What was found of an account on a day, by kind. */
export async function sumDifferences(
  env: Env,
  { companyId, account }: SettlingAccount,
  day: string,
): Promise<DifferenceSum[]> {
  const table = settlementDifferences;
  return databaseFor(env, companyId)
    .select({
      kind: table.kind,
      count: sql<number>`count(*)`,
      amount: sql<number>`sum(${table.amount})`,
    })
    .from(table)
    .where(and(eq(table.companyId, companyId), eq(table.day, day), eq(table.account, account)))
    .groupBy(table.kind)
    .orderBy(table.kind);
}

/** The settled lines of a day, account and method. Centavos. */
export interface FeeDay {
  day: string;
  account: string;
  paymentMethod: ComparedLine["paymentMethod"];
  /** Credits of payments. */
  count: number;
  gross: Cents;
  agreed: Cents;
  taken: Cents;
  anticipation: Cents;
  refunds: Cents;
  chargebacks: Cents;
}

/** The sum of an expression over lines of some types. */
function sumOf(column: string, types: string) {
  return sql<number>`coalesce(sum(${sql.raw(column)}) FILTER (WHERE ${sql.raw(types)}), 0)`;
}

/** What was settled on days (`YYYY-MM-DD`, both included), oldest first. Reads the lines of these days. */
export async function listFeeDays(
  env: Env,
  companyId: number,
  { from, to }: { from: string; to: string },
): Promise<FeeDay[]> {
  const table = settlements;
  return databaseFor(env, companyId)
    .select({
      day: table.paidOn,
      account: table.account,
      paymentMethod: table.paymentMethod,
      count: sumOf("1", "type = 'CREDIT'"),
      gross: sumOf("gross", "type = 'CREDIT'"),
      agreed: sql<number>`sum(${table.agreed})`,
      taken: sql<number>`sum(${table.fee})`,
      anticipation: sql<number>`sum(${table.anticipationFee})`,
      refunds: sumOf("-gross", "type IN ('REFUND', 'REFUND_REVERSAL')"),
      chargebacks: sumOf("-gross", "type IN ('CHARGEBACK', 'CHARGEBACK_REVERSAL')"),
    })
    .from(table)
    .where(
      and(eq(table.companyId, companyId), between(table.paidOn, from, to), sql`state = 'paid'`),
    )
    .groupBy(table.paidOn, table.account, table.paymentMethod)
    .orderBy(table.paidOn, table.account, table.paymentMethod);
}

/** The accounts whose houses tell their settlements, each with the last day that was read and compared. */
export async function listSettlingAccounts(
  env: Env,
  companyId: number,
): Promise<{ account: string; day: string }[]> {
  const { account, day } = settlementPasses;
  return databaseFor(env, companyId)
    .select({ account, day })
    .from(settlementPasses)
    .where(eq(settlementPasses.companyId, companyId))
    .orderBy(account);
}

export type SettlementDifference = Omit<typeof settlementDifferences.$inferSelect, "companyId">;
/** Where a page of differences ended. */
export type DifferenceCursor = Omit<SettlementDifference, "amount">;

/** Differences of days (`YYYY-MM-DD`, both included) after a place, oldest first. Reads only these. */
export async function listDifferences(
  env: Env,
  companyId: number,
  page: { from: string; to: string; after: DifferenceCursor | null; limit: number },
): Promise<SettlementDifference[]> {
  const table = settlementDifferences;
  const { companyId: _of, ...columns } = getTableColumns(table);
  const after = page.after;
  const place = sql`(${table.day}, ${table.account}, ${table.kind}, ${table.transactionId}, ${table.line})`;
  return databaseFor(env, companyId)
    .select(columns)
    .from(table)
    .where(
      and(
        eq(table.companyId, companyId),
        between(table.day, page.from, page.to),
        after === null
          ? undefined
          : sql`${place} > (${after.day}, ${after.account}, ${after.kind}, ${after.transactionId}, ${after.line})`,
      ),
    )
    .orderBy(table.day, table.account, table.kind, table.transactionId, table.line)
    .limit(page.limit);
}
