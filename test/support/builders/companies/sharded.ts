import { applyD1Migrations, type D1Migration } from "cloudflare:test";
import { env as workerEnv } from "cloudflare:workers";
import {
  migrateTenant,
  type MigrationReport,
} from "../../../../src/db/sharding/migration/migrate.ts";
import { projectionWriter } from "../../../../src/db/projection/projection-writer.ts";
import type { Env } from "../../../../src/config.ts";
import { inAccount, type TestCompany } from "./company.ts";
import { env } from "./env.ts";

const { SPARE_DB, TEST_MIGRATIONS } = workerEnv as unknown as {
  SPARE_DB: D1Database;
  TEST_MIGRATIONS: D1Migration[];
};

/** More than any test's company needs. */
const STEPS_MAX = 500;

export type ShardedEnv = Env & { DB_2: D1Database };

/** Gives the second database its tables. Once for each test file that has one. */
export async function givenSecondDatabase(): Promise<void> {
  await applyD1Migrations(SPARE_DB, TEST_MIGRATIONS);
}

/** An environment with two databases, as an isolate of its own sees it, which remembers nothing yet. */
export function newIsolate(): ShardedEnv {
  return { ...env, DB: { ...copyBinding(env.DB) }, DB_2: SPARE_DB } as ShardedEnv;
}

/** Makes a company's object find its database among two. Repeat after an eviction. */
export async function useShards(company: TestCompany, isolate: Env = newIsolate()) {
  await inAccount(company.id, (account) => {
    account.projection = projectionWriter(isolate);
  });
}

/** Moves a company to the end, as the script does; `between` runs before each step. */
export async function migrateTo(
  isolate: Env,
  company: TestCompany,
  to: string,
  beforeStep: (before: MigrationReport | null) => Promise<unknown> = async () => undefined,
): Promise<MigrationReport> {
  let report: MigrationReport | null = null;
  for (let step = 0; step < STEPS_MAX; step++) {
    await beforeStep(report);
    report = await migrateTenant(isolate, company.id, { to }, Date.now);
    if (report.database === to && report.target === null) return report;
  }
  throw new Error(`the tenant migration did not end: ${JSON.stringify(report)}`);
}

/** The binding itself, behind an object that is nobody else's. */
function copyBinding(database: D1Database): Pick<D1Database, "prepare" | "batch"> {
  return {
    prepare: (sql) => database.prepare(sql),
    batch: (statements) => database.batch(statements),
  };
}
