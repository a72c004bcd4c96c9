import { and, desc, eq, sql } from "drizzle-orm";
import type { AnchoredHead } from "../../domain/ledger/anchor.ts";
import type { Env } from "../../config.ts";
import { assert } from "../../lib/assert.ts";
import { databaseFor, directoryOf } from "../client.ts";
import { runIdempotent } from "../storage-errors.ts";
import { anchorDays, ledgerAnchors } from "../schema/anchors.ts";

export type StoredAnchor = typeof ledgerAnchors.$inferSelect;
export type AnchorDay = typeof anchorDays.$inferSelect;

/** A company's anchors, newest first. */
export async function listAnchors(
  env: Env,
  companyId: number,
  limit: number,
): Promise<StoredAnchor[]> {
  return databaseFor(env, companyId)
    .select()
    .from(ledgerAnchors)
    .where(eq(ledgerAnchors.companyId, companyId))
    .orderBy(desc(ledgerAnchors.day))
    .limit(limit);
}

/** Stores a company's ledger head, once a day. Returns the stored anchor of the day. */
export async function addAnchor(env: Env, anchor: StoredAnchor): Promise<StoredAnchor> {
  const db = databaseFor(env, anchor.companyId);
  const isSameAnchor = and(
    eq(ledgerAnchors.companyId, anchor.companyId),
    eq(ledgerAnchors.day, anchor.day),
  );
  const [, [stored]] = await runIdempotent(() =>
    db.batch([
      db.insert(ledgerAnchors).values(anchor).onConflictDoNothing(),
      db.select().from(ledgerAnchors).where(isSameAnchor),
    ]),
  );
  assert(stored !== undefined, "a written anchor can be read back");
  return stored;
}

/** The newest day, signed or not; null before the first. */
export async function newestAnchorDay(env: Env): Promise<AnchorDay | null> {
  const [row] = await directoryOf(env)
    .select()
    .from(anchorDays)
    .where(eq(anchorDays.day, sql`(SELECT max(day) FROM anchor_days)`));
  return row ?? null;
}

/** Begins a day with the last digest of the day before. A second call changes nothing. */
export async function beginAnchorDay(env: Env, day: string, digest: string): Promise<void> {
  await runIdempotent(() =>
    directoryOf(env)
      .insert(anchorDays)
      .values({ day, digest, atCompany: 0, companies: 0 })
      .onConflictDoNothing()
      .run(),
  );
}

/** Saves the progress of a day, unless another run has advanced it since it was read. */
export async function advanceAnchorDay(
  env: Env,
  from: AnchorDay,
  to: Partial<AnchorDay>,
): Promise<void> {
  const isUnchanged = and(
    eq(anchorDays.day, from.day),
    sql`${anchorDays.atCompany} IS ${from.atCompany}`,
    sql`${anchorDays.signature} IS ${from.signature}`,
  );
  await runIdempotent(() => directoryOf(env).update(anchorDays).set(to).where(isUnchanged).run());
}

/** The part of an anchor that the company's object compares with its movements. */
export function toAnchoredHead({ day, movement, hash }: StoredAnchor): AnchoredHead {
  return { day, movement, hash };
}
