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

/** A company's application. */
export interface KeyOwnerId {
  companyId: number;
  clientId: string;
}

/** An application; null for any of the company's. */
type KeySelection = { companyId: number; clientId: string | null };

/** The keys of an application or of a company, newest first. */
export async function listKeys(
  env: Env,
  selection: KeySelection,
  limit: number,
): Promise<KeyRecord[]> {
  return databaseFor(env, selection.companyId)
    .select(KEY_COLUMNS)
    .from(apiKeys)
    .where(isSelected(selection))
    .orderBy(desc(apiKeys.id))
    .limit(limit);
}

/** A new key. Times in Unix milliseconds. */
export interface NewKey {
  hash: string;
  prefix: string;
  nowMs: number;
  /** Null for a key that does not expire. */
  expiresAt: number | null;
  /** When the application's other keys expire at the latest. */
  othersEndAt: number;
}

/**
 * Adds a key by its hash; the application's other active keys expire at `othersEndAt` at the latest. Changes
 * nothing and returns null if `ACTIVE_KEYS_MAX` others would stay active.
 */
export async function addKey(env: Env, owner: KeyOwnerId, key: NewKey): Promise<KeyRecord | null> {
  const { companyId, clientId } = owner;
  const db = databaseFor(env, companyId);
  const { hash, prefix, nowMs, expiresAt, othersEndAt } = key;
  const others = and(isActive(owner, nowMs), ne(apiKeys.keyHash, hash));
  const hasCapacity = sql`${othersEndAt} <= ${nowMs} OR
    (SELECT count(*) FROM api_keys WHERE ${others}) < ${ACTIVE_KEYS_MAX}`;
  const isAdded = sql`EXISTS (SELECT 1 FROM api_keys WHERE key_hash = ${hash})`;
  const [, , [added]] = await runIdempotent(() =>
    db.batch([
      db
        .insert(apiKeys)
        // In the order of the table's columns.
        .select(
          sql`SELECT NULL, ${companyId}, ${hash}, ${nowMs}, ${expiresAt}, NULL, ${clientId}, ${prefix},
            NULL WHERE ${hasCapacity}`,
        )
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

/** Revokes a key; a key revoked before keeps its time. Null if there is no such key. */
export async function revokeKey(
  env: Env,
  selection: KeySelection,
  keyId: number,
  nowMs: number,
): Promise<KeyRecord | null> {
  const [revoked] = await runIdempotent(() =>
    databaseFor(env, selection.companyId)
      .update(apiKeys)
      .set({ revokedAt: sql`coalesce(revoked_at, ${nowMs})` })
      .where(and(eq(apiKeys.id, keyId), isSelected(selection)))
      .returning(KEY_COLUMNS),
  );
  return revoked ?? null;
}

function isSelected({ companyId, clientId }: KeySelection): SQL | undefined {
  const isOfCompany = eq(apiKeys.companyId, companyId);
  return clientId === null ? isOfCompany : and(isOfCompany, eq(apiKeys.clientId, clientId));
}

function isActive(owner: KeyOwnerId, nowMs: number): SQL | undefined {
  return and(
    isSelected(owner),
    isNull(apiKeys.revokedAt),
    or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, nowMs)),
  );
}
