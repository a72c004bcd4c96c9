import { and, desc, eq, getTableColumns, sql } from "drizzle-orm";
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
import { deliveries, events } from "../../db/schema/webhooks.ts";
import type { DeliveryRef } from "../../domain/events/delivery.ts";
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

/**
 * Reads in one trip the requested delivery, its object's newest events (oldest first) with their
 * deliveries to the target, the company's webhook settings, and whether any circuit is open.
 */
export async function findGroupRows(
  env: Env,
  ref: DeliveryRef,
  { eventLimit, withBodies }: { eventLimit: number; withBodies: boolean },
) {
  const { companyId, target } = ref;
  const db = databaseFor(env, companyId);
  const objectId = db.select({ objectId: events.objectId }).from(events).where(isEvent(ref));
  const [[requested], newest, [company], openCircuits] = await db.batch([
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
    selectAnyOpenCircuit(db, companyId),
  ]);
  return {
    requested,
    newest: newest.toReversed(),
    company,
    hasOpenCircuit: openCircuits.length > 0,
  };
}
