import { and, desc, eq, sql } from "drizzle-orm";
import { callCompany } from "../../company/stub.ts";
import { databaseFor } from "../../db/client.ts";
import { attempts, events } from "../../db/schema/webhooks.ts";
import type { TransactionRow } from "../../db/transaction-mapper.ts";
import type { Company } from "../../domain/company.ts";
import { timelineView, type Creation, type Told } from "../../domain/timeline.ts";
import type { Env } from "../../env.ts";
import { requireTransaction } from "./service.ts";

/**
 * Items up to which an answer is filled with attempts, and movements and events that are read: a
 * transaction refunded 100 times has 500 items of its own.
 */
export const TIMELINE_MAX = 1_000;
/** Characters of an answer to a webhook; the event's own page shows its first kibibyte. */
export const ANSWER_SHOWN_MAX = 200;

/**
 * All that happened about a transaction, oldest first; attempts, with what the merchant's server
 * answered, only where they may be seen. The object is asked before D1, whose copy may be behind:
 * causes, movements and events are the object's. Throws 404 and 403.
 */
export async function timelineOf(
  env: Env,
  company: Company,
  transactionId: string,
  see: { attempts: boolean },
) {
  const row = await requireTransaction(env, company, transactionId);
  const history = await callCompany(env, company.id, (account) =>
    account.history(row.id, TIMELINE_MAX),
  );
  const told = await toldAbout(env, row, see);
  return timelineView(creationOf(row), history, told, TIMELINE_MAX);
}

function creationOf(row: TransactionRow): Creation {
  const { companyId, amount, currency, paymentMethod, createdAt, expiresAt } = row;
  const { answeredAt: at, answeredStatus: status } = row;
  const refused = status === "refused" ? row.refusedReason : null;
  const reason = row.failure?.problem.detail ?? refused?.message ?? null;
  const answer = at === null || status === null ? null : { at, status, reason };
  return { companyId, amount, currency, paymentMethod, createdAt, expiresAt, answer };
}

/**
 * The newest events of a transaction and, where they may be seen, the newest tries to deliver them.
 * The numbers of its events come first, from their index, and what is joined to them keeps that
 * order: SQLite would rather walk all rows of the company.
 */
async function toldAbout(
  env: Env,
  { companyId, id }: TransactionRow,
  see: { attempts: boolean },
): Promise<Told> {
  const db = databaseFor(env, companyId);
  const its = db
    .select({ companySequence: events.companySequence })
    .from(events)
    .where(and(eq(events.companyId, companyId), eq(events.objectId, id)))
    .orderBy(desc(events.companySequence))
    .limit(TIMELINE_MAX + 1)
    .as("its");
  const itsEvents = db
    .select({
      companySequence: events.companySequence,
      type: events.type,
      sequence: events.sequence,
      at: events.createdAt,
    })
    .from(its)
    .crossJoin(events)
    .where(and(eq(events.companyId, companyId), eq(events.companySequence, its.companySequence)))
    .orderBy(desc(its.companySequence));
  const itsAttempts = db
    .select({
      companySequence: attempts.companySequence,
      target: attempts.target,
      number: attempts.number,
      at: attempts.createdAt,
      durationMs: attempts.durationMs,
      httpStatus: attempts.httpStatus,
      fault: attempts.fault,
      answer: sql<string>`substr(${attempts.answer}, 1, ${ANSWER_SHOWN_MAX})`,
    })
    .from(its)
    .crossJoin(attempts)
    .where(
      and(eq(attempts.companyId, companyId), eq(attempts.companySequence, its.companySequence)),
    )
    .orderBy(desc(attempts.createdAt), desc(attempts.companySequence), desc(attempts.number))
    .limit(TIMELINE_MAX + 1);
  const [eventRows, attemptRows] = see.attempts
    ? await db.batch([itsEvents, itsAttempts])
    : [await itsEvents, []];
  return {
    events: oldestFirst(eventRows),
    attempts: oldestFirst(attemptRows),
    hasMore: eventRows.length > TIMELINE_MAX || attemptRows.length > TIMELINE_MAX,
  };
}

function oldestFirst<Row>(newestFirst: Row[]): Row[] {
  return newestFirst.slice(0, TIMELINE_MAX).toReversed();
}
