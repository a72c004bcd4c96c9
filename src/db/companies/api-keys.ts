import { and, desc, eq, gt, isNull, ne, or, sql, type SQL } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { databaseFor } from "../client.ts";
import { runIdempotent } from "../storage-errors.ts";
import { apiKeys } from "../schema/companies.ts";

/** Keys that may be active at once. */
export const ACTIVE_KEYS_MAX = 2;

/** An API key without its hash. Times in Unix milliseconds. */
export type KeyRecord = Omit<typeof apiKeys.$inferSelect, "companyId" | "keyHash">;

const KEY_COLUMNS = {
  id: apiKeys.id,
  clientId: apiKeys.clientId,
  prefix: apiKeys.prefix,
  lastUsedAt: apiKeys.lastUsedAt,
  createdAt: apiKeys.createdAt,
  expiresAt: apiKeys.expiresAt,
  revokedAt: apiKeys.revokedAt,
};

/** A company's keys, newest first. */
export async function listKeys(env: Env, companyId: number, limit: number): Promise<KeyRecord[]> {
  return databaseFor(env, companyId)
    .select(KEY_COLUMNS)
    .from(apiKeys)
    .where(eq(apiKeys.companyId, companyId))
    .orderBy(desc(apiKeys.id))
    .limit(limit);
}

/**
 * Adds a key by its hash; the company's other active keys expire at `othersEndAt` at the latest. Changes
 * nothing and returns null if `ACTIVE_KEYS_MAX` others would stay active.
 */
export async function addKey(
  env: Env,
  companyId: number,
  key: { hash: string; nowMs: number; othersEndAt: number },
): Promise<KeyRecord | null> {
  const db = databaseFor(env, companyId);
  const { hash, nowMs, othersEndAt } = key;
  const others = and(isActive(companyId, nowMs), ne(apiKeys.keyHash, hash));
  const hasCapacity = sql`${othersEndAt} <= ${nowMs} OR
    (SELECT count(*) FROM api_keys WHERE ${others}) < ${ACTIVE_KEYS_MAX}`;
  const isAdded = sql`EXISTS (SELECT 1 FROM api_keys WHERE key_hash = ${hash})`;
  const [, , [added]] = await runIdempotent(() =>
    db.batch([
      db
        .insert(apiKeys)
        .select(sql`SELECT NULL, ${companyId}, ${hash}, ${nowMs}, NULL, NULL WHERE ${hasCapacity}`)
        .onConflictDoNothing(),
      db
        .update(apiKeys)
        .set({ expiresAt: sql`min(coalesce(expires_at, ${othersEndAt}), ${othersEndAt})` })
        .where(and(others, isAdded)),
      db.select(KEY_COLUMNS).from(apiKeys).where(eq(apiKeys.keyHash, hash)),
    ]),
  );
  return added ?? null;
}

/** Revokes a key; a key revoked before keeps its time. Null if the company has no such key. */
export async function revokeKey(
  env: Env,
  companyId: number,
  keyId: number,
  nowMs: number,
): Promise<KeyRecord | null> {
  const [revoked] = await runIdempotent(() =>
    databaseFor(env, companyId)
      .update(apiKeys)
      .set({ revokedAt: sql`coalesce(revoked_at, ${nowMs})` })
      .where(and(eq(apiKeys.id, keyId), eq(apiKeys.companyId, companyId)))
      .returning(KEY_COLUMNS),
  );
  return revoked ?? null;
}

function isActive(companyId: number, nowMs: number): SQL | undefined {
  return and(
    eq(apiKeys.companyId, companyId),
    isNull(apiKeys.revokedAt),
    or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, nowMs)),
  );
}
