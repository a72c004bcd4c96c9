import {
  and,
  asc,
  desc,
  lt,
  type AnyColumn,
  eq,
  exists,
  isNotNull,
  lte,
  notExists,
  gt,
  sql,
  type SQL,
} from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { databaseFor, type Database } from "../db/client.ts";
import { runIdempotent } from "../db/faults.ts";
import { companies } from "../db/schema/companies.ts";
import { attempts, deliveries, events } from "../db/schema/webhooks.ts";
import type { DeliveryRef } from "../domain/delivery.ts";
import type { WebhookChaos } from "../domain/webhook-chaos.ts";
import { webhookHost } from "../domain/webhook-target.ts";
import type { Env } from "../env.ts";
import { hostAnswered, hostFailed, hostState, offHosts, type HostVerdict } from "./hosts.ts";
import type { PostResult } from "./post.ts";
import type { SealedSecrets } from "./secrets.ts";

export type DeliveryRow = typeof deliveries.$inferSelect;

/** All undelivered events of one object on their way to one target. */
export interface DeliveryGroup {
  companyId: number;
  objectId: string;
  target: DeliveryRef["target"];
  /** Where they go, unless the URL was changed between two of them. */
  host: string;
}

export interface DueDelivery extends SealedSecrets {
  delivery: DeliveryRow;
  /** When the event happened. */
  createdAt: number;
  body: string;
  /** Nothing is sent to its host any more. */
  hostOff: boolean;
  /** Null where the company did not ask for it, and for companies with real money. */
  chaos: WebhookChaos | null;
}

export async function findGroup(env: Env, ref: DeliveryRef): Promise<DeliveryGroup | null> {
  const [row] = await databaseFor(env, ref.companyId)
    .select({ objectId: deliveries.objectId, url: deliveries.url })
    .from(deliveries)
    .where(isDelivery(ref));
  if (row === undefined) return null;
  const { companyId, target } = ref;
  return { companyId, target, objectId: row.objectId, host: webhookHost(row.url) };
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
  const [leased, rows, [known]] = await db.batch([
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
        createdAt: events.createdAt,
        body: events.body,
        mode: companies.mode,
        chaos: companies.webhookChaos,
        webhookSecretSealed: companies.webhookSecretSealed,
        webhookSecretsPrevious: companies.webhookSecretsPrevious,
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
    hostState(db, group.companyId, group.host),
  ]);
  if (leased.meta.changes === 0 && rows.length > 0) return null;
  const others = [...new Set(rows.map((row) => webhookHost(row.delivery.url)))].filter(
    (host) => host !== group.host,
  );
  const off = new Set(others.length === 0 ? [] : await offHosts(env, group.companyId, others));
  if (known !== undefined && known.offSince !== null) off.add(known.host);
  return rows.map(({ mode, chaos, ...row }) =>
    Object.assign(row, {
      hostOff: off.has(webhookHost(row.delivery.url)),
      chaos: mode === "sandbox" ? chaos : null,
    }),
  );
}

/** Keeps what was leased for another attempt; false where the lease ran out and is another's now. */
export async function renewLease(env: Env, held: HeldGroup, leaseUntil: number): Promise<boolean> {
  const { meta } = await databaseFor(env, held.companyId)
    .update(deliveries)
    .set({ leaseUntil })
    .where(heldInGroup(held));
  return meta.changes > 0;
}

/** Lets what is still leased go, and says whether something of the group is due at once. */
export async function releaseGroup(
  env: Env,
  held: HeldGroup,
  nowMs: number,
): Promise<{ dueNow: boolean }> {
  const db = databaseFor(env, held.companyId);
  const [, due] = await db.batch([
    db.update(deliveries).set({ leaseUntil: 0 }).where(heldInGroup(held)),
    db
      .select({ one: sql`1` })
      .from(deliveries)
      .where(and(openInGroup(deliveries, held), lte(deliveries.dueAt, nowMs)))
      .limit(1),
  ]);
  return { dueNow: due.length > 0 };
}

export interface AttemptRecord {
  delivery: DeliveryRow;
  startedAt: number;
  result: Omit<PostResult, "fault" | "retryAfterMs"> & { fault: string | null };
  host: HostVerdict;
  status: DeliveryRow["status"];
  /** Null where the status is final. */
  dueAt: number | null;
}

/**
 * Writes an attempt, what it means for its delivery and what it says of its host, in one batch that
 * may be run twice. Answers the host where this attempt is the one that switched it off.
 */
export async function recordAttempt(
  env: Env,
  attempt: AttemptRecord,
): Promise<{ switchedOff: string | null }> {
  const { delivery, result, host: verdict } = attempt;
  const { companyId } = delivery;
  const db = databaseFor(env, companyId);
  const endedAt = attempt.startedAt + result.durationMs;
  const written = [
    db.insert(attempts).values(attemptRow(attempt)).onConflictDoNothing(),
    db
      .update(deliveries)
      .set({
        status: attempt.status,
        attempts: delivery.attempts + 1,
        dueAt: attempt.dueAt,
        updatedAt: endedAt,
      })
      .where(and(isDelivery(delivery), isNotNull(deliveries.dueAt))),
  ] as const;
  const host = webhookHost(delivery.url);
  switch (verdict.kind) {
    case "silent":
      await runIdempotent(() => db.batch(written));
      return { switchedOff: null };
    case "answered":
      await runIdempotent(() => db.batch([...written, hostAnswered(db, companyId, host)]));
      return { switchedOff: null };
    case "failed": {
      const failed = hostFailed(db, companyId, host, verdict.failure, endedAt);
      const [, , [row]] = await runIdempotent(() => db.batch([...written, failed]));
      return { switchedOff: row?.offSince === endedAt ? host : null };
    }
  }
}

