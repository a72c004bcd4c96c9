import { and, desc, eq, gt, ne, sql, type SQL } from "drizzle-orm";
import { FORMER_ACCOUNT_RETENTION_MS, type StoredPixApi } from "../../domain/psp/psp-settings.ts";
import type { Env } from "../../config.ts";
import { databaseFor, type Database } from "../client.ts";
import { companyProviders, formerAccounts } from "../schema/company-providers.ts";

export type FormerAccountRow = typeof formerAccounts.$inferSelect;

/** Former accounts that one query returns, the newest. */
const FORMER_ACCOUNTS_MAX = 50;

/** A former account of a company; null if it is unknown or disconnected. */
export async function findFormerAccount(
  env: Env,
  companyId: number,
  account: string,
): Promise<StoredPixApi | null> {
  const [row] = await databaseFor(env, companyId)
    .select({
      account: formerAccounts.account,
      settings: formerAccounts.settings,
      sealed: formerAccounts.sealed,
    })
    .from(formerAccounts)
    .where(and(isAccount(companyId, account), isConnected));
  return row ?? null;
}

/** A company's former accounts, newest first, with the disconnected ones. */
export async function listFormerAccounts(env: Env, companyId: number): Promise<FormerAccountRow[]> {
  const rows = await databaseFor(env, companyId)
    .select()
    .from(formerAccounts)
    .where(eq(formerAccounts.companyId, companyId))
    .orderBy(desc(formerAccounts.leftAt))
    .limit(FORMER_ACCOUNTS_MAX);
  return rows;
}

/** The query for the former accounts whose callbacks are still accepted. */
export function selectCallbackAccounts(db: Database, companyId: number, nowMs: number) {
  const { account, settings, callbackTokenHash } = formerAccounts;
  return db
    .select({ account, settings, hash: callbackTokenHash })
    .from(formerAccounts)
    .where(and(eq(formerAccounts.companyId, companyId), isConnected, isWithinRetention(nowMs)))
    .orderBy(desc(formerAccounts.leftAt))
    .limit(FORMER_ACCOUNTS_MAX);
}

/** The statement that copies a company's current account to the former ones. */
export function archiveAccount(
  db: Database,
  companyId: number,
  { leftAt, connected, where }: { leftAt: number; connected: boolean; where: SQL | undefined },
) {
  const secret = (column: SQL | object) => (connected ? sql`${column}` : sql`''`);
  const current = companyProviders;
  return db
    .insert(formerAccounts)
    .select(
      sql`SELECT company_id, account, provider, settings, ${secret(current.sealed)},
          ${secret(current.callbackTokenHash)}, created_at, ${leftAt}
        FROM company_providers WHERE ${and(eq(current.companyId, companyId), where)}`,
    )
    .onConflictDoNothing();
}

/** The statement that erases the secrets of all former accounts of a company. */
export function disconnectAccounts(db: Database, companyId: number, where: SQL | undefined) {
  return db
    .update(formerAccounts)
    .set({ sealed: "", callbackTokenHash: "" })
    .where(and(eq(formerAccounts.companyId, companyId), where));
}

/** The statement that deletes a former account, because it is the current one again. */
export function restoreAccount(
  db: Database,
  companyId: number,
  account: string,
  where: SQL | undefined,
) {
  return db.delete(formerAccounts).where(and(isAccount(companyId, account), where));
}

/** A condition: a recent former account of another company has this PIX key. */
export function isFormerAccountKey(pixKey: string, companyId: number, nowMs: number): SQL {
  return sql`EXISTS (SELECT 1 FROM former_accounts WHERE ${and(
    sql`json_extract(settings, '$.pixKey') = ${pixKey}`,
    ne(formerAccounts.companyId, companyId),
    isConnected,
    isWithinRetention(nowMs),
  )})`;
}

/** The query for the companies whose current or recent former account has a PIX key. */
export function selectPixKeyHolders(db: Database, pixKey: string, nowMs: number) {
  const isKey = sql`json_extract(settings, '$.pixKey') = ${pixKey}`;
  return db
    .select({ companyId: companyProviders.companyId })
    .from(companyProviders)
    .where(isKey)
    .union(
      db
        .select({ companyId: formerAccounts.companyId })
        .from(formerAccounts)
        .where(and(isKey, isConnected, isWithinRetention(nowMs))),
    );
}

/** The query for the companies whose current or recent former account uses a client of a PSP's API. */
export function selectPspClientHolders(db: Database, clientId: string, nowMs: number) {
  const isClient = sql`json_extract(settings, '$.clientId') = ${clientId}`;
  const tokenUrl = sql<string>`json_extract(settings, '$.tokenUrl')`;
  return db
    .select({ companyId: companyProviders.companyId, tokenUrl })
    .from(companyProviders)
    .where(isClient)
    .unionAll(
      db
        .select({ companyId: formerAccounts.companyId, tokenUrl })
        .from(formerAccounts)
        .where(and(isClient, isConnected, isWithinRetention(nowMs))),
    );
}

const isConnected = ne(formerAccounts.sealed, "");

function isAccount(companyId: number, account: string): SQL | undefined {
  return and(eq(formerAccounts.companyId, companyId), eq(formerAccounts.account, account));
}

function isWithinRetention(nowMs: number): SQL {
  return gt(formerAccounts.leftAt, nowMs - FORMER_ACCOUNT_RETENTION_MS);
}
