import { and, desc, eq, sql } from "drizzle-orm";
import { callCompany } from "../../../company-client/stub.ts";
import { databaseFor } from "../../../db/client.ts";
import { deliveries, events } from "../../../db/schema/webhooks.ts";
import type { TransactionRow } from "../../../db/projection/transaction-mapper.ts";
import type { Company } from "../../../domain/shared/company.ts";
import {
  timelineView,
  type ChargeCreation,
  type TimelineEventLog,
  type TimelineAttempt,
} from "../../../domain/charges/timeline.ts";
import type { Env } from "../../../config.ts";
import {
  newestEventsOf,
  numberedAttempts,
  type StoredDelivery,
} from "../../../db/projection/event-rows.ts";
import { requireTransaction } from "../service.ts";
import { RESPONSE_SHOWN_MAX, TIMELINE_MAX } from "./schemas.ts";

/**
 * All that happened about a transaction, oldest first; attempts, with what the merchant's server
 * answered, only where they may be seen. The object is asked before D1, whose copy may be behind:
 * causes, movements and events are the object's. Throws 404 and 403.
 */
export async function timelineOf(
  env: Env,
  company: Company,
  transactionId: string,
  visible: { attempts: boolean },
) {
  const row = await requireTransaction(env, company, transactionId);
  const history = await callCompany(env, company.id, (account) =>
    account.history(row.id, TIMELINE_MAX),
  );
  const eventsAndAttempts = await loadEventsAndAttempts(env, row, visible);
  return timelineView(creationOf(row), history, eventsAndAttempts, TIMELINE_MAX);
}

function creationOf(row: TransactionRow): ChargeCreation {
  const { companyId, amount, currency, paymentMethod, createdAt, expiresAt } = row;
  const { answeredAt: at, answeredStatus: status } = row;
  const refused = status === "refused" ? row.refusedReason : null;
  const reason = row.failure?.problem.detail ?? refused?.message ?? null;
  const answer = at === null || status === null ? null : { at, status, reason };
  return { companyId, amount, currency, paymentMethod, createdAt, expiresAt, answer };
}

/** The newest events of a transaction and, where they may be seen, the newest attempts to deliver them. */
async function loadEventsAndAttempts(
  env: Env,
  { companyId, id }: TransactionRow,
  visible: { attempts: boolean },
): Promise<TimelineEventLog> {
  const db = databaseFor(env, companyId);
  const newest = db
    .select({
      companySequence: events.companySequence,
      type: events.type,
      sequence: events.sequence,
      at: events.createdAt,
    })
    .from(events)
    .where(and(eq(events.companyId, companyId), eq(events.objectId, id)))
    .orderBy(desc(events.companySequence))
    .limit(TIMELINE_MAX + 1);
  const numbers = newestEventsOf({ companyId, objectId: id }, TIMELINE_MAX + 1);
  const eventDeliveries = db
    .select()
    .from(deliveries)
    .where(
      and(eq(deliveries.companyId, companyId), sql`${deliveries.companySequence} IN ${numbers}`),
    );
  const [newestFirst, delivered] = visible.attempts
    ? await db.batch([newest, eventDeliveries])
    : [await newest, []];
  const attempts = delivered.flatMap(timelineAttempts).toSorted(byTime);
  return {
    events: newestFirst.slice(0, TIMELINE_MAX).toReversed(),
    attempts: attempts.slice(-TIMELINE_MAX),
    hasMore: newestFirst.length > TIMELINE_MAX || attempts.length > TIMELINE_MAX,
  };
}

function timelineAttempts(delivery: StoredDelivery): TimelineAttempt[] {
  const { companySequence, target } = delivery;
  return numberedAttempts(delivery).map(({ answer, ...attempt }) =>
    Object.assign(attempt, {
      companySequence,
      target,
      answer: Array.from(answer).slice(0, RESPONSE_SHOWN_MAX).join(""),
    }),
  );
}

function byTime(left: TimelineAttempt, right: TimelineAttempt): number {
  return (
    left.at - right.at || left.companySequence - right.companySequence || left.number - right.number
  );
}
