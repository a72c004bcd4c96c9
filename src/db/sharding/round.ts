import type { Env } from "../../config.ts";
import { errorFields, log } from "../../lib/log.ts";
import { withTimeLimit } from "../../lib/time-limit.ts";
import { eachDatabase, type OneDatabase } from "../client.ts";

/** How long the other databases wait for one, of the 40 s that a task of the cron has. */
const PATIENCE_MS = 10_000;

/** A row, with the database that it was read from. */
export interface Found<Row> {
  row: Row;
  database: OneDatabase;
}

/**
 * All databases, as one task of the cron goes round them. One that fails keeps no company of another
 * waiting: it is logged once and left out until the task's next run. The last one is never left out:
 * its fault is the task's, as it is with one database.
 */
export class Round {
  readonly #patienceMs: number;
  #databases: OneDatabase[];

  constructor(env: Env, patienceMs = PATIENCE_MS) {
    this.#databases = eachDatabase(env);
    this.#patienceMs = patienceMs;
  }

  /**
   * Asks each database that is not left out yet, side by side. What is asked for must be safe to repeat:
   * nobody waits for a slow one, which goes on. Throws where none answers.
   */
  async ask<Answer>(
    question: (database: OneDatabase) => Promise<Answer>,
  ): Promise<Map<OneDatabase, Answer>> {
    const answers = new Map<OneDatabase, Answer>();
    const [only, ...others] = this.#databases;
    if (only !== undefined && others.length === 0) return answers.set(only, await question(only));
    const faults: [OneDatabase, unknown][] = [];
    await Promise.all(
      this.#databases.map(async (database) => {
        try {
          answers.set(database, await withTimeLimit(question(database), this.#patienceMs));
        } catch (error) {
          faults.push([database, error]);
        }
      }),
    );
    for (const [database, error] of faults) this.leaveOut(database, error);
    return answers;
  }

  /** The first rows of each in its own order, by turns, so that no database's backlog hides another's. */
  async rows<Row>(
    limit: number,
    look: (database: OneDatabase) => Promise<Row[]>,
  ): Promise<Found<Row>[]> {
    return byTurns(await this.ask(look), limit);
  }

  /** Goes on without a database that turned out to be broken. Throws where it is the only one left. */
  leaveOut(database: OneDatabase, error: unknown): void {
    if (!this.#databases.includes(database)) return;
    if (this.#databases.length === 1) throw error;
    log("error", "database_left_out", { ...errorFields(error), database: database.name });
    this.#databases = this.#databases.filter((other) => other !== database);
  }
}

/** One of each database, then the next of each, up to a limit. */
export function byTurns<Row>(answers: Map<OneDatabase, Row[]>, limit: number): Found<Row>[] {
  return [...answers]
    .flatMap(([database, rows]) => rows.map((row, turn) => ({ row, database, turn })))
    .sort((left, right) => left.turn - right.turn)
    .slice(0, limit);
}
