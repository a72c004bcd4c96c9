import { and, desc, eq, getTableColumns, sql } from "drizzle-orm";
import { databaseFor } from "../../db/client.ts";
import {
  DELIVERY_ROW,
  isDelivery,
  isEvent,
  isEventOfDelivery,
  type DeliveryRow,
} from "../../db/projection/event-rows.ts";
import { companies } from "../../db/schema/companies.ts";
import { deliveries, events } from "../../db/schema/webhooks.ts";
import type { DeliveryRef } from "../../domain/events/delivery.ts";
import type { Env } from "../../config.ts";
import { selectAnyOpenCircuit } from "./host-circuit-repository.ts";

/** The body of a delivery's event; null if D1 has no such event. */
export async function findEventBody(env: Env, delivery: DeliveryRow): Promise<string | null> {
  const [event] = await databaseFor(env, delivery.companyId)
    .select({ body: events.body })
    .from(events)
    .where(isEvent(delivery));
  return event?.body ?? null;
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
          ? sql<string | null>`iif(${deliveries.nextAttemptAt} IS NULL, NULL, ${events.body})`.as(
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