/** Writes down that a delivery was sent once more; what has become of it stays as it is. */
export async function recordRepeat(
  env: Env,
  repeat: Pick<AttemptRecord, "delivery" | "startedAt" | "result">,
): Promise<void> {
  const { delivery } = repeat;
  const db = databaseFor(env, delivery.companyId);
  await runIdempotent(() =>
    db.batch([
      db.insert(attempts).values(attemptRow(repeat)).onConflictDoNothing(),
      db
        .update(deliveries)
        .set({ attempts: delivery.attempts + 1 })
        .where(isDelivery(delivery)),
    ]),
  );
}

function attemptRow({
  delivery,
  startedAt,
  result,
}: Pick<AttemptRecord, "delivery" | "startedAt" | "result">) {
  return {
    companyId: delivery.companyId,
    companySequence: delivery.companySequence,
    target: delivery.target,
    number: delivery.attempts + 1,
    createdAt: startedAt,
    durationMs: result.durationMs,
    httpStatus: result.httpStatus,
    fault: result.fault,
    answer: result.answer,
  };
}

/** Makes a delivery wait until `dueAt` without an attempt. */
export async function postponeDelivery(
  env: Env,
  delivery: DeliveryRow,
  dueAt: number,
): Promise<void> {
  await databaseFor(env, delivery.companyId)
    .update(deliveries)
    .set({ dueAt })
    .where(and(isDelivery(delivery), isNotNull(deliveries.dueAt)));
}

type ObjectAtTarget = Pick<DeliveryRow, "companyId" | "objectId" | "target">;

/**
 * The number of an object's newest event that went to a target, of those below a number. Asked of the
 * index alone: with anything else in the question SQLite walks the company's events.
 */
export function newestNumber(
  db: Database,
  { companyId, objectId, target }: ObjectAtTarget,
  below = Number.MAX_SAFE_INTEGER,
) {
  const sent = alias(deliveries, "sent");
  return db
    .select({ number: events.companySequence })
    .from(events)
    .where(
      and(
        eq(events.companyId, companyId),
        eq(events.objectId, objectId),
        lt(events.companySequence, below),
        exists(
          db
            .select({ one: sql`1` })
            .from(sent)
            .where(
              and(
                eq(sent.companyId, events.companyId),
                eq(sent.companySequence, events.companySequence),
                eq(sent.target, target),
              ),
            ),
        ),
      ),
    )
    .orderBy(desc(events.companySequence))
    .limit(1);
}

/** An object's newest event that went to a target, of those below a number; null where none did. */
export async function newestOfObject(
  env: Env,
  object: ObjectAtTarget,
  below?: number,
): Promise<Pick<DueDelivery, "delivery" | "createdAt" | "body"> | null> {
  const db = databaseFor(env, object.companyId);
  const [newest] = await db
    .select({ delivery: deliveries, createdAt: events.createdAt, body: events.body })
    .from(deliveries)
    .innerJoin(
      events,
      and(
        eq(events.companyId, deliveries.companyId),
        eq(events.companySequence, deliveries.companySequence),
      ),
    )
    .where(
      and(
        eq(deliveries.companyId, object.companyId),
        eq(deliveries.companySequence, newestNumber(db, object, below)),
        eq(deliveries.target, object.target),
      ),
    );
  return newest ?? null;
}

function isDelivery(ref: DeliveryRef): SQL | undefined {
  return and(
    eq(deliveries.companyId, ref.companyId),
    eq(deliveries.companySequence, ref.companySequence),
    eq(deliveries.target, ref.target),
  );
}

/** What was leased: a later event, or one whose lease ran out, may be another holder's by now. */
export interface HeldGroup extends DeliveryGroup {
  newest: number;
  until: number;
}

function heldInGroup(held: HeldGroup): SQL | undefined {
  return and(openInGroup(deliveries, held, held.newest), eq(deliveries.leaseUntil, held.until));
}

/**
 * The bound looks idle where it is the largest number: without one SQLite takes the primary key
 * before `deliveries_open`, and reads all that the company was ever delivered.
 */
function openInGroup(
  table: Record<"companyId" | "objectId" | "target" | "dueAt" | "companySequence", AnyColumn>,
  group: DeliveryGroup,
  newest = Number.MAX_SAFE_INTEGER,
): SQL | undefined {
  return and(
    eq(table.companyId, group.companyId),
    eq(table.objectId, group.objectId),
    eq(table.target, group.target),
    isNotNull(table.dueAt),
    lte(table.companySequence, newest),
  );
}
