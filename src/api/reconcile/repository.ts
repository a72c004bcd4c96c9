import { and, asc, eq, gt, lte, sql, type SQL } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { databaseFor } from "../../db/client.ts";
import { lastSeqAt } from "../../db/projection/seq-at-time.ts";
import { transactions } from "../../db/schema/transactions.ts";
import type { ComparedTransaction } from "../../domain/reconcile/merchant-lines.ts";

/** The newest transactions of one `externalRef` that are compared: a shop may send one word for all. */
const REF_CANDIDATES = 10;

/** By name, because the queries join `transactions` as SQL. */
const COLUMNS = Object.fromEntries(
  (
    [
      "id",
      "seq",
      "externalRef",
      "endToEndId",
      "amount",
      "paidAmount",
      "paidAt",
      "paymentMethod",
      "status",
      "createdAt",
      "updatedAt",
      "expiresAt",
      "cancelReason",
    ] as const satisfies (keyof ComparedTransaction)[]
  ).map((name) => [
    name,
    sql`${sql.identifier(transactions[name].name)}`.mapWith(transactions[name]),
  ]),
) as { [Name in keyof ComparedTransaction]: SQL<ComparedTransaction[Name]> };

/** What to look up: the ids of lines, and a period of creation times. */
export interface LookUp {
  ids: string[];
  endToEndIds: string[];
  externalRefs: string[];
  period: { from: number | null; to: number | null; after: number; limit: number } | null;
}

/**
 * A company's transactions by ids of three kinds, newest first, and those of a period, oldest first. One trip to
 * D1; each id is one look-up in an index.
 */
export async function findCompared(
  env: Env,
  companyId: number,
  { ids, endToEndIds, externalRefs, period }: LookUp,
): Promise<{ found: ComparedTransaction[]; inPeriod: ComparedTransaction[] }> {
  const db = databaseFor(env, companyId);
  const isOwn = eq(transactions.companyId, companyId);
  const [byId, byEndToEndId, byExternalRef, inPeriod] = await db.batch([
    db
      .select(COLUMNS)
      .from(sql`${listed(ids)} CROSS JOIN ${transactions} ON id = listed.value`)
      .where(isOwn),
    db.select(COLUMNS).from(
      sql`${listed(endToEndIds)} CROSS JOIN ${transactions} INDEXED BY transactions_end_to_end
          ON company_id = ${companyId} AND end_to_end_id = listed.value AND end_to_end_id IS NOT NULL`,
    ),
    db.select(COLUMNS).from(
      sql`${listed(externalRefs)} CROSS JOIN ${transactions}
          ON company_id = ${companyId} AND seq IN (
            SELECT seq FROM transactions INDEXED BY transactions_external_ref
            WHERE company_id = ${companyId} AND external_ref = listed.value AND external_ref <> ''
            ORDER BY seq DESC LIMIT ${REF_CANDIDATES})`,
    ),
    db
      .select(COLUMNS)
      .from(sql`${transactions}`)
      .where(and(isOwn, inRange(companyId, period)))
      .orderBy(asc(transactions.seq))
      .limit(period?.limit ?? 0),
  ]);
  const found = [...byId, ...byEndToEndId, ...byExternalRef];
  return { found: found.toSorted((one, other) => other.seq - one.seq), inPeriod };
}

/** A table of the distinct values of a list, as one parameter. */
function listed(values: string[]): SQL {
  return sql`(SELECT value FROM json_each(${JSON.stringify([...new Set(values)])})) AS listed`;
}

function inRange(companyId: number, period: LookUp["period"]): SQL | undefined {
  if (period === null) return undefined;
  const { from, to, after } = period;
  return and(
    gt(transactions.seq, after),
    from === null ? undefined : gt(transactions.seq, lastSeqAt(companyId, from - 1)),
    to === null ? undefined : lte(transactions.seq, lastSeqAt(companyId, to)),
  );
}
