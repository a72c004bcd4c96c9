import { and, desc, eq, gt, isNotNull, isNull, lt, lte, ne, or, sql, type SQL } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { databaseFor } from "../client.ts";
import { jsonOrNull } from "../json-or-null.ts";
import { runIdempotent } from "../storage-errors.ts";
import { apiKeys, companies } from "../schema/companies.ts";
import type { ApplicationId } from "./applications.ts";
import { isCurrentVersion } from "./credentials-version.ts";

/** Keys that may be active at once. */
export const ACTIVE_KEYS_MAX = 2;
/** The newest keys of an application that stay after their end: months of rotations. */
const KEYS_KEPT_MAX = 20;

/** An API key without its hashes. Times in Unix milliseconds. */
export type KeyRecord = Omit<
  typeof apiKeys.$inferSelect,
  "companyId" | "keyHash" | "idempotencyHash" | "givenBy"
>;

const KEY_COLUMNS = {
  id: apiKeys.id,
  clientId: apiKeys.clientId,
  prefix: apiKeys.prefix,
  lastUsedAt: apiKeys.lastUsedAt,
  createdAt: apiKeys.createdAt,
  expiresAt: apiKeys.expiresAt,
  revokedAt: apiKeys.revokedAt,
};

/** An application; null for any of the company's. */
export type KeySelection = { companyId: number; clientId: string | null };

/** Keys below a number of an application or of a company, newest first. */
export async function listKeys(
  env: Env,
  selection: KeySelection,
  { before, limit }: { before: number; limit: number },
): Promise<KeyRecord[]> {
  return databaseFor(env, selection.companyId)
    .select(KEY_COLUMNS)
    .from(apiKeys)
    .where(and(isSelected(selection), lt(apiKeys.id, before)))
    .orderBy(desc(apiKeys.id))
    .limit(limit);
}

/** A key by its number; null if there is none. */
export async function findKey(
  env: Env,
  selection: KeySelection,
  keyId: number,
): Promise<KeyRecord | null> {
  const [key] = await databaseFor(env, selection.companyId)
    .select(KEY_COLUMNS)
    .from(apiKeys)
    .where(and(eq(apiKeys.id, keyId), isSelected(selection)));
  return key ?? null;
}

/** A new key. Times in Unix milliseconds. */
export interface NewKey {
  hash: string;
  prefix: string;
  /** The real time, by which keys end. */
  nowMs: number;
  /** The company's time, by which its age counts. */
  createdAt: number;
  /** Null for a key that does not expire. */
  expiresAt: number | null;
  /** When the application's other keys expire at the latest. */
  othersEndAt: number;
  /** Marks the request, so that its repetition issues no second key; null if it is not marked. */
  idempotencyHash: string | null;
  /** The version that the company's credentials must still have; null for any. */
  version: number | null;
  /** Who issues it, with the chain of their rights; null for the application itself. */
  givenBy: string[] | null;
}

/**
 * `used`: the request was made before and issued this key. `full`: `ACTIVE_KEYS_MAX` others would stay
 * active. `stale`: the application is deleted, or the company's credentials have another version.
 */
export type AddKeyResult =
  | { kind: "added" | "used"; key: KeyRecord }
  | { kind: "full" }
  | { kind: "stale" };

/**
 * Adds a key by its hash; the application's other active keys expire at `othersEndAt` at the latest. Forgets
 * its oldest ended keys. Changes nothing unless the result is `added`.
 */
