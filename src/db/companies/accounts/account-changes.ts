import { and, eq, isNull, notExists, sql, type SQL } from "drizzle-orm";
import type { Env } from "../../../config.ts";
import { databaseFor } from "../../client.ts";
import { inList } from "../../in-list.ts";
import { companyProviders, formerAccounts, pspAccounts } from "../../schema/psp-accounts.ts";
import { runIdempotent } from "../../storage-errors.ts";
import { isCurrentVersion, updateVersion } from "../credentials-version.ts";
import { hasOpenCharges } from "../open-charges.ts";
import {
  carryOver,
  isAccount,
  releaseUnusedClaims,
  selectCondition,
  type PspAccountRow,
} from "../psp-accounts.ts";

/** What an operator may change of a connected account without connecting it anew. */
export type AccountTerms = Pick<PspAccountRow, "state" | "methods" | "priority" | "conditions">;

/** Changes which charges a connected account takes. False if the company has changed since it was read. */
export async function saveAccountTerms(
  env: Env,
  { companyId, account }: Pick<PspAccountRow, "companyId" | "account">,
  { state, methods, priority, conditions }: AccountTerms,
  { credentialsVersion, nowMs }: { credentialsVersion: number; nowMs: number },
): Promise<boolean> {
  await carryOver(env, companyId);
  const db = databaseFor(env, companyId);
  const where = and(
    isAccount(companyId, account),
    isNull(pspAccounts.leftAt),
    isCurrentVersion(companyId, credentialsVersion),
  );
  const [written] = await runIdempotent(() =>
    db.batch([
      db
        .update(pspAccounts)
        .set({ state, methods, priority, conditions, updatedAt: nowMs })
        .where(where)
        .returning({ account: pspAccounts.account }),
      updateVersion(db, companyId, credentialsVersion + 1),
    ]),
  );
  return written.length > 0;
}

/**
 * Writes the settings of a connected account of the same kind, with its secrets sealed for them. False if the company has
 * changed since it was read.
 */
export async function saveAccountSettings(
  env: Env,
  {
    companyId,
    account,
    settings,
    sealed,
  }: Pick<PspAccountRow, "companyId" | "account" | "settings" | "sealed">,
  { credentialsVersion, nowMs }: { credentialsVersion: number; nowMs: number },
): Promise<boolean> {
  await carryOver(env, companyId);
  const db = databaseFor(env, companyId);
  const isOfAccount = isAccount(companyId, account);
  const where = and(
    isOfAccount,
    isNull(pspAccounts.leftAt),
    isCurrentVersion(companyId, credentialsVersion),
  );
  const [, , [stored]] = await runIdempotent(() =>
    db.batch([
      db.update(pspAccounts).set({ settings, sealed, updatedAt: nowMs }).where(where),
      updateVersion(db, companyId, credentialsVersion + 1),
      db.select({ sealed: pspAccounts.sealed }).from(pspAccounts).where(isOfAccount),
    ]),
  );
  // Each sealing has a random nonce, so equal ciphertexts mean that this call wrote the row.
  return stored?.sealed === sealed;
}

/** Accounts of a company to disconnect. */
export interface Disconnection {
  companyId: number;
  accounts: string[];
  /** Whose open work stops it; null for any of the company's. */
  openAt: string | null;
  /** The company's version (`credentialsVersionOf`) when it was read. */
  credentialsVersion: number;
}

/**
 * Erases the secrets of accounts of a company. `open` if D1 has open charges or callbacks. The caller has already
 * asked the company's object (`retireCredentials`).
 */
export async function disconnectAccounts(
  env: Env,
  { companyId, accounts, openAt, credentialsVersion }: Disconnection,
  nowMs: number,
): Promise<"open" | "stale" | "removed"> {
  await carryOver(env, companyId);
  const db = databaseFor(env, companyId);
  const isCurrent = isCurrentVersion(companyId, credentialsVersion);
  const where = and(isCurrent, sql`NOT ${hasOpenWork(companyId, openAt)}`);
  const isChosen = and(eq(pspAccounts.companyId, companyId), inList(pspAccounts.account, accounts));
  const isConnected = and(isChosen, isNull(pspAccounts.leftAt));
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
          updatedAt: nowMs,
        })
        .where(and(isChosen, where)),
      // What it was carried over from has the secrets too, and code of before would still use them.
      db
        .delete(companyProviders)
        .where(
          and(
            eq(companyProviders.companyId, companyId),
            inList(companyProviders.account, accounts),
            isDisconnected,
          ),
        ),
      db
        .update(formerAccounts)
        .set(erased)
        .where(
          and(
            eq(formerAccounts.companyId, companyId),
            inList(formerAccounts.account, accounts),
            isDisconnected,
          ),
        ),
      updateVersion(db, companyId, credentialsVersion + 1),
      db.select().from(pspAccounts).where(isConnected).limit(1),
    ]),
  );
  if (remaining !== undefined) return before?.isTrue === 1 ? "open" : "stale";
  await releaseUnusedClaims(env, companyId);
  return "removed";
}

/** A callback with this many attempts is a day old and no longer blocks a disconnect. */
const CALLBACK_OPEN_ATTEMPTS = 11;

/**
 * Whether a company, or one account of it, has open charges or callbacks. Scans the sweep index of the whole database,
 * which is acceptable only for a rare operator request.
 */
function hasOpenWork(companyId: number, account: string | null): SQL<number> {
  const isAtAccount = account === null ? sql`` : sql`AND account = ${account}`;
  return sql<number>`(
    ${hasOpenCharges(companyId, account)}
    OR EXISTS (SELECT 1 FROM callbacks
      WHERE company_id = ${companyId} AND attempts < ${CALLBACK_OPEN_ATTEMPTS} ${isAtAccount}))`;
}
