import { and, asc, eq, getTableColumns, lte, sql, type SQL } from "drizzle-orm";
import type { Company } from "../domain/company.ts";
import type { PixApiSettings } from "../domain/pix-api.ts";
import type { Env } from "../env.ts";
import { databaseFor, type Database } from "./client.ts";
import { isPresentVersion, raiseCredentialsVersion, updateVersion } from "./credentials-version.ts";
import { toCompany } from "./credentials.ts";
import { isSpread } from "./databases.ts";
import { runIdempotent } from "./faults.ts";
import { claimPixKey, dropPixKeys } from "./pix-keys.ts";
import { companies } from "./schema/companies.ts";
import { hasOpenCharges } from "./open-charges.ts";
import { Round } from "./round.ts";
import { companyProviders } from "./schema/company-providers.ts";

export type CompanyProviderRow = typeof companyProviders.$inferSelect;

const PROVIDER = "PixApi";

/** How a company reaches its PSP; null where it has none. */
export async function findPixApi(env: Env, companyId: number): Promise<CompanyProviderRow | null> {
  const [row] = await databaseFor(env, companyId)
    .select()
    .from(companyProviders)
    .where(ofCompany(companyId));
  return row ?? null;
}

/** What a change of a company's PSP was decided on. */
export interface PixApiChange {
  /** At the same account what was reconciled stays; another one is begun with. */
  account: "first" | "same" | "other";
  /** Of the company as it was read before (`credentialsVersionOf`). */
  credentialsVersion: number;
}

/** `open`: D1 knows of something to be asked of the present account. `stale`: the company was changed. */
export type PixApiRefusal = "open" | "stale";

/** Writes how a company reaches its PSP. `key_taken` where another company has the PIX key. */
export async function savePixApi(
  env: Env,
  row: CompanyProviderRow,
  change: PixApiChange,
): Promise<CompanyProviderRow | PixApiRefusal | "key_taken"> {
  const { companyId, settings } = row;
  try {
    const isClaimed = await claimPixKey(env, companyId, settings.pixKey);
    const saved = isClaimed ? await writePixApi(env, row, change) : "key_taken";
    if (typeof saved === "string") await dropClaims(env, companyId, change.credentialsVersion);
    else await dropPixKeys(env, companyId, settings.pixKey);
    return saved;
  } catch (error) {
    await dropClaims(env, companyId, change.credentialsVersion).catch(() => undefined);
    if (isKeyTaken(error)) return "key_taken";
    throw error;
  }
}

async function writePixApi(
  env: Env,
  row: CompanyProviderRow,
  { account, credentialsVersion }: PixApiChange,
): Promise<CompanyProviderRow | PixApiRefusal> {
  const { companyId, settings, sealed, callbackTokenHash, updatedAt } = row;
  const isOther = account === "other";
  const db = databaseFor(env, companyId);
  const isPresent = isPresentVersion(companyId, credentialsVersion);
  const values: Record<string, string | number> = { ...row, settings: JSON.stringify(settings) };
  const columns = Object.keys(getTableColumns(companyProviders)).map(
    (name) => sql`${values[name]}`,
  );
  const [[before], , , [standing]] = await runIdempotent(() =>
    db.batch([
      selectWhether(db, isPresent),
      db
        .insert(companyProviders)
        .select(
          sql`SELECT ${sql.join(columns, sql`, `)}
            WHERE ${and(isPresent, isOther ? sql`NOT ${open(companyId)}` : undefined)}`,
        )
        .onConflictDoUpdate({
          target: [companyProviders.companyId, companyProviders.provider],
          set: isOther ? row : { settings, sealed, callbackTokenHash, updatedAt },
        }),
      updateVersion(db, companyId, credentialsVersion + 1),
      db.select().from(companyProviders).where(ofCompany(companyId)),
    ]),
  );
  // No two are sealed alike, so a batch that is run twice finds its own.
  if (standing?.sealed === sealed) return standing;
  return before?.isTrue === 1 ? "open" : "stale";
}

/**
 * Gives up claims to PIX keys that did not become the company's: first nothing of an attempt that was
 * decided on this version, which may be on its way still, can be written any more.
 */