export async function addKey(env: Env, owner: ApplicationId, key: NewKey): Promise<AddKeyResult> {
  const { companyId, clientId } = owner;
  const db = databaseFor(env, companyId);
  const { hash, prefix, nowMs, createdAt, expiresAt, othersEndAt, idempotencyHash } = key;
  const others = and(isActive(owner, nowMs), ne(apiKeys.keyHash, hash));
  const hasCapacity = sql`(${othersEndAt} <= ${nowMs} OR
    (SELECT count(*) FROM api_keys WHERE ${others}) < ${ACTIVE_KEYS_MAX})`;
  const isIssuable = mayIssue(owner, key.version);
  const isAdded = sql`EXISTS (SELECT 1 FROM api_keys WHERE key_hash = ${hash})`;
  const [, , , [added], [used], [verdict]] = await runIdempotent(() =>
    db.batch([
      db
        .insert(apiKeys)
        // In the order of the table's columns.
        .select(
          sql`SELECT NULL, ${companyId}, ${hash}, ${createdAt}, ${expiresAt}, NULL, ${clientId}, ${prefix},
            NULL, ${idempotencyHash}, ${jsonOrNull(key.givenBy)} WHERE ${hasCapacity} AND ${isIssuable}`,
        )
        .onConflictDoNothing(),
      db
        .update(apiKeys)
        .set({ expiresAt: sql`min(coalesce(expires_at, ${othersEndAt}), ${othersEndAt})` })
        .where(and(others, isAdded)),
      db.delete(apiKeys).where(and(isForgotten(owner, nowMs), isAdded)),
      db.select(KEY_COLUMNS).from(apiKeys).where(eq(apiKeys.keyHash, hash)),
      db
        .select(KEY_COLUMNS)
        .from(apiKeys)
        .where(eq(apiKeys.idempotencyHash, idempotencyHash ?? "")),
      db
        .select({ isIssuable: sql<number>`${isIssuable}` })
        .from(companies)
        .where(eq(companies.id, companyId)),
    ]),
  );
  if (added !== undefined) return { kind: "added", key: added };
  if (used !== undefined) return { kind: "used", key: used };
  return verdict?.isIssuable === 1 ? { kind: "full" } : { kind: "stale" };
}

/**
 * Revokes a key; a key revoked before keeps its time. Null if there is no such key, or the company's
 * credentials do not have the version that is given.
 */
export async function revokeKey(
  env: Env,
  selection: KeySelection,
  keyId: number,
  { nowMs, version }: { nowMs: number; version: number | null },
): Promise<KeyRecord | null> {
  const { companyId } = selection;
  const isCurrent = version === null ? undefined : isCurrentVersion(companyId, version);
  const [revoked] = await runIdempotent(() =>
    databaseFor(env, companyId)
      .update(apiKeys)
      .set({ revokedAt: sql`coalesce(revoked_at, ${nowMs})` })
      .where(and(eq(apiKeys.id, keyId), isSelected(selection), isCurrent))
      .returning(KEY_COLUMNS),
  );
  return revoked ?? null;
}

/** Whether the application is there and the company's credentials have the version. */
function mayIssue({ companyId, clientId }: ApplicationId, version: number | null): SQL {
  const isCurrent = version === null ? sql`true` : isCurrentVersion(companyId, version);
  return sql`(${isCurrent} AND EXISTS (SELECT 1 FROM applications
    WHERE client_id = ${clientId} AND company_id = ${companyId} AND deleted_at IS NULL))`;
}

/** The ended keys of an application beyond its newest keys: authentication reads all that are left. */
function isForgotten(owner: ApplicationId, nowMs: number): SQL | undefined {
  const newest = sql`(SELECT id FROM api_keys WHERE client_id = ${owner.clientId}
    ORDER BY id DESC LIMIT ${KEYS_KEPT_MAX})`;
  const hasEnded = or(isNotNull(apiKeys.revokedAt), lte(apiKeys.expiresAt, nowMs));
  return and(isSelected(owner), hasEnded, sql`${apiKeys.id} NOT IN ${newest}`);
}

function isSelected({ companyId, clientId }: KeySelection): SQL | undefined {
  const isOfCompany = eq(apiKeys.companyId, companyId);
  return clientId === null ? isOfCompany : and(isOfCompany, eq(apiKeys.clientId, clientId));
}

function isActive(owner: ApplicationId, nowMs: number): SQL | undefined {
  return and(
    isSelected(owner),
    isNull(apiKeys.revokedAt),
    or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, nowMs)),
  );
}
