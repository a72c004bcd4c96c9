import type { Env } from "../../config.ts";
import { errorFields, log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/timeout.ts";
import { allShards, type Shard } from "../client.ts";

/** How long the other databases wait for one, of the 40 s that a task of the cron has. */
const SHARD_TIMEOUT_MS = 10_000;

/** A row, with the database that it was read from. */
export interface ShardRow<Row> {
  row: Row;
  database: Shard;
}

/**
 * All databases, as one task of the cron goes round them. One that fails keeps no company of another
 * waiting: it is logged once and left out until the task's next run. The last one is never left out:
 * its fault is the task's, as it is with one database.
 */
export class FanOut {
  readonly #timeoutMs: number;
  #shards: Shard[];

  constructor(env: Env, timeoutMs = SHARD_TIMEOUT_MS) {
    this.#shards = allShards(env);
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Asks each database that is not left out yet, side by side. What is asked for must be safe to repeat:
   * nobody waits for a slow one, which goes on. Throws where none answers.
   */
  async query<Answer>(run: (database: Shard) => Promise<Answer>): Promise<Map<Shard, Answer>> {
    const answers = new Map<Shard, Answer>();
    const [only, ...others] = this.#shards;
    if (only !== undefined && others.length === 0) return answers.set(only, await run(only));
    const errors: [Shard, unknown][] = [];
    await Promise.all(
      this.#shards.map(async (database) => {
        try {
          answers.set(database, await withTimeout(run(database), this.#timeoutMs));
        } catch (error) {
          errors.push([database, error]);
        }
      }),
    );
    for (const [database, error] of errors) this.exclude(database, error);
    return answers;
  }

  /** The first rows of each in its own order, by turns, so that no database's backlog hides another's. */
  async rows<Row>(
    limit: number,
    query: (database: Shard) => Promise<Row[]>,
  ): Promise<ShardRow<Row>[]> {
    return roundRobin(await this.query(query), limit);
  }

  /** Goes on without a database that turned out to be broken. Throws where it is the only one left. */
  exclude(database: Shard, error: unknown): void {
    if (!this.#shards.includes(database)) return;
    if (this.#shards.length === 1) throw error;
    log("error", "shard_excluded", { ...errorFields(error), database: database.name });
    this.#shards = this.#shards.filter((other) => other !== database);
  }
}

/** One of each database, then the next of each, up to a limit. */
export function roundRobin<Row>(answers: Map<Shard, Row[]>, limit: number): ShardRow<Row>[] {
  return [...answers]
    .flatMap(([database, rows]) => rows.map((row, turn) => ({ row, database, turn })))
    .sort((left, right) => left.turn - right.turn)
    .slice(0, limit);
}
