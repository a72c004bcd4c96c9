import { and, eq, isNull, ne, notLike, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Env } from "../../config.ts";
import { databaseFor, type Database } from "../client.ts";
import { asAccount, carryOver } from "./psp-accounts.ts";
import { companies } from "../schema/companies.ts";
import { cardDeletions, savedCards } from "../schema/payers.ts";
import { pspAccounts } from "../schema/psp-accounts.ts";
import { webhookEndpoints } from "../schema/webhooks.ts";
import { runIdempotent } from "../storage-errors.ts";

/** Accounts, and saved cards, that one call returns; a later call returns the next. */
const ACCOUNTS_MAX = 50;
const SAVED_CARDS_MAX = 50;

/** Where a sealed value stands: a column of the company's row, or the account of a PSP. */
export type SealedPlace =
  | { kind: "webhookSecret" | "previousSecrets" | "leadKey" }
  | { kind: "endpointSecret" | "endpointPreviousSecrets"; number: number }
  | { kind: "account"; account: string }
  | { kind: "savedCard" | "deletedCard"; id: string };

/** A stored text to replace. Of the previous webhook secrets it is the column's whole JSON. */
export interface SealedChange {
  place: SealedPlace;
  before: string;
  after: string;
}

/** A company's sealed values; of its PSP accounts and saved cards those that do not begin with `current`. */
export async function findSealedValues(env: Env, companyId: number, current: string) {
  await carryOver(env, companyId);
  const db = databaseFor(env, companyId);
  const isOld = (column: SQLiteColumn) => and(ne(column, ""), notLike(column, `${current}%`));
  const [[company], endpoints, accounts, savedCardRows, deletedCards] = await db.batch([
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
      .select()
      .from(pspAccounts)
      .where(and(eq(pspAccounts.companyId, companyId), isOld(pspAccounts.sealed)))
      .limit(ACCOUNTS_MAX),
    db
      .select({ id: savedCards.id, sealed: savedCards.sealed })
      .from(savedCards)
      .where(and(eq(savedCards.companyId, companyId), isOld(savedCards.sealed)))
      .limit(SAVED_CARDS_MAX),
    db
      .select({ id: cardDeletions.id, sealed: cardDeletions.sealed })
      .from(cardDeletions)
      .where(and(eq(cardDeletions.companyId, companyId), isOld(cardDeletions.sealed)))
      .limit(SAVED_CARDS_MAX),
  ]);
  return {
    company: company ?? null,
    endpoints,
    accounts: accounts.map(asAccount),
    savedCards: savedCardRows,
    deletedCards,
  };
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
    case "account":
      return db
        .update(pspAccounts)
        .set({ sealed: after })
        .where(
          and(
            eq(pspAccounts.companyId, companyId),
            eq(pspAccounts.account, place.account),
            eq(pspAccounts.sealed, before),
          ),
        )
        .returning(replaced);
    case "savedCard":
      return db
        .update(savedCards)
        .set({ sealed: after })
        .where(
          and(
            eq(savedCards.companyId, companyId),
            eq(savedCards.id, place.id),
            eq(savedCards.sealed, before),
          ),
        )
        .returning(replaced);
    case "deletedCard":
      return updateDeletedCard(db, companyId, { id: place.id, before, after }).returning(replaced);
  }
}

function updateDeletedCard(
  db: Database,
  companyId: number,
  { id, before, after }: Pick<SealedChange, "before" | "after"> & { id: string },
) {
  const { companyId: ofCompany, id: cardId, sealed } = cardDeletions;
  return db
    .update(cardDeletions)
    .set({ sealed: after })
    .where(and(eq(ofCompany, companyId), eq(cardId, id), eq(sealed, before)));
}

function isEndpoint(companyId: number, { number }: { number: number }) {
  return and(eq(webhookEndpoints.companyId, companyId), eq(webhookEndpoints.number, number));
}
