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

/** The position of the sweep in a database. */
interface SweepPosition {
  /** The due time at which this sweep began; 0 if the last one reached the end. */
  begin: number;
  /** The last delivery of this sweep, or `begin`. */
  last: OverdueDelivery | number;
  isComplete: boolean;
}

/**
 * Scans late deliveries for `sweepDeliveries` (`api/webhooks/tasks.ts`), which enqueues them again. The
 * longest due come first in each database. A delivery in flight is due until its attempt
 * is recorded. Each database has its own cursor, so that one that was down continues where it ended.
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

  /** Begins a scan of the deliveries due by a time, Unix milliseconds. */
  static async begin(env: Env, dueBefore: number): Promise<OverdueScan> {
    const fanOut = new FanOut(env);
    const positions = await fanOut.query(async ({ db }) => {
      const begin = await findSweepCursor(db);
      return { begin, last: begin, isComplete: false };
    });
    return new OverdueScan(fanOut, dueBefore, positions);
  }

  /** Whether all databases are read to the end. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** The next due deliveries, at most `limit`, round robin over the databases. */
  async next(limit: number): Promise<OverdueDelivery[]> {
    const pages = await this.#fanOut.query(async (database) => {
      const { last, isComplete } = this.#positionIn(database);
      return isComplete ? [] : findOverdueDeliveries(database, this.#dueBefore, last, limit);
    });
    const found = roundRobin(pages, limit);
    const taken = Map.groupBy(found, ({ database }) => database);
    for (const [database, page] of pages) {
      const position = this.#positionIn(database);
      const takenRows = taken.get(database) ?? [];
      position.last = takenRows.at(-1)?.row ?? position.last;
      position.isComplete = page.length < limit && takenRows.length === page.length;
    }
    this.#isComplete = [...pages.keys()].every((database) => this.#positionIn(database).isComplete);
    return found.map(({ row }) => row);
  }

  /** Saves where the next sweep begins. */
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
