import { and, asc, eq, lte, sql, type SQL } from "drizzle-orm";
import type { Company } from "../domain/company.ts";
import type { PixApiSettings } from "../domain/pix-api.ts";
import type { Env } from "../env.ts";
import { databaseFor, fromAllDatabases } from "./client.ts";
import { toCompany } from "./credentials.ts";
import { runIdempotent } from "./faults.ts";
import { claimPixKey, dropPixKeys } from "./pix-keys.ts";
import { companies } from "./schema/companies.ts";
import { hasOpenCharges } from "./open-charges.ts";
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

/**
 * Writes how a company reaches its PSP. At the same account what was reconciled stays; another one is
 * begun with, and only where D1 knows of nothing that must still be asked of the present one: `open`.
 * Answers `key_taken` where another company has the PIX key.
 */
export async function savePixApi(
  env: Env,
  row: CompanyProviderRow,
  account: "same" | "other",
): Promise<CompanyProviderRow | "key_taken" | "open"> {
  const { companyId, settings, sealed, callbackTokenHash, updatedAt } = row;
  const isOther = account === "other";
  if (!(await claimPixKey(env, companyId, settings.pixKey))) return "key_taken";
  try {
    const [saved] = await runIdempotent(() =>
      databaseFor(env, companyId)
        .insert(companyProviders)
        .values(row)
        .onConflictDoUpdate({
          target: [companyProviders.companyId, companyProviders.provider],
          set: isOther ? row : { settings, sealed, callbackTokenHash, updatedAt },
          ...(isOther ? { setWhere: sql`NOT ${open(companyId)}` } : {}),
        })
        .returning()
        .all(),
    );
    if (saved === undefined) return "open";
    await dropPixKeys(env, companyId, settings.pixKey);
    return saved;
  } catch (error) {
    if (isKeyTaken(error)) return "key_taken";
    throw error;
  }
}

/**
 * Forgets a company's PSP, unless D1 knows of something that must still be asked of it. Answers
 * whether it is gone.
 */
export async function removePixApi(env: Env, companyId: number): Promise<boolean> {
  const db = databaseFor(env, companyId);
  const [, [left]] = await runIdempotent(() =>
    db.batch([
      db.delete(companyProviders).where(and(ofCompany(companyId), sql`NOT ${open(companyId)}`)),
      db
        .select({ companyId: companyProviders.companyId })
        .from(companyProviders)
        .where(ofCompany(companyId)),
    ]),
  );
  if (left !== undefined) return false;
  await dropPixKeys(env, companyId, null);
  return true;
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

/** The companies whose payments are to be listed, longest due first. */
export async function dueListings(env: Env, nowMs: number, limit: number) {
  const rows = await fromAllDatabases(
    env,
    companyProviders.companyId,
    (db, isHere) =>
      db
        .select({ company: companies, provider: companyProviders })
        .from(companyProviders)
        .innerJoin(companies, eq(companies.id, companyProviders.companyId))
        .where(and(lte(companyProviders.listAt, nowMs), isHere))
        .orderBy(asc(companyProviders.listAt))
        .limit(limit),
    { order: (left, right) => left.provider.listAt - right.provider.listAt, limit },
  );
  return rows.map(({ company, provider }) => ({
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
 * Charges, withdraws and callbacks that are still looked after. Reads what the cron has listed of the
 * database, and a day's charges and all withdraws of the company, which only an operator's rare request
 * may.
 */
function open(companyId: number): SQL<number> {
  return sql<number>`(
    ${hasOpenCharges(companyId)}
    OR EXISTS (SELECT 1 FROM withdraws
      WHERE company_id = ${companyId} AND status IN ('Awaiting', 'Processing'))
    OR EXISTS (SELECT 1 FROM callbacks WHERE company_id = ${companyId}))`;
}

function isKeyTaken(error: unknown): boolean {
  const messages = [error, (error as Error).cause].map(String).join(" ");
  return /UNIQUE constraint failed.*company_providers_key/.test(messages);
}
