import { and, asc, eq, gt } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { assert } from "../../lib/assert.ts";
import { queryCompaniesAcrossShards, databaseFor } from "../client.ts";
import { runIdempotent } from "../storage-errors.ts";
import { companies, type RetiredSecret } from "../schema/companies.ts";

/** Whose webhooks a public key is for, and what the key is derived from. */
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

/** The companies after one, by their number. */
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

/** One company; null where there is none of that number. */
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
 * Puts another secret in the place of `present`, where that is still the one. Answers the secrets as
 * they stand then, whoever has written them.
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
