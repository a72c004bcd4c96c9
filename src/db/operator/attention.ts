import { and, asc, desc, eq, gt, isNotNull, lte, sql, type SQL } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { saoPauloDay } from "../../domain/shared/business-day.ts";
import { addDays } from "../../domain/shared/calendar-day.ts";
import { allShards, databaseFor } from "../client.ts";
import { selfChecks } from "../schema/operations.ts";
import { dailyReports } from "../schema/reports.ts";
import { deliveries, events } from "../schema/webhooks.ts";

/** Open deliveries read from each end of their order. */
const OPEN_READ = 500;
/** Days of a company's volume, the present one among them. */
const VOLUME_DAYS = 30;

/** When the oldest delivery of all companies was due; null if none waits. Unix milliseconds. */
export async function oldestDueDelivery(env: Env, nowMs: number): Promise<number | null> {
  const { nextAttemptAt, companyId } = deliveries;
  const found = await Promise.all(
    allShards(env).map(({ db, isLocal }) =>
      db
        .select({ dueAt: nextAttemptAt })
        .from(deliveries)
        .where(and(isNotNull(nextAttemptAt), lte(nextAttemptAt, nowMs), isLocal(companyId)))
        .orderBy(asc(nextAttemptAt))
        .limit(1),
    ),
  );
  const due = found.flat().flatMap(({ dueAt }) => dueAt ?? []);
  return due.length === 0 ? null : Math.min(...due);
}

/**
 * When the oldest delivery that is not over was first attempted, or made if it was not yet; null if none is open. Unix
 * milliseconds. Reads the 500 that are due first and the 500 due last of each database: the longer a receiver fails,
 * the later the next attempt.
 */
export async function oldestOpenDelivery(env: Env): Promise<number | null> {
  const { nextAttemptAt, updatedAt, attemptsLog, companyId } = deliveries;
  // One damaged log must not silence every figure and alarm.
  const firstAttempt = sql`iif(json_valid(${attemptsLog}), ${attemptsLog}, '[]') ->> '$[0].at'`;
  const openedAt = sql<number>`coalesce(${firstAttempt}, ${updatedAt})`;
  const found = await Promise.all(
    allShards(env).map(({ db, isLocal }) => {
      const from = (order: SQL) =>
        db
          .select({ openedAt })
          .from(deliveries)
          .where(and(isNotNull(nextAttemptAt), isLocal(companyId)))
          .orderBy(order)
          .limit(OPEN_READ);
      return db.batch([from(asc(nextAttemptAt)), from(desc(nextAttemptAt))]);
    }),
  );
  return found
    .flat(2)
    .reduce<number | null>((oldest, row) => Math.min(oldest ?? Infinity, row.openedAt), null);
}

/**
 * What D1 knows of a company's health: its last self-check, newest event, oldest due delivery, and what it received in
 * thirty days, in centavos.
 */
export async function companyHealth(env: Env, companyId: number, nowMs: number) {
  const db = databaseFor(env, companyId);
  const [checks, newest, due, volumes] = await db.batch([
    db.select().from(selfChecks).where(eq(selfChecks.companyId, companyId)),
    db
      .select({ companySequence: events.companySequence })
      .from(events)
      .where(eq(events.companyId, companyId))
      .orderBy(desc(events.companySequence))
      .limit(1),
    db
      .select({ dueAt: deliveries.nextAttemptAt })
      .from(deliveries)
      .where(
        and(
          isNotNull(deliveries.nextAttemptAt),
          lte(deliveries.nextAttemptAt, nowMs),
          // The plus keeps SQLite on the index of what is due, which is short.
          sql`+${deliveries.companyId} = ${companyId}`,
        ),
      )
      .orderBy(asc(deliveries.nextAttemptAt))
      .limit(1),
    db
      .select({
        count: sql<number>`coalesce(sum(${dailyReports.count}), 0)`,
        amount: sql<number>`coalesce(sum(${dailyReports.gross}), 0)`,
      })
      .from(dailyReports)
      .where(
        and(
          eq(dailyReports.companyId, companyId),
          gt(dailyReports.day, addDays(saoPauloDay(nowMs), -VOLUME_DAYS)),
        ),
      ),
  ]);
  return {
    volume: volumes[0] ?? { count: 0, amount: 0 },
    check: checks[0] ?? null,
    newestEvent: newest[0]?.companySequence ?? 0,
    oldestDueAt: due[0]?.dueAt ?? null,
  };
}
