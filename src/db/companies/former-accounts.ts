import { and, desc, eq, gt, ne, sql, type SQL } from "drizzle-orm";
import { FORMER_ACCOUNT_RETENTION_MS, type StoredPixApi } from "../../domain/shared/pix-api.ts";
import type { Env } from "../../config.ts";
import { databaseFor, type Database } from "../client.ts";
import { companyProviders, formerAccounts } from "../schema/company-providers.ts";

export type FormerAccountRow = typeof formerAccounts.$inferSelect;

/** A company changes its PSP now and then; of one that did it more often the newest are known. */
const FORMER_ACCOUNTS_MAX = 50;

/** An account that a company has left; null where there was none such, or it was disconnected. */
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

/** The accounts that a company has left, newest first, disconnected ones too. */
export async function listFormerAccounts(env: Env, companyId: number): Promise<FormerAccountRow[]> {
  const rows = await databaseFor(env, companyId)
    .select()
    .from(formerAccounts)
    .where(eq(formerAccounts.companyId, companyId))
    .orderBy(desc(formerAccounts.leftAt))
    .limit(FORMER_ACCOUNTS_MAX);
  return rows;
}

/** The former accounts whose callbacks are still let in. */
export async function listCallbackAccounts(
  env: Env,
  companyId: number,
  nowMs: number,
): Promise<FormerAccountRow[]> {
  return databaseFor(env, companyId)
    .select()
    .from(formerAccounts)
    .where(and(eq(formerAccounts.companyId, companyId), isConnected, isWithinRetention(nowMs)))
    .orderBy(desc(formerAccounts.leftAt))
    .limit(FORMER_ACCOUNTS_MAX);
}

/** The statement that keeps the present account of a company as a former one. */
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

/** The statement that forgets the secrets of all accounts that a company has left. */
export function disconnectAccounts(db: Database, companyId: number, where: SQL | undefined) {
  return db
    .update(formerAccounts)
    .set({ sealed: "", callbackTokenHash: "" })
    .where(and(eq(formerAccounts.companyId, companyId), where));
}

/** The statement that lets a former account go, which is the present one again. */
export function restoreAccount(
  db: Database,
  companyId: number,
  account: string,
  where: SQL | undefined,
) {
  return db.delete(formerAccounts).where(and(isAccount(companyId, account), where));
}

/** Whether another company's former account still has a PIX key. */
export function isFormerAccountKey(pixKey: string, companyId: number, nowMs: number): SQL {
  return sql`EXISTS (SELECT 1 FROM former_accounts WHERE ${and(
    sql`json_extract(settings, '$.pixKey') = ${pixKey}`,
    ne(formerAccounts.companyId, companyId),
    isConnected,
    isWithinRetention(nowMs),
  )})`;
}

/** The query for the companies whose PSP has a PIX key, or a former account of theirs. */
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

const isConnected = ne(formerAccounts.sealed, "");

function isAccount(companyId: number, account: string): SQL | undefined {
  return and(eq(formerAccounts.companyId, companyId), eq(formerAccounts.account, account));
}

function isWithinRetention(nowMs: number): SQL {
  return gt(formerAccounts.leftAt, nowMs - FORMER_ACCOUNT_RETENTION_MS);
}
