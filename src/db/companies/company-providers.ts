import { and, eq, getTableColumns, ne, sql, type SQL } from "drizzle-orm";
import type { Company } from "../../domain/shared/company.ts";
import type { Env } from "../../config.ts";
import { databaseFor, type Database } from "../client.ts";
import { isCurrentVersion, raiseCredentialsVersion, updateVersion } from "./credentials-version.ts";
import { toCompany } from "./credentials.ts";
import { isSharded } from "../sharding/databases.ts";
import { runIdempotent } from "../storage-errors.ts";
import { claimPixKey, releasePixKeys } from "./pix-keys.ts";
import { companies } from "../schema/companies.ts";
import {
  disconnectAccounts,
  isFormerAccountKey,
  archiveAccount,
  restoreAccount,
  selectCallbackAccounts,
} from "./former-accounts.ts";
import { hasOpenCharges } from "./open-charges.ts";
import { companyProviders } from "../schema/company-providers.ts";

export type CompanyProviderRow = typeof companyProviders.$inferSelect;

const PROVIDER = "PixApi";

/** A company's PSP account; null if it has none. */
export async function findPixApi(env: Env, companyId: number): Promise<CompanyProviderRow | null> {
  const [row] = await databaseFor(env, companyId)
    .select()
    .from(companyProviders)
    .where(ofCompany(companyId));
  return row ?? null;
}

/** The decisions behind a change of a company's PSP account. */
export interface PixApiChange {
  /** `same` keeps the reconciliation progress; `other` archives the current account as a former one. */
  account: "first" | "same" | "other";
  /** The company's version (`credentialsVersionOf`) when it was read. */
  credentialsVersion: number;
}

/** `stale`: the company has changed since it was read. */
export type PixApiRejection = "key_taken" | "stale";

/**
 * Saves a company's PSP account. `key_taken` if another company has the PIX key, or had it within
 * `FORMER_ACCOUNT_RETENTION_MS`.
 */
export async function savePixApi(
  env: Env,
  row: CompanyProviderRow,
  change: PixApiChange,
): Promise<CompanyProviderRow | PixApiRejection> {
  const { companyId, settings, updatedAt } = row;
  try {
    const isClaimed = await claimPixKey(env, companyId, settings.pixKey, updatedAt);
    const saved = isClaimed ? await writePixApi(env, row, change) : "key_taken";
    if (typeof saved === "string")
      await releasePixKeyClaims(env, companyId, change.credentialsVersion);
    else await releasePixKeys(env, companyId, settings.pixKey);
    return saved;
  } catch (error) {
    await releasePixKeyClaims(env, companyId, change.credentialsVersion).catch(() => undefined);
    if (isPixKeyConflict(error)) return "key_taken";
    throw error;
  }
}

async function writePixApi(
  env: Env,
  row: CompanyProviderRow,
  change: PixApiChange,
): Promise<CompanyProviderRow | PixApiRejection> {
  const { companyId, account, settings, sealed, callbackTokenHash, updatedAt } = row;
  const { credentialsVersion } = change;
  const isOtherAccount = change.account === "other";
  const db = databaseFor(env, companyId);
  const isCurrent = isCurrentVersion(companyId, credentialsVersion);
  const isKeyTaken = isFormerAccountKey(settings.pixKey, companyId, updatedAt);
  const where = and(isCurrent, sql`NOT ${isKeyTaken}`);
  const replacesAccount = and(where, ne(companyProviders.account, account));
  const values: Record<string, string | number | null> = {
    ...row,
    settings: JSON.stringify(settings),
  };
  const columns = Object.keys(getTableColumns(companyProviders)).map(
    (name) => sql`${values[name]}`,
  );
  const [[before], , , , , [stored]] = await runIdempotent(() =>
    db.batch([
      selectCondition(db, isCurrent),
      archiveAccount(db, companyId, { leftAt: updatedAt, connected: true, where: replacesAccount }),
      restoreAccount(db, companyId, account, where),
      db
        .insert(companyProviders)
        .select(sql`SELECT ${sql.join(columns, sql`, `)} WHERE ${where}`)
        .onConflictDoUpdate({
          target: [companyProviders.companyId, companyProviders.provider],
          set: isOtherAccount ? row : { settings, sealed, callbackTokenHash, updatedAt },
        }),
      updateVersion(db, companyId, credentialsVersion + 1),
      db.select().from(companyProviders).where(ofCompany(companyId)),
    ]),
  );
  // Each sealing has a random nonce, so equal ciphertexts mean that this call wrote the row.
  if (stored?.sealed === sealed) return stored;
  return before?.isTrue === 1 ? "key_taken" : "stale";
}

/**
 * Releases the PIX keys that a company claimed but does not use. Raises the version first, so that an
 * unfinished attempt that read this version can no longer write.
 */
export async function releasePixKeyClaims(
  env: Env,
  companyId: number,
  credentialsVersion: number,
): Promise<void> {
  if (!isSharded(env)) return;
  await raiseCredentialsVersion(env, companyId, credentialsVersion + 1);
  const current = await findPixApi(env, companyId);
  await releasePixKeys(env, companyId, current?.settings.pixKey ?? null);
}

