import type { z } from "@hono/zod-openapi";
import {
  deleteView,
  listSavedViews,
  renameView,
  saveView,
  type ViewOwner,
} from "../../db/people/saved-views.ts";
import { SAVED_VIEWS_MAX, type SavedView } from "../../domain/charges/saved-view.ts";
import { isoTime } from "../../domain/shared/clock.ts";
import { newUuid } from "../../domain/shared/ids.ts";
import type { AppContext } from "../../http/context.ts";
import { invalidState, notFound } from "../../http/problems.ts";
import type { SaveViewBody } from "./schemas.ts";

/** The caller's views, by name. */
export async function showViews(c: AppContext) {
  const views = await listSavedViews(c.env, ownerOf(c));
  return { items: views.map(viewOf) };
}

/** Saves a view under its name. Throws 409 for one too many. */
export async function saveOwnView(c: AppContext, request: z.output<typeof SaveViewBody>) {
  const { platformClock, random } = c.get("deps");
  const view = { id: newUuid(random), ...request, createdAt: platformClock.now() };
  const saved = await saveView(c.env, ownerOf(c), view);
  if (saved !== null) return viewOf(saved);
  throw invalidState(
    `You have ${SAVED_VIEWS_MAX} saved views, which is the most. Delete one first`,
    "too_many",
  );
}

/** Renames a view of the caller's. Throws 404, and 409 if another has the name. */
export async function renameOwnView(c: AppContext, id: string, name: string) {
  const renamed = await renameView(c.env, ownerOf(c), { id, name });
  if (renamed === null) throw notFound("saved view");
  if (renamed === "taken")
    throw invalidState("Another saved view of yours has this name", "name_taken");
  return viewOf(renamed);
}

/** Deletes a view of the caller's, and shows it as it was. Throws 404. */
export async function deleteOwnView(c: AppContext, id: string) {
  const deleted = await deleteView(c.env, ownerOf(c), id);
  if (deleted === null) throw notFound("saved view");
  return viewOf(deleted);
}

function ownerOf(c: AppContext): ViewOwner {
  const { clientId, company } = c.get("caller");
  return { companyId: company.id, owner: clientId };
}

function viewOf({ createdAt, ...view }: SavedView) {
  return { ...view, createdAt: isoTime(createdAt) };
}
