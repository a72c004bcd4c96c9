import { and, asc, eq, lt, lte, sql } from "drizzle-orm";
import type { Company } from "../../domain/shared/company.ts";
import {
  LIST_NAMES,
  newPass,
  PASS_NAMES,
  type ListName,
  type Pass,
} from "../../domain/reconciliation/reconciliation.ts";
import type { Env } from "../../config.ts";
import { databaseFor } from "../client.ts";
import { COMPANY_COLUMNS, toCompany } from "../companies/credentials.ts";
import { carryOverAll, companiesToCarryOver } from "../companies/psp-accounts.ts";
import { runIdempotent } from "../storage-errors.ts";
import { inList } from "../in-list.ts";
import type { FanOut } from "../sharding/fan-out.ts";
import { companies } from "../schema/companies.ts";
import { companyAccounts, PASSES_CREATED, pspAccounts } from "../schema/psp-accounts.ts";
import { listedRecords, reconciliationPasses } from "../schema/reconciliation.ts";
import { transactions } from "../schema/transactions.ts";
import { withdraws } from "../schema/withdraws.ts";

/** Due passes read to find the due accounts: a minute's of 35,000 accounts, which have about 0.6 each. */
const DUE_PASSES_MAX = 20_000;

/** A company's account at a PSP that has a due pass. */
export interface DueAccount {
  company: Company;
  account: string;
  /** When the company connected it: older records belong to others. */
  since: number;
  /** When the company left it; null if it is the current account. */
  leftAt: number | null;
}

/**
 * Creates the passes of new accounts. The newest pass starts where the account was last reconciled; the others wait
 * for their intervals.
 */
export async function createPasses(
  env: Env,
  fanOut: FanOut,
  nowMs: number,
  limit: number,
): Promise<void> {
  await carryOverAll(fanOut, await companiesToCarryOver(fanOut, nowMs, limit));
  const { companyId, account, reconciledUntil: from, windowMs, nextRunAt } = pspAccounts;
  const accounts = await fanOut.rows(limit, ({ db, isLocal }) =>
    db
      .select({ companyId, account, from, windowMs })
      .from(pspAccounts)
      .where(and(lte(nextRunAt, nowMs), isLocal(companyId)))
      .orderBy(asc(nextRunAt))
      .limit(limit),
  );
  for (const { row } of accounts) await createAccountPasses(env, row, nowMs);
}

async function createAccountPasses(
  env: Env,
  {
    companyId,
    account,
    from,
    windowMs,
  }: Pick<Pass, "windowMs"> & { companyId: number; account: string; from: number },
  nowMs: number,
): Promise<void> {
  const db = databaseFor(env, companyId);
  const rows = LIST_NAMES.flatMap((list) =>
    PASS_NAMES.map((pass) =>
      Object.assign(newPass({ list, pass }, { from, windowMs }, nowMs), { companyId, account }),
    ),
  );
  const values = sql`SELECT value ->> 'companyId', value ->> 'account', value ->> 'list',
      value ->> 'pass', value ->> 'readUntil', value ->> 'windowMs', value ->> 'nextRunAt',
      value ->> 'finishedAt'
    FROM json_each(${JSON.stringify(rows)}) WHERE true`;
  await runIdempotent(() =>
    db.batch([
      db.insert(reconciliationPasses).select(values).onConflictDoNothing(),
      db
        .update(pspAccounts)
        .set({ nextRunAt: PASSES_CREATED })
        .where(and(eq(pspAccounts.companyId, companyId), eq(pspAccounts.account, account))),
    ]),
  );
}

/** An account with a due pass, as a message names it. */
export interface DueAccountRef {
  companyId: number;
  account: string;
}

/** The accounts with a due pass, longest due first in each database. */
export async function listDueAccounts(fanOut: FanOut, nowMs: number): Promise<DueAccountRef[]> {
  const { companyId, account, nextRunAt } = reconciliationPasses;
  const found = await fanOut.rows(DUE_PASSES_MAX, ({ db, isLocal }) =>
    db
      .select({ companyId, account })
      .from(reconciliationPasses)
      .where(and(lte(nextRunAt, nowMs), isLocal(companyId)))
      .orderBy(asc(nextRunAt))
      .limit(DUE_PASSES_MAX),
  );
  return [...new Map(found.map(({ row }) => [`${row.companyId} ${row.account}`, row])).values()];
}

