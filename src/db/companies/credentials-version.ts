import { and, eq, lt, sql, type SQL } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { databaseFor, type Database } from "../client.ts";
import { runIdempotent } from "../storage-errors.ts";
import { companies } from "../schema/companies.ts";

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

/** A company's version is at least this from now on: what was read before it is old. */
export async function raiseCredentialsVersion(
  env: Env,
  companyId: number,
  atLeast: number,
): Promise<void> {
  const db = databaseFor(env, companyId);
  await runIdempotent(() => updateVersion(db, companyId, atLeast).run());
}

/** The statement of it, for a batch. */
export function updateVersion(db: Database, companyId: number, atLeast: number) {
  return db
    .update(companies)
    .set({ credentialsVersion: atLeast })
    .where(and(eq(companies.id, companyId), lt(companies.credentialsVersion, atLeast)));
}

/** Whether a version is a company's present one, within a statement that must not run on an old one. */
export function isCurrentVersion(companyId: number, version: number): SQL {
  return sql`${version} = (SELECT credentials_version FROM companies WHERE id = ${companyId})`;
}
