import { and, eq, lte } from "drizzle-orm";
import type { Env } from "../env.ts";
import { assert } from "../lib/assert.ts";
import { databaseFor } from "./client.ts";
import { OF_PIX_API, PIX_API, toCompany } from "./credentials.ts";
import { runIdempotent } from "./faults.ts";
import { isOneOf } from "./one-of.ts";
import { Round } from "./round.ts";
import { companyProviders } from "./schema/company-providers.ts";
import { companies } from "./schema/companies.ts";
import { callbacks } from "./schema/operations.ts";

export type StoredCallback = typeof callbacks.$inferSelect;
export type NewCallback = typeof callbacks.$inferInsert;

/** Keeps what a provider said has happened until it was read back, whoever lives to do so. */
export async function storeCallback(env: Env, callback: NewCallback): Promise<void> {
  await runIdempotent(() => insertCallback(env, callback).run());
}

/** The same of all that came at once. One that was told before is kept once. */
export async function storeCallbacks(env: Env, told: NewCallback[]): Promise<void> {
  for (const [companyId, callbacksOfIt] of Map.groupBy(told, (each) => each.companyId)) {
    const [first, ...others] = callbacksOfIt.map((callback) => insertCallback(env, callback));
    assert(first !== undefined, "a group is not empty");
    await runIdempotent(() => databaseFor(env, companyId).batch([first, ...others]));
  }
}

function insertCallback(env: Env, callback: NewCallback) {
  return databaseFor(env, callback.companyId)
    .insert(callbacks)
    .values(callback)
    .onConflictDoNothing();
}

/** It was read back. */
export async function removeCallback(
  env: Env,
  { companyId, id }: Pick<StoredCallback, "companyId" | "id">,
): Promise<void> {
  await runIdempotent(() =>
    databaseFor(env, companyId).delete(callbacks).where(eq(callbacks.id, id)).run(),
  );
}

/** It could not be read back: another time. */
export async function postponeCallback(
  env: Env,
  { companyId, id, attempts }: StoredCallback,
  dueAt: number,
): Promise<void> {
  await databaseFor(env, companyId)
    .update(callbacks)
    .set({ dueAt, attempts: attempts + 1 })
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

/** What nobody lived to read back, with the company it is about. */
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