/** An account with its company; null if it has no due pass any more, as when another run took it. */
export async function findDueAccount(
  env: Env,
  { companyId, account }: DueAccountRef,
  nowMs: number,
): Promise<DueAccount | null> {
  const passes = reconciliationPasses;
  const db = databaseFor(env, companyId);
  const { createdAt, leftAt } = companyAccounts;
  const [[row], [stored]] = await db.batch([
    db
      .select(COMPANY_COLUMNS)
      .from(passes)
      .innerJoin(companies, eq(companies.id, passes.companyId))
      .where(
        and(
          eq(passes.companyId, companyId),
          eq(passes.account, account),
          // The sign keeps SQLite from the index of all that is due.
          sql`+${passes.nextRunAt} <= ${nowMs}`,
        ),
      )
      .limit(1),
    db
      .select({ since: createdAt, leftAt })
      .from(companyAccounts)
      .where(and(eq(companyAccounts.companyId, companyId), eq(companyAccounts.account, account))),
  ]);
  if (row === undefined) return null;
  const { since, leftAt: left } = stored ?? { since: 0, leftAt: 0 };
  return { company: toCompany(row), account, since, leftAt: left };
}

type Account = Pick<DueAccount, "account"> & { company: Pick<Company, "id"> };

/** Claims the due passes of an account until `leaseUntil`; empty if another run has claimed them. */
export async function claimPasses(
  env: Env,
  account: Account,
  nowMs: number,
  leaseUntil: number,
): Promise<Pass[]> {
  const claimed = await databaseFor(env, account.company.id)
    .update(reconciliationPasses)
    .set({ nextRunAt: leaseUntil })
    .where(and(ofAccount(account), lte(reconciliationPasses.nextRunAt, nowMs)))
    .returning();
  return claimed.map(({ companyId: _company, account: _account, ...pass }) =>
    Object.assign(pass, { leaseUntil }),
  );
}

/**
 * Has the newest passes over a company's lists read again from a time on, at once: its object was taken back to it, and
 * has lost the payments since. A run that is under way does not undo it (`savePasses`).
 */
export async function rewindPasses(
  env: Env,
  companyId: number,
  toMs: number,
  nowMs: number,
): Promise<void> {
  const { readUntil, pass } = reconciliationPasses;
  await runIdempotent(() =>
    databaseFor(env, companyId)
      .update(reconciliationPasses)
      .set({ readUntil: sql`min(${readUntil}, ${toMs})`, nextRunAt: nowMs })
      .where(and(eq(reconciliationPasses.companyId, companyId), eq(pass, "newest")))
      .run(),
  );
}

/** Saves the progress of passes whose lease the run still has, in one statement: one that was rewound keeps that. */
export async function savePasses(env: Env, account: Account, passes: Pass[]): Promise<void> {
  if (passes.length === 0) return;
  const table = reconciliationPasses;
  const each = sql`json_each(${JSON.stringify(passes)}) AS progress`;
  const isOf = sql`${table.list} = progress.value ->> 'list' AND ${table.pass} = progress.value ->> 'pass'`;
  const isHeld = sql`${table.nextRunAt} = progress.value ->> 'leaseUntil'`;
  await runIdempotent(() =>
    databaseFor(env, account.company.id)
      .update(table)
      .set({
        readUntil: sql`progress.value ->> 'readUntil'`,
        windowMs: sql`progress.value ->> 'windowMs'`,
        nextRunAt: sql`progress.value ->> 'nextRunAt'`,
        finishedAt: sql`progress.value ->> 'finishedAt'`,
      })
      .from(each)
      .where(and(ofAccount(account), isOf, isHeld))
      .run(),
  );
}

/** Deletes the passes of an account that is no longer reconciled. */
export async function deletePasses(env: Env, account: Account): Promise<void> {
  await runIdempotent(() =>
    databaseFor(env, account.company.id)
      .delete(reconciliationPasses)
      .where(ofAccount(account))
      .run(),
  );
}

/** The time up to which a list was read and booked; null if it never was. */
export async function findReconciledUntil(
  env: Env,
  account: Account,
  list: ListName,
): Promise<number | null> {
  const table = reconciliationPasses;
  const [row] = await databaseFor(env, account.company.id)
    .select({ readUntil: table.readUntil })
    .from(table)
    .where(and(ofAccount(account), eq(table.list, list), eq(table.pass, "newest")));
  return row?.readUntil ?? null;
}

