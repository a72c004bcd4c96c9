import { and, desc, eq, gte, lt, lte, sql, type SQL } from "drizzle-orm";
import { databaseFor, type Database } from "../../db/client.ts";
import { LIST_COLUMNS, toListedTransaction } from "../../db/projection/listed-transactions.ts";
import { transactions } from "../../db/schema/transactions.ts";
import { lastSeqAt } from "../../db/projection/seq-at-time.ts";
import {
  CHARGE_STATUSES,
  toListStatus,
  type ListStatus,
} from "../../domain/charges/charge-status.ts";
import { companyIdOfTransactionId } from "../../domain/shared/ids.ts";
import type { ListedTransaction } from "../../domain/charges/transaction.ts";
import type { Env } from "../../config.ts";
import { METHODS } from "../../methods/registry.ts";
import type { SearchRequest as Query } from "./schemas.ts";

/** A search with the keyed hash of the `document` that was asked for; null of one that no charge can have. */
export type SearchRequest = Omit<Query, "document"> & { leadKey?: string | null };

/**
 * Rows that one call reads where a filter has no index. A page may then be short while `hasMore` is
 * true, which bounds the cost of every call.
 */
const SCAN_MAX = 500;

export interface SearchResult {
  /** At most `limit` rows. */
  rows: ListedTransaction[];
  /** The next page begins below this `seq`; null at the end. */
  after: number | null;
}

/**
 * Newest first, below `after`. `ids`, `externalRef` and `document` use an index; `to` uses a binary search
 * over `seq`, along which `created_at` never falls. The other filters scan a bounded number of rows, only
 * their numbers; the matching rows are loaded after that.
 */
export async function searchTransactions(
  env: Env,
  companyId: number,
  request: SearchRequest,
  nowMs: number,
): Promise<SearchResult> {
  const db = databaseFor(env, companyId);
  if (request.ids !== undefined) return searchByIds(db, companyId, request, nowMs);
  const leading = leadingFilter(request);
  const filters = otherFilters(request, leading, nowMs);
  if (filters.length > 0) return searchFiltered(db, companyId, request, leading, filters);
  const rows = await db
    .select(LIST_COLUMNS)
    .from(leading.source)
    .where(inRange(companyId, request, leading))
    .orderBy(desc(transactions.seq))
    .limit(request.limit + 1);
  const inTime = rows.filter((row) => row.createdAt >= (request.from ?? 0));
  const page = inTime.slice(0, request.limit);
  const after = inTime.length > request.limit ? (page.at(-1)?.seq ?? null) : null;
  return { rows: page.map(toListedTransaction), after };
}

/** Scans a bounded number of rows, then loads the matching ones. */
async function searchFiltered(
  db: Database,
  companyId: number,
  request: SearchRequest,
  leading: LeadingFilter,
  filters: SQL[],
): Promise<SearchResult> {
  const scanned = await db
    .select({
      seq: sql<number>`seq`,
      createdAt: sql<number>`created_at`,
      passes: sql<number>`${and(...filters)}`,
    })
    .from(leading.source)
    .where(inRange(companyId, request, leading))
    .orderBy(desc(transactions.seq))
    .limit(SCAN_MAX);
  const inTime = scanned.filter((row) => row.createdAt >= (request.from ?? 0));
  const matching = inTime.filter((row) => row.passes === 1);
  const page = matching.slice(0, request.limit).map((row) => row.seq);
  const rows = await loadRows(db, companyId, page);
  if (matching.length > request.limit) return { rows, after: page.at(-1) ?? null };
  const isComplete = inTime.length < SCAN_MAX;
  return { rows, after: isComplete ? null : (inTime.at(-1)?.seq ?? null) };
}

