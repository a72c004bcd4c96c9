import type { Env } from "../../config.ts";
import { assert } from "../../lib/assert.ts";
import { databaseNamed } from "./databases.ts";
import { shardAssignmentOf, type ShardAssignment } from "./shard-assignments.ts";
import type { FENCE_STATES } from "../schema/routing.ts";

/** How long a write waits for the end of a move, and how often it looks: then it is a 503. */
const FENCE_WAIT_MS = 1_000;
const FENCE_POLL_MS = 100;
/** A company that moves on faster than it can be followed does not exist. */
const REDIRECTS_MAX = 5;

/** Fails the batch it begins, by the table's CHECK, where the company's fence does not let writes by. */
const ASSERT_WRITABLE = "UPDATE fences SET passed = 1 WHERE company_id = ? AND state <> 'here'";
const READ_FENCE = "SELECT state, move FROM fences WHERE company_id = ?";
const SELECT = /^\s*select/i;

interface Fence {
  state: (typeof FENCE_STATES)[number];
  move: number;
}

type Answer = D1Result<Record<string, unknown>>;

/** Thrown where a company is being moved and may not be written yet. Clients are answered a 503. */
export class TenantMovingError extends Error {
  constructor(companyId: number) {
    super(`D1_FENCED: company ${companyId} is being moved to another database`);
  }
}

/**
 * A company's database, wherever it lives, as drizzle uses one. Each execution is a batch that begins
 * with the company's fence, so that it is either of where the company lives or of no effect, and is
 * made again where the company lives now.
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
    const isRead = statements.every(({ sql }) => SELECT.test(sql));
    let assignment = await shardAssignmentOf(this.#env, this.#companyId, "cached");
    let waitedMs = 0;
    for (let redirects = 0; ;) {
      const answers = await (isRead
        ? this.#read(assignment, statements)
        : this.#write(assignment, statements));
      if (answers !== null) return answers;
      const before = assignment;
      assignment = await shardAssignmentOf(this.#env, this.#companyId, "current");
      const hasMoved = assignment.database !== before.database || assignment.move !== before.move;
      if (hasMoved && redirects < REDIRECTS_MAX) redirects += 1;
      else if (waitedMs < FENCE_WAIT_MS) {
        await new Promise((wake) => setTimeout(wake, FENCE_POLL_MS));
        waitedMs += FENCE_POLL_MS;
      } else throw new TenantMovingError(this.#companyId);
    }
  }

  /** Null where the company does not live there: what was read is thrown away. */
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

  /** Null where the fence stands: nothing of it was written. */
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

/** What drizzle prepares: it is bound to a database only when it is known which. */
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
   * Rows as arrays. A batch answers objects, in which two columns of one name would be one: a subquery
   * gives each column a name of its own, and SQLite's plan stays the same.
   */
  async raw(): Promise<unknown[][]> {
    const distinct = SELECT.test(this.sql) ? `SELECT * FROM (${this.sql})` : this.sql;
    const statement = new RoutedStatement(this.#database, distinct, this.#parameters);
    const { results } = await statement.all();
    return results.map((row) => {
      const names = Object.keys(row);
      // An object puts such a name first, wherever its column stands.
      const isOutOfOrder = names.length > 1 && names.some((name) => /^\d+$/.test(name));
      assert(!isOutOfOrder, "a selected number needs an alias that is not a number");
      return Object.values(row);
    });
  }
}

/**
 * `closing` is read on: nobody writes it any more. `arriving` is complete for whoever was told by the
 * directory that the very move has brought the company there.
 */
function isReadable(fence: Fence | undefined, assignment: ShardAssignment): boolean {
  if (fence === undefined || fence.state === "here" || fence.state === "closing") return true;
  return fence.state === "arriving" && fence.move === assignment.move;
}

/** Whether a batch failed at a fence, or at what stands for it while a company is moved. */
function isFenceError(error: unknown): boolean {
  return error instanceof Error && error.message.includes("fence_holds");
}
