import { and, desc, eq, gt, isNotNull, lt, or, sql, type SQL } from "drizzle-orm";
import { databaseFor, type Database } from "../../db/client.ts";
import {
  DELIVERY_ROW,
  DELIVERY_SUMMARY,
  isDelivery,
  isEventOfDelivery,
  newestEventsOf,
  type DeliveryRow,
  type StoredDelivery,
} from "../../db/projection/event-rows.ts";
import { runIdempotent } from "../../db/storage-errors.ts";
import { deliveries, events, type Attempt } from "../../db/schema/webhooks.ts";
import type { DeliveryRef } from "../../domain/events/delivery.ts";
import { webhookHost } from "../../domain/events/webhook-target.ts";
import type { Env } from "../../config.ts";
import { hasTarget } from "./delivery-group-repository.ts";
import { OBJECT_EVENTS_MAX, type OpenDelivery } from "./delivery-group.ts";
import {
  recordHostSuccess,
  recordHostFailure,
  type CircuitSignal,
} from "./host-circuit-repository.ts";
import type { PostResult } from "./post.ts";

/** Attempts kept of one delivery, and how many of them keep their answer: a D1 row has a size limit. */
const ATTEMPTS_STORED = 1_000;
const ANSWERS_STORED = 5;

/** Whether a delivery is still open, without a new attempt since it was read, and its endpoint not deleted. */
export async function isStillOpen(env: Env, delivery: DeliveryRow): Promise<boolean> {
  const rows = await databaseFor(env, delivery.companyId)
    .select({ companySequence: deliveries.companySequence })
    .from(deliveries)
    .where(and(isDelivery(delivery), isOpenAndUnchanged(delivery), hasTarget(delivery)));
  return rows.length > 0;
}

/** An attempt with its outcome for the delivery and the host. */
export interface AttemptRecord {
  delivery: DeliveryRow;
  startedAt: number;
  result: Omit<PostResult, "fault" | "retryAfterMs"> & { fault: string | null };
  circuitSignal: CircuitSignal;
  status: DeliveryRow["status"];
  /** Null if the status is final. */
  nextAttemptAt: number | null;
}

/**
 * Records an attempt, its delivery's new status and its host's circuit in one idempotent batch. Returns
 * the updated delivery, or null if another sender has recorded an attempt since it was read, and the
 * host whose circuit this attempt opened.
 */
export async function recordAttempt(
  env: Env,
  attempt: AttemptRecord,
): Promise<{ recorded: DeliveryRow | null; openedCircuit: string | null }> {
  const { delivery, result, circuitSignal, status, nextAttemptAt } = attempt;
  const { companyId } = delivery;
  const db = databaseFor(env, companyId);
  const endedAt = attempt.startedAt + result.durationMs;
  const change = { ...nextAttemptColumns(attempt), status, nextAttemptAt, updatedAt: endedAt };
  const deliveryUpdate = db
    .update(deliveries)
    .set(change)
    .where(and(isDelivery(delivery), or(isOpenAndUnchanged(delivery), isAlreadyRecorded(change))))
    .returning({ companySequence: deliveries.companySequence });
  const recorded = { ...delivery, ...change };
  const host = webhookHost(delivery.url);
  switch (circuitSignal.kind) {
    case "no_signal": {
      const rows = await runIdempotent(() => deliveryUpdate);
      return { recorded: rows.length > 0 ? recorded : null, openedCircuit: null };
    }
    case "succeeded": {
      const [rows] = await runIdempotent(() =>
        db.batch([deliveryUpdate, recordHostSuccess(db, companyId, host)]),
      );
      return { recorded: rows.length > 0 ? recorded : null, openedCircuit: null };
    }
    case "failed": {
      const failed = recordHostFailure(db, companyId, host, circuitSignal.failure, endedAt);
      const [rows, [row]] = await runIdempotent(() => db.batch([deliveryUpdate, failed]));
      return {
        recorded: rows.length > 0 ? recorded : null,
        openedCircuit: row?.openedAt === endedAt ? host : null,
      };
    }
  }
}

/** Records an extra attempt by webhook chaos, without a change of status. */
export async function recordChaosAttempt(
  env: Env,
  attempt: Pick<AttemptRecord, "delivery" | "startedAt" | "result">,
): Promise<void> {
  const { delivery } = attempt;
  await runIdempotent(() =>
    databaseFor(env, delivery.companyId)
      .update(deliveries)
      .set(nextAttemptColumns(attempt))
      .where(and(isDelivery(delivery), isUnchanged(delivery)))
      .run(),
  );
}

