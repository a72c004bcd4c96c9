import { and, eq, lte, sql, type SQL } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { assert } from "../../lib/assert.ts";
import { databaseFor } from "../client.ts";
import { OF_PIX_API, PIX_API, toCompany } from "../companies/credentials.ts";
import { runIdempotent } from "../faults.ts";
import { isOneOf } from "../one-of.ts";
import { Round } from "../sharding/round.ts";
import { companyProviders } from "../schema/company-providers.ts";
import { companies } from "../schema/companies.ts";
import { callbacks } from "../schema/operations.ts";

/**
 * What is kept of a company, whoever has its token: more is refused, and told again by its PSP. Counting
 * them reads as many rows. A PSP that is silent for an hour calls back a thousand times of a company with
 * that many payments; beyond it the lists say what came.
 */
export const KEPT_MAX = 1_000;
/**
 * Of these what cannot be read, and so stays for its 90 days: it must not take the room of evidence, where a
 * PSP sends something new with each payment.
 */
export const KEPT_UNREADABLE_MAX = 200;

export type StoredCallback = typeof callbacks.$inferSelect;
export type NewCallback = typeof callbacks.$inferInsert;

/** Keeps what a provider said has happened until it was read back, whoever lives to do so. */
export async function storeCallback(env: Env, callback: NewCallback): Promise<void> {
  await runIdempotent(() => insertCallback(env, callback).run());
}

/**
 * Keeps what one company's provider told at once; what was told before is kept once. Answers false where
 * there was no room for all of it: the oldest evidence stays.
 */
export async function storeCallbacks(
  env: Env,
  companyId: number,
  told: NewCallback[],
): Promise<boolean> {
  if (told.length === 0) return true;
  assert(
    told.every((each) => each.companyId === companyId),
    "callbacks of one company are stored at once",
  );
  const db = databaseFor(env, companyId);
  const ids = told.map(({ id }) => id);
  const rows = JSON.stringify(
    told.map((each) => ({ ...each, told: each.told == null ? null : JSON.stringify(each.told) })),
  );
  const count = sql`SELECT count(*) FROM callbacks WHERE company_id = ${companyId}`;
  const room = sql`${KEPT_MAX} - (${count})`;
  const unreadable = sql`${KEPT_UNREADABLE_MAX} - (${count} AND told ->> 'kind' = 'unreadable')`;
  const insert = (isUnreadable: boolean, left: SQL) => {
    const fresh = sql`SELECT value FROM json_each(${rows})
      WHERE value ->> 'id' NOT IN (SELECT id FROM callbacks WHERE ${isOneOf(callbacks.id, ids)})
        AND coalesce(value ->> 'told' ->> 'kind', '') ${isUnreadable ? sql`=` : sql`<>`} 'unreadable'
      LIMIT max(0, ${left})`;
    return db
      .insert(callbacks)
      .select(
        sql`SELECT value ->> 'id', value ->> 'companyId', value ->> 'objectId', value ->> 'body',
          value ->> 'dueAt', value ->> 'attempts', value ->> 'told', value ->> 'toldAt',
          coalesce(value ->> 'account', 'first') FROM (${fresh}) WHERE true`,
      )
      .onConflictDoNothing();
  };
  const [, , kept] = await runIdempotent(() =>
    db.batch([
      insert(false, room),
      insert(true, sql`min(${room}, ${unreadable})`),
      db.select({ id: callbacks.id }).from(callbacks).where(isOneOf(callbacks.id, ids)),
    ]),
  );
  return kept.length === ids.length;
}

function insertCallback(env: Env, callback: NewCallback) {
  return databaseFor(env, callback.companyId)
    .insert(callbacks)
    .values(callback)
    .onConflictDoNothing();
}

/** What it said was seen, or otherwise. */
export async function removeCallback(
  env: Env,
  { companyId, id }: Pick<StoredCallback, "companyId" | "id">,
): Promise<void> {
  await runIdempotent(() =>
    databaseFor(env, companyId).delete(callbacks).where(eq(callbacks.id, id)).run(),
  );
}

/** What it said was not seen yet: another time. From the first time on it is known when it came. */
export async function postponeCallback(
  env: Env,
  { companyId, id, attempts }: StoredCallback,
  { dueAt, toldAt }: { dueAt: number; toldAt: number },
): Promise<void> {
  await databaseFor(env, companyId)
    .update(callbacks)
    .set({ dueAt, toldAt, attempts: attempts + 1 })
    .where(eq(callbacks.id, id));
}

/** They were not come to: others go first the next time. */
export async function putBackCallbacks(
  env: Env,
  left: StoredCallback[],
  dueAt: number,
): Promise<void> {
  for (const [companyId, callbacksOfIt] of Map.groupBy(left, (each) => each.companyId)) {
    const db = databaseFor(env, companyId);
    const ids = callbacksOfIt.map(({ id }) => id);
    await db.update(callbacks).set({ dueAt }).where(isOneOf(callbacks.id, ids));
  }
}

/** What is to be read back now, longest due first of each database, with the company it is about. */
export async function dueCallbacks(env: Env, nowMs: number, limit: number) {
  const found = await new Round(env).rows(limit, ({ db, isHere }) =>
    db
      .select({ callback: callbacks, company: companies, pixApi: PIX_API })
      .from(callbacks)
      .innerJoin(companies, eq(companies.id, callbacks.companyId))
      .leftJoin(companyProviders, OF_PIX_API)
      .where(and(lte(callbacks.dueAt, nowMs), isHere(callbacks.companyId)))
      .orderBy(callbacks.dueAt)
      .limit(limit),
  );
  return found.map(({ row: { callback, company, pixApi } }) => ({
    callback,
    company: toCompany(company, pixApi),
  }));
}
