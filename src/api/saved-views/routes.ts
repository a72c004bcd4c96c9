import { createRoute } from "@hono/zod-openapi";
import { SAVED_VIEWS_MAX } from "../../domain/charges/saved-view.ts";
import { jsonBytes, SMALL_WRITE_BYTES } from "../../domain/storage/quotas.ts";
import type { Api } from "../../http/api.ts";
import { requireScope } from "../../http/auth/auth.ts";
import { jsonBody } from "../../http/body.ts";
import {
  BODY_PROBLEMS,
  jsonResponse,
  problemResponses,
  SECURITY,
} from "../../http/openapi/openapi.ts";
import { takeQuota, takeReservedQuota } from "../settings/take-quota.ts";
import { OneView, RenameViewBody, SaveViewBody, ViewParam, Views } from "./schemas.ts";

const TAGS = ["People"];
const PATH = "/api/v1/saved-views";

const list = createRoute({
  method: "get",
  path: PATH,
  operationId: "listSavedViews",
  summary: "List your saved views of payments",
  description:
    "By name. Each person, and each application, has its own in a company; nobody else sees them.",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireScope("transactions:read")] as const,
  responses: { 200: jsonResponse("All of them", Views), ...problemResponses() },
});

const save = createRoute({
  method: "post",
  path: PATH,
  operationId: "makeSavedView",
  summary: "Give filters of payments a name",
  description: `A view of yours that has the name gets these filters, so a repeat makes no second. At most ${SAVED_VIEWS_MAX} (409).`,
  tags: TAGS,
  security: SECURITY,
  middleware: [requireScope("transactions:read"), jsonBody(SaveViewBody)] as const,
  request: { body: { required: true, content: { "application/json": { schema: SaveViewBody } } } },
  responses: {
    201: jsonResponse("The view", OneView),
    ...problemResponses(...BODY_PROBLEMS, "INVALID_STATE", "QUOTA_EXCEEDED"),
  },
});

const rename = createRoute({
  method: "patch",
  path: `${PATH}/{id}`,
  operationId: "renameSavedView",
  summary: "Rename a saved view",
  description: "409 if another view of yours has the name.",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireScope("transactions:read"), jsonBody(RenameViewBody)] as const,
  request: {
    params: ViewParam,
    body: { required: true, content: { "application/json": { schema: RenameViewBody } } },
  },
  responses: {
    200: jsonResponse("The view", OneView),
    ...problemResponses(...BODY_PROBLEMS, "NOT_FOUND", "INVALID_STATE", "QUOTA_EXCEEDED"),
  },
});

const remove = createRoute({
  method: "delete",
  path: `${PATH}/{id}`,
  operationId: "deleteSavedView",
  summary: "Delete a saved view",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireScope("transactions:read")] as const,
  request: { params: ViewParam },
  responses: {
    200: jsonResponse("The view as it was", OneView),
    ...problemResponses("VALIDATION_FAILED", "NOT_FOUND", "QUOTA_EXCEEDED"),
  },
});

/** Filters of the list of payments under names: the caller's own, in one company. */
export function savedViewRoutes(app: Api): void {
  app.openapi(list, async (c) => {
    const { showViews } = await import("./service.ts");
    return c.json(await showViews(c), 200);
  });

  app.openapi(save, async (c) => {
    const request = c.req.valid("json");
    await takeQuota(c, SMALL_WRITE_BYTES + jsonBytes(request));
    const { saveOwnView } = await import("./service.ts");
    return c.json({ data: await saveOwnView(c, request) }, 201);
  });

  app.openapi(rename, async (c) => {
    await takeQuota(c, SMALL_WRITE_BYTES);
    const { renameOwnView } = await import("./service.ts");
    const { id } = c.req.valid("param");
    return c.json({ data: await renameOwnView(c, id, c.req.valid("json").name) }, 200);
  });

  app.openapi(remove, async (c) => {
    await takeReservedQuota(c);
    const { deleteOwnView } = await import("./service.ts");
    return c.json({ data: await deleteOwnView(c, c.req.valid("param").id) }, 200);
  });
}
