import {
  and,
  asc,
  type AnyColumn,
  eq,
  isNotNull,
  lte,
  notExists,
  gt,
  sql,
  type SQL,
} from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { databaseFor } from "../db/client.ts";
import { runIdempotent } from "../db/faults.ts";
import { companies } from "../db/schema/companies.ts";
import { attempts, deliveries, events } from "../db/schema/webhooks.ts";
import type { DeliveryRef } from "../domain/delivery.ts";
import type { Env } from "../env.ts";
import type { PostResult } from "./post.ts";

export type DeliveryRow = typeof deliveries.$inferSelect;

/** All undelivered events of one object on their way to one target. */
export interface DeliveryGroup {
  companyId: number;
  objectId: string;
  target: DeliveryRef["target"];
}

export interface DueDelivery {
  delivery: DeliveryRow;
  body: string;
  webhookSecretSealed: string;
  providerCompanyId: string;
}

export async function findGroup(env: Env, ref: DeliveryRef): Promise<DeliveryGroup | null> {
  const [row] = await databaseFor(env, ref.companyId)
    .select({ objectId: deliveries.objectId })
    .from(deliveries)
    .where(isDelivery(ref));
  return row === undefined ? null : { ...ref, objectId: row.objectId };
}

/**
 * Takes the group for one holder until `leaseUntil`, so that one attempt is in flight per object
 * and target. Answers its open deliveries, oldest first; null where another holder has it.
 */
export async function leaseGroup(
  env: Env,
  group: DeliveryGroup,
  nowMs: number,
  leaseUntil: number,
): Promise<DueDelivery[] | null> {
  const db = databaseFor(env, group.companyId);
  const held = alias(deliveries, "held");
  const [leased, rows] = await db.batch([
    db
      .update(deliveries)
      .set({ leaseUntil })
      .where(
        and(
          openInGroup(deliveries, group),
          notExists(
            db
              .select({ one: sql`1` })
              .from(held)
              .where(and(openInGroup(held, group), gt(held.leaseUntil, nowMs))),
          ),
        ),
      ),
    db
      .select({
        delivery: deliveries,
        body: events.body,
        webhookSecretSealed: companies.webhookSecretSealed,
        providerCompanyId: companies.providerCompanyId,
      })
      .from(deliveries)
      .innerJoin(
        events,
        and(
          eq(events.companyId, deliveries.companyId),
          eq(events.companySequence, deliveries.companySequence),
        ),
      )
      .innerJoin(companies, eq(companies.id, deliveries.companyId))
      .where(openInGroup(deliveries, group))
      .orderBy(asc(deliveries.companySequence)),
  ]);
  if (leased.meta.changes === 0 && rows.length > 0) return null;
  return rows;
}

/** Keeps what was leased, up to the event `newest`, for another attempt. */
export async function renewLease(
  env: Env,
  group: DeliveryGroup,
  newest: number,
  leaseUntil: number,
): Promise<void> {
  await databaseFor(env, group.companyId)
    .update(deliveries)
    .set({ leaseUntil })
    .where(upTo(group, newest));
}

/**
 * Lets what was leased go, up to the event `newest` (a later one may already be another holder's),
 * and says whether something of the group is due at once.
 */
export async function releaseGroup(
  env: Env,
  group: DeliveryGroup,
  newest: number,
  nowMs: number,
): Promise<{ dueNow: boolean }> {
  const db = databaseFor(env, group.companyId);
  const [, due] = await db.batch([
    db.update(deliveries).set({ leaseUntil: 0 }).where(upTo(group, newest)),
    db
      .select({ one: sql`1` })
      .from(deliveries)
      .where(and(openInGroup(deliveries, group), lte(deliveries.dueAt, nowMs)))
      .limit(1),
  ]);
  return { dueNow: due.length > 0 };
}

export interface AttemptRecord {
  delivery: DeliveryRow;
  startedAt: number;
  result: Omit<PostResult, "fault" | "retryAfterMs"> & { fault: string | null };
  status: DeliveryRow["status"];
  /** Null where the status is final. */
  dueAt: number | null;
}

/** Writes an attempt and what it means for its delivery, in one batch that may be run twice. */
export async function recordAttempt(env: Env, attempt: AttemptRecord): Promise<void> {
  const { delivery, result } = attempt;
  const db = databaseFor(env, delivery.companyId);
  const number = delivery.attempts + 1;
  await runIdempotent(() =>
    db.batch([
      db
        .insert(attempts)
        .values({
          companyId: delivery.companyId,
          companySequence: delivery.companySequence,
          target: delivery.target,
          number,
          createdAt: attempt.startedAt,
          durationMs: result.durationMs,
          httpStatus: result.httpStatus,
          fault: result.fault,
          answer: result.answer,
        })
        .onConflictDoNothing(),
      db
        .update(deliveries)
        .set({
          status: attempt.status,
          attempts: number,
          dueAt: attempt.dueAt,
          updatedAt: attempt.startedAt + result.durationMs,
        })
        .where(and(isDelivery(delivery), isNotNull(deliveries.dueAt))),
    ]),
  );
}

/** Deliveries that are due, longest due first; one in flight is among them until it is recorded. */
export async function overdueDeliveries(
  env: Env,
  dueBefore: number,
  limit: number,
): Promise<DeliveryRef[]> {
  return databaseFor(env, 0)
    .select({
      companyId: deliveries.companyId,
      companySequence: deliveries.companySequence,
      target: deliveries.target,
    })
    .from(deliveries)
    .where(and(isNotNull(deliveries.dueAt), lte(deliveries.dueAt, dueBefore)))
    .orderBy(deliveries.dueAt)
    .limit(limit);
}

function isDelivery(ref: DeliveryRef): SQL | undefined {
  return and(
    eq(deliveries.companyId, ref.companyId),
    eq(deliveries.companySequence, ref.companySequence),
    eq(deliveries.target, ref.target),
  );
}

function upTo(group: DeliveryGroup, newest: number): SQL | undefined {
  return and(openInGroup(deliveries, group), lte(deliveries.companySequence, newest));
}

function openInGroup(
  table: Record<"companyId" | "objectId" | "target" | "dueAt", AnyColumn>,
  group: DeliveryGroup,
): SQL | undefined {
  return and(
    eq(table.companyId, group.companyId),
    eq(table.objectId, group.objectId),
    eq(table.target, group.target),
    isNotNull(table.dueAt),
  );
}
