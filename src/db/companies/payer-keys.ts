import { and, eq, isNull } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { assert } from "../../lib/assert.ts";
import { databaseFor } from "../client.ts";
import { runIdempotent } from "../storage-errors.ts";
import { companies } from "../schema/companies.ts";

/** Stores a company's sealed key of payers if it has none. Returns the stored one, whichever call wrote it. */
export async function savePayerKey(env: Env, companyId: number, sealed: string): Promise<string> {
  const db = databaseFor(env, companyId);
  const isCompany = eq(companies.id, companyId);
  const [, [row]] = await runIdempotent(() =>
    db.batch([
      db
        .update(companies)
        .set({ leadKeySealed: sealed })
        .where(and(isCompany, isNull(companies.leadKeySealed))),
      db.select({ leadKeySealed: companies.leadKeySealed }).from(companies).where(isCompany),
    ]),
  );
  assert(typeof row?.leadKeySealed === "string", `company ${companyId} has a key of payers`);
  return row.leadKeySealed;
}