/** Postpones a delivery to a time, Unix milliseconds, without an attempt. */
export async function postponeDelivery(
  env: Env,
  delivery: DeliveryRow,
  nextAttemptAt: number,
): Promise<void> {
  await update(env, delivery, { nextAttemptAt });
}

/** Ends a delivery whose object has a newer delivered event. */
export async function supersede(env: Env, delivery: DeliveryRow, nowMs: number): Promise<void> {
  await update(env, delivery, { status: "superseded", nextAttemptAt: null, updatedAt: nowMs });
}

async function update(
  env: Env,
  delivery: DeliveryRow,
  change: Partial<Pick<StoredDelivery, "status" | "nextAttemptAt" | "updatedAt">>,
): Promise<void> {
  await databaseFor(env, delivery.companyId)
    .update(deliveries)
    .set(change)
    .where(and(isDelivery(delivery), isOpenAndUnchanged(delivery)));
}

/**
 * An object's newest event with a delivery to a target, below a sequence number; null if none. The body of an archived
 * event is null: `withBody` reads it.
 */
export async function newestOfObject(
  env: Env,
  object: Pick<DeliveryRow, "companyId" | "objectId" | "target">,
  below = Number.MAX_SAFE_INTEGER,
): Promise<Pick<OpenDelivery, "delivery" | "body"> | null> {
  const { companyId, target } = object;
  const isBelow = lt(events.companySequence, below);
  const numbers = newestEventsOf(object, OBJECT_EVENTS_MAX, isBelow);
  const [row] = await databaseFor(env, companyId)
    .select({ ...DELIVERY_ROW, body: events.body, archiveFile: events.archiveFile })
    .from(deliveries)
    .innerJoin(events, isEventOfDelivery)
    .where(
      and(
        eq(deliveries.companyId, companyId),
        sql`${deliveries.companySequence} IN ${numbers}`,
        eq(deliveries.target, target),
      ),
    )
    .orderBy(desc(deliveries.companySequence))
    .limit(1);
  if (row === undefined) return null;
  const { body, archiveFile, ...delivery } = row;
  return { delivery, body: archiveFile === null ? body : null };
}

/** A delivery to resend, with the object of its event. */
export type ResendRequest = DeliveryRef & Pick<DeliveryRow, "objectId">;

/** Makes a delivery of any status due now, unless its object has a newer event for the target. */
export function rescheduleNow(db: Database, request: ResendRequest, nowMs: number) {
  const { companyId, companySequence, target } = request;
  const isNewer = gt(events.companySequence, companySequence);
  const newer = newestEventsOf(request, OBJECT_EVENTS_MAX, isNewer);
  return db
    .update(deliveries)
    .set({ status: "pending", nextAttemptAt: nowMs, updatedAt: nowMs })
    .where(
      and(
        isDelivery(request),
        sql`NOT EXISTS (SELECT 1 FROM ${newer} AS newer CROSS JOIN ${deliveries} AS its
          WHERE its.company_id = ${companyId} AND its.company_sequence = newer.company_sequence
            AND its.target = ${target})`,
      ),
    )
    .returning(DELIVERY_SUMMARY);
}

function nextAttemptColumns({
  delivery,
  startedAt,
  result,
}: Pick<AttemptRecord, "delivery" | "startedAt" | "result">) {
  const { durationMs, httpStatus, fault, answer } = result;
  const next: Attempt = { at: startedAt, durationMs, httpStatus, fault, answer };
  return {
    attempts: delivery.attempts + 1,
    attemptsLog: appendAttempt(delivery.attemptsLog, next),
  };
}

/** The log of a delivery after one more attempt. */
function appendAttempt(log: Attempt[], next: Attempt): Attempt[] {
  const stored = [...log, next].slice(-ATTEMPTS_STORED);
  const withoutAnswer = stored.length - ANSWERS_STORED;
  return stored.map((attempt, index) =>
    index < withoutAnswer ? Object.assign({}, attempt, { answer: "" }) : attempt,
  );
}

/** Whether no attempt was recorded since the delivery was read. */
function isUnchanged({ attempts }: DeliveryRow): SQL {
  return eq(deliveries.attempts, attempts);
}

/** Whether the delivery is open, and no attempt was recorded since it was read. */
function isOpenAndUnchanged(delivery: DeliveryRow): SQL | undefined {
  return and(isUnchanged(delivery), isNotNull(deliveries.nextAttemptAt));
}

/** Whether D1 has exactly these attempts: a write whose answer was lost runs again. */
function isAlreadyRecorded({
  attempts,
  attemptsLog,
}: Pick<StoredDelivery, "attempts" | "attemptsLog">): SQL | undefined {
  return and(eq(deliveries.attempts, attempts), eq(deliveries.attemptsLog, attemptsLog));
}
