import { and, desc, eq, getTableColumns, lt, sql, type SQL } from "drizzle-orm";
import { databaseFor, type Database } from "../../db/client.ts";
import { isOneOf } from "../../db/one-of.ts";
import { leads, transactions } from "../../db/schema/transactions.ts";
import { toTransactionRecord, type TransactionRow } from "../../db/transaction-mapper.ts";
import { listWord } from "../../domain/charge-status.ts";
import { parseDocument } from "../../domain/document.ts";
import { companyOfTransactionId } from "../../domain/ids.ts";
import { asShown } from "../../domain/transaction.ts";
import type { Env } from "../../env.ts";
import { documentMatchKey } from "./draft.ts";
import type { SearchRequest } from "./schemas.ts";

/**
 * Rows one call may read where a filter has no index. A page may then be short while `hasMore` is
 * true, which keeps every call's cost flat.
 */
const SCAN_MAX = 500;

/** Every column by its own decoder: drizzle knows none where the table's index is named in SQL. */
const COLUMNS = Object.fromEntries(
  Object.entries(getTableColumns(transactions)).map(([name, column]) => [
    name,
    sql`${sql.identifier(column.name)}`.mapWith(column),
  ]),
);

export interface SearchResult {
  rows: TransactionRow[];
  /** The `seq` from which the next page goes on downwards; null at the end. */
  after: number | null;
}

/**
 * Newest first, below `after`. `ids`, `externalRef` and `document` lead by an index; `to` by a
 * binary search over `seq`, along which `created_at` never falls; what is left is filtered here.
 */
export async function searchTransactions(
  env: Env,
  companyId: number,
  request: SearchRequest,
  nowMs: number,
): Promise<SearchResult> {
  const filters = residualFilters(request, nowMs);
  const window = filters.length === 0 ? request.limit + 1 : SCAN_MAX;
  const scanned = await transactionsOfWindow(env, companyId, request, window);
  const rows: TransactionRow[] = [];
  let last: TransactionRow | undefined;
  for (const row of scanned) {
    if (request.from !== undefined && row.createdAt < request.from) return { rows, after: null };
    if (rows.length === request.limit) return { rows, after: last?.seq ?? null };
    if (filters.every((passes) => passes(row))) rows.push(row);
    last = row;
  }
  const exhausted = request.ids !== undefined || scanned.length < window;
  return { rows, after: exhausted ? null : (last?.seq ?? null) };
}

function residualFilters(
  request: SearchRequest,
  nowMs: number,
): ((row: TransactionRow) => boolean)[] {
  const filters: ((row: TransactionRow) => boolean)[] = [];
  const { status, paymentMethod, externalRef, document } = request;
  if (status !== undefined) {
    filters.push((row) => listWord(asShown(toTransactionRecord(row), nowMs).status) === status);
  }
  if (paymentMethod !== undefined) filters.push((row) => row.paymentMethod === paymentMethod);
  const led = leadingFilter(request);
  if (externalRef !== undefined && led !== "externalRef") {
    filters.push((row) => row.externalRef === externalRef);
  }
  if (document !== undefined && led !== "document") {
    const number = parseDocument(document)?.number;
    filters.push((row) => row.payer.documentNumber === number);
  }
  return filters;
}

function leadingFilter(request: SearchRequest): "ids" | "externalRef" | "document" | null {
  if (request.ids !== undefined) return "ids";
  if (request.externalRef !== undefined && request.externalRef !== "") return "externalRef";
  return request.document === undefined ? null : "document";
}

async function transactionsOfWindow(
  env: Env,
  companyId: number,
  request: SearchRequest,
  window: number,
): Promise<TransactionRow[]> {
  const db = databaseFor(env, companyId);
  if (request.ids !== undefined) return transactionsByIds(db, companyId, request);
  const { source, condition } = leadingIndex(companyId, request);
  const rows = await db
    .select(COLUMNS)
    .from(source)
    .where(
      and(
        eq(transactions.companyId, companyId),
        condition,
        request.after === undefined ? undefined : lt(transactions.seq, request.after),
        request.to === undefined ? undefined : upToTime(companyId, request.to),
      ),
    )
    .orderBy(desc(transactions.seq))
    .limit(window);
  return rows as TransactionRow[];
}

/** At most a hundred rows, whatever the page: read by their ids, put in order here. */
async function transactionsByIds(
  db: Database,
  companyId: number,
  request: SearchRequest,
): Promise<TransactionRow[]> {
  const own = request.ids?.filter((id) => companyOfTransactionId(id) === companyId) ?? [];
  const rows = await db
    .select()
    .from(transactions)
    .where(
      and(
        isOneOf(transactions.id, own),
        // The plus keeps SQLite from walking the company's rows instead of the ids.
        sql`+${transactions.companyId} = ${companyId}`,
      ),
    );
  const { after = Number.MAX_SAFE_INTEGER, to = Number.MAX_SAFE_INTEGER } = request;
  return rows
    .filter((row) => row.seq < after && row.createdAt <= to)
    .sort((left, right) => right.seq - left.seq);
}

/**
 * The index that serves the leading filter. Named, because SQLite would rather walk the primary key,
 * which has the order asked for, through all of the company's rows.
 */
function leadingIndex(
  companyId: number,
  request: SearchRequest,
): { source: SQL; condition: SQL | undefined } {
  switch (leadingFilter(request)) {
    case "externalRef":
      return {
        source: sql`${transactions} INDEXED BY transactions_external_ref`,
        condition: and(
          eq(transactions.externalRef, request.externalRef ?? ""),
          sql`${transactions.externalRef} <> ''`,
        ),
      };
    case "document": {
      const number = parseDocument(request.document ?? "")?.number ?? "";
      return {
        source: sql`${transactions} INDEXED BY transactions_lead`,
        condition: sql`${transactions.leadNumber} = (SELECT ${leads.number} FROM ${leads}
          WHERE ${leads.companyId} = ${companyId} AND ${leads.matchKey} = ${documentMatchKey(number)})`,
      };
    }
    case "ids":
    case null:
      return { source: sql`${transactions}`, condition: undefined };
  }
}

/** Only rows made by `timeMs`: the last such `seq`, found in about twenty steps among a million. */
function upToTime(companyId: number, timeMs: number): SQL {
  const middle = sql`(low + high + 1) / 2`;
  const madeInTime = sql`(SELECT created_at FROM transactions
    WHERE company_id = ${companyId} AND seq = ${middle}) <= ${timeMs}`;
  return sql`${transactions.seq} <= (
    WITH RECURSIVE bisect (low, high) AS (
      SELECT 0, (SELECT coalesce(max(seq), 0) FROM transactions WHERE company_id = ${companyId})
      UNION ALL
      SELECT
        CASE WHEN ${madeInTime} THEN ${middle} ELSE low END,
        CASE WHEN ${madeInTime} THEN high ELSE ${middle} - 1 END
      FROM bisect WHERE low < high)
    SELECT max(low) FROM bisect)`;
}
