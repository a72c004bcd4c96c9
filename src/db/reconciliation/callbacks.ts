import { and, eq, isNull, lte, sql, type SQL } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { STORED_CALLBACKS } from "../../domain/storage/stored-callbacks.ts";
import { assert } from "../../lib/assert.ts";
import { databaseFor, type Shard } from "../client.ts";
import { COMPANY_COLUMNS, toCompany } from "../companies/credentials.ts";
import { runIdempotent } from "../storage-errors.ts";
import { inList } from "../in-list.ts";
import type { Due } from "../sharding/fan-out.ts";
import { companies } from "../schema/companies.ts";
import { callbacks } from "../schema/operations.ts";

export type StoredCallback = typeof callbacks.$inferSelect;
export type NewCallback = typeof callbacks.$inferInsert;

/** Stores a callback until it is confirmed at the provider. A repeated callback is stored once. */
export async function storeCallback(env: Env, callback: NewCallback): Promise<void> {
  await runIdempotent(() => insertCallback(env, callback).run());
}

/**
 * Stores the callbacks of one request; a repeated one is stored once. One that only names its object may tell of a
 * later change by the same words: its row starts anew. False if there was no room for all: the oldest evidence stays.
 */
export async function storeCallbacks(
  env: Env,
  { companyId, account }: { companyId: number; account: string },
  reports: NewCallback[],
): Promise<boolean> {
  const [first] = reports;
  if (first === undefined) return true;
  assert(
    reports.every((each) => each.companyId === companyId && each.account === account),
    "all callbacks of one call belong to one account",
  );
  const db = databaseFor(env, companyId);
  const ids = reports.map(({ id }) => id);
  const rows = JSON.stringify(
    reports.map((each) => ({
      ...each,
      report: each.report == null ? null : JSON.stringify(each.report),
    })),
  );
  const ofCompany = sql`SELECT count(*) FROM callbacks WHERE company_id = ${companyId}`;
  const ofAccount = sql`${ofCompany} AND account = ${account}`;
  const isUnreadable = sql`AND told ->> 'kind' = 'unreadable'`;
  const { account: most, unreadable, company, companyUnreadable } = STORED_CALLBACKS;
  const capacity = sql`min(${most} - (${ofAccount}), ${company} - (${ofCompany}))`;
  const unreadableCapacity = sql`min(${unreadable} - (${ofAccount} ${isUnreadable}),
    ${companyUnreadable} - (${ofCompany} ${isUnreadable}))`;
  const insert = (kept: "readable" | "unreadable", room: SQL) => {
    const fresh = sql`SELECT value FROM json_each(${rows})
      WHERE value ->> 'id' NOT IN (SELECT id FROM callbacks WHERE ${inList(callbacks.id, ids)})
        AND coalesce(value ->> 'report' ->> 'kind', '') ${kept === "unreadable" ? sql`=` : sql`<>`} 'unreadable'
      LIMIT max(0, ${room})`;
    return db
      .insert(callbacks)
      .select(
        sql`SELECT value ->> 'id', value ->> 'companyId', value ->> 'objectId', value ->> 'body',
          value ->> 'dueAt', value ->> 'attempts', value ->> 'report', value ->> 'receivedAt',
          value ->> 'account' FROM (${fresh}) WHERE true`,
      )
      .onConflictDoNothing();
  };
  // All of them came at one time.
  const { dueAt, receivedAt } = first;
  const restart = db
    .update(callbacks)
    .set({ attempts: 0, dueAt: sql`min(due_at, ${dueAt})`, receivedAt })
    .where(and(inList(callbacks.id, ids), isNull(callbacks.report)));
  const [, , , stored] = await runIdempotent(() =>
    db.batch([
      restart,
      insert("readable", capacity),
      insert("unreadable", sql`min(${capacity}, ${unreadableCapacity})`),
      db.select({ id: callbacks.id }).from(callbacks).where(inList(callbacks.id, ids)),
    ]),
  );
  return stored.length === ids.length;
}

function insertCallback(env: Env, callback: NewCallback) {
  return databaseFor(env, callback.companyId)
    .insert(callbacks)
    .values(callback)
    .onConflictDoNothing();
}

/** Deletes a callback that was confirmed or refuted, unless it has come again since it was read. */
export async function removeCallback(env: Env, callback: NewCallback): Promise<void> {
  await runIdempotent(() =>
    databaseFor(env, callback.companyId).delete(callbacks).where(isAsRead(callback)).run(),
  );
}

/**
 * Schedules the next attempt at an unconfirmed callback, unless it has come again since it was read. Also fills
 * `received_at` of old rows.
 */
export async function postponeCallback(
  env: Env,
  callback: StoredCallback,
  { dueAt, receivedAt }: { dueAt: number; receivedAt: number },
): Promise<void> {
  await databaseFor(env, callback.companyId)
    .update(callbacks)
    .set({ dueAt, receivedAt, attempts: callback.attempts + 1 })
    .where(isAsRead(callback));
}

/** The row of a callback that has not come again since. */
function isAsRead({ id, receivedAt }: NewCallback) {
  return and(eq(callbacks.id, id), sql`coalesce(told_at, 0) <= ${receivedAt ?? 0}`);
}

/** Sets when callbacks are due. */
export async function deferCallbacks(
  env: Env,
  deferred: { id: string; companyId: number; dueAt: number }[],
): Promise<void> {
  for (const [companyId, ofCompany] of Map.groupBy(deferred, (each) => each.companyId)) {
    const db = databaseFor(env, companyId);
    const updates = [...Map.groupBy(ofCompany, (each) => each.dueAt)].map(([dueAt, each]) => {
      const ids = each.map(({ id }) => id);
      return db.update(callbacks).set({ dueAt }).where(inList(callbacks.id, ids));
    });
    const [first, ...others] = updates;
    if (first !== undefined) await db.batch([first, ...others]);
  }
}

/** A due callback without its content. */
export interface DueCallback {
  id: string;
  companyId: number;
  account: string;
  database: Shard;
}

/** The due callbacks, longest due first in each database. */
export async function dueCallbacks({ fanOut, nowMs }: Due, limit: number): Promise<DueCallback[]> {
  const found = await fanOut.rows(limit, ({ db, isLocal }) =>
    db
      .select({ id: callbacks.id, companyId: callbacks.companyId, account: callbacks.account })
      .from(callbacks)
      .where(and(lte(callbacks.dueAt, nowMs), isLocal(callbacks.companyId)))
      .orderBy(callbacks.dueAt)
      .limit(limit),
  );
  return found.map(({ row, database }) => Object.assign({ database }, row));
}

/** Callbacks with their companies, in the order asked. */
export async function readCallbacks(due: DueCallback[]) {
  const found = await Promise.all(
    [...Map.groupBy(due, ({ database }) => database)].map(([{ db }, each]) => {
      const ids = each.map(({ id }) => id);
      return db
        .select({ callback: callbacks, ...COMPANY_COLUMNS })
        .from(callbacks)
        .innerJoin(companies, eq(companies.id, callbacks.companyId))
        .where(inList(callbacks.id, ids));
    }),
  );
  const byId = new Map(found.flat().map((row) => [row.callback.id, row]));
  return due.flatMap(({ id }) => {
    const row = byId.get(id);
    if (row === undefined) return [];
    return [{ callback: row.callback, company: toCompany(row) }];
  });
}
