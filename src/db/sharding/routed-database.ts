import type { Env } from "../../config.ts";
import { assert } from "../../lib/assert.ts";
import { databaseNamed } from "./databases.ts";
import { shardAssignmentOf, type ShardAssignment } from "./shard-assignments.ts";
import type { FenceState } from "./fence-filters.ts";

/** How long an execution waits for a cutover, and the polling interval. After that it is a 503. */
const FENCE_WAIT_MS = 1_000;
export const FENCE_POLL_MS = 100;
/** Redirects to a new database within one execution. */
const REDIRECTS_MAX = 5;

/** Fails its batch, by the table's CHECK, if the company's fence refuses writes. */
const ASSERT_WRITABLE = "UPDATE fences SET passed = 1 WHERE company_id = ? AND state <> 'here'";
const READ_FENCE = "SELECT state, move FROM fences WHERE company_id = ?";
const SELECT = /^\s*select/i;

interface Fence {
  state: FenceState;
  move: number;
}

type Answer = D1Result<Record<string, unknown>>;

/** Thrown if a company move blocks a company for too long. The API answers 503. */
export class CompanyMovingError extends Error {
  constructor(companyId: number) {
    super(`D1_FENCED: company ${companyId} is being moved to another database`);
  }
}

/**
 * A D1 database for drizzle that follows a company. Each execution is a batch that checks the company's
 * fence first. If the company does not live there, the batch has no effect and runs again in the
 * company's current database.
 */
export function routedDatabase(env: Env, companyId: number): D1Database {
  const routed = new RoutedDatabase(env, companyId);
  return routed as Pick<D1Database, "prepare" | "batch"> as D1Database;
}

class RoutedDatabase {
  readonly #env: Env;
  readonly #companyId: number;

  constructor(env: Env, companyId: number) {
    this.#env = env;
    this.#companyId = companyId;
  }

  prepare(sql: string): D1PreparedStatement {
    return new RoutedStatement(this, sql, []) as unknown as D1PreparedStatement;
  }

  async batch<Row>(statements: D1PreparedStatement[]): Promise<D1Result<Row>[]> {
    return (await this.run(statements as unknown as RoutedStatement[])) as D1Result<Row>[];
  }

  async run(statements: RoutedStatement[]): Promise<Answer[]> {
    const isReadOnly = statements.every(({ sql }) => SELECT.test(sql));
    let assignment = await shardAssignmentOf(this.#env, this.#companyId, "cached");
    let waitedMs = 0;
    for (let redirects = 0; ;) {
      const answers = await (isReadOnly
        ? this.#read(assignment, statements)
        : this.#write(assignment, statements));
      if (answers !== null) return answers;
      const before = assignment;
      assignment = await shardAssignmentOf(this.#env, this.#companyId, "current");
      const hasMoved = assignment.database !== before.database || assignment.move !== before.move;
      if (hasMoved && redirects < REDIRECTS_MAX) redirects += 1;
      else if (waitedMs < FENCE_WAIT_MS) {
        await scheduler.wait(FENCE_POLL_MS);
        waitedMs += FENCE_POLL_MS;
      } else throw new CompanyMovingError(this.#companyId);
    }
  }

  /** Null if the company does not live there; its rows are discarded. */
  async #read(
    assignment: ShardAssignment,
    statements: RoutedStatement[],
  ): Promise<Answer[] | null> {
    const database = databaseNamed(this.#env, assignment.database);
    const [fence, ...answers] = await database.batch<Record<string, unknown>>([
      database.prepare(READ_FENCE).bind(this.#companyId),
      ...statements.map((statement) => statement.bindTo(database)),
    ]);
    return isReadable(fence?.results[0] as Fence | undefined, assignment) ? answers : null;
  }

  /** Null if the fence refused the batch, which has written nothing. */
  async #write(
    assignment: ShardAssignment,
    statements: RoutedStatement[],
  ): Promise<Answer[] | null> {
    const database = databaseNamed(this.#env, assignment.database);
    try {
      const [, ...answers] = await database.batch<Record<string, unknown>>([
        database.prepare(ASSERT_WRITABLE).bind(this.#companyId),
        ...statements.map((statement) => statement.bindTo(database)),
      ]);
      return answers;
    } catch (error) {
      if (isFenceError(error)) return null;
      throw error;
    }
  }
}

/** A statement that is bound to a database only when it runs. */
class RoutedStatement {
  readonly sql: string;
  readonly #database: RoutedDatabase;
  readonly #parameters: unknown[];

  constructor(database: RoutedDatabase, sql: string, parameters: unknown[]) {
    this.#database = database;
    this.sql = sql;
    this.#parameters = parameters;
  }

  bind(...parameters: unknown[]): RoutedStatement {
    return new RoutedStatement(this.#database, this.sql, parameters);
  }

  bindTo(database: D1Database): D1PreparedStatement {
    return database.prepare(this.sql).bind(...this.#parameters);
  }

  async all(): Promise<Answer> {
    const [answer] = await this.#database.run([this]);
    return answer!;
  }

  run(): Promise<Answer> {
    return this.all();
  }

  /**
   * Rows as arrays. A batch returns objects, which would merge two columns of the same name: a subquery
   * makes the names unique and keeps SQLite's plan.
   */
  async raw(): Promise<unknown[][]> {
    const distinct = SELECT.test(this.sql) ? `SELECT * FROM (${this.sql})` : this.sql;
    const statement = new RoutedStatement(this.#database, distinct, this.#parameters);
    const { results } = await statement.all();
    return results.map((row) => {
      const names = Object.keys(row);
      // JavaScript objects list integer-like names first.
      const isOutOfOrder = names.length > 1 && names.some((name) => /^\d+$/.test(name));
      assert(!isOutOfOrder, "a selected number needs an alias that is not a number");
      return Object.values(row);
    });
  }
}

/**
 * `closing` is readable, because nothing writes there. `arriving` is complete once the directory assigns
 * the company to this database by the same move.
 */
function isReadable(fence: Fence | undefined, assignment: ShardAssignment): boolean {
  if (fence === undefined || fence.state === "here" || fence.state === "closing") return true;
  return fence.state === "arriving" && fence.move === assignment.move;
}

/** Whether a batch failed at the fence's CHECK or at a move's trigger, which uses the same name. */
function isFenceError(error: unknown): boolean {
  return error instanceof Error && error.message.includes("fence_holds");
}
