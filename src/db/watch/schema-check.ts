import { sql } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { allShards } from "../client.ts";
import journal from "../../../migrations/meta/_journal.json" with { type: "json" };

/** The newest migration of D1 that this code knows. */
const NEWEST = `${journal.entries.at(-1)?.tag}.sql`;

/**
 * Whether every database has the newest migration of this code. One that has later ones too fits: a migration only
 * adds. Throws if a database was never migrated.
 */
export async function hasNewestMigration(env: Env): Promise<boolean> {
  const found = await Promise.all(
    allShards(env).map(({ db }) =>
      db.all(sql`SELECT 1 FROM d1_migrations WHERE name = ${NEWEST} LIMIT 1`),
    ),
  );
  return found.every((rows) => rows.length > 0);
}
