import type { TestCompany } from "../../builders/companies/env.ts";
import { shardOf } from "../database/shards.ts";
import type { Company } from "../webhooks/webhook-rows.ts";

/** A company's transactions in D1. */
export async function transactionsOf(
  company: TestCompany,
): Promise<{ id: string; status: string; version: number; nextSweepAt: number | null }[]> {
  return queryRows(
    `SELECT id, status, version, next_sweep_at AS nextSweepAt FROM transactions
     WHERE company_id = ? ORDER BY seq`,
    company,
  );
}

async function queryRows<Row>(query: string, company: Company): Promise<Row[]> {
  const home = await shardOf(company.id);
  const { results } = await home.prepare(query).bind(company.id).all<Row>();
  return results;
}
