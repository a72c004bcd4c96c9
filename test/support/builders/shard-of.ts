import { env as workerEnv } from "cloudflare:workers";
import { env } from "../fakes/env.ts";

const { SPARE_DB } = workerEnv as unknown as { SPARE_DB: D1Database };

/** The database that holds a company's rows. */
export async function shardOf(companyId: number): Promise<D1Database> {
  const placement = await env.DB.prepare("SELECT database FROM placements WHERE company_id = ?")
    .bind(companyId)
    .first<string>("database");
  return placement === "DB_2" ? SPARE_DB : env.DB;
}
