import type { Shard } from "../../db/client.ts";
import { roundRobin, FanOut } from "../../db/sharding/fan-out.ts";
import type { Env } from "../../config.ts";
import { assert } from "../../lib/assert.ts";
import {
  findOverdueDeliveries,
  findSweepCursor,
  saveSweepCursor,
  type OverdueDelivery,
} from "./overdue-repository.ts";

/** Where the sweep stands in a database. */
interface SweepPosition {
  /** Up to which due time the last sweep has looked; 0 where it came to the end. */
  begin: number;
  /** The last delivery that this one has come to, or where it began. */
  last: OverdueDelivery | number;
  isComplete: boolean;
}

/**
 * Deliveries that are due, longest due first of each database; one in flight is among them until it is
 * recorded. In each database it goes on from where the last sweep ended, so that one that
 * was down goes on from there too.
 */
export class OverdueScan {
  readonly #fanOut: FanOut;
  readonly #dueBefore: number;
  readonly #positions: Map<Shard, SweepPosition>;
  #isComplete = false;

  private constructor(fanOut: FanOut, dueBefore: number, positions: Map<Shard, SweepPosition>) {
    this.#fanOut = fanOut;
    this.#dueBefore = dueBefore;
    this.#positions = positions;
  }

  /** Begins with what was due before a time, in epoch ms. */
  static async begin(env: Env, dueBefore: number): Promise<OverdueScan> {
    const fanOut = new FanOut(env);
    const positions = await fanOut.query(async ({ db }) => {
      const begin = await findSweepCursor(db);
      return { begin, last: begin, isComplete: false };
    });
    return new OverdueScan(fanOut, dueBefore, positions);
  }

  /** Whether there are no more. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  async next(limit: number): Promise<OverdueDelivery[]> {
    const pages = await this.#fanOut.query(async (database) => {
      const { last, isComplete } = this.#positionIn(database);
      return isComplete ? [] : findOverdueDeliveries(database, this.#dueBefore, last, limit);
    });
    const found = roundRobin(pages, limit);
    const taken = Map.groupBy(found, ({ database }) => database);
    for (const [database, page] of pages) {
      const position = this.#positionIn(database);
      const takenHere = taken.get(database) ?? [];
      position.last = takenHere.at(-1)?.row ?? position.last;
      position.isComplete = page.length < limit && takenHere.length === page.length;
    }
    this.#isComplete = [...pages.keys()].every((database) => this.#positionIn(database).isComplete);
    return found.map(({ row }) => row);
  }

  /** Writes down where the next sweep begins. */
  async saveCursors(): Promise<void> {
    await this.#fanOut.query(async (database) => {
      const { begin, last, isComplete } = this.#positionIn(database);
      const reached = typeof last === "number" ? last : last.nextAttemptAt;
      const end = isComplete ? 0 : reached;
      if (end !== begin) await saveSweepCursor(database.db, end);
    });
  }

  #positionIn(database: Shard): SweepPosition {
    const position = this.#positions.get(database);
    assert(position !== undefined, "a database without a cursor is excluded from the scan");
    return position;
  }
}