async function loadRows(
  db: Database,
  companyId: number,
  seqs: number[],
): Promise<ListedTransaction[]> {
  if (seqs.length === 0) return [];
  const rows = await db
    .select(LIST_COLUMNS)
    .from(sql`${valuesTable(seqs)} CROSS JOIN ${transactions} ON seq = wanted.column1`)
    .where(eq(transactions.companyId, companyId));
  return newestFirst(rows.map(toListedTransaction));
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

function newestFirst(rows: ListedTransaction[]): ListedTransaction[] {
  return rows.toSorted((left, right) => right.seq - left.seq);
}

/** At most a hundred rows, whatever the page: read by their ids. */
async function searchByIds(
  db: Database,
  companyId: number,
  request: SearchRequest,
  nowMs: number,
): Promise<SearchResult> {
  const own = (request.ids ?? []).filter((id) => companyIdOfTransactionId(id) === companyId);
  if (own.length === 0) return { rows: [], after: null };
  const wanted = valuesTable([...new Set(own)]);
  const rows = await db
    .select(LIST_COLUMNS)
    .from(sql`${wanted} CROSS JOIN ${transactions} ON id = wanted.column1`)
    .where(
      and(
        inRange(companyId, request, UNFILTERED),
        request.from === undefined ? undefined : gte(transactions.createdAt, request.from),
        ...otherFilters(request, UNFILTERED, nowMs),
      ),
    );
  const page = newestFirst(rows.map(toListedTransaction)).slice(0, request.limit);
  return { rows: page, after: rows.length > request.limit ? (page.at(-1)?.seq ?? null) : null };
}

/** The filter that an index serves, which is named: SQLite would rather walk all of a company's rows. */
interface LeadingFilter {
  name: "externalRef" | "document" | null;
  source: SQL;
  condition?: SQL;
}

const UNFILTERED: LeadingFilter = { name: null, source: sql`${transactions}` };

function leadingFilter({ externalRef, leadKey }: SearchRequest): LeadingFilter {
  if (externalRef !== undefined && externalRef !== "") {
    return {
      name: "externalRef",
      source: sql`${transactions} INDEXED BY transactions_external_ref`,
      condition: sql`external_ref = ${externalRef} AND external_ref <> ''`,
    };
  }
  if (leadKey === undefined) return UNFILTERED;
  return {
    name: "document",
    source: sql`${transactions} INDEXED BY transactions_lead`,
    condition: sql`lead_key = ${leadKey}`,
  };
}

function inRange(
  companyId: number,
  { after, to }: SearchRequest,
  { condition }: LeadingFilter,
): SQL | undefined {
  return and(
    eq(transactions.companyId, companyId),
    condition,
    after === undefined ? undefined : lt(transactions.seq, after),
    to === undefined ? undefined : lte(transactions.seq, lastSeqAt(companyId, to)),
  );
}

/** What is asked for besides the leading filter, each 1 or 0 of a row. */
function otherFilters(
  { status, paymentMethod, externalRef, leadKey }: SearchRequest,
  { name: leading }: LeadingFilter,
  nowMs: number,
): SQL[] {
  return [
    ...(status === undefined ? [] : [hasListStatus(status, nowMs)]),
    ...(paymentMethod === undefined ? [] : [eq(transactions.paymentMethod, paymentMethod)]),
    ...(externalRef === undefined || leading === "externalRef"
      ? []
      : [eq(transactions.externalRef, externalRef)]),
    ...(leadKey === undefined || leading === "document"
      ? []
      : [sql`coalesce(${transactions.leadKey} = ${leadKey}, 0)`]),
  ];
}

/** Whether a row is shown with a status: the SQL of `withExpiryApplied`. */
function hasListStatus(status: ListStatus, nowMs: number): SQL {
  const statuses = CHARGE_STATUSES.filter((each) => toListStatus(each) === status);
  // Not an IN: SQLite counts what it finds in a list of three as a row read.
  const hasStatus = sql`(${sql.join(
    statuses.map((each) => sql`status = ${each}`),
    sql` OR `,
  )})`;
  const expiry = [
    sql`status IN ('creating', 'waiting_payment')`,
    ...METHODS.flatMap(({ name, expiresByClock }) =>
      expiresByClock ? [] : [sql`payment_method <> ${name}`],
    ),
    sql`coalesce(expires_at <= ${nowMs}, 0)`,
  ];
  const isExpired = sql`(${sql.join(expiry, sql` AND `)})`;
  if (status === "PENDING") return sql`(${hasStatus} AND NOT ${isExpired})`;
  return status === "CANCELLED" ? sql`(${hasStatus} OR ${isExpired})` : hasStatus;
}
