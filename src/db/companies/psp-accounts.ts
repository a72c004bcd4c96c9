import { and, asc, desc, eq, getTableColumns, lte, sql, type SQL } from "drizzle-orm";
import type { Company } from "../../domain/shared/company.ts";
import type { Env } from "../../config.ts";
import { databaseFor, type Database } from "../client.ts";
import { isCurrentVersion, raiseCredentialsVersion, updateVersion } from "./credentials-version.ts";
import { COMPANY_COLUMNS, toCompany } from "./credentials.ts";
import type { FanOut } from "../sharding/fan-out.ts";
import { isSharded } from "../sharding/databases.ts";
import { inList } from "../in-list.ts";
import { runIdempotent } from "../storage-errors.ts";
import { claimAccount, releaseClaims } from "./pix-keys.ts";
import type { AccountConnection } from "../../domain/psp/psp-account.ts";
import { companies } from "../schema/companies.ts";
import { accountHolders, hasSecrets, isServed } from "./account-holders.ts";
import { companyAccounts, companyProviders, pspAccounts } from "../schema/psp-accounts.ts";

type StoredRow = typeof pspAccounts.$inferSelect;

/** An account as it is stored; its provider says which settings it has. */
export type PspAccountRow = AccountConnection & Omit<StoredRow, "provider" | "settings">;

/** Its settings were written with its provider. */
export const asAccount = (row: StoredRow) => row as PspAccountRow;

/** Accounts of a company that one query returns; far more than it has. */
const ACCOUNTS_MAX = 60;

/** A company's accounts: the connected ones by priority, then those that it left, newest first. */
export async function listAccounts(env: Env, companyId: number): Promise<PspAccountRow[]> {
  return (await selectAccounts(databaseFor(env, companyId), companyId)).map(asAccount);
}

/** The query for those of a company's accounts, as `listAccounts`. */
function selectAccounts(db: Database, companyId: number, which?: SQL) {
  const { leftAt, priority, account } = companyAccounts;
  return db
    .select()
    .from(companyAccounts)
    .where(and(eq(companyAccounts.companyId, companyId), which))
    .orderBy(sql`${leftAt} IS NOT NULL`, asc(priority), desc(leftAt), asc(account))
    .limit(ACCOUNTS_MAX);
}

/** An account of a company that it still has secrets for; null if it is unknown or disconnected. */
export async function findServedAccount(
  env: Env,
  companyId: number,
  account: string,
): Promise<PspAccountRow | null> {
  const [row] = await databaseFor(env, companyId)
    .select()
    .from(companyAccounts)
    .where(
      and(
        eq(companyAccounts.companyId, companyId),
        eq(companyAccounts.account, account),
        hasSecrets,
      ),
    );
  return row === undefined ? null : asAccount(row);
}

/** The decisions behind a change of an account. */
export interface AccountChange {
  /** Whether it is the account of before, which keeps the progress of its reconciliation. */
  isSame: boolean;
  /** The account that it replaces; null for none. */
  replaces: string | null;
  /** The company's version (`credentialsVersionOf`) when it was read. */
  credentialsVersion: number;
}

/** `stale`: the company has changed since it was read. */
export type AccountRejection = "taken" | "stale";

/**
 * Saves an account of a company. `taken` if another company has this account at its bank (`identitiesOf`), or had it
 * within `FORMER_ACCOUNT_RETENTION_MS`. The first call for a company from before `psp_accounts` is `stale`.
 */
export async function saveAccount(
  env: Env,
  row: PspAccountRow,
  change: AccountChange,
): Promise<PspAccountRow | AccountRejection> {
  const { companyId, updatedAt } = row;
  await carryOver(env, companyId);
  try {
    const isClaimed = await claimAccount(env, companyId, row, updatedAt);
    const saved = isClaimed ? await writeAccount(env, row, change) : "taken";
    if (typeof saved === "string")
      await releaseAccountClaims(env, companyId, change.credentialsVersion);
    else await releaseUnusedClaims(env, companyId);
    return saved;
  } catch (error) {
    await releaseAccountClaims(env, companyId, change.credentialsVersion).catch(() => undefined);
    throw error;
  }
}