export async function dropClaims(
  env: Env,
  companyId: number,
  credentialsVersion: number,
): Promise<void> {
  if (!isSpread(env)) return;
  await raiseCredentialsVersion(env, companyId, credentialsVersion + 1);
  const present = await findPixApi(env, companyId);
  await dropPixKeys(env, companyId, present?.settings.pixKey ?? null);
}

function selectWhether(db: Database, condition: SQL) {
  return db.select({ isTrue: sql<number>`${condition}` }).from(sql`(SELECT 1)`);
}

/**
 * Forgets a company's PSP, unless D1 knows of something that must still be asked of it. Its object must
 * have been asked before (`leaveProvider`).
 */
export async function removePixApi(
  env: Env,
  companyId: number,
  credentialsVersion: number,
): Promise<PixApiRefusal | "removed"> {
  const db = databaseFor(env, companyId);
  const isPresent = isPresentVersion(companyId, credentialsVersion);
  const [[before], , , [left]] = await runIdempotent(() =>
    db.batch([
      selectWhether(db, isPresent),
      db
        .delete(companyProviders)
        .where(and(ofCompany(companyId), isPresent, sql`NOT ${open(companyId)}`)),
      updateVersion(db, companyId, credentialsVersion + 1),
      db.select().from(companyProviders).where(ofCompany(companyId)),
    ]),
  );
  if (left !== undefined) return before?.isTrue === 1 ? "open" : "stale";
  await dropPixKeys(env, companyId, null);
  return "removed";
}

/** The company that a callback is for, and the hash of the token that lets it in. */
export async function findCallbackReceiver(
  env: Env,
  companyId: number,
): Promise<{ company: Company; settings: PixApiSettings; callbackTokenHash: string } | null> {
  const [row] = await databaseFor(env, companyId)
    .select({ company: companies, provider: companyProviders })
    .from(companyProviders)
    .innerJoin(companies, eq(companies.id, companyProviders.companyId))
    .where(ofCompany(companyId));
  if (row === undefined) return null;
  const { settings, callbackTokenHash } = row.provider;
  return { company: toCompany(row.company, row.provider), settings, callbackTokenHash };
}

/** The companies whose payments are to be listed, longest due first of each database. */
export async function dueListings(env: Env, nowMs: number, limit: number) {
  const found = await new Round(env).rows(limit, ({ db, isHere }) =>
    db
      .select({ company: companies, provider: companyProviders })
      .from(companyProviders)
      .innerJoin(companies, eq(companies.id, companyProviders.companyId))
      .where(and(lte(companyProviders.listAt, nowMs), isHere(companyProviders.companyId)))
      .orderBy(asc(companyProviders.listAt))
      .limit(limit),
  );
  return found.map(({ row: { company, provider } }) => ({
    company: toCompany(company, provider),
    listing: provider,
  }));
}

/** Takes a listing that is due; false where another one was faster. */
export async function takeListing(
  env: Env,
  { companyId, listAt }: CompanyProviderRow,
  nextAt: number,
): Promise<boolean> {
  const taken = await databaseFor(env, companyId)
    .update(companyProviders)
    .set({ listAt: nextAt })
    .where(and(ofCompany(companyId), eq(companyProviders.listAt, listAt)))
    .returning({ companyId: companyProviders.companyId });
  return taken.length > 0;
}

/** Records how far a listing came. */
export async function saveListing(
  env: Env,
  companyId: number,
  listing: Partial<Pick<CompanyProviderRow, "listedUntil" | "listAt" | "listWindow">>,
): Promise<void> {
  await runIdempotent(() =>
    databaseFor(env, companyId)
      .update(companyProviders)
      .set(listing)
      .where(ofCompany(companyId))
      .run(),
  );
}

function ofCompany(companyId: number): SQL | undefined {
  return and(eq(companyProviders.companyId, companyId), eq(companyProviders.provider, PROVIDER));
}

/**
 * Charges and callbacks that are still looked after; of all else the company's object knows. Reads what
 * the cron has listed of the database, and a day's charges of the company, which only an operator's rare
 * request may.
 */
function open(companyId: number): SQL<number> {
  return sql<number>`(
    ${hasOpenCharges(companyId)}
    OR EXISTS (SELECT 1 FROM callbacks WHERE company_id = ${companyId}))`;
}

function isKeyTaken(error: unknown): boolean {
  const messages = [error, (error as Error).cause].map(String).join(" ");
  return /UNIQUE constraint failed.*company_providers_key/.test(messages);
}
