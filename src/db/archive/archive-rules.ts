import { and, asc, eq, gt, isNull, sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { hasEnded } from "../../domain/charges/payer-erasure.ts";
import { isoTime } from "../../domain/shared/clock.ts";
import type { ArchivedKind } from "../../domain/storage/archive-files.ts";
import type { Database } from "../client.ts";
import { inList } from "../in-list.ts";
import type { StoredTransaction } from "../projection/transaction-mapper.ts";
import { PIX_TERMS } from "../projection/listed-transactions.ts";
import { transactions } from "../schema/transactions.ts";
import { events } from "../schema/webhooks.ts";
import type { EventLine, TransactionLine } from "./archived-texts.ts";

/** Rows that one look at a company reads. */
export const ROWS_MAX = 200;

/** A row that is old enough to leave D1, without its texts. */
export interface OldRow {
  number: number;
  createdAt: number;
  /** Whether nothing is open, so that it may leave. */
  isClosed: boolean;
  /** Of its texts. */
  bytes: number;
}

/** A row with its line of the file, and what must still be so when it leaves. */
export interface LeavingRow {
  line: TransactionLine | EventLine;
  unchanged: Record<string, string | number>;
}

/** Rows that leave D1 for a file that has them. */
export interface Leaving {
  file: string;
  rows: LeavingRow[];
}

/** The rows after a number, or those of some numbers: `ROWS_MAX` at most. */
type Wanted = { after: SQL; limit?: number } | { numbers: number[]; limit?: never };

/** What differs between the kinds. */
export interface KindRules {
  numberColumn: string;
  scan: (db: Database, companyId: number, wanted: Wanted) => Promise<OldRow[]>;
  load: (db: Database, companyId: number, numbers: number[]) => Promise<LeavingRow[]>;
  leave: (db: Database, companyId: number, leaving: Leaving) => BatchItem<"sqlite">;
  /** The numbers of those rows that name the file. */
  inFile: (db: Database, companyId: number, leaving: Leaving) => BatchItem<"sqlite">;
}

/** A charge may leave once it has ended and the cron has no more check of it. */
const TRANSACTIONS: KindRules = {
  numberColumn: "seq",
  scan: async (db, companyId, wanted) => {
    const rows = await db
      .select({
        number: transactions.seq,
        createdAt: transactions.createdAt,
        status: transactions.status,
        answeredAt: transactions.answeredAt,
        updatedAt: transactions.updatedAt,
        refunds: transactions.refunds,
        dispute: transactions.dispute,
        nextSweepAt: transactions.nextSweepAt,
        bytes: sql<number>`octet_length(payer) + octet_length(items) + coalesce(octet_length(metadata), 0)
          + coalesce(octet_length(pix), 0) + coalesce(octet_length(boleto), 0)`,
      })
      .from(transactions)
      .where(and(eq(transactions.companyId, companyId), isWanted(transactions.seq, wanted)))
      .orderBy(asc(transactions.seq))
      .limit(wanted.limit ?? ROWS_MAX);
    return rows.map(({ number, createdAt, bytes, nextSweepAt, dispute, ...charge }) => {
      const isClosed = nextSweepAt === null && hasEnded({ ...charge, dispute: dispute ?? null });
      return { number, createdAt, bytes, isClosed };
    });
  },
  load: async (db, companyId, numbers) => {
    const { seq, id, version, externalRef, endToEndId, amount, createdAt, payer } = transactions;
    const { items, metadata, pix, boleto, returnUrl } = transactions;
    const rows = await db
      .select({
        seq,
        id,
        version,
        externalRef,
        endToEndId,
        amount,
        createdAt,
        payer,
        items,
        metadata,
        pix,
        boleto,
        returnUrl,
        payerText: sql<string>`payer`.as("payer_text"),
      })
      .from(transactions)
      .where(
        and(
          eq(transactions.companyId, companyId),
          inList(seq, numbers),
          isNull(transactions.archiveFile),
        ),
      )
      .orderBy(asc(seq));
    return rows.map((row) => ({
      line: transactionLine(row),
      unchanged: { number: row.seq, version: row.version, payer: row.payerText },
    }));
  },
  leave: (db, companyId, { file, rows }) =>
    db
      .update(transactions)
      .set({
        archiveFile: file,
        payer: sql`json_set(payer, '$.address', json('{}'))`,
        items: [],
        metadata: null,
        pix: PIX_TERMS,
        boleto: sql`json_set(boleto, '$.instructions', '', '$.documentNumber', '', '$.origin', '',
          '$.registered', json('null'))`,
        returnUrl: null,
      })
      .where(
        and(
          eq(transactions.companyId, companyId),
          isNull(transactions.archiveFile),
          sql`(seq, version, payer) IN (SELECT value ->> 'number', value ->> 'version', value ->> 'payer'
            FROM json_each(${unchangedOf(rows)}))`,
        ),
      ),
  inFile: (db, companyId, { file, rows }) =>
    db
      .select({ number: transactions.seq })
      .from(transactions)
      .where(
        and(
          eq(transactions.companyId, companyId),
          inList(transactions.seq, numbersOf(rows)),
          eq(transactions.archiveFile, file),
        ),
      ),
};

/** The line of a row: what leaves D1, and what a person finds it by. */
function transactionLine(
  row: Omit<TransactionLine, "number" | "createdAt" | "address"> &
    Pick<StoredTransaction, "seq" | "createdAt" | "payer">,
): TransactionLine {
  return {
    number: row.seq,
    id: row.id,
    externalRef: row.externalRef,
    endToEndId: row.endToEndId,
    amount: row.amount,
    createdAt: isoTime(row.createdAt),
    version: row.version,
    address: row.payer.address,
    items: row.items,
    metadata: row.metadata,
    pix: row.pix,
    boleto: row.boleto,
    returnUrl: row.returnUrl,
  };
}

/** An event may leave once none of its deliveries is open, and its subscription's payer does not wait to be erased. */
const EVENTS: KindRules = {
  numberColumn: "company_sequence",
  scan: async (db, companyId, wanted) => {
    const hasOpen = sql<number>`EXISTS (SELECT 1 FROM deliveries AS its WHERE its.company_id = events.company_id
      AND its.company_sequence = events.company_sequence AND its.next_attempt_at IS NOT NULL)
      OR EXISTS (SELECT 1 FROM subscriptions AS its INDEXED BY subscriptions_id
        WHERE its.company_id = events.company_id AND events.object_id = 'subscription:' || its.id
        AND its.id = substr(events.object_id, length('subscription:') + 1)
        AND its.customer ->> '$.isErasing' = 1)`;
    const rows = await db
      .select({
        number: events.companySequence,
        createdAt: events.createdAt,
        hasOpen: hasOpen.as("has_open"),
        bytes: sql<number>`octet_length(${events.body})`.as("bytes"),
      })
      .from(events)
      .where(and(eq(events.companyId, companyId), isWanted(events.companySequence, wanted)))
      .orderBy(asc(events.companySequence))
      .limit(wanted.limit ?? ROWS_MAX);
    return rows.map(({ number, createdAt, bytes, hasOpen: open }) => {
      return { number, createdAt, bytes, isClosed: open === 0 };
    });
  },
  load: async (db, companyId, numbers) => {
    const rows = await db
      .select()
      .from(events)
      .where(
        and(
          eq(events.companyId, companyId),
          inList(events.companySequence, numbers),
          isNull(events.archiveFile),
        ),
      )
      .orderBy(asc(events.companySequence));
    return rows.map(({ companySequence: number, type, objectId, createdAt, body }) => ({
      line: { number, type, objectId, createdAt: isoTime(createdAt), body },
      unchanged: { number, body },
    }));
  },
  leave: (db, companyId, { file, rows }) =>
    db
      .update(events)
      .set({ archiveFile: file, body: "" })
      .where(
        and(
          eq(events.companyId, companyId),
          isNull(events.archiveFile),
          sql`(company_sequence, body) IN (SELECT value ->> 'number', value ->> 'body'
            FROM json_each(${unchangedOf(rows)}))`,
        ),
      ),
  inFile: (db, companyId, { file, rows }) =>
    db
      .select({ number: events.companySequence })
      .from(events)
      .where(
        and(
          eq(events.companyId, companyId),
          inList(events.companySequence, numbersOf(rows)),
          eq(events.archiveFile, file),
        ),
      ),
};

/** The rules by kind. */
export const ARCHIVE_RULES: Record<ArchivedKind, KindRules> = {
  transactions: TRANSACTIONS,
  events: EVENTS,
};

function isWanted(number: SQLiteColumn, wanted: Wanted): SQL {
  return "after" in wanted ? gt(number, wanted.after) : inList(number, wanted.numbers);
}

function numbersOf(rows: LeavingRow[]): number[] {
  return rows.map(({ line }) => line.number);
}

function unchangedOf(rows: LeavingRow[]): string {
  return JSON.stringify(rows.map(({ unchanged }) => unchanged));
}