async function writeAccount(
  env: Env,
  row: PspAccountRow,
  change: AccountChange,
): Promise<PspAccountRow | AccountRejection> {
  const { companyId, account, settings, sealed, callbackTokenHash, updatedAt } = row;
  const { methods, priority, conditions } = row;
  const db = databaseFor(env, companyId);
  const isCurrent = isCurrentVersion(companyId, change.credentialsVersion);
  const where = and(isCurrent, sql`NOT ${isAccountOfOther(row, updatedAt)}`);
  const values: Record<string, unknown> = {
    ...row,
    settings: JSON.stringify(settings),
    methods: JSON.stringify(methods),
    conditions: JSON.stringify(conditions),
  };
  const columns = Object.keys(getTableColumns(pspAccounts)).map((name) => sql`${values[name]}`);
  // Each sealing has a random nonce, so equal ciphertexts mean that this call wrote the row.
  const isWritten = sql`EXISTS (SELECT 1 FROM psp_accounts WHERE ${and(
    isAccount(companyId, account),
    eq(pspAccounts.sealed, sealed),
  )})`;
  const [[before], , , , [stored]] = await runIdempotent(() =>
    db.batch([
      selectCondition(db, isCurrent),
      db
        .insert(pspAccounts)
        .select(sql`SELECT ${sql.join(columns, sql`, `)} WHERE ${where}`)
        .onConflictDoUpdate({
          target: [pspAccounts.companyId, pspAccounts.account],
          set: change.isSame
            ? { settings, methods, priority, conditions, sealed, callbackTokenHash, updatedAt }
            : row,
        }),
      db
        .update(pspAccounts)
        .set({ state: "left", leftAt: updatedAt })
        .where(and(isAccount(companyId, change.replaces ?? ""), isWritten)),
      updateVersion(db, companyId, change.credentialsVersion + 1),
      db.select().from(pspAccounts).where(isAccount(companyId, account)),
    ]),
  );
  if (stored?.sealed === sealed) return asAccount(stored);
  return before?.isTrue === 1 ? "taken" : "stale";
}

/**
 * Releases the accounts at banks that a company claimed but does not use. Raises the version first, so that an
 * unfinished attempt that read this version can no longer write.
 */
export async function releaseAccountClaims(
  env: Env,
  companyId: number,
  credentialsVersion: number,
): Promise<void> {
  if (!isSharded(env)) return;
  await raiseCredentialsVersion(env, companyId, credentialsVersion + 1);
  await releaseUnusedClaims(env, companyId);
}

/** As `releaseAccountClaims`, after a change of the company's accounts. */
export async function releaseUnusedClaims(env: Env, companyId: number): Promise<void> {
  if (!isSharded(env)) return;
  const connected = (await listAccounts(env, companyId)).filter(({ leftAt }) => leftAt === null);
  await releaseClaims(env, companyId, connected);
}

/** The query that says whether a condition is true. */
export function selectCondition(db: Database, condition: SQL) {
  return db.select({ isTrue: sql<number>`${condition}` }).from(sql`(SELECT 1)`);
}

/** A token that authenticates callbacks, and the account that it belongs to. */
type CallbackToken = AccountConnection &
  Pick<PspAccountRow, "account" | "sealed"> & { hash: string };

/** The company that a callback is for, with its valid tokens. */
export interface CallbackReceiver {
  company: Company;
  tokens: CallbackToken[];
}

/**
 * The company that a callback is for, in one trip; null if there is none. Valid are the connected accounts' tokens,
 * after a rotation for a while also the one before, and for a while those of accounts that it left.
 */
