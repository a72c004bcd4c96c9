import { and, desc, eq, gte, lt, lte, sql, type SQL } from "drizzle-orm";
import { databaseFor, type Database } from "../../../db/client.ts";
import {
  LIST_COLUMNS_BY_NAME,
  toListedTransaction,
} from "../../../db/projection/listed-transactions.ts";
import { transactions } from "../../../db/schema/transactions.ts";
import { hasListStatus } from "../../../db/list-status.ts";
import { lastSeqAt } from "../../../db/projection/seq-at-time.ts";
import { companyIdOfTransactionId } from "../../../domain/shared/ids.ts";
import type { ListedTransaction } from "../../../domain/charges/transaction.ts";
import type { Env } from "../../../config.ts";
import { foldText } from "../../../lib/fold-text.ts";
import type { SearchCursor, SearchRequest } from "./schemas.ts";

/**
 * A search with the keyed hash of the `document` that was asked for; null of one that no charge can have.
 */
export type SearchFilters = Omit<SearchRequest, "document" | "after" | "limit"> & {
  leadKey?: string | null;
  after: SearchCursor | null;
  limit: number;
};

type Filters = Omit<SearchFilters, "after" | "limit">;

/**
 * Rows that one call reads where a filter has no index. A page may then be short while `hasMore` is
 * true, which bounds the cost of every call.
 */
const SCAN_MAX = 500;

export interface SearchResult {
  /** At most `limit` rows. */
  rows: ListedTransaction[];
  /** The next page begins below it; null at the end. */
  after: SearchCursor | null;
}

/**
 * Newest first, below `after`. The leading filter uses its index; `to` uses a binary search over `seq`, along
 * which `created_at` never falls. The other filters scan a bounded number of rows, only their numbers (and
 * names, for `payerName`); the matching rows are loaded after that.
 */
export async function searchTransactions(
  env: Env,
  companyId: number,
  request: SearchFilters,
  nowMs: number,
): Promise<SearchResult> {
  const db = databaseFor(env, companyId);
  if (request.ids !== undefined) return searchByIds(db, companyId, request, nowMs);
  const leading = leadingFilter(request);
  const filters = otherFilters(request, leading, nowMs);
  if (filters.length > 0 || request.payerName !== undefined) {
    return searchFiltered(db, companyId, request, leading, filters);
  }
  const rows = await db
    .select(LIST_COLUMNS_BY_NAME)
    .from(leading.source)
    .where(inRange(companyId, request, leading))
    .orderBy(...leading.order)
    .limit(request.limit + 1);
  const inTime = rows.filter((row) => leading.byPayment || row.createdAt >= (request.from ?? 0));
  const page = inTime.slice(0, request.limit);
  const after = inTime.length > request.limit ? cursorOf(page.at(-1), leading) : null;
  return { rows: page.map(toListedTransaction), after };
}

/** Whether a page is in the order of payment: a cursor of it holds the time of payment. */
export function isByPayment(
  request: Omit<Filters, "leadKey"> & { leadKey?: string | null },
): boolean {
  return request.ids === undefined && leadingFilter(request).byPayment;
}

/** Scans a bounded number of rows, then loads the matching ones. */
async function searchFiltered(
  db: Database,
  companyId: number,
  request: SearchFilters,
  leading: LeadingFilter,
  filters: SQL[],
): Promise<SearchResult> {
  const { payerName, limit } = request;
  const scanned = await db
    .select({
      seq: sql<number>`seq`,
      createdAt: sql<number>`created_at`,
      paidAt: sql<number | null>`paid_at`,
      passes: sql<number>`${filters.length === 0 ? sql`1` : and(...filters)}`,
      name: payerName === undefined ? sql<string>`''` : sql<string>`payer ->> '$.name'`,
    })
    .from(leading.source)
    .where(inRange(companyId, request, leading))
    .orderBy(...leading.order)
    .limit(SCAN_MAX);
  const inTime = scanned.filter((row) => leading.byPayment || row.createdAt >= (request.from ?? 0));
  const prefix = foldText(payerName ?? "");
  const matching = inTime.filter(({ passes, name }) => passes === 1 && hasWord(name, prefix));
  const page = matching.slice(0, limit);
  const rows = await loadRows(
    db,
    companyId,
    page.map(({ seq }) => seq),
  );
  if (matching.length > limit) return { rows, after: cursorOf(page.at(-1), leading) };
  const isComplete = inTime.length < SCAN_MAX;
  return { rows, after: isComplete ? null : cursorOf(inTime.at(-1), leading) };
}

