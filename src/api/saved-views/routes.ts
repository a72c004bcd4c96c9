import { SAVED_VIEWS_MAX } from "../../domain/charges/saved-view.ts";
import { jsonBytes, SMALL_WRITE_BYTES } from "../../domain/storage/quotas.ts";
import type { Api } from "../../http/api.ts";
import { requireScope } from "../../http/auth/auth.ts";
import { jsonBody } from "../../http/body.ts";
import { jsonResponse } from "../../http/openapi/openapi.ts";
import { takeQuota, takeReservedQuota } from "../settings/take-quota.ts";
import { OneView, RenameViewBody, SaveViewBody, ViewParam, Views } from "./schemas.ts";
import { routesOf } from "../../http/openapi/route.ts";
import { deleteOwnView, renameOwnView, saveOwnView, showViews } from "./service.ts";

const route = routesOf("People");
const PATH = "/api/v1/saved-views";

const list = route.get(PATH, {
  operationId: "listSavedViews",
  summary: "List your saved views of payments",
  description:
    "By name. Each person, and each application, has its own in a company; nobody else sees them.",
  guard: requireScope("transactions:read"),
  answers: { 200: jsonResponse("All of them", Views) },
});

const save = route.post(PATH, {
  operationId: "createSavedView",
  summary: "Give filters of payments a name",
  description: `A view of yours that has the name gets these filters, so a repeat makes no second. At most ${SAVED_VIEWS_MAX} (409).`,
  guard: requireScope("transactions:read"),
  body: jsonBody(SaveViewBody),
  answers: { 201: jsonResponse("The view", OneView) },
  problems: ["INVALID_STATE", "QUOTA_EXCEEDED"],
});

const rename = route.patch(`${PATH}/{id}`, {
  operationId: "renameSavedView",
  summary: "Rename a saved view",
  description: "409 if another view of yours has the name.",
  guard: requireScope("transactions:read"),
  params: ViewParam,
  body: jsonBody(RenameViewBody),
  answers: { 200: jsonResponse("The view", OneView) },
  problems: ["NOT_FOUND", "INVALID_STATE", "QUOTA_EXCEEDED"],
});

const remove = route.delete(`${PATH}/{id}`, {
  operationId: "deleteSavedView",
  summary: "Delete a saved view",
  guard: requireScope("transactions:read"),
  params: ViewParam,
  answers: { 200: jsonResponse("The view as it was", OneView) },
  problems: ["VALIDATION_FAILED", "NOT_FOUND", "QUOTA_EXCEEDED"],
});

export {
  list as listSavedViews,
  save as createSavedView,
  rename as renameSavedView,
  remove as deleteSavedView,
};

/** Filters of the list of payments under names: the caller's own, in one company. */
export function savedViewRoutes(app: Api): void {
  app.openapi(list, async (c) => {
    return c.json(await showViews(c), 200);
  });

  app.openapi(save, async (c) => {
    const request = c.req.valid("json");
    await takeQuota(c, SMALL_WRITE_BYTES + jsonBytes(request));
    return c.json({ data: await saveOwnView(c, request) }, 201);
  });

  app.openapi(rename, async (c) => {
    await takeQuota(c, SMALL_WRITE_BYTES);
    const { id } = c.req.valid("param");
    return c.json({ data: await renameOwnView(c, id, c.req.valid("json").name) }, 200);
  });

  app.openapi(remove, async (c) => {
    await takeReservedQuota(c);
    return c.json({ data: await deleteOwnView(c, c.req.valid("param").id) }, 200);
  });
}
