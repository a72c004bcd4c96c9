import { and, asc, eq, gt, or, sql } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { databaseFor } from "../../db/client.ts";
import { inList } from "../../db/in-list.ts";
import type { StoredDelivery } from "../../db/projection/event-rows.ts";
import type { TransactionRow } from "../../db/projection/transaction-mapper.ts";
import { transactions } from "../../db/schema/transactions.ts";
import { deliveries, events } from "../../db/schema/webhooks.ts";
import { withdraws } from "../../db/schema/withdraws.ts";
import type { EventWithDeliveries } from "../events/repository.ts";

/** Withdraws that one page reads: none has an index by payee, so a page of few may cost so many. */
export const WITHDRAWS_SCANNED = 500;

export type ListedWithdraw = typeof withdraws.$inferSelect;

/** The charges of a payer after one, by `seq`. A payer has a key of today and one of before the keyed hash. */
export async function chargesOfPayer(
  env: Env,
  companyId: number,
  leadKeys: string[],
  after: number,
  limit: number,
): Promise<TransactionRow[]> {
  const db = databaseFor(env, companyId);
  const pages = await Promise.all(
    leadKeys.map((leadKey) =>
      db
        .select()
        .from(transactions)
        .where(
          and(
            eq(transactions.companyId, companyId),
            eq(transactions.leadKey, leadKey),
            gt(transactions.seq, after),
          ),
        )
        .orderBy(asc(transactions.seq))
        .limit(limit),
    ),
  );
  return pages
    .flat()
    .toSorted((left, right) => left.seq - right.seq)
    .slice(0, limit);
}

/** The bytes of each transaction's events and of what is kept of their deliveries, roughly. */
export async function eventBytes(
  env: Env,
  companyId: number,
  ids: string[],
): Promise<Map<string, number>> {
  const rows = await databaseFor(env, companyId).all<{ id: string; bytes: number }>(sql`
    SELECT events.object_id AS id,
      sum(octet_length(events.body) + coalesce(octet_length(attempts_log), 0)) AS bytes
    FROM json_each(${JSON.stringify(ids)}) AS wanted
    CROSS JOIN events INDEXED BY events_object
      ON events.company_id = ${companyId} AND events.object_id = wanted.value
    LEFT JOIN deliveries ON deliveries.company_id = events.company_id
      AND deliveries.company_sequence = events.company_sequence
    GROUP BY events.object_id`);
  return new Map(rows.map(({ id, bytes }) => [id, bytes]));
}

/** The events of some transactions with their deliveries, in the company's order. */
export async function eventsOfTransactions(
  env: Env,
  companyId: number,
  ids: string[],
): Promise<EventWithDeliveries[]> {
  if (ids.length === 0) return [];
  const db = databaseFor(env, companyId);
  const found = await db
    .select()
    .from(events)
    .where(
      sql`rowid IN (SELECT its.rowid FROM json_each(${JSON.stringify(ids)}) AS wanted
        CROSS JOIN events AS its INDEXED BY events_object
        ON its.company_id = ${companyId} AND its.object_id = wanted.value)`,
    )
    .orderBy(asc(events.companySequence));
  const numbers = found.map(({ companySequence }) => companySequence);
  const sent: StoredDelivery[] = await db
    .select()
    .from(deliveries)
    .where(and(eq(deliveries.companyId, companyId), inList(deliveries.companySequence, numbers)))
    .orderBy(asc(deliveries.companySequence), asc(deliveries.target));
  const bySequence = Map.groupBy(sent, ({ companySequence }) => companySequence);
  return found.map((event) => ({
    event,
    deliveries: bySequence.get(event.companySequence) ?? [],
  }));
}

/** The withdraws to a document among the next ones of a company, and where the page ends; null at the end. */
export async function withdrawsToDocument(
  env: Env,
  companyId: number,
  document: string,
  after: number,
): Promise<{ rows: ListedWithdraw[]; after: number | null }> {
  const db = databaseFor(env, companyId);
  const isNext = and(eq(withdraws.companyId, companyId), gt(withdraws.id, after));
  const scanned = await db
    .select({
      id: withdraws.id,
      matches: sql<number>`(${or(
        eq(withdraws.pixKey, document),
        eq(withdraws.creditorDocument, document),
      )})`,
    })
    .from(withdraws)
    .where(isNext)
    .orderBy(asc(withdraws.id))
    .limit(WITHDRAWS_SCANNED);
  const wanted = scanned.filter(({ matches }) => matches === 1).map(({ id }) => id);
  const rows =
    wanted.length === 0
      ? []
      : await db
          .select()
          .from(withdraws)
          .where(and(eq(withdraws.companyId, companyId), inList(withdraws.id, wanted)))
          .orderBy(asc(withdraws.id));
  const isEnd = scanned.length < WITHDRAWS_SCANNED;
  return { rows, after: isEnd ? null : (scanned.at(-1)?.id ?? null) };
}
