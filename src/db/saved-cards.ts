import { and, desc, eq, exists, isNotNull, lte, sql, type SQL } from "drizzle-orm";
import type { Env } from "../config.ts";
import type { Card } from "../domain/charges/payment-details.ts";
import { databaseFor, type Database } from "./client.ts";
import { COMPANY_COLUMNS, toCompany } from "./companies/credentials.ts";
import { companies } from "./schema/companies.ts";
import { cardDeletions, payerErasureRequests, payerErasures, savedCards } from "./schema/payers.ts";
import type { FanOut } from "./sharding/fan-out.ts";
import { runIdempotent } from "./storage-errors.ts";

type SavedCardRow = typeof savedCards.$inferSelect;

/** A deleted card that its house may still keep. */
export type CardDeletionRow = typeof cardDeletions.$inferSelect;

/** A card that its house has charged, so that it can be charged again. */
export type KeptCardRow = SavedCardRow & { card: Card; sealed: string };

/** What a deletion has sealed while its card's charge is on its way: what the house gives is not known yet. */
export const NOT_GIVEN = "";

const isOf = (companyId: number, id: string) =>
  and(eq(savedCards.companyId, companyId), eq(savedCards.id, id));

/**
 * Stores a payer's consent, before the charge (`seq`) whose card is to be saved is sent. A repeat changes nothing, nor
 * does one of a card that is being deleted. That of a payer whose erasure waits for the charge is deleted as if it had
 * come first: the house may keep the card by it already.
 */
export async function beginSavedCard(
  env: Env,
  row: Omit<SavedCardRow, "sealed" | "card">,
  { seq, nowMs }: { seq: number; nowMs: number },
): Promise<void> {
  const { companyId, id } = row;
  const db = databaseFor(env, companyId);
  const deletion = db.select().from(cardDeletions).where(isDeletion(row));
  const isErased = and(isOf(companyId, id), isToBeErased(row, seq));
  await runIdempotent(() =>
    db.batch([
      db.insert(savedCards).values(row).onConflictDoNothing(),
      ...deletionOf(db, companyId, isErased, nowMs),
      db.delete(savedCards).where(and(isOf(companyId, id), exists(deletion))),
    ]),
  );
}

/** Whether a charge's payer asked to be erased from it. */
function isToBeErased(
  { companyId, leadKey }: Pick<SavedCardRow, "companyId" | "leadKey">,
  seq: number,
) {
  return sql`(EXISTS (SELECT 1 FROM ${payerErasures}
      WHERE company_id = ${companyId} AND seq = ${seq} AND reason = 'request')
    OR EXISTS (SELECT 1 FROM ${payerErasureRequests}
      WHERE company_id = ${companyId} AND lead_key = ${leadKey} AND up_to_seq >= ${seq}))`;
}

/**
 * Stores what the house gave for a card. False where nobody agreed to it, or the payer was erased meanwhile: then the
 * house is to delete it.
 */
export async function completeSavedCard(
  env: Env,
  { companyId, id, card, sealed }: Pick<KeptCardRow, "companyId" | "id" | "card" | "sealed">,
): Promise<boolean> {
  const db = databaseFor(env, companyId);
  const [completed] = await runIdempotent(() =>
    db.batch([
      db
        .update(savedCards)
        .set({ card, sealed })
        .where(isOf(companyId, id))
        .returning({ id: savedCards.id }),
      db
        .update(cardDeletions)
        .set({ sealed, nextRunAt: 0 })
        .where(and(isDeletion({ companyId, id }), eq(cardDeletions.sealed, NOT_GIVEN))),
    ]),
  );
  return completed.length > 0;
}

/** A company's saved card; null where it has none of this id that can be charged. */
export async function findSavedCard(
  env: Env,
  companyId: number,
  id: string,
): Promise<KeptCardRow | null> {
  const [row] = await databaseFor(env, companyId)
    .select()
    .from(savedCards)
    .where(isOf(companyId, id));
  return row !== undefined && isKept(row) ? row : null;
}

