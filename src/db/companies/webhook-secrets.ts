import { and, asc, eq, gt } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { assert } from "../../lib/assert.ts";
import { queryCompaniesAcrossShards, databaseFor } from "../client.ts";
import { runIdempotent } from "../storage-errors.ts";
import { companies, type RetiredSecret } from "../schema/companies.ts";

/** A company, and the id that its Ed25519 key is derived from. */
export interface KeyOwner {
  id: number;
  providerCompanyId: string;
}

const OWNER_COLUMNS = { id: companies.id, providerCompanyId: companies.providerCompanyId };
const SECRET_COLUMNS = {
  providerCompanyId: companies.providerCompanyId,
  webhookSecretSealed: companies.webhookSecretSealed,
  webhookSecretsPrevious: companies.webhookSecretsPrevious,
};

/** The next companies by id, over all databases. Throws if a database cannot be read. */
export async function keyOwnersAfter(env: Env, after: number, limit: number): Promise<KeyOwner[]> {
  return queryCompaniesAcrossShards(
    env,
    (db, fence) =>
      db
        .select({ ...OWNER_COLUMNS, fence })
        .from(companies)
        .where(gt(companies.id, after))
        .orderBy(asc(companies.id))
        .limit(limit),
    limit,
  );
}

/** One company; null if there is none with this id. */
export async function findKeyOwner(env: Env, companyId: number): Promise<KeyOwner | null> {
  const [owner] = await databaseFor(env, companyId)
    .select(OWNER_COLUMNS)
    .from(companies)
    .where(eq(companies.id, companyId));
  return owner ?? null;
}

/** A company's webhook secrets, sealed. */
export async function findSealedSecrets(env: Env, companyId: number) {
  const [row] = await secretsOf(env, companyId);
  assert(row !== undefined, `company ${companyId} is in D1`);
  return row;
}

/**
 * Replaces the current secret, unless another call has replaced it already. Returns the secrets stored
 * afterwards, whichever call wrote them.
 */
export async function replaceSecret(
  env: Env,
  companyId: number,
  current: string,
  next: { sealed: string; previous: RetiredSecret[] },
) {
  const db = databaseFor(env, companyId);
  const [, [row]] = await runIdempotent(() =>
    db.batch([
      db
        .update(companies)
        .set({ webhookSecretSealed: next.sealed, webhookSecretsPrevious: next.previous })
        .where(and(eq(companies.id, companyId), eq(companies.webhookSecretSealed, current))),
      secretsOf(env, companyId),
    ]),
  );
  assert(row !== undefined, `company ${companyId} is in D1`);
  return row;
}

function secretsOf(env: Env, companyId: number) {
  return databaseFor(env, companyId)
    .select(SECRET_COLUMNS)
    .from(companies)
    .where(eq(companies.id, companyId));
}
