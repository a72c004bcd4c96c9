import { applyD1Migrations, type D1Migration } from "cloudflare:test";
import { env as workerEnv } from "cloudflare:workers";
import { moveCompany, type MoveReport } from "../../../src/db/sharding/migration/migrate.ts";
import { recordsOf } from "../../../src/db/projection/records.ts";
import type { Env } from "../../../src/config.ts";
import { inAccount, type TestCompany } from "./company.ts";
import { env } from "../fakes/env.ts";

const { SPARE_DB, TEST_MIGRATIONS } = workerEnv as unknown as {
  SPARE_DB: D1Database;
  TEST_MIGRATIONS: D1Migration[];
};

/** More than any test's company needs. */
const STEPS_MAX = 500;

export type SpreadEnv = Env & { DB_2: D1Database };

/** Gives the second database its tables. Once for each test file that has one. */
export async function givenSecondDatabase(): Promise<void> {
  await applyD1Migrations(SPARE_DB, TEST_MIGRATIONS);
}

/** An environment with two databases, as an isolate of its own sees it, which remembers nothing yet. */
export function newIsolate(): SpreadEnv {
  return { ...env, DB: { ...same(env.DB) }, DB_2: SPARE_DB } as SpreadEnv;
}

/** Makes a company's object find its database among two. Repeat after an eviction. */
export async function spreadObject(company: TestCompany, isolate: Env = newIsolate()) {
  await inAccount(company.id, (account) => {
    account.records = recordsOf(isolate);
  });
}

/** Moves a company to the end, as the script does; `between` runs before each step. */
export async function moveTo(
  isolate: Env,
  company: TestCompany,
  to: string,
  between: (before: MoveReport | null) => Promise<unknown> = async () => undefined,
): Promise<MoveReport> {
  let report: MoveReport | null = null;
  for (let step = 0; step < STEPS_MAX; step++) {
    await between(report);
    report = await moveCompany(isolate, company.id, { to }, Date.now);
    if (report.database === to && report.target === null) return report;
  }
  throw new Error(`the move did not end: ${JSON.stringify(report)}`);
}

/** How many rows each database has of a company, table by table; tables without any left out. */
export async function rowsIn(database: "DB" | "DB_2", companyId: number) {
  const db = database === "DB" ? env.DB : SPARE_DB;
  const tables = await db
    .prepare(
      `SELECT tables.name FROM (SELECT name FROM sqlite_master WHERE type = 'table'
         AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\') AS tables, pragma_table_info(tables.name) AS columns
       WHERE columns.name = 'company_id' AND tables.name NOT IN ('fences', 'placements', 'clients')`,
    )
    .all<{ name: string }>();
  const counts: Record<string, number> = {};
  for (const { name } of tables.results) {
    const count = await db
      .prepare(`SELECT count(*) AS n FROM "${name}" WHERE company_id = ?`)
      .bind(companyId)
      .first<number>("n");
    if (count !== null && count > 0) counts[name] = count;
  }
  return counts;
}

/** The binding itself, behind an object that is nobody else's. */
function same(database: D1Database): Pick<D1Database, "prepare" | "batch"> {
  return {
    prepare: (sql) => database.prepare(sql),
    batch: (statements) => database.batch(statements),
  };
}
