import { and, desc, eq, getTableColumns, isNotNull, isNull, sql, type SQL } from "drizzle-orm";
import { bodyOf } from "../../db/archive/archived-texts.ts";
import { databaseFor } from "../../db/client.ts";
import {
  DELIVERY_ROW,
  EVENT_BODY,
  isDelivery,
  isEvent,
  isEventOfDelivery,
  type DeliveryRow,
} from "../../db/projection/event-rows.ts";
import { companies } from "../../db/schema/companies.ts";
import { deliveries, events, webhookEndpoints } from "../../db/schema/webhooks.ts";
import type { DeliveryRef } from "../../domain/events/delivery.ts";
import { endpointNumber, FIRST_ENDPOINT } from "../../domain/events/webhook-endpoint.ts";
import type { Env } from "../../config.ts";
import { assert } from "../../lib/assert.ts";
import { selectAnyOpenCircuit } from "./host-circuit-repository.ts";

/**
 * The body of a delivery's event; null where the archive has it and could not be read. Throws if D1 has no such event.
 */
export async function findEventBody(env: Env, delivery: DeliveryRow): Promise<string | null> {
  const [event] = await databaseFor(env, delivery.companyId)
    .select(EVENT_BODY)
    .from(events)
    .where(isEvent(delivery));
  assert(event !== undefined, "an event with an open delivery is in D1");
  return bodyOf(env, event);
}

/** Whether the row of an endpoint after the first is this target's, and it is not deleted. */
function isEndpoint({ companyId, target }: Pick<DeliveryRef, "companyId" | "target">) {
  return and(
    eq(webhookEndpoints.companyId, companyId),
    eq(webhookEndpoints.number, endpointNumber(target) ?? 0),
    isNull(webhookEndpoints.deletedAt),
  );
}

/** The condition that a delivery's endpoint was not deleted; undefined for a postback. */
export function hasTarget({ companyId, target }: DeliveryRef): SQL | undefined {
  if (target === "postback") return undefined;
  return target === FIRST_ENDPOINT
    ? sql`NOT EXISTS (SELECT 1 FROM ${companies}
        WHERE ${and(eq(companies.id, companyId), isNotNull(companies.webhookDeletedAt))})`
    : sql`EXISTS (SELECT 1 FROM ${webhookEndpoints} WHERE ${isEndpoint({ companyId, target })})`;
}

/** Whether a target is an endpoint with a row of its own. */
function hasOwnRow(target: DeliveryRef["target"]): boolean {
  return target !== "postback" && target !== FIRST_ENDPOINT;
}

const WEBHOOK_SETTINGS = {
  mode: companies.mode,
  clockOffsetMs: companies.clockOffsetMs,
  chaos: companies.webhookChaos,
  faults: companies.sandboxFaults,
  webhookSecretSealed: companies.webhookSecretSealed,
  webhookSecretsPrevious: companies.webhookSecretsPrevious,
  providerCompanyId: companies.providerCompanyId,
  deletedAt: companies.webhookDeletedAt,
};

/**
 * Reads in one trip the requested delivery, its object's newest events (oldest first) with their
 * deliveries to the target, the company's webhook settings with the target's secrets, and whether any circuit is open.
 */
export async function findGroupRows(
  env: Env,
  ref: DeliveryRef,
  { eventLimit, withBodies }: { eventLimit: number; withBodies: boolean },
) {
  const { companyId, target } = ref;
  const db = databaseFor(env, companyId);
  const objectId = db.select({ objectId: events.objectId }).from(events).where(isEvent(ref));
  const endpoint = db
    .select({
      webhookSecretSealed: webhookEndpoints.secretSealed,
      webhookSecretsPrevious: webhookEndpoints.secretsPrevious,
    })
    .from(webhookEndpoints)
    .where(isEndpoint(ref));
  const [[requested], newest, [company], openCircuits, ...others] = await db.batch([
    db
      .select(DELIVERY_ROW)
      .from(deliveries)
      .innerJoin(events, isEventOfDelivery)
      .where(isDelivery(ref)),
    db
      .select({
        delivery: getTableColumns(deliveries),
        objectId: events.objectId,
        eventAt: events.createdAt,
        eventTraceId: events.traceId,
        body: withBodies
          ? sql<
              string | null
            >`iif(${deliveries.nextAttemptAt} IS NULL OR ${events.archiveFile} IS NOT NULL, NULL, ${events.body})`.as(
              "open_body",
            )
          : sql<null>`NULL`.as("open_body"),
      })
      .from(events)
      .leftJoin(deliveries, and(isEventOfDelivery, eq(deliveries.target, target)))
      .where(and(eq(events.companyId, companyId), eq(events.objectId, sql`(${objectId})`)))
      .orderBy(desc(events.companySequence))
      .limit(eventLimit),
    db.select(WEBHOOK_SETTINGS).from(companies).where(eq(companies.id, companyId)),
    selectAnyOpenCircuit(db, companyId),
    ...(hasOwnRow(target) ? [endpoint] : []),
  ]);
  assert(company !== undefined, `company ${companyId} is in D1`);
  const { mode, clockOffsetMs, chaos, faults, deletedAt, ...secrets } = company;
  const [own] = others.flat();
  return {
    requested,
    newest: newest.toReversed(),
    mode,
    clockOffsetMs,
    chaos,
    faults,
    secrets: { ...secrets, ...own },
    isEndpointDeleted: hasOwnRow(target)
      ? own === undefined
      : target === FIRST_ENDPOINT && deletedAt !== null,
    hasOpenCircuit: openCircuits.length > 0,
  };
}
