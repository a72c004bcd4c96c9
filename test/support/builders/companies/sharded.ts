import { applyD1Migrations, type D1Migration } from "cloudflare:test";
import { env as workerEnv } from "cloudflare:workers";
import { moveCompany, type MoveReport } from "../../../../src/db/sharding/move/move-company.ts";
import { projectionWriter } from "../../../../src/db/projection/projection-writer.ts";
import type { Env } from "../../../../src/config.ts";
import { configureObject, type TestCompany } from "./company.ts";
import { env } from "./env.ts";

const { SPARE_DB, TEST_MIGRATIONS } = workerEnv as unknown as {
  SPARE_DB: D1Database;
  TEST_MIGRATIONS: D1Migration[];
};

/** More than any test's company needs. */
const STEPS_MAX = 500;

export type ShardedEnv = Env & { DB_2: D1Database };

/** Creates the tables of the second database; once for each test file that uses it. */
export async function givenSecondDatabase(): Promise<void> {
  await applyD1Migrations(SPARE_DB, TEST_MIGRATIONS);
}

/** A new isolate's environment with two databases and empty caches. */
export function newIsolate(): ShardedEnv {
  return { ...env, DB: { ...copyBinding(env.DB) }, DB_2: SPARE_DB } as ShardedEnv;
}

/** Lets the company's object use both shards. Repeat after an eviction. */
export async function useShards(company: TestCompany, isolate: Env = newIsolate()) {
  await configureObject(company.id, { projection: projectionWriter(isolate) });
}

/** Moves a company to the end, as the script does; `beforeStep` runs before each step. */
export async function moveTo(
  isolate: Env,
  company: TestCompany,
  to: string,
  beforeStep: (before: MoveReport | null) => Promise<unknown> = async () => undefined,
): Promise<MoveReport> {
  let report: MoveReport | null = null;
  for (let step = 0; step < STEPS_MAX; step++) {
    await beforeStep(report);
    report = await moveCompany(isolate, company.id, { to }, Date.now);
    if (report.database === to && report.target === null) return report;
  }
  throw new Error(`the company move did not end: ${JSON.stringify(report)}`);
}

/** A new object around the binding: caches are keyed by object. */
function copyBinding(database: D1Database): Pick<D1Database, "prepare" | "batch"> {
  return {
    prepare: (sql) => database.prepare(sql),
    batch: (statements) => database.batch(statements),
  };
}
