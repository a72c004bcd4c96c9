import { and, eq, gt, isNotNull, lte, sql } from "drizzle-orm";
import type { Database, OneDatabase } from "../db/client.ts";
import { byTurns, Round } from "../db/round.ts";
import { cursors } from "../db/schema/operations.ts";
import { events } from "../db/schema/webhooks.ts";
import type { Env } from "../env.ts";
import { assert } from "../lib/assert.ts";
import { DELIVERIES, deliveriesIn, type DeliveryRow } from "../db/event-rows.ts";

/** The name of the sweep's cursor, which each database has its own of. */
const SWEEP = "deliveries";

/** An event with something due. */
export interface OverdueEvent {
  companyId: number;
  companySequence: number;
  /** When the first of its deliveries is due. */
  dueAt: number;
  /** Those of them that are due. */
  deliveries: DeliveryRow[];
}

/** Where the sweep stands in a database. */
interface Place {
  /** Up to which due time the last sweep has looked; 0 where it came to the end. */
  begin: number;
  /** The last event that this one has come to, or where it began. */
  last: OverdueEvent | number;
  isWhole: boolean;
}

/**
 * Events with deliveries that are due, longest due first of each database; one in flight is among them
 * until it is recorded. In each database it goes on from where the last sweep ended, so that one that
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

  async next(limit: number): Promise<OverdueEvent[]> {
    const pages = await this.#round.ask(async (database) => {
      const { last, isWhole } = this.#placeIn(database);
      return isWhole ? [] : overdueEvents(database, this.#dueBefore, last, limit);
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
      const reached = typeof last === "number" ? last : last.dueAt;
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

/** A database's events, beyond a due time or after one of them. */
async function overdueEvents(
  { db, isHere }: OneDatabase,
  dueBefore: number,
  after: OverdueEvent | number,
  limit: number,
): Promise<OverdueEvent[]> {
  const { dueAt, companyId, companySequence } = events;
  const beyond =
    typeof after === "number"
      ? gt(dueAt, after)
      : sql`(${dueAt}, ${companyId}, ${companySequence}) >
          (${after.dueAt}, ${after.companyId}, ${after.companySequence})`;
  const rows = await db
    .select({ ...DELIVERIES, dueAt: sql<number>`${dueAt}` })
    .from(events)
    .where(and(isNotNull(dueAt), lte(dueAt, dueBefore), beyond, isHere(companyId)))
    .orderBy(dueAt, companyId, companySequence)
    .limit(limit);
  return rows.map((row) => ({
    companyId: row.companyId,
    companySequence: row.companySequence,
    dueAt: row.dueAt,
    deliveries: deliveriesIn(row).filter(
      (delivery) => delivery.dueAt !== null && delivery.dueAt <= dueBefore,
    ),
  }));
}