function ofAccount({ company, account }: Account) {
  const table = reconciliationPasses;
  return and(eq(table.companyId, company.id), eq(table.account, account));
}

/** D1's rows about the records of one page of a list: projections, and digests of other records. */
export interface KnownRecords {
  charges: Map<string, ChargeProjection>;
  withdraws: Map<number, WithdrawProjection>;
  /** By record: its digest, and when the object received it. */
  recorded: Map<string, { digest: string; recordedAt: number }>;
}

const CHARGE_COLUMNS = {
  id: transactions.id,
  companyId: transactions.companyId,
  status: transactions.status,
  version: transactions.version,
  endToEndId: transactions.endToEndId,
  paidAmount: transactions.paidAmount,
  refunds: transactions.refunds,
  dispute: transactions.dispute,
};
const WITHDRAW_COLUMNS = {
  id: withdraws.id,
  payoutId: withdraws.payoutId,
  status: withdraws.status,
  version: withdraws.version,
  returnedAmount: withdraws.returnedAmount,
};
export type ChargeProjection = Pick<typeof transactions.$inferSelect, keyof typeof CHARGE_COLUMNS>;
export type WithdrawProjection = Pick<typeof withdraws.$inferSelect, keyof typeof WITHDRAW_COLUMNS>;

/** Reads `KnownRecords` in one trip. A page has payments and charges, or payouts, never both. */
export async function findKnownRecords(
  env: Env,
  { company, account }: Account,
  page: { transactionIds: string[]; withdrawIds: number[]; records: string[] },
): Promise<KnownRecords> {
  const db = databaseFor(env, company.id);
  const recorded = db
    .select({
      record: listedRecords.record,
      digest: listedRecords.digest,
      recordedAt: listedRecords.recordedAt,
    })
    .from(listedRecords)
    .where(
      and(
        eq(listedRecords.companyId, company.id),
        eq(listedRecords.account, account),
        inList(listedRecords.record, page.records),
      ),
    );
  const charges = db
    .select(CHARGE_COLUMNS)
    .from(transactions)
    .where(inList(transactions.id, page.transactionIds));
  const payouts = db
    .select(WITHDRAW_COLUMNS)
    .from(withdraws)
    .where(and(eq(withdraws.companyId, company.id), inList(withdraws.id, page.withdrawIds)));
  const isOfPayouts = page.withdrawIds.length > 0;
  const [recordedRows, projections] = isOfPayouts
    ? await db.batch([recorded, payouts])
    : await db.batch([recorded, charges]);
  return {
    recorded: new Map(recordedRows.map(({ record, ...known }) => [record, known])),
    withdraws: new Map(
      isOfPayouts ? (projections as WithdrawProjection[]).map((row) => [row.id, row]) : [],
    ),
    charges: new Map(
      isOfPayouts ? [] : (projections as ChargeProjection[]).map((row) => [row.id, row]),
    ),
  };
}

/** Saves the digests of records that the object received and no projection shows. */
export async function saveRecordDigests(
  env: Env,
  { company, account }: Account,
  records: { record: string; digest: string }[],
  nowMs: number,
): Promise<void> {
  if (records.length === 0) return;
  const rows = sql`SELECT ${company.id}, ${account}, value ->> 'record', value ->> 'digest', ${nowMs}
    FROM json_each(${JSON.stringify(records)}) WHERE true`;
  await runIdempotent(() =>
    databaseFor(env, company.id)
      .insert(listedRecords)
      .select(rows)
      .onConflictDoUpdate({
        target: [listedRecords.companyId, listedRecords.account, listedRecords.record],
        set: { digest: sql`excluded.digest`, recordedAt: sql`excluded.told_at` },
      })
      .run(),
  );
}

/** Deletes digests older than any pass reads. */
export async function deleteRecordDigests(
  env: Env,
  { company, account }: Account,
  recordedBefore: number,
): Promise<void> {
  await databaseFor(env, company.id)
    .delete(listedRecords)
    .where(
      and(
        eq(listedRecords.companyId, company.id),
        eq(listedRecords.account, account),
        lt(listedRecords.recordedAt, recordedBefore),
      ),
    );
}
