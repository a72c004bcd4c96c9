import { and, asc, eq, gt, lte, sql } from "drizzle-orm";
import type { Database, OneDatabase } from "../../db/client.ts";
import { byTurns, Round } from "../../db/sharding/round.ts";
import { cursors } from "../../db/schema/operations.ts";
import { deliveries } from "../../db/schema/webhooks.ts";
import type { DeliveryRef } from "../../domain/events/delivery.ts";
import type { Env } from "../../config.ts";
import { assert } from "../../lib/assert.ts";

/** The name of the sweep's cursor, which each database has its own of. */
const SWEEP = "deliveries";

/** A delivery whose next attempt is due. */
export interface OverdueDelivery extends DeliveryRef {
  url: string;
  /** Unix milliseconds. */
  nextAttemptAt: number;
}

/** Where the sweep stands in a database. */
interface Place {
  /** Up to which due time the last sweep has looked; 0 where it came to the end. */
  begin: number;
  /** The last delivery that this one has come to, or where it began. */
  last: OverdueDelivery | number;
  isWhole: boolean;
}

/**
 * Deliveries that are due, longest due first of each database; one in flight is among them until it is
 * recorded. In each database it goes on from where the last sweep ended, so that one that
 * was down goes on from there too.
 */
export class OverdueWalk {
  readonly #round: Round;
  readonly #dueBefore: number;
  readonly #places: Map<OneDatabase, Place>;
  #isWhole = false;

  private constructor(round: Round, dueBefore: number, places: Map<OneDatabase, Place>) {
    this.#round = round;
    this.#dueBefore = dueBefore;
    this.#places = places;
  }

  /** Begins with what was due before a time, in epoch ms. */
  static async begin(env: Env, dueBefore: number): Promise<OverdueWalk> {
    const round = new Round(env);
    const places = await round.ask(async ({ db }) => {
      const begin = await sweptUpTo(db);
      return { begin, last: begin, isWhole: false };
    });
    return new OverdueWalk(round, dueBefore, places);
  }

  /** Whether there are no more. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  async next(limit: number): Promise<OverdueDelivery[]> {
    const pages = await this.#round.ask(async (database) => {
      const { last, isWhole } = this.#placeIn(database);
      return isWhole ? [] : overdueDeliveries(database, this.#dueBefore, last, limit);
    });
    const found = byTurns(pages, limit);
    const taken = Map.groupBy(found, ({ database }) => database);
    for (const [database, page] of pages) {
      const place = this.#placeIn(database);
      const ofIt = taken.get(database) ?? [];
      place.last = ofIt.at(-1)?.row ?? place.last;
      place.isWhole = page.length < limit && ofIt.length === page.length;
    }
    this.#isWhole = [...pages.keys()].every((database) => this.#placeIn(database).isWhole);
    return found.map(({ row }) => row);
  }

  /** Writes down where the next sweep begins. */
  async end(): Promise<void> {
    await this.#round.ask(async (database) => {
      const { begin, last, isWhole } = this.#placeIn(database);
      const reached = typeof last === "number" ? last : last.nextAttemptAt;
      const end = isWhole ? 0 : reached;
      if (end !== begin) await setSweptUpTo(database.db, end);
    });
  }

  #placeIn(database: OneDatabase): Place {
    const place = this.#places.get(database);
    assert(place !== undefined, "a database whose cursor was not read is left out");
    return place;
  }
}

async function sweptUpTo(db: Database): Promise<number> {
  const [row] = await db
    .select({ value: cursors.value })
    .from(cursors)
    .where(eq(cursors.name, SWEEP));
  return row?.value ?? 0;
}

async function setSweptUpTo(db: Database, dueAt: number): Promise<void> {
  await db
    .insert(cursors)
    .values({ name: SWEEP, value: dueAt })
    .onConflictDoUpdate({ target: cursors.name, set: { value: dueAt } });
}

/** A database's overdue deliveries, beyond a due time or after one of them. */
async function overdueDeliveries(
  { db, isHere }: OneDatabase,
  dueBefore: number,
  after: OverdueDelivery | number,
  limit: number,
): Promise<OverdueDelivery[]> {
  const { companyId, companySequence, target, url } = deliveries;
  const nextAttemptAt = sql<number>`${deliveries.nextAttemptAt}`;
  const beyond =
    typeof after === "number"
      ? gt(nextAttemptAt, after)
      : sql`(${nextAttemptAt}, ${companyId}, ${companySequence}, ${target}) >
          (${after.nextAttemptAt}, ${after.companyId}, ${after.companySequence}, ${after.target})`;
  return db
    .select({ companyId, companySequence, target, url, nextAttemptAt })
    .from(deliveries)
    .where(and(lte(nextAttemptAt, dueBefore), beyond, isHere(companyId)))
    .orderBy(asc(nextAttemptAt), asc(companyId), asc(companySequence), asc(target))
    .limit(limit);
}
