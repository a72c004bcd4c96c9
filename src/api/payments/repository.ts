import { and, desc, eq, lt, lte, sql } from "drizzle-orm";
import { databaseFor } from "../../db/client.ts";
import { COMPANY_COLUMNS, toCompany } from "../../db/companies/credentials.ts";
import { companies } from "../../db/schema/companies.ts";
import { unexpectedPayments } from "../../db/schema/payments.ts";
import type { FanOut } from "../../db/sharding/fan-out.ts";
import type {
  UnexpectedPayment,
  UnexpectedReason,
  UnexpectedStatus,
} from "../../domain/charges/unexpected-payment.ts";
import type { Env } from "../../config.ts";

/** Rows that a page reads to find those of one reason, so that its cost does not grow with the list. */
const SCANNED_MAX = 500;

type Row = typeof unexpectedPayments.$inferSelect;

/** The part of a list that a page asks for. `before`: a number; null for the newest. */
interface PageOfPayments {
  status: UnexpectedStatus | undefined;
  reason: UnexpectedReason | undefined;
  before: number | null;
  limit: number;
}

/**
 * A company's unexpected payments, newest first. `scannedTo`: the last number that was read where more
 * follow, null where the list was read to its end or to the limit.
 */
export async function listUnexpected(
  env: Env,
  companyId: number,
  { status, reason, before, limit }: PageOfPayments,
): Promise<{ payments: UnexpectedPayment[]; scannedTo: number | null }> {
  const { number } = unexpectedPayments;
  const rows: Row[] = await databaseFor(env, companyId)
    .select()
    .from(unexpectedPayments)
    .where(
      and(
        eq(unexpectedPayments.companyId, companyId),
        status === undefined ? undefined : eq(unexpectedPayments.status, status),
        before === null ? undefined : lt(number, before),
      ),
    )
    .orderBy(desc(number))
    .limit(reason === undefined ? limit : SCANNED_MAX);
  const isRead = reason === undefined || rows.length < SCANNED_MAX;
  const payments = rows.filter((row) => reason === undefined || row.reason === reason);
  return {
    payments: payments.slice(0, limit).map(toPayment),
    scannedTo: isRead || payments.length >= limit ? null : (rows.at(-1)?.number ?? null),
  };
}

/** An unexpected payment by the provider's id; null if the company has none. */
export async function findUnexpected(
  env: Env,
  companyId: number,
  paymentId: string,
): Promise<UnexpectedPayment | null> {
  const [row] = await databaseFor(env, companyId)
    .select()
    .from(unexpectedPayments)
    .where(
      and(eq(unexpectedPayments.companyId, companyId), eq(unexpectedPayments.paymentId, paymentId)),
    );
  return row === undefined ? null : toPayment(row);
}

/** Payments whose transaction is still to be made, with their companies; for the cron. */
export async function dueCredits(fanOut: FanOut, nowMs: number, limit: number) {
  const { nextRunAt, companyId } = unexpectedPayments;
  const found = await fanOut.rows(limit, ({ db, isLocal }) =>
    db
      .select({
        paymentId: unexpectedPayments.paymentId,
        ...COMPANY_COLUMNS,
      })
      .from(unexpectedPayments)
      .innerJoin(companies, eq(companies.id, companyId))
      .where(and(lte(nextRunAt, nowMs), isLocal(companyId)))
      .orderBy(nextRunAt)
      .limit(limit),
  );
  return found.map(({ row: { paymentId, ...row }, database }) => ({
    paymentId,
    company: toCompany(row),
    database,
  }));
}

/** Puts off the next try of a credit; no effect once it is done. */
export async function postponeCredit(
  env: Env,
  companyId: number,
  paymentId: string,
  nextRunAt: number,
): Promise<void> {
  await databaseFor(env, companyId)
    .update(unexpectedPayments)
    .set({ nextRunAt })
    .where(
      and(
        eq(unexpectedPayments.companyId, companyId),
        eq(unexpectedPayments.paymentId, paymentId),
        sql`next_run_at IS NOT NULL`,
      ),
    );
}

function toPayment(row: Row): UnexpectedPayment {
  const { companyId: _company, updatedAt: _updated, nextRunAt: _next, payer, ...payment } = row;
  return { ...payment, payer: payer ?? null, requestedBy: row.requestedBy ?? null };
}