/** The saved cards of a payer (UUID), the newest first, up to a limit. */
export async function listSavedCards(
  env: Env,
  companyId: number,
  customer: string,
  limit: number,
): Promise<KeptCardRow[]> {
  const rows = await databaseFor(env, companyId)
    .select()
    .from(savedCards)
    .where(
      and(
        eq(savedCards.companyId, companyId),
        eq(savedCards.customer, customer),
        isNotNull(savedCards.sealed),
      ),
    )
    .orderBy(desc(savedCards.createdAt))
    .limit(limit);
  return rows.filter(isKept);
}

/** The saved cards of a payer, by the keyed hashes, the oldest first, up to a limit for each. */
export async function savedCardsOfPayer(
  env: Env,
  companyId: number,
  leadKeys: string[],
  limit: number,
): Promise<KeptCardRow[]> {
  const db = databaseFor(env, companyId);
  const rows = await Promise.all(
    leadKeys.map((leadKey) =>
      db
        .select()
        .from(savedCards)
        .where(and(eq(savedCards.companyId, companyId), eq(savedCards.leadKey, leadKey)))
        .limit(limit),
    ),
  );
  return rows
    .flat()
    .filter(isKept)
    .toSorted((one, other) => one.createdAt - other.createdAt);
}

/** Deletes a saved card, here at once and at its house by the cron. One that is gone already stays so. */
export async function deleteSavedCard(
  env: Env,
  companyId: number,
  id: string,
  nowMs: number,
): Promise<void> {
  const db = databaseFor(env, companyId);
  await runIdempotent(() => db.batch(deletionOf(db, companyId, eq(savedCards.id, id), nowMs)));
}

/** The statements that delete all saved cards of a payer, by the keyed hash. */
export function eraseSavedCards(db: Database, companyId: number, leadKey: string, nowMs: number) {
  return deletionOf(db, companyId, eq(savedCards.leadKey, leadKey), nowMs);
}

/** Both or none: a card that is gone here and not in line would stay at its house for ever. */
function deletionOf(db: Database, companyId: number, isDeleted: SQL | undefined, nowMs: number) {
  const which = and(eq(savedCards.companyId, companyId), isDeleted);
  return [
    db
      .insert(cardDeletions)
      .select(
        // Due at once, by any clock.
        sql`SELECT company_id, id, account, customer, coalesce(sealed, ${NOT_GIVEN}), ${nowMs}, 0, lead_key
          FROM ${savedCards} WHERE ${which}`,
      )
      .onConflictDoNothing(),
    db.delete(savedCards).where(which),
  ] as const;
}

/** Deleted cards that their houses are asked about now, with their companies; for the cron. */
export async function dueCardDeletions(fanOut: FanOut, nowMs: number, limit: number) {
  const { nextRunAt, companyId } = cardDeletions;
  const found = await fanOut.rows(limit, ({ db, isLocal }) =>
    db
      .select({ deletion: cardDeletions, ...COMPANY_COLUMNS })
      .from(cardDeletions)
      .innerJoin(companies, eq(companies.id, companyId))
      .where(and(lte(nextRunAt, nowMs), isLocal(companyId)))
      .orderBy(nextRunAt)
      .limit(limit),
  );
  return found.map(({ row: { deletion, ...row }, database }) => ({
    deletion,
    company: toCompany(row),
    database,
  }));
}

/** Puts off the next question about a deleted card. */
export async function postponeCardDeletion(
  env: Env,
  deletion: CardDeletionRow,
  nextRunAt: number,
): Promise<void> {
  await databaseFor(env, deletion.companyId)
    .update(cardDeletions)
    .set({ nextRunAt })
    .where(isDeletion(deletion));
}

/** Forgets a deleted card that its house keeps no longer. */
export async function endCardDeletion(env: Env, deletion: CardDeletionRow): Promise<void> {
  await runIdempotent(() =>
    databaseFor(env, deletion.companyId).delete(cardDeletions).where(isDeletion(deletion)).run(),
  );
}

function isDeletion({ companyId, id }: Pick<CardDeletionRow, "companyId" | "id">) {
  return and(eq(cardDeletions.companyId, companyId), eq(cardDeletions.id, id));
}

function isKept(row: SavedCardRow): row is KeptCardRow {
  return row.card !== null && row.sealed !== null;
}
