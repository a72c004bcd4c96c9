import { and, eq, isNull, ne, notLike, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Env } from "../../config.ts";
import type { PixApiSettings } from "../../domain/psp/psp-settings.ts";
import { databaseFor, type Database } from "../client.ts";
import { companies } from "../schema/companies.ts";
import { companyProviders, formerAccounts } from "../schema/company-providers.ts";
import { webhookEndpoints } from "../schema/webhooks.ts";
import { runIdempotent } from "../storage-errors.ts";

/** Former accounts that one call returns; a later call returns the next. */
const FORMER_ACCOUNTS_MAX = 50;

/** Where a sealed value stands: a column of the company's row, or the account of a PSP. */
export type SealedPlace =
  | { kind: "webhookSecret" | "previousSecrets" | "leadKey" | "pixApi" }
  | { kind: "endpointSecret" | "endpointPreviousSecrets"; number: number }
  | { kind: "formerAccount"; account: string };

/** A stored text to replace. Of the previous webhook secrets it is the column's whole JSON. */
export interface SealedChange {
  place: SealedPlace;
  before: string;
  after: string;
}

/** A company's sealed values; of its PSP accounts those that do not begin with `current`. */
export async function findSealedValues(env: Env, companyId: number, current: string) {
  const db = databaseFor(env, companyId);
  const isOld = (column: SQLiteColumn) => and(ne(column, ""), notLike(column, `${current}%`));
  const [[company], endpoints, connected, former] = await db.batch([
    db
      .select({
        providerCompanyId: companies.providerCompanyId,
        webhookSecret: companies.webhookSecretSealed,
        previousSecrets: sql<string | null>`${companies.webhookSecretsPrevious}`.as("previous"),
        leadKey: companies.leadKeySealed,
      })
      .from(companies)
      .where(eq(companies.id, companyId)),
    db
      .select({
        number: webhookEndpoints.number,
        secret: webhookEndpoints.secretSealed,
        previousSecrets: sql<string | null>`${webhookEndpoints.secretsPrevious}`.as("previous"),
      })
      .from(webhookEndpoints)
      .where(and(eq(webhookEndpoints.companyId, companyId), isNull(webhookEndpoints.deletedAt))),
    db
      .select({ settings: companyProviders.settings, sealed: companyProviders.sealed })
      .from(companyProviders)
      .where(and(eq(companyProviders.companyId, companyId), isOld(companyProviders.sealed))),
    db
      .select({
        account: formerAccounts.account,
        settings: formerAccounts.settings,
        sealed: formerAccounts.sealed,
      })
      .from(formerAccounts)
      .where(and(eq(formerAccounts.companyId, companyId), isOld(formerAccounts.sealed)))
      .limit(FORMER_ACCOUNTS_MAX),
  ]);
  const accounts = [
    ...connected.map(({ settings, sealed }) => accountAt({ kind: "pixApi" }, settings, sealed)),
    ...former.map(({ account, settings, sealed }) =>
      accountAt({ kind: "formerAccount", account }, settings, sealed),
    ),
  ];
  return { company: company ?? null, endpoints, accounts };
}

function accountAt(place: SealedPlace, settings: PixApiSettings, sealed: string) {
  return { place, settings, sealed };
}

/** Replaces each text that is still as it was read, in one batch. Returns how many it replaced. */
export async function replaceSealedValues(
  env: Env,
  companyId: number,
  changes: SealedChange[],
): Promise<number> {
  const db = databaseFor(env, companyId);
  const [first, ...others] = changes.map((change) => updateOf(db, companyId, change));
  if (first === undefined) return 0;
  const replaced = await runIdempotent(() => db.batch([first, ...others]));
  return replaced.flat().length;
}

/** The statement that replaces a text, unless it has changed since it was read. */
function updateOf(db: Database, companyId: number, { place, before, after }: SealedChange) {
  const isCompany = eq(companies.id, companyId);
  const replaced = { replaced: sql<number>`1`.as("replaced") };
  switch (place.kind) {
    case "webhookSecret":
      return db
        .update(companies)
        .set({ webhookSecretSealed: after })
        .where(and(isCompany, eq(companies.webhookSecretSealed, before)))
        .returning(replaced);
    case "previousSecrets":
      return db
        .update(companies)
        .set({ webhookSecretsPrevious: sql`${after}` })
        .where(and(isCompany, sql`${companies.webhookSecretsPrevious} = ${before}`))
        .returning(replaced);
    case "endpointSecret":
      return db
        .update(webhookEndpoints)
        .set({ secretSealed: after })
        .where(and(isEndpoint(companyId, place), eq(webhookEndpoints.secretSealed, before)))
        .returning(replaced);
    case "endpointPreviousSecrets":
      return db
        .update(webhookEndpoints)
        .set({ secretsPrevious: sql`${after}` })
        .where(
          and(isEndpoint(companyId, place), sql`${webhookEndpoints.secretsPrevious} = ${before}`),
        )
        .returning(replaced);
    case "leadKey":
      return db
        .update(companies)
        .set({ leadKeySealed: after })
        .where(and(isCompany, eq(companies.leadKeySealed, before)))
        .returning(replaced);
    case "pixApi":
      return db
        .update(companyProviders)
        .set({ sealed: after })
        .where(and(eq(companyProviders.companyId, companyId), eq(companyProviders.sealed, before)))
        .returning(replaced);
    case "formerAccount":
      return db
        .update(formerAccounts)
        .set({ sealed: after })
        .where(
          and(
            eq(formerAccounts.companyId, companyId),
            eq(formerAccounts.account, place.account),
            eq(formerAccounts.sealed, before),
          ),
        )
        .returning(replaced);
  }
}

function isEndpoint(companyId: number, { number }: { number: number }) {
  return and(eq(webhookEndpoints.companyId, companyId), eq(webhookEndpoints.number, number));
}