/** Whether a name, or a word of it, begins with a folded text. */
function hasWord(name: string, prefix: string): boolean {
  const folded = foldText(name);
  return folded.startsWith(prefix) || folded.includes(` ${prefix}`);
}

function cursorOf(
  last: { seq: number; paidAt: number | null } | undefined,
  { byPayment }: LeadingFilter,
): SearchCursor | null {
  return last === undefined ? null : { seq: last.seq, paidAt: byPayment ? last.paidAt : null };
}

/** The rows of these numbers, in the order of the numbers. */
async function loadRows(
  db: Database,
  companyId: number,
  seqs: number[],
): Promise<ListedTransaction[]> {
  if (seqs.length === 0) return [];
  const rows = await db
    .select(LIST_COLUMNS_BY_NAME)
    .from(sql`${valuesTable(seqs)} CROSS JOIN ${transactions} ON seq = wanted.column1`)
    .where(eq(transactions.companyId, companyId));
  const bySeq = new Map(rows.map((row) => [row.seq, toListedTransaction(row)]));
  return seqs.flatMap((seq) => bySeq.get(seq) ?? []);
}

/**
 * A list of values to join with. SQLite counts the members of an IN as rows of their own, and these not
 * at all. They are written out, numbers and ids of hex digits and hyphens: as parameters they alone would
 * be the hundred that D1 takes.
 */
function valuesTable(values: (string | number)[]): SQL {
  const literals = values.map((value) =>
    typeof value === "string" ? `('${value}')` : `(${value})`,
  );
  return sql.raw(`(VALUES ${literals.join()}) AS wanted`);
}

/** At most a hundred rows, whatever the page: read by their ids. */
async function searchByIds(
  db: Database,
  companyId: number,
  request: SearchFilters,
  nowMs: number,
): Promise<SearchResult> {
  const own = (request.ids ?? []).filter((id) => companyIdOfTransactionId(id) === companyId);
  if (own.length === 0) return { rows: [], after: null };
  const wanted = valuesTable([...new Set(own)]);
  const found = await db
    .select(LIST_COLUMNS_BY_NAME)
    .from(sql`${wanted} CROSS JOIN ${transactions} ON id = wanted.column1`)
    .where(
      and(
        inRange(companyId, request, UNFILTERED),
        request.from === undefined ? undefined : gte(transactions.createdAt, request.from),
        ...otherFilters(request, UNFILTERED, nowMs),
      ),
    );
  const prefix = foldText(request.payerName ?? "");
  const rows = found
    .map(toListedTransaction)
    .filter(({ payer }) => hasWord(payer.name, prefix))
    .toSorted((left, right) => right.seq - left.seq);
  const page = rows.slice(0, request.limit);
  return {
    rows: page,
    after: rows.length > request.limit ? cursorOf(page.at(-1), UNFILTERED) : null,
  };
}

/** The filter that an index serves, which is named: SQLite would rather walk all of a company's rows. */
interface LeadingFilter {
  name: "externalRef" | "endToEndId" | "fiscalKey" | "document" | "paid" | null;
  source: SQL;
  condition?: SQL | undefined;
  order: SQL[];
  /** Whether rows come by their time of payment, not by their creation. */
  byPayment: boolean;
}

const BY_CREATION = { order: [desc(transactions.seq)], byPayment: false };
const UNFILTERED: LeadingFilter = { name: null, source: sql`${transactions}`, ...BY_CREATION };

