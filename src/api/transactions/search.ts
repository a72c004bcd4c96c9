import { and, desc, eq, getTableColumns, lt, lte, sql, type SQL } from "drizzle-orm";
import { databaseFor, type Database } from "../../db/client.ts";
import { leads, transactions } from "../../db/schema/transactions.ts";
import { lastSeqBy } from "../../db/seq-at-time.ts";
import {
  toTransactionRecord,
  transactionRow,
  type StoredTransaction,
  type TransactionRow,
} from "../../db/transaction-mapper.ts";
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
  const led = leadingFilter(request);
  if (led === "ids") return transactionsByIds(db, companyId, request);
  if (led === "document") return transactionsOfPayer(db, companyId, request, window);
  const rows = await newestOf(
    db,
    companyId,
    request,
    window,
    led === null ? { source: sql`${transactions}` } : ofReference(request.externalRef ?? ""),
  );
  return rowsOf(rows);
}

function ofReference(externalRef: string): { source: SQL; condition: SQL } {
  return {
    source: sql`${transactions} INDEXED BY transactions_external_ref`,
    condition: sql`${transactions.externalRef} = ${externalRef} AND ${transactions.externalRef} <> ''`,
  };
}

/**
 * The newest rows of a window, by the index that serves the leading filter. It is named, because SQLite
 * would rather walk the primary key, which has the order asked for, through all of the company's rows.
 */
function newestOf(
  db: Database,
  companyId: number,
  { after, to }: SearchRequest,
  window: number,
  { source, condition }: { source: SQL; condition?: SQL },
) {
  return db
    .select(COLUMNS)
    .from(source)
    .where(
      and(
        eq(transactions.companyId, companyId),
        condition,
        after === undefined ? undefined : lt(transactions.seq, after),
        to === undefined ? undefined : lte(transactions.seq, lastSeqBy(companyId, to)),
      ),
    )
    .orderBy(desc(transactions.seq))
    .limit(window);
}

/** A payer's first transaction stands in its lead's row, all later ones in the index. */
async function transactionsOfPayer(
  db: Database,
  companyId: number,
  request: SearchRequest,
  window: number,
): Promise<TransactionRow[]> {
  const number = parseDocument(request.document ?? "")?.number ?? "";
  const ofLead = (column: SQL | object) => sql`(SELECT ${column} FROM ${leads}
    WHERE ${leads.companyId} = ${companyId} AND ${leads.matchKey} = ${documentMatchKey(number)})`;
  const [repeats, firsts] = await db.batch([
    newestOf(db, companyId, request, window, {
      source: sql`${transactions} INDEXED BY transactions_lead`,
      condition: sql`${transactions.leadNumber} = ${ofLead(leads.number)} AND is_repeat = 1`,
    }),
    db
      .select()
      .from(transactions)
      .where(
        and(eq(transactions.companyId, companyId), eq(transactions.seq, ofLead(leads.firstSeq))),
      ),
  ]);
  const first = firsts.map(transactionRow).filter((row) => isAsked(row, request));
  return [...rowsOf(repeats), ...first].slice(0, window);
}

/** At most a hundred rows, whatever the page: read by their ids, put in order here. */
async function transactionsByIds(
  db: Database,
  companyId: number,
  request: SearchRequest,
): Promise<TransactionRow[]> {
  const own = (request.ids ?? []).filter((id) => companyOfTransactionId(id) === companyId);
  if (own.length === 0) return [];
  // SQLite counts the members of an IN as rows of their own, and a list of VALUES not at all.
  const wanted = sql.join(
    [...new Set(own)].map((id) => sql`(${sql.param(id, transactions.id)})`),
    sql`, `,
  );
  const rows = await db
    .select(COLUMNS)
    .from(sql`(VALUES ${wanted}) AS wanted CROSS JOIN ${transactions} ON id = wanted.column1`);
  return rowsOf(rows)
    .filter((row) => isAsked(row, request))
    .sort((left, right) => right.seq - left.seq);
}

/** Rows of `COLUMNS`, which are all there are. */
function rowsOf(rows: unknown[]): TransactionRow[] {
  return (rows as StoredTransaction[]).map(transactionRow);
}

function isAsked(row: TransactionRow, { after, to }: SearchRequest): boolean {
  return (after === undefined || row.seq < after) && (to === undefined || row.createdAt <= to);
}
