import { env as workerEnv } from "cloudflare:workers";
import { env } from "../../builders/companies/env.ts";

export const { SPARE_DB } = workerEnv as unknown as { SPARE_DB: D1Database };

/** The database that holds a company's rows. */
export async function shardOf(companyId: number): Promise<D1Database> {
  const placement = await env.DB.prepare("SELECT database FROM placements WHERE company_id = ?")
    .bind(companyId)
    .first<string>("database");
  return placement === "DB_2" ? SPARE_DB : env.DB;
}

/** A company's number of rows in a database by table, without empty tables. */
export async function rowCountsIn(database: "DB" | "DB_2", companyId: number) {
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
