import { and, asc, desc, eq, isNotNull, lt, or, sql, type SQL } from "drizzle-orm";
import { databaseFor, type Database } from "../db/client.ts";
import { bodyOf } from "../db/event-bodies.ts";
import { runIdempotent } from "../db/faults.ts";
import { companies } from "../db/schema/companies.ts";
import { events } from "../db/schema/webhooks.ts";
import type { DeliveryRef } from "../domain/delivery.ts";
import type { WebhookChaos } from "../domain/webhook-chaos.ts";
import { webhookHost } from "../domain/webhook-target.ts";
import type { Env } from "../env.ts";
import { assert } from "../lib/assert.ts";
import {
  deliveryIn,
  DELIVERIES,
  newestNumbers,
  type Delivery,
  type DeliveryRow,
  type Try,
} from "../db/event-rows.ts";
import { changed, dueAtOf, hasAttempts, isLastTry, withTry } from "./delivery-sql.ts";
import { anyHostOff, hostAnswered, hostFailed, offHosts, type HostVerdict } from "./hosts.ts";
import type { PostResult } from "./post.ts";
import type { SealedSecrets } from "./secrets.ts";

/** Events of an object that are read at first: more than one or two are seldom open. */
const LOOK_BACK = 4;
/** Events of an object that are read at all. */
const EVENTS_MAX = 1_000;

/** All undelivered events of one object on their way to one target. */
export interface DeliveryGroup {
  companyId: number;
  objectId: string;
  target: DeliveryRef["target"];
  /** Where the event that was asked for goes; the others too, unless the URL was changed. */
  host: string;
  /** Oldest first. */
  open: DueDelivery[];
  /** The event before those, whose delivery is over. */
  before: DeliveryRow | null;
  /** What was asked for, where it is open although a newer event's delivery is over. */
  overtaken: DeliveryRow | null;
}

export interface DueDelivery extends SealedSecrets {
  delivery: DeliveryRow;
  body: string;
  /** Nothing is sent to its host any more. */
  hostOff: boolean;
  /** Null where the company did not ask for it, and for companies with real money. */
  chaos: WebhookChaos | null;
}

/** The open events of a delivery's object to its target; null where there is no such delivery. */
export function loadGroup(env: Env, ref: DeliveryRef): Promise<DeliveryGroup | null> {
  return readGroup(env, ref, LOOK_BACK);
}

async function readGroup(
  env: Env,
  ref: DeliveryRef,
  lookBack: number,
): Promise<DeliveryGroup | null> {
  const { companyId, companySequence, target } = ref;
  const db = databaseFor(env, companyId);
  const objectId = sql`(SELECT object_id FROM events
    WHERE company_id = ${companyId} AND company_sequence = ${companySequence})`;
  const numbers = sql`(SELECT * FROM (${newestNumbers(companyId, objectId, lookBack)})
    UNION SELECT CAST(${companySequence} AS INTEGER))`;
  const [rows, [company], anyOff] = await db.batch([
    db
      .select({
        ...DELIVERIES,
        body: sql`iif(${dueAtOf(target)} IS NULL, x'', ${events.body})`.mapWith(events.body),
      })
      .from(events)
      .where(and(eq(events.companyId, companyId), sql`${events.companySequence} IN ${numbers}`))
      .orderBy(asc(events.companySequence)),
    db
      .select({
        mode: companies.mode,
        chaos: companies.webhookChaos,
        webhookSecretSealed: companies.webhookSecretSealed,
        webhookSecretsPrevious: companies.webhookSecretsPrevious,
        providerCompanyId: companies.providerCompanyId,
      })
      .from(companies)
      .where(eq(companies.id, companyId)),
    anyHostOff(db, companyId),
  ]);
  const asked = rows.find((row) => row.companySequence === companySequence);
  const askedDelivery = asked === undefined ? null : deliveryIn(asked, target);
  if (askedDelivery === null) return null;
  assert(company !== undefined, `company ${companyId} is in D1`);

  // What was asked for may lie far below the newest, and says nothing of those between.
  const newest = rows.length > lookBack ? rows.slice(1) : rows;
  // Events go in their order, so those that are open are the newest.
  const going = newest.flatMap((row) => {
    const delivery = deliveryIn(row, target);
    return delivery === null ? [] : [{ delivery, body: bodyOf(row) }];
  });
  const over = going.findLastIndex(({ delivery }) => delivery.dueAt === null);
  if (over === -1 && newest.length >= lookBack && lookBack < EVENTS_MAX) {
    return readGroup(env, ref, EVENTS_MAX);
  }
  const open = going.slice(over + 1);
  const hosts = [...new Set(open.map(({ delivery }) => webhookHost(delivery.url)))];
  const off = anyOff.length === 0 ? new Set() : await offHosts(env, companyId, hosts);
  const { mode, chaos, ...secrets } = company;
  const isOvertaken =
    askedDelivery.dueAt !== null &&
    over !== -1 &&
    !open.some(({ delivery }) => delivery.companySequence === companySequence);
  return {
    companyId,
    target,
    objectId: askedDelivery.objectId,
    host: webhookHost(askedDelivery.url),
    open: open.map((due) =>
      Object.assign(due, secrets, {
        hostOff: off.has(webhookHost(due.delivery.url)),
        chaos: mode === "sandbox" ? chaos : null,
      }),
    ),
    before: going[over]?.delivery ?? null,
    overtaken: isOvertaken ? askedDelivery : null,
  };
}