export async function findCallbackReceiver(
  env: Env,
  companyId: number,
  nowMs: number,
): Promise<CallbackReceiver | null> {
  const db = databaseFor(env, companyId);
  const [[row], accounts] = await db.batch([
    db.select(COMPANY_COLUMNS).from(companies).where(eq(companies.id, companyId)),
    selectAccounts(db, companyId, isServed(nowMs)),
  ]);
  if (row === undefined) return null;
  const tokens = accounts.map(asAccount).flatMap((each) => {
    const { previousCallbackTokenHash: previous, previousCallbackTokenUntil: until } = each;
    const current = { ...each, hash: each.callbackTokenHash };
    const isPreviousValid = previous !== null && (until ?? 0) > nowMs;
    return isPreviousValid ? [current, { ...current, hash: previous }] : [current];
  });
  return { company: toCompany(row), tokens };
}

/** Replaces the token of an account; the one before stays valid for a while. */
export async function saveCallbackToken(
  env: Env,
  { companyId, account }: Pick<PspAccountRow, "companyId" | "account">,
  token: { sealed: string; hash: string; previousUntil: number },
  credentialsVersion: number,
): Promise<PspAccountRow | "stale"> {
  await carryOver(env, companyId);
  const db = databaseFor(env, companyId);
  const [, , [stored]] = await runIdempotent(() =>
    db.batch([
      db
        .update(pspAccounts)
        .set({
          sealed: token.sealed,
          callbackTokenHash: token.hash,
          previousCallbackTokenHash: sql`callback_token_hash`,
          previousCallbackTokenUntil: token.previousUntil,
        })
        .where(and(isAccount(companyId, account), isCurrentVersion(companyId, credentialsVersion))),
      updateVersion(db, companyId, credentialsVersion + 1),
      db.select().from(pspAccounts).where(isAccount(companyId, account)),
    ]),
  );
  // Each sealing has a random nonce, so equal ciphertexts mean that this call wrote the row.
  return stored?.sealed === token.sealed ? asAccount(stored) : "stale";
}

/**
 * Copies a company's accounts from the tables of before into `psp_accounts`. It raises the company's version where it
 * copies one. The old rows stay for code of before (a rollback).
 */
export async function carryOver(env: Env, companyId: number): Promise<void> {
  const isOfCompany = eq(companyAccounts.companyId, companyId);
  await runIdempotent(() => insertCarried(databaseFor(env, companyId), isOfCompany).run());
}

/** As `carryOver`, for several companies in one statement of each database. */
export async function carryOverAll(fanOut: FanOut, companyIds: number[]): Promise<void> {
  if (companyIds.length === 0) return;
  const isOfCompanies = inList(companyAccounts.companyId, companyIds);
  await fanOut.query(({ db, isLocal }) => {
    const where = and(isOfCompanies, isLocal(companyAccounts.companyId));
    return runIdempotent(() => insertCarried(db, where).run());
  });
}

function insertCarried(db: Database, where: SQL | undefined) {
  return db
    .insert(pspAccounts)
    .select(sql`SELECT * FROM company_accounts WHERE ${where}`)
    .onConflictDoNothing();
}

/** Companies whose account of before has no passes and was not carried over yet. */
export async function companiesToCarryOver(
  fanOut: FanOut,
  nowMs: number,
  limit: number,
): Promise<number[]> {
  const found = await fanOut.rows(limit, ({ db, isLocal }) =>
    db
      .select({ companyId: companyProviders.companyId })
      .from(companyProviders)
      .where(
        and(
          lte(companyProviders.nextRunAt, nowMs),
          isLocal(companyProviders.companyId),
          sql`NOT EXISTS (SELECT 1 FROM psp_accounts
            WHERE company_id = ${companyProviders.companyId} AND account = ${companyProviders.account})`,
        ),
      )
      .limit(limit),
  );
  return found.map(({ row }) => row.companyId);
}

/** A condition: another company has this account at its bank, and it is still served. */
function isAccountOfOther({ companyId, ...connection }: PspAccountRow, nowMs: number): SQL {
  return sql`EXISTS (${accountHolders(connection, nowMs)} AND company_id <> ${companyId})`;
}

/** A condition on `psp_accounts`: it is this account of a company. */
export function isAccount(companyId: number, account: string): SQL | undefined {
  return and(eq(pspAccounts.companyId, companyId), eq(pspAccounts.account, account));
}
