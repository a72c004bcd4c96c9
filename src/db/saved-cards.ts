import { and, desc, eq, isNotNull } from "drizzle-orm";
import type { Env } from "../config.ts";
import type { Card } from "../domain/charges/payment-details.ts";
import { databaseFor, type Database } from "./client.ts";
import { savedCards } from "./schema/payers.ts";
import { runIdempotent } from "./storage-errors.ts";

type SavedCardRow = typeof savedCards.$inferSelect;

/** A card that its house has charged, so that it can be charged again. */
export type KeptCardRow = SavedCardRow & { card: Card; sealed: string };

const isOf = (companyId: number, id: string) =>
  and(eq(savedCards.companyId, companyId), eq(savedCards.id, id));

/** Stores a payer's consent, before the charge whose card is to be saved is sent. A repeat changes nothing. */
export async function beginSavedCard(
  env: Env,
  row: Omit<SavedCardRow, "sealed" | "card">,
): Promise<void> {
  const db = databaseFor(env, row.companyId);
  await runIdempotent(() => db.insert(savedCards).values(row).onConflictDoNothing().run());
}

/** Stores what the house gave for a card. False where nobody agreed to it, or the payer was erased meanwhile. */
export async function completeSavedCard(
  env: Env,
  { companyId, id, card, sealed }: Pick<KeptCardRow, "companyId" | "id" | "card" | "sealed">,
): Promise<boolean> {
  const db = databaseFor(env, companyId);
  const completed = await runIdempotent(() =>
    db
      .update(savedCards)
      .set({ card, sealed })
      .where(isOf(companyId, id))
      .returning({ id: savedCards.id }),
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

/** Deletes a saved card. One that is gone already stays so. */
export async function deleteSavedCard(env: Env, companyId: number, id: string): Promise<void> {
  await databaseFor(env, companyId).delete(savedCards).where(isOf(companyId, id));
}

/** The statement that deletes all saved cards of a payer, by the keyed hash. */
export function eraseSavedCards(db: Database, companyId: number, leadKey: string) {
  return db
    .delete(savedCards)
    .where(and(eq(savedCards.companyId, companyId), eq(savedCards.leadKey, leadKey)));
}

function isKept(row: SavedCardRow): row is KeptCardRow {
  return row.card !== null && row.sealed !== null;
}
