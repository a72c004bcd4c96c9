import { sql } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { databaseFor } from "../../db/client.ts";
import { hasListStatus } from "../../db/list-status.ts";
import type { Payer } from "../../domain/charges/transaction.ts";
import type { Cents } from "../../domain/shared/money.ts";

/** Charges that one page looks through for payers: a page may be short while there are more. */
const CHARGES_SCANNED = 200;
/** Of each payer the newest charges that its sums count. */
export const CHARGES_SUMMED = 100;

/** A payer with what its newest charges sum up to. Times in Unix milliseconds. */
export interface ListedPayer {
  /** The newest charge, whose page leads to the payer. */
  transactionId: string;
  payer: Pick<Payer, "name" | "documentNumber">;
  lastChargedAt: number;
  /** At most `CHARGES_SUMMED`. */
  charges: number;
  paid: Cents;
  open: Cents;
  lastPaidAt: number | null;
}

/**
 * A company's payers by their newest charge, newest first, below the charge `after`. It reads a bounded number of rows
 * however many charges there are: each scanned charge and one of its payer's index, and the summed ones.
 */
export async function payersByNewestCharge(
  env: Env,
  companyId: number,
  { after, limit }: { after: number | null; limit: number },
  nowMs: number,
): Promise<{ items: ListedPayer[]; after: number | null }> {
  const db = databaseFor(env, companyId);
  const below = after === null ? sql`true` : sql`seq < ${after}`;
  const scanned = await db.all<{ seq: number; isNewest: 0 | 1 }>(sql`
    SELECT seq, coalesce(seq = (
      SELECT its.seq FROM transactions AS its INDEXED BY transactions_lead
      WHERE its.company_id = ${companyId} AND its.lead_key = charge.lead_key
      ORDER BY its.seq DESC LIMIT 1), 0) AS isNewest
    FROM transactions AS charge
    WHERE company_id = ${companyId} AND ${below}
    ORDER BY seq DESC LIMIT ${CHARGES_SCANNED}`);
  const newest = scanned.filter(({ isNewest }) => isNewest === 1).map(({ seq }) => seq);
  const shown = newest.slice(0, limit);
  const isCut = newest.length > limit;
  const isEnd = !isCut && scanned.length < CHARGES_SCANNED;
  const last = isCut ? shown.at(-1) : scanned.at(-1)?.seq;
  const items = shown.length === 0 ? [] : await sumsOf(env, companyId, shown, nowMs);
  return { items, after: isEnd ? null : (last ?? null) };
}

type Sums = Pick<ListedPayer, "charges" | "paid" | "open" | "lastPaidAt">;

async function sumsOf(
  env: Env,
  companyId: number,
  seqs: number[],
  nowMs: number,
): Promise<ListedPayer[]> {
  const rows = await databaseFor(env, companyId).all<{
    transactionId: string;
    payer: string;
    lastChargedAt: number;
    sums: string;
  }>(sql`
    SELECT newest.id AS transactionId, newest.payer AS payer, newest.created_at AS lastChargedAt, (
      SELECT json_object('charges', count(*), 'paid', sum(paid), 'open', sum(open), 'lastPaidAt', max(paid_at))
      FROM (
        SELECT paid_at, iif(paid_at IS NULL, 0, paid_amount - refunded_amount) AS paid,
          iif(${hasListStatus("PENDING", nowMs)}, amount, 0) AS open
        FROM transactions INDEXED BY transactions_lead
        WHERE company_id = ${companyId} AND lead_key = newest.lead_key
        ORDER BY seq DESC LIMIT ${CHARGES_SUMMED})) AS sums
    FROM json_each(${JSON.stringify(seqs)}) AS wanted
    CROSS JOIN transactions AS newest ON newest.company_id = ${companyId} AND newest.seq = wanted.value`);
  return rows.map(({ transactionId, payer, lastChargedAt, sums }) => {
    const { name, documentNumber } = JSON.parse(payer) as Payer;
    const { charges, paid, open, lastPaidAt } = JSON.parse(sums) as Sums;
    return {
      transactionId,
      payer: { name, documentNumber },
      lastChargedAt,
      charges,
      paid,
      open,
      lastPaidAt,
    };
  });
}
