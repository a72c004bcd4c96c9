import { and, desc, eq, sql } from "drizzle-orm";
import type { Env } from "../../../config.ts";
import { databaseFor } from "../../../db/client.ts";
import {
  newestEventsOf,
  numberedAttempts,
  type StoredDelivery,
} from "../../../db/projection/event-rows.ts";
import type { TransactionRow } from "../../../db/projection/transaction-mapper.ts";
import { remindersOf } from "../../../db/emails.ts";
import { reminderPrefix } from "../../../domain/reminders/reminder.ts";
import { deliveries, events } from "../../../db/schema/webhooks.ts";
import type { TimelineAttempt, TimelineEventLog } from "../../../domain/charges/timeline.ts";
import { RESPONSE_SHOWN_MAX, TIMELINE_MAX } from "./schemas.ts";

/** The newest events of a transaction, or another object, and, where they may be seen, the newest attempts. */
export async function loadEventsAndAttempts(
  env: Env,
  { companyId, id }: Pick<TransactionRow, "companyId" | "id">,
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
  const sent = remindersOf(db, companyId, reminderPrefix(id));
  const [newestFirst, reminders, delivered] = visible.attempts
    ? await db.batch([newest, sent, eventDeliveries])
    : [...(await db.batch([newest, sent])), []];
  const attempts = delivered.flatMap(timelineAttempts).toSorted(byTime);
  return {
    events: newestFirst.slice(0, TIMELINE_MAX).toReversed(),
    attempts: attempts.slice(-TIMELINE_MAX),
    reminders: reminders.toSorted((left, right) => left.at - right.at),
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
