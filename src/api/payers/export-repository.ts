import { and, asc, eq, gt, sql } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { bodiesOf } from "../../db/archive/archived-texts.ts";
import { databaseFor } from "../../db/client.ts";
import { inList } from "../../db/in-list.ts";
import type { StoredDelivery } from "../../db/projection/event-rows.ts";
import type { StoredTransaction } from "../../db/projection/transaction-mapper.ts";
import { transactions } from "../../db/schema/transactions.ts";
import { deliveries, events } from "../../db/schema/webhooks.ts";
import type { EventWithDeliveries } from "../events/repository.ts";

/** What the body of an archived event counts as: a typical one has a kilobyte or two. */
const ARCHIVED_BODY_BYTES = 4_096;

/** The charges of a payer after one, by `seq`. A payer has a key of today and one of before the keyed hash. */
export async function chargesOfPayer(
  env: Env,
  companyId: number,
  leadKeys: string[],
  after: number,
  limit: number,
): Promise<StoredTransaction[]> {
  const db = databaseFor(env, companyId);
  const pages: StoredTransaction[][] = await Promise.all(
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
    SELECT wanted.value AS id, (
      SELECT coalesce(sum(iif(archive_file IS NULL, octet_length(body), ${ARCHIVED_BODY_BYTES}) + coalesce((
        SELECT sum(octet_length(attempts_log)) FROM deliveries
        WHERE deliveries.company_id = events.company_id
          AND deliveries.company_sequence = events.company_sequence), 0)), 0)
      FROM events INDEXED BY events_object
      WHERE events.company_id = ${companyId} AND events.object_id = wanted.value) AS bytes
    FROM json_each(${JSON.stringify(ids)}) AS wanted`);
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
    );
  const bodies = await bodiesOf(env, found);
  const numbers = found.map(({ companySequence }) => companySequence);
  const sent: StoredDelivery[] = await db
    .select()
    .from(deliveries)
    .where(and(eq(deliveries.companyId, companyId), inList(deliveries.companySequence, numbers)))
    .orderBy(asc(deliveries.companySequence), asc(deliveries.target));
  const bySequence = Map.groupBy(sent, ({ companySequence }) => companySequence);
  return found
    .toSorted((left, right) => left.companySequence - right.companySequence)
    .map((event) => ({
      event: { ...event, content: bodies.get(event.companySequence) ?? null },
      deliveries: bySequence.get(event.companySequence) ?? [],
    }));
}