function selectCondition(db: Database, condition: SQL) {
  return db.select({ isTrue: sql<number>`${condition}` }).from(sql`(SELECT 1)`);
}

/**
 * Disconnects all PSP accounts of a company. `open` if D1 has open charges or callbacks of it. The caller
 * has already asked the company's object (`retireCredentials`).
 */
export async function removePixApi(
  env: Env,
  companyId: number,
  credentialsVersion: number,
  nowMs: number,
): Promise<"open" | "stale" | "removed"> {
  const db = databaseFor(env, companyId);
  const isCurrent = isCurrentVersion(companyId, credentialsVersion);
  const where = and(isCurrent, sql`NOT ${hasOpenWork(companyId)}`);
  const [[before], , , , , [remaining]] = await runIdempotent(() =>
    db.batch([
      selectCondition(db, isCurrent),
      archiveAccount(db, companyId, { leftAt: nowMs, connected: false, where }),
      disconnectAccounts(db, companyId, where),
      db.delete(companyProviders).where(and(ofCompany(companyId), where)),
      updateVersion(db, companyId, credentialsVersion + 1),
      db.select().from(companyProviders).where(ofCompany(companyId)),
    ]),
  );
  if (remaining !== undefined) return before?.isTrue === 1 ? "open" : "stale";
  await releasePixKeys(env, companyId, null);
  return "removed";
}

/** A token that authenticates callbacks, and the account that it belongs to. */
interface CallbackToken extends Pick<CompanyProviderRow, "account" | "settings"> {
  hash: string;
}

/** The company that a callback is for, with its valid tokens. */
export interface CallbackReceiver {
  company: Company;
  tokens: CallbackToken[];
}

/**
 * The company that a callback is for, in one trip; null if it has no PSP. Valid are the current account's token,
 * after a rotation for a while also the one before, and for a while those of former accounts.
 */
export async function findCallbackReceiver(
  env: Env,
  companyId: number,
  nowMs: number,
): Promise<CallbackReceiver | null> {
  const db = databaseFor(env, companyId);
  const [[row], former] = await db.batch([
    db
      .select({ company: companies, provider: companyProviders })
      .from(companyProviders)
      .innerJoin(companies, eq(companies.id, companyProviders.companyId))
      .where(ofCompany(companyId)),
    selectCallbackAccounts(db, companyId, nowMs),
  ]);
  if (row === undefined) return null;
  const { provider } = row;
  const { account, settings, previousCallbackTokenHash: previous } = provider;
  const isPreviousValid = (provider.previousCallbackTokenUntil ?? 0) > nowMs;
  return {
    company: toCompany(row.company, provider),
    tokens: [
      { account, settings, hash: provider.callbackTokenHash },
      ...(previous === null || !isPreviousValid ? [] : [{ account, settings, hash: previous }]),
      ...former,
    ],
  };
}

/** Replaces the token of a company's current account; the one before stays valid for a while. */
export async function saveCallbackToken(
  env: Env,
  companyId: number,
  token: { sealed: string; hash: string; previousUntil: number },
  credentialsVersion: number,
): Promise<CompanyProviderRow | "stale"> {
  const db = databaseFor(env, companyId);
  const [, , [stored]] = await runIdempotent(() =>
    db.batch([
      db
        .update(companyProviders)
        .set({
          sealed: token.sealed,
          callbackTokenHash: token.hash,
          previousCallbackTokenHash: sql`callback_token_hash`,
          previousCallbackTokenUntil: token.previousUntil,
        })
        .where(and(ofCompany(companyId), isCurrentVersion(companyId, credentialsVersion))),
      updateVersion(db, companyId, credentialsVersion + 1),
      db.select().from(companyProviders).where(ofCompany(companyId)),
    ]),
  );
  // Each sealing has a random nonce, so equal ciphertexts mean that this call wrote the row.
  return stored?.sealed === token.sealed ? stored : "stale";
}

function ofCompany(companyId: number): SQL | undefined {
  return and(eq(companyProviders.companyId, companyId), eq(companyProviders.provider, PROVIDER));
}

/** A callback with this many attempts is a day old and no longer blocks a disconnect. */
const CALLBACK_OPEN_ATTEMPTS = 11;

/**
 * Whether a company has open charges or callbacks. Scans the sweep index of the whole database, which
 * is acceptable only for a rare operator request.
 */
function hasOpenWork(companyId: number): SQL<number> {
  return sql<number>`(
    ${hasOpenCharges(companyId)}
    OR EXISTS (SELECT 1 FROM callbacks
      WHERE company_id = ${companyId} AND attempts < ${CALLBACK_OPEN_ATTEMPTS}))`;
}

function isPixKeyConflict(error: unknown): boolean {
  const messages = [error, (error as Error).cause].map(String).join(" ");
  return /UNIQUE constraint failed.*company_providers_key/.test(messages);
}
