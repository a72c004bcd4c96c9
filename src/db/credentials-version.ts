import { eq, sql, type Placeholder, type SQL } from "drizzle-orm";
import type { Env } from "../env.ts";
import { builtOnce, runOne, type Slots } from "./built-once.ts";
import { databaseFor } from "./client.ts";
import { companies } from "./schema/companies.ts";

/**
 * The version of what authentication reads of a company: it rises with each change of its settings,
 * applications, keys and PSP, by whatever way. Null where there is no such company.
 */
export async function credentialsVersionOf(env: Env, companyId: number): Promise<number | null> {
  const db = databaseFor(env, companyId);
  const [row] = await runOne(db, selectVersion(db, { companyId }));
  return row?.version ?? null;
}

const selectVersion = builtOnce((db, slots: Slots<{ companyId: number }>) =>
  db
    .select({ version: companies.credentialsVersion })
    .from(companies)
    .where(eq(companies.id, slots.companyId)),
);

/** Whether a version is a company's present one, within a statement that must not run on an old one. */
export function isPresentVersion<Value extends number | Placeholder>(
  companyId: Value,
  version: Value,
): SQL {
  return sql`${version} = (SELECT credentials_version FROM companies WHERE id = ${companyId})`;
}
