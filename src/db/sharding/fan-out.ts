import type { Env } from "../../config.ts";
import { errorFields, log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/timeout.ts";
import type { Clock, CompanyClock } from "../../domain/shared/clock.ts";
import { allShards, shardOfCompany, type Shard } from "../client.ts";

/** How long a query waits for one database. A cron task has 40 s. */
const SHARD_TIMEOUT_MS = 10_000;

/** A row and its database. */
export interface ShardRow<Row> {
  row: Row;
  database: Shard;
}

/**
 * Queries all databases for one run of a cron task. A database that fails is logged once and excluded
 * for the rest of the run, so that it delays no company of another. The last one is never excluded: its
 * error fails the task, as with one database.
 */
export class FanOut {
  readonly #timeoutMs: number;
  #shards: Shard[];

  constructor(env: Env, timeoutMs = SHARD_TIMEOUT_MS, shards = allShards(env)) {
    this.#shards = shards;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Runs a query on all databases in parallel, except the excluded ones. The query must be safe to
   * repeat: one that times out still runs. Throws if no database answers.
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

  /** The first rows of each database, round robin, so that no backlog hides another database's rows. */
  async rows<Row>(
    limit: number,
    query: (database: Shard) => Promise<Row[]>,
  ): Promise<ShardRow<Row>[]> {
    return roundRobin(await this.query(query), limit);
  }

  /** Excludes a failed database from the rest of the run. Throws the error if it is the last one. */
  exclude(database: Shard, error: unknown): void {
    if (!this.#shards.includes(database)) return;
    if (this.#shards.length === 1) throw error;
    log("error", "shard_excluded", { ...errorFields(error), database: database.name });
    this.#shards = this.#shards.filter((other) => other !== database);
  }
}

/** What a cron task looks for: what is due by a time (Unix milliseconds) in the databases. */
export interface Due {
  fanOut: FanOut;
  nowMs: number;
}

/** What is due by the platform's time, of all companies. */
export function dueOfAll(env: Env, { platformClock }: { platformClock: Clock }): Due {
  return { fanOut: new FanOut(env), nowMs: platformClock.now() };
}

/** What is due by a company's time, of that company. */
export function dueOfCompany(env: Env, companyId: number, clock: CompanyClock): Due {
  const shards = [shardOfCompany(env, companyId)];
  return { fanOut: new FanOut(env, SHARD_TIMEOUT_MS, shards), nowMs: clock.now() };
}

/** The first row of each database, then the second of each, up to a limit. */
export function roundRobin<Row>(answers: Map<Shard, Row[]>, limit: number): ShardRow<Row>[] {
  return [...answers]
    .flatMap(([database, rows]) => rows.map((row, rank) => ({ row, database, rank })))
    .sort((left, right) => left.rank - right.rank)
    .slice(0, limit);
}
