import { and, asc, eq, sql } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { SAVED_VIEWS_MAX, type SavedView } from "../../domain/charges/saved-view.ts";
import { directoryOf } from "../client.ts";
import { savedViews } from "../schema/people/saved-views.ts";
import { runIdempotent } from "../storage-errors.ts";

/** Whose views: a person's or an application's, in one company. Nobody else sees them. */
export interface ViewOwner {
  companyId: number;
  /** As commands and the audit trail name the caller. */
  owner: string;
}

const SHOWN = {
  id: savedViews.id,
  name: savedViews.name,
  filters: savedViews.filters,
  createdAt: savedViews.createdAt,
};

/** All views of an owner, by name. */
export async function listSavedViews(env: Env, owner: ViewOwner): Promise<SavedView[]> {
  return directoryOf(env)
    .select(SHOWN)
    .from(savedViews)
    .where(isOf(owner))
    .orderBy(asc(savedViews.name));
}

/**
 * Saves a view; one of the same name gets its filters and keeps its id, so that a repeat makes no second. Null if
 * the owner has as many as he may.
 */
export async function saveView(
  env: Env,
  owner: ViewOwner,
  view: SavedView,
): Promise<SavedView | null> {
  const db = directoryOf(env);
  const { id, name, filters, createdAt } = view;
  const isNamed = and(isOf(owner), eq(savedViews.name, name));
  const [, [saved]] = await runIdempotent(() =>
    db.batch([
      db
        .insert(savedViews)
        // In the order of the table's columns.
        .select(
          sql`SELECT ${owner.companyId}, ${owner.owner}, ${id}, ${name}, ${JSON.stringify(filters)}, ${createdAt}
            WHERE (SELECT count(*) FROM saved_views WHERE company_id = ${owner.companyId}
              AND owner = ${owner.owner} AND name <> ${name}) < ${SAVED_VIEWS_MAX}`,
        )
        .onConflictDoUpdate({
          target: [savedViews.companyId, savedViews.owner, savedViews.name],
          set: { filters: sql`excluded.filters` },
        }),
      db.select(SHOWN).from(savedViews).where(isNamed),
    ]),
  );
  return saved ?? null;
}

/** Renames a view. `taken`: another of the owner's has the name. */
export async function renameView(
  env: Env,
  owner: ViewOwner,
  { id, name }: { id: string; name: string },
): Promise<SavedView | "taken" | null> {
  const db = directoryOf(env);
  const isFree = sql`NOT EXISTS (SELECT 1 FROM saved_views AS other WHERE other.company_id = ${owner.companyId}
    AND other.owner = ${owner.owner} AND other.name = ${name} AND other.id <> ${id})`;
  const isIt = and(isOf(owner), eq(savedViews.id, id));
  const [, [view]] = await runIdempotent(() =>
    db.batch([
      db.update(savedViews).set({ name }).where(and(isIt, isFree)),
      db.select(SHOWN).from(savedViews).where(isIt),
    ]),
  );
  if (view === undefined) return null;
  return view.name === name ? view : "taken";
}

/** Deletes a view and returns it; null if there is none. */
export async function deleteView(
  env: Env,
  owner: ViewOwner,
  id: string,
): Promise<SavedView | null> {
  const [deleted] = await directoryOf(env)
    .delete(savedViews)
    .where(and(isOf(owner), eq(savedViews.id, id)))
    .returning(SHOWN);
  return deleted ?? null;
}

function isOf({ companyId, owner }: ViewOwner) {
  return and(eq(savedViews.companyId, companyId), eq(savedViews.owner, owner));
}
