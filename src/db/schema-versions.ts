import { eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { Env } from "../config.ts";
import type { Clock } from "../domain/shared/clock.ts";
import { log } from "../lib/log.ts";
import { schemaVersion } from "./schema/routing.ts";
import { databasesOf } from "./sharding/databases.ts";

/** The migrations of `migrations/contract` that this code was written after. */
export const CONTRACTS = 0;
/** A deploy contracts five minutes after it, so every isolate has looked again by then. */
const CHECK_MS = 30_000;

/** Newer code has taken away from a database what this code writes. */
export class NewerDatabase extends Error {
  constructor() {
    super("STORAGE_NEWER: a newer version of the code has migrated the database");
  }
}

/**
 * Knows whether newer code has contracted a database, as before a rollback or late in a deploy: then this code
 * writes nothing there. What newer code has only added does not matter. One for each isolate.
 */
export class SchemaVersions {
  readonly #clock: Clock;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #isNewer = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** One read of each database every half minute. Of a database that does not answer, what was known holds. */
  async isNewer(env: Env): Promise<boolean> {
    const now = this.#clock.now();
    if (now - this.#checkedAt < CHECK_MS) return this.#isNewer;
    // First, so that the requests meanwhile do not ask too.
    this.#checkedAt = now;
    const contracts = await Promise.all([...databasesOf(env).values()].map(contractsOf));
    const known = contracts.filter((count) => count !== null);
    if (known.length === contracts.length || known.some((count) => count > CONTRACTS)) {
      this.#isNewer = known.some((count) => count > CONTRACTS);
    }
    if (this.#isNewer) log("error", "storage_version_ahead", { contracts: Math.max(...known) });
    return this.#isNewer;
  }
}

async function contractsOf(database: D1Database): Promise<number | null> {
  try {
    const [row] = await drizzle(database)
      .select({ contracts: schemaVersion.contracts })
      .from(schemaVersion)
      .where(eq(schemaVersion.only, 1));
    return row?.contracts ?? null;
  } catch {
    return null;
  }
}
