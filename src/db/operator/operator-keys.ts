import { and, desc, eq, gt, isNull, ne, or, sql } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { directoryOf } from "../client.ts";
import { ACTIVE_KEYS_MAX, type NewKey as NewCompanyKey } from "../companies/api-keys.ts";
import { operatorKeys } from "../schema/operators.ts";
import { runIdempotent } from "../storage-errors.ts";
import { existsAdmin } from "./operators.ts";

/** An operator's key without its hash. Times in Unix milliseconds. */
export type OperatorKeyRecord = Omit<typeof operatorKeys.$inferSelect, "keyHash">;

const KEY_COLUMNS = {
  id: operatorKeys.id,
  clientId: operatorKeys.clientId,
  prefix: operatorKeys.prefix,
  lastUsedAt: operatorKeys.lastUsedAt,
  createdAt: operatorKeys.createdAt,
  expiresAt: operatorKeys.expiresAt,
  revokedAt: operatorKeys.revokedAt,
};

/** A new key. Times in Unix milliseconds. */
type NewKey = Omit<NewCompanyKey, "createdAt" | "idempotencyHash" | "version">;

/** Records that an operator's key was used. The caller does so at most once an hour. */
export async function recordOperatorKeyUse(env: Env, keyId: number, nowMs: number): Promise<void> {
  await directoryOf(env)
    .update(operatorKeys)
    .set({ lastUsedAt: nowMs })
    .where(eq(operatorKeys.id, keyId))
    .run();
}

/** An operator's keys, newest first. */
export async function listOperatorKeys(
  env: Env,
  clientId: string,
  limit: number,
): Promise<OperatorKeyRecord[]> {
  return directoryOf(env)
    .select(KEY_COLUMNS)
    .from(operatorKeys)
    .where(eq(operatorKeys.clientId, clientId))
    .orderBy(desc(operatorKeys.id))
    .limit(limit);
}

/**
 * Adds a key by its hash; the operator's other active keys expire at `othersEndAt` at the latest. Changes
 * nothing and returns null if `ACTIVE_KEYS_MAX` others would stay active.
 */
export async function addOperatorKey(
  env: Env,
  clientId: string,
  {
    hash,
    prefix,
    nowMs,
    expiresAt,
    othersEndAt,
  }: Omit<NewKey, "idempotencyHash" | "version" | "givenBy">,
): Promise<OperatorKeyRecord | null> {
  const db = directoryOf(env);
  const others = and(
    eq(operatorKeys.clientId, clientId),
    isNull(operatorKeys.revokedAt),
    or(isNull(operatorKeys.expiresAt), gt(operatorKeys.expiresAt, nowMs)),
    ne(operatorKeys.keyHash, hash),
  );
  const hasCapacity = sql`${othersEndAt} <= ${nowMs} OR
    (SELECT count(*) FROM operator_keys WHERE ${others}) < ${ACTIVE_KEYS_MAX}`;
  const isAdded = sql`EXISTS (SELECT 1 FROM operator_keys WHERE key_hash = ${hash})`;
  const [, , [added]] = await runIdempotent(() =>
    db.batch([
      db
        .insert(operatorKeys)
        // In the order of the table's columns.
        .select(
          sql`SELECT NULL, ${clientId}, ${hash}, ${prefix}, ${nowMs}, ${expiresAt}, NULL, NULL
            WHERE ${hasCapacity}`,
        )
        .onConflictDoNothing(),
      db
        .update(operatorKeys)
        .set({ expiresAt: sql`min(coalesce(expires_at, ${othersEndAt}), ${othersEndAt})` })
        .where(and(others, isAdded)),
      db.select(KEY_COLUMNS).from(operatorKeys).where(eq(operatorKeys.keyHash, hash)),
    ]),
  );
  return added ?? null;
}

/** An operator's key; null if there is no such key. */
export async function findOperatorKey(
  env: Env,
  clientId: string,
  keyId: number,
): Promise<OperatorKeyRecord | null> {
  const [row] = await directoryOf(env)
    .select(KEY_COLUMNS)
    .from(operatorKeys)
    .where(and(eq(operatorKeys.id, keyId), eq(operatorKeys.clientId, clientId)));
  return row ?? null;
}

/**
 * Revokes a key; a key revoked before keeps its time. Null if there is no such key, or if without it no
 * admin could sign in.
 */
export async function revokeOperatorKey(
  env: Env,
  clientId: string,
  keyId: number,
  nowMs: number,
): Promise<OperatorKeyRecord | null> {
  const [revoked] = await runIdempotent(() =>
    directoryOf(env)
      .update(operatorKeys)
      .set({ revokedAt: sql`coalesce(revoked_at, ${nowMs})` })
      .where(
        and(
          eq(operatorKeys.id, keyId),
          eq(operatorKeys.clientId, clientId),
          sql`(revoked_at IS NOT NULL OR ${existsAdmin(nowMs, { exceptKeyId: keyId })})`,
        ),
      )
      .returning(KEY_COLUMNS),
  );
  return revoked ?? null;
}
