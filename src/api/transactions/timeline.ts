import { and, asc, eq, sql } from "drizzle-orm";
import { callCompany } from "../../company/stub.ts";
import { databaseFor } from "../../db/client.ts";
import { events } from "../../db/schema/webhooks.ts";
import type { TransactionRow } from "../../db/transaction-mapper.ts";
import type { Company } from "../../domain/company.ts";
import { timelineView, type Creation, type Told, type ToldAttempt } from "../../domain/timeline.ts";
import type { Env } from "../../env.ts";
import {
  attemptsIn,
  DELIVERIES,
  deliveriesIn,
  newestNumbers,
  type EventDeliveries,
} from "../../db/event-rows.ts";
import { requireTransaction } from "./service.ts";
import { ANSWER_SHOWN_MAX, TIMELINE_MAX } from "./timeline-schemas.ts";

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

/** The newest events of a transaction and, where they may be seen, the newest tries to deliver them. */
async function toldAbout(
  env: Env,
  { companyId, id }: TransactionRow,
  see: { attempts: boolean },
): Promise<Told> {
  const tried = see.attempts
    ? { postback: events.postback, endpoint: events.endpoint }
    : { postback: sql<null>`NULL`, endpoint: sql<null>`NULL` };
  const numbers = newestNumbers(companyId, id, TIMELINE_MAX + 1);
  const rows = await databaseFor(env, companyId)
    .select({
      ...DELIVERIES,
      ...tried,
      type: events.type,
      sequence: events.sequence,
      at: events.createdAt,
    })
    .from(events)
    .where(and(eq(events.companyId, companyId), sql`${events.companySequence} IN (${numbers})`))
    .orderBy(asc(events.companySequence));
  const attempts = rows.flatMap(attemptsAt).toSorted(inTheirOrder);
  return {
    events: rows.slice(-TIMELINE_MAX),
    attempts: attempts.slice(-TIMELINE_MAX),
    hasMore: rows.length > TIMELINE_MAX || attempts.length > TIMELINE_MAX,
  };
}

function attemptsAt(row: EventDeliveries): ToldAttempt[] {
  const { companySequence } = row;
  return deliveriesIn(row).flatMap((delivery) =>
    attemptsIn(delivery).map(({ createdAt: at, answer, ...attempt }) =>
      Object.assign(attempt, {
        companySequence,
        target: delivery.target,
        at,
        answer: Array.from(answer).slice(0, ANSWER_SHOWN_MAX).join(""),
      }),
    ),
  );
}

function inTheirOrder(left: ToldAttempt, right: ToldAttempt): number {
  return (
    left.at - right.at || left.companySequence - right.companySequence || left.number - right.number
  );
}