/** Whether a delivery is open as it was read: nobody has tried or ended it since. */
export async function isStillOpen(env: Env, delivery: DeliveryRow): Promise<boolean> {
  const rows = await databaseFor(env, delivery.companyId)
    .select({ companySequence: events.companySequence })
    .from(events)
    .where(and(isDelivery(delivery), openAsRead(delivery)));
  return rows.length > 0;
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
 * may be run twice. Answers the delivery as it is now, null where somebody else has recorded an
 * attempt since it was read; and the host where this attempt is the one that switched it off.
 */
export async function recordAttempt(
  env: Env,
  attempt: AttemptRecord,
): Promise<{ recorded: DeliveryRow | null; switchedOff: string | null }> {
  const { delivery, result, host: verdict, status, dueAt } = attempt;
  const { companyId, target } = delivery;
  const db = databaseFor(env, companyId);
  const endedAt = attempt.startedAt + result.durationMs;
  const change = { ...oneMore(attempt), status, dueAt, updatedAt: endedAt };
  const written = db
    .update(events)
    .set({ [target]: changed(delivery, change) })
    .where(and(isDelivery(delivery), or(openAsRead(delivery), isOurs(delivery, change))))
    .returning({ companySequence: events.companySequence });
  const recorded = { ...delivery, ...change };
  const host = webhookHost(delivery.url);
  switch (verdict.kind) {
    case "silent": {
      const rows = await runIdempotent(() => written);
      return { recorded: rows.length > 0 ? recorded : null, switchedOff: null };
    }
    case "answered": {
      const [rows] = await runIdempotent(() =>
        db.batch([written, hostAnswered(db, companyId, host)]),
      );
      return { recorded: rows.length > 0 ? recorded : null, switchedOff: null };
    }
    case "failed": {
      const failed = hostFailed(db, companyId, host, verdict.failure, endedAt);
      const [rows, [row]] = await runIdempotent(() => db.batch([written, failed]));
      return {
        recorded: rows.length > 0 ? recorded : null,
        switchedOff: row?.offSince === endedAt ? host : null,
      };
    }
  }
}

/** Writes down that a delivery was sent once more; what has become of it stays as it is. */
export async function recordRepeat(
  env: Env,
  repeat: Pick<AttemptRecord, "delivery" | "startedAt" | "result">,
): Promise<void> {
  const { delivery } = repeat;
  await runIdempotent(() =>
    databaseFor(env, delivery.companyId)
      .update(events)
      .set({ [delivery.target]: changed(delivery, oneMore(repeat)) })
      .where(and(isDelivery(delivery), asRead(delivery)))
      .run(),
  );
}

/** Makes a delivery wait until `dueAt` without an attempt. */
export async function postponeDelivery(
  env: Env,
  delivery: DeliveryRow,
  dueAt: number,
): Promise<void> {
  await update(env, delivery, { dueAt });
}

/** Ends a delivery that a newer event of its object has overtaken. */
export async function supersede(env: Env, delivery: DeliveryRow, nowMs: number): Promise<void> {
  await update(env, delivery, { status: "superseded", dueAt: null, updatedAt: nowMs });
}

async function update(
  env: Env,
  delivery: DeliveryRow,
  wanted: Partial<Omit<Delivery, "url">>,
): Promise<void> {
  await databaseFor(env, delivery.companyId)
    .update(events)
    .set({ [delivery.target]: changed(delivery, wanted) })
    .where(and(isDelivery(delivery), openAsRead(delivery)));
}

type ObjectAtTarget = Pick<DeliveryRow, "companyId" | "objectId" | "target">;

/** An object's newest event that went to a target, of those below a number; null where none did. */
export async function newestOfObject(
  env: Env,
  { companyId, objectId, target }: ObjectAtTarget,
  below = Number.MAX_SAFE_INTEGER,
): Promise<Pick<DueDelivery, "delivery" | "body"> | null> {
  const numbers = newestNumbers(companyId, objectId, EVENTS_MAX);
  const [row] = await databaseFor(env, companyId)
    .select({ ...DELIVERIES, body: events.body })
    .from(events)
    .where(
      and(
        eq(events.companyId, companyId),
        sql`${events.companySequence} IN (${numbers})`,
        lt(events.companySequence, below),
        isNotNull(events[target]),
      ),
    )
    .orderBy(desc(events.companySequence))
    .limit(1);
  const delivery = row === undefined ? null : deliveryIn(row, target);
  return row === undefined || delivery === null ? null : { delivery, body: bodyOf(row) };
}

/** Makes a delivery due now, whatever became of it, unless its object has had a newer event there. */
export function makeDue(db: Database, delivery: DeliveryRow, nowMs: number) {
  const { companyId, companySequence, objectId, target } = delivery;
  const numbers = newestNumbers(companyId, objectId, EVENTS_MAX);
  return db
    .update(events)
    .set({ [target]: changed(delivery, { status: "pending", dueAt: nowMs, updatedAt: nowMs }) })
    .where(
      and(
        isDelivery(delivery),
        sql`NOT EXISTS (SELECT 1 FROM events AS newer WHERE newer.company_id = ${companyId}
          AND newer.company_sequence IN (${numbers}) AND newer.company_sequence > ${companySequence}
          AND newer.${sql.identifier(target)} IS NOT NULL)`,
      ),
    )
    .returning(DELIVERIES);
}

function isDelivery({ companyId, companySequence, target }: DeliveryRef): SQL | undefined {
  return and(
    eq(events.companyId, companyId),
    eq(events.companySequence, companySequence),
    isNotNull(events[target]),
  );
}

/** Every attempt counts up, so one that was made since it was read shows. */
function asRead({ target, attempts }: DeliveryRow): SQL {
  return hasAttempts(target, attempts);
}

function openAsRead(delivery: DeliveryRow): SQL | undefined {
  return and(asRead(delivery), sql`${dueAtOf(delivery.target)} IS NOT NULL`);
}

/** What is written once more because its answer was lost. */
function isOurs(delivery: DeliveryRow, { attempts, tries }: ReturnType<typeof oneMore>) {
  return and(hasAttempts(delivery.target, attempts), isLastTry(delivery, tries.at(-1)));
}

function oneMore({
  delivery,
  startedAt,
  result,
}: Pick<AttemptRecord, "delivery" | "startedAt" | "result">) {
  const { durationMs, httpStatus, fault, answer } = result;
  const next: Try = [startedAt, durationMs, httpStatus, fault, answer];
  return { attempts: delivery.attempts + 1, tries: withTry(delivery.tries, next) };
}