function leadingFilter(filters: Filters): LeadingFilter {
  const { externalRef, endToEndId, fiscalKey, leadKey, paidFrom, paidTo } = filters;
  if (externalRef !== undefined && externalRef !== "") {
    return {
      name: "externalRef",
      source: sql`${transactions} INDEXED BY transactions_external_ref`,
      condition: sql`external_ref = ${externalRef} AND external_ref <> ''`,
      ...BY_CREATION,
    };
  }
  if (endToEndId !== undefined) {
    return {
      name: "endToEndId",
      source: sql`${transactions} INDEXED BY transactions_end_to_end`,
      condition: sql`end_to_end_id = ${endToEndId}`,
      ...BY_CREATION,
    };
  }
  if (fiscalKey !== undefined) {
    return {
      name: "fiscalKey",
      source: sql`${transactions} INDEXED BY transactions_fiscal_key`,
      condition: sql`fiscal_key = ${fiscalKey}`,
      ...BY_CREATION,
    };
  }
  if (leadKey !== undefined) {
    return {
      name: "document",
      source: sql`${transactions} INDEXED BY transactions_lead`,
      condition: sql`lead_key = ${leadKey}`,
      ...BY_CREATION,
    };
  }
  if (paidFrom === undefined && paidTo === undefined) return UNFILTERED;
  return {
    name: "paid",
    source: sql`${transactions} INDEXED BY transactions_paid`,
    condition: and(
      sql`paid_at IS NOT NULL`,
      paidFrom === undefined ? undefined : gte(transactions.paidAt, paidFrom),
      paidTo === undefined ? undefined : lte(transactions.paidAt, paidTo),
    ),
    order: [desc(transactions.paidAt), desc(transactions.seq)],
    byPayment: true,
  };
}

function inRange(
  companyId: number,
  { after, to }: SearchFilters,
  { condition, byPayment }: LeadingFilter,
): SQL | undefined {
  const ofCompany = and(eq(transactions.companyId, companyId), condition);
  if (byPayment) {
    const below =
      after === null ? undefined : sql`(paid_at, seq) < (${after.paidAt}, ${after.seq})`;
    return and(ofCompany, below);
  }
  return and(
    ofCompany,
    after === null ? undefined : lt(transactions.seq, after.seq),
    to === undefined ? undefined : lte(transactions.seq, lastSeqAt(companyId, to)),
  );
}

/** Each 1 or 0 of a row. */
function paidFilters({ paidFrom, paidTo }: Filters): SQL[] {
  return [
    ...(paidFrom === undefined ? [] : [sql`coalesce(paid_at >= ${paidFrom}, 0)`]),
    ...(paidTo === undefined ? [] : [sql`coalesce(paid_at <= ${paidTo}, 0)`]),
  ];
}

/** What is asked for besides the leading filter, each 1 or 0 of a row. */
function otherFilters(
  request: Filters,
  { name: leading, byPayment }: LeadingFilter,
  nowMs: number,
): SQL[] {
  const { status, paymentMethod, externalRef, endToEndId, fiscalKey, leadKey } = request;
  const { amountFrom, amountTo, from, to, staticCodeId, paymentLinkId, failureCode } = request;
  const matches = (name: LeadingFilter["name"], value: unknown, condition: SQL) =>
    value === undefined || leading === name ? [] : [condition];
  return [
    ...(status === undefined ? [] : [hasListStatus(status, nowMs)]),
    ...(paymentMethod === undefined ? [] : [eq(transactions.paymentMethod, paymentMethod)]),
    ...(amountFrom === undefined ? [] : [gte(transactions.amount, amountFrom)]),
    ...(amountTo === undefined ? [] : [lte(transactions.amount, amountTo)]),
    ...matches("externalRef", externalRef, sql`external_ref = ${externalRef}`),
    ...matches("endToEndId", endToEndId, sql`coalesce(end_to_end_id = ${endToEndId}, 0)`),
    ...matches("fiscalKey", fiscalKey, sql`coalesce(fiscal_key = ${fiscalKey}, 0)`),
    ...matches("document", leadKey, sql`coalesce(lead_key = ${leadKey}, 0)`),
    ...(failureCode === undefined
      ? []
      : [sql`coalesce(failure_reason ->> '$.code' = ${failureCode}, 0)`]),
    ...(staticCodeId === undefined ? [] : [sql`coalesce(static_code_id = ${staticCodeId}, 0)`]),
    ...(paymentLinkId === undefined ? [] : [sql`coalesce(payment_link_id = ${paymentLinkId}, 0)`]),
    ...(leading === "paid" ? [] : paidFilters(request)),
    // In the order of payment these bound no range.
    ...(byPayment && from !== undefined ? [gte(transactions.createdAt, from)] : []),
    ...(byPayment && to !== undefined ? [lte(transactions.createdAt, to)] : []),
  ];
}
