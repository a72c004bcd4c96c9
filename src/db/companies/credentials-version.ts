import { and, eq, lt, sql, type SQL } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { databaseFor, type Database } from "../client.ts";
import { prepareOnce, type Parameter } from "../prepared-query.ts";
import { runIdempotent } from "../storage-errors.ts";
import { companies } from "../schema/companies.ts";

const selectVersion = prepareOnce((db, value: Parameter<{ companyId: number }>) =>
  db
    .select({ version: companies.credentialsVersion })
    .from(companies)
    .where(eq(companies.id, value("companyId"))),
);

/**
 * The version of a company's credentials. Triggers raise it with each change of the company's row,
 * applications, keys and PSP. Null if there is no such company.
 */
export async function credentialsVersionOf(env: Env, companyId: number): Promise<number | null> {
  const [row] = await selectVersion(databaseFor(env, companyId), { companyId });
  return row?.version ?? null;
}

/** Raises a company's version to at least this, which makes earlier reads stale. */
export async function raiseCredentialsVersion(
  env: Env,
  companyId: number,
  atLeast: number,
): Promise<void> {
  const db = databaseFor(env, companyId);
  await runIdempotent(() => updateVersion(db, companyId, atLeast).run());
}

/** The statement of `raiseCredentialsVersion`, for a batch. */
export function updateVersion(db: Database, companyId: number, atLeast: number) {
  return db
    .update(companies)
    .set({ credentialsVersion: atLeast })
    .where(and(eq(companies.id, companyId), lt(companies.credentialsVersion, atLeast)));
}

/** A condition that holds while a company still has this version. */
export function isCurrentVersion(companyId: number | SQL, version: number | SQL): SQL {
  return sql`${version} = (SELECT credentials_version FROM companies WHERE id = ${companyId})`;
}
