import { eq, sql, type SQL } from "drizzle-orm";
import type { Env } from "../env.ts";
import { databaseFor } from "./client.ts";
import { companies } from "./schema/companies.ts";

/**
 * The version of what authentication reads of a company: it rises with each change of its settings,
 * applications, keys and PSP, by whatever way. Null where there is no such company.
 */
export async function credentialsVersionOf(env: Env, companyId: number): Promise<number | null> {
  const [row] = await databaseFor(env, companyId)
    .select({ version: companies.credentialsVersion })
    .from(companies)
    .where(eq(companies.id, companyId));
  return row?.version ?? null;
}

/** Whether a version is a company's present one, within a statement that must not run on an old one. */
export function isPresentVersion(companyId: number, version: number): SQL {
  return sql`${version} = (SELECT credentials_version FROM companies WHERE id = ${companyId})`;
}
