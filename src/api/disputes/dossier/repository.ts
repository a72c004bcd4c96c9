import { and, asc, desc, eq, sql } from "drizzle-orm";
import type { Env } from "../../../config.ts";
import { databaseFor } from "../../../db/client.ts";
import {
  newestEventsOf,
  numberedAttempts,
  type StoredDelivery,
} from "../../../db/projection/event-rows.ts";
import { deliveries, events } from "../../../db/schema/webhooks.ts";

/** An event of the dossier, without its body. */
type DossierEvent = Pick<
  typeof events.$inferSelect,
  "companySequence" | "type" | "objectId" | "sequence" | "createdAt"
>;

/** Events of an object with their deliveries, oldest first. */
export interface DossierEvents {
  events: DossierEvent[];
  deliveries: (Omit<StoredDelivery, "attemptsLog"> & {
    log: ReturnType<typeof numberedAttempts>;
  })[];
}

const EVENT = {
  companySequence: events.companySequence,
  type: events.type,
  objectId: events.objectId,
  sequence: events.sequence,
  createdAt: events.createdAt,
};

/** The newest `limit` events of each object, and their deliveries. */
export async function eventsOfObjects(
  env: Env,
  companyId: number,
  objectIds: string[],
  limit: number,
): Promise<DossierEvents> {
  const db = databaseFor(env, companyId);
  const answers = await Promise.all(
    objectIds.map(async (objectId) => {
      const numbers = newestEventsOf({ companyId, objectId }, limit);
      const [newest, delivered] = await db.batch([
        db
          .select(EVENT)
          .from(events)
          .where(and(eq(events.companyId, companyId), eq(events.objectId, objectId)))
          .orderBy(desc(events.companySequence))
          .limit(limit),
        db
          .select()
          .from(deliveries)
          .where(
            and(
              eq(deliveries.companyId, companyId),
              sql`${deliveries.companySequence} IN ${numbers}`,
            ),
          )
          .orderBy(asc(deliveries.companySequence), asc(deliveries.target)),
      ]);
      return { newest, delivered };
    }),
  );
  return {
    events: answers
      .flatMap(({ newest }) => newest)
      .toSorted((one, other) => one.companySequence - other.companySequence),
    deliveries: answers
      .flatMap(({ delivered }) => delivered)
      .map(({ attemptsLog, ...delivery }) =>
        Object.assign(delivery, { log: numberedAttempts({ ...delivery, attemptsLog }) }),
      ),
  };
}
