import { and, asc, desc, eq, gt, inArray, isNotNull, lte, sql } from "drizzle-orm";
import { GATEWAY_TRAIL } from "../../domain/access/audit-entry.ts";
import type { Env } from "../../config.ts";
import { allShards, databaseFor, directoryOf } from "../client.ts";
import { auditEntries } from "../schema/audit.ts";
import { selfChecks } from "../schema/operations.ts";
import { deliveries, events } from "../schema/webhooks.ts";

/** The actions of the trail that freeze a company, as a restore of its object does, and let it go. */
const FREEZES = ["company.freeze", "company.restore", "company.unfreeze"];
/** Newest entries of the gateway's trail that are searched for freezes. */
const ENTRIES_SEARCHED = 5_000;

/** The last freeze of a company by an operator, or its end. */
export interface Freeze {
  target: string;
  action: string;
  at: number;
  actorName: string;
  reason: string | null;
}

/** Freezes and their ends in the newest part of the gateway's trail, newest first. */
export async function newestFreezes(env: Env): Promise<Freeze[]> {
  const { companyId, sequence, target, action, at, actorName, reason } = auditEntries;
  const newest = sql`(SELECT coalesce(max(sequence), 0) FROM audit_entries WHERE company_id = ${GATEWAY_TRAIL})`;
  return directoryOf(env)
    .select({ target, action, at, actorName, reason })
    .from(auditEntries)
    .where(
      and(
        eq(companyId, GATEWAY_TRAIL),
        gt(sequence, sql`${newest} - ${ENTRIES_SEARCHED}`),
        inArray(action, FREEZES),
      ),
    )
    .orderBy(desc(sequence));
}

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

/** What D1 knows of a company's health: its last self-check, newest event, and oldest due delivery. */
export async function companyHealth(env: Env, companyId: number, nowMs: number) {
  const db = databaseFor(env, companyId);
  const [checks, newest, due] = await db.batch([
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
  ]);
  return {
    check: checks[0] ?? null,
    newestEvent: newest[0]?.companySequence ?? 0,
    oldestDueAt: due[0]?.dueAt ?? null,
  };
}
