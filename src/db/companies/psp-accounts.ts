import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  isNull,
  lte,
  ne,
  notExists,
  sql,
  type SQL,
} from "drizzle-orm";
import type { Company } from "../../domain/shared/company.ts";
import type { Env } from "../../config.ts";
import { databaseFor, type Database } from "../client.ts";
import { isCurrentVersion, raiseCredentialsVersion, updateVersion } from "./credentials-version.ts";
import { COMPANY_COLUMNS, toCompany } from "./credentials.ts";
import type { FanOut } from "../sharding/fan-out.ts";
import { isSharded } from "../sharding/databases.ts";
import { inList } from "../in-list.ts";
import { runIdempotent } from "../storage-errors.ts";
import { claimPixKey, releasePixKeys } from "./pix-keys.ts";
import { companies } from "../schema/companies.ts";
import { hasSecrets, isPixKey, isServed } from "./account-holders.ts";
import { hasOpenCharges } from "./open-charges.ts";
import {
  companyAccounts,
  companyProviders,
  formerAccounts,
  pspAccounts,
} from "../schema/psp-accounts.ts";

export type PspAccountRow = typeof pspAccounts.$inferSelect;

/** Accounts of a company that one query returns; far more than it has. */
const ACCOUNTS_MAX = 60;

/** A company's accounts: the connected ones by priority, then those that it left, newest first. */
export async function listAccounts(env: Env, companyId: number): Promise<PspAccountRow[]> {
  return selectAccounts(databaseFor(env, companyId), companyId);
}

/** The query for those of a company's accounts, as `listAccounts`. */
function selectAccounts(db: Database, companyId: number, which?: SQL) {
  const { leftAt, priority } = companyAccounts;
  return db
    .select()
    .from(companyAccounts)
    .where(and(eq(companyAccounts.companyId, companyId), which))
    .orderBy(sql`${leftAt} IS NOT NULL`, asc(priority), desc(leftAt))
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
  return row ?? null;
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
export type AccountRejection = "key_taken" | "stale";

/**
 * Saves an account of a company. `key_taken` if another company has the PIX key, or had it within
 * `FORMER_ACCOUNT_RETENTION_MS`. The first call for a company from before `psp_accounts` is `stale`.
 */
export async function saveAccount(
  env: Env,
  row: PspAccountRow,
  change: AccountChange,
): Promise<PspAccountRow | AccountRejection> {
  const { companyId, updatedAt } = row;
  const { pixKey } = row.settings;
  await carryOver(env, companyId);
  try {
    const isClaimed = await claimPixKey(env, companyId, pixKey, updatedAt);
    const saved = isClaimed ? await writeAccount(env, row, change) : "key_taken";
    if (typeof saved === "string")
      await releasePixKeyClaims(env, companyId, change.credentialsVersion);
    else await releaseUnusedKeys(env, companyId);
    return saved;
  } catch (error) {
    await releasePixKeyClaims(env, companyId, change.credentialsVersion).catch(() => undefined);
    throw error;
  }
}

async function writeAccount(
  env: Env,
  row: PspAccountRow,
  change: AccountChange,
): Promise<PspAccountRow | AccountRejection> {
  const { companyId, account, settings, methods, sealed, callbackTokenHash, updatedAt } = row;
  const db = databaseFor(env, companyId);
  const isCurrent = isCurrentVersion(companyId, change.credentialsVersion);
  const where = and(isCurrent, sql`NOT ${isKeyOfOther(settings.pixKey, companyId, updatedAt)}`);
  const values: Record<string, unknown> = {
    ...row,
    settings: JSON.stringify(settings),
    methods: JSON.stringify(methods),
    conditions: JSON.stringify(row.conditions),
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
          set: change.isSame ? { settings, methods, sealed, callbackTokenHash, updatedAt } : row,
        }),
      db
        .update(pspAccounts)
        .set({ state: "left", leftAt: updatedAt })
        .where(and(isAccount(companyId, change.replaces ?? ""), isWritten)),
      updateVersion(db, companyId, change.credentialsVersion + 1),
      db.select().from(pspAccounts).where(isAccount(companyId, account)),
    ]),
  );
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
  await releaseUnusedKeys(env, companyId);
}

async function releaseUnusedKeys(env: Env, companyId: number): Promise<void> {
  if (!isSharded(env)) return;
  const connected = (await listAccounts(env, companyId)).filter(({ leftAt }) => leftAt === null);
  await releasePixKeys(
    env,
    companyId,
    connected.map(({ settings }) => settings.pixKey),
  );
}

function selectCondition(db: Database, condition: SQL) {
  return db.select({ isTrue: sql<number>`${condition}` }).from(sql`(SELECT 1)`);
}

/**
 * Erases the secrets of all accounts of a company. `open` if D1 has open charges or callbacks of it. The caller has
 * already asked the company's object (`retireCredentials`).
 */
export async function disconnectAccounts(
  env: Env,
  companyId: number,
  credentialsVersion: number,
  nowMs: number,
): Promise<"open" | "stale" | "removed"> {
  await carryOver(env, companyId);
  const db = databaseFor(env, companyId);
  const isCurrent = isCurrentVersion(companyId, credentialsVersion);
  const where = and(isCurrent, sql`NOT ${hasOpenWork(companyId)}`);
  const isConnected = and(eq(pspAccounts.companyId, companyId), isNull(pspAccounts.leftAt));
  const isDisconnected = notExists(db.select().from(pspAccounts).where(isConnected));
  const erased = { sealed: "", callbackTokenHash: "" };
  const [[before], , , , , [remaining]] = await runIdempotent(() =>
    db.batch([
      selectCondition(db, isCurrent),
      db
        .update(pspAccounts)
        .set({
          ...erased,
          previousCallbackTokenHash: null,
          state: "disconnected",
          leftAt: sql`coalesce(${pspAccounts.leftAt}, ${nowMs})`,
        })
        .where(and(eq(pspAccounts.companyId, companyId), where)),
      // What it was carried over from has the secrets too, and code of before would still use them.
      db
        .delete(companyProviders)
        .where(and(eq(companyProviders.companyId, companyId), isDisconnected)),
      db
        .update(formerAccounts)
        .set(erased)
        .where(and(eq(formerAccounts.companyId, companyId), isDisconnected)),
      updateVersion(db, companyId, credentialsVersion + 1),
      db.select().from(pspAccounts).where(isConnected).limit(1),
    ]),
  );
  if (remaining !== undefined) return before?.isTrue === 1 ? "open" : "stale";
  await releaseUnusedKeys(env, companyId);
  return "removed";
}

/** A token that authenticates callbacks, and the account that it belongs to. */
interface CallbackToken extends Pick<PspAccountRow, "account" | "settings"> {
  hash: string;
}

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
  const tokens = accounts.flatMap(({ account, settings, ...each }) => {
    const { previousCallbackTokenHash: previous, previousCallbackTokenUntil: until } = each;
    const current = { account, settings, hash: each.callbackTokenHash };
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
  return stored?.sealed === token.sealed ? stored : "stale";
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

/** A condition: an account of another company that is still served has this PIX key. */
function isKeyOfOther(pixKey: string, companyId: number, nowMs: number): SQL {
  return sql`EXISTS (SELECT 1 FROM company_accounts WHERE ${and(
    isPixKey(pixKey),
    ne(companyAccounts.companyId, companyId),
    isServed(nowMs),
  )})`;
}

function isAccount(companyId: number, account: string): SQL | undefined {
  return and(eq(pspAccounts.companyId, companyId), eq(pspAccounts.account, account));
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
