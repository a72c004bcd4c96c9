import { createRoute, z } from "@hono/zod-openapi";
import { visiblePixKey } from "../../domain/access/payer-masks.ts";
import { allowedPixKeyView } from "../../domain/withdraws/allowed-pix-key.ts";
import type { Api } from "../../http/api.ts";
import { requireScope } from "../../http/auth/auth.ts";
import { writeOptimistically } from "../../http/auth/optimistic-auth.ts";
import { jsonBody } from "../../http/body.ts";
import {
  BODY_PROBLEMS,
  jsonResponse,
  problemResponses,
  SECURITY,
} from "../../http/openapi/openapi.ts";
import { AddedPixKey, AddPixKeyBody, PixKeys, PixKeysQuery, RemovedPixKey } from "./schemas.ts";
import { addPixKey, pageOfPixKeys, removePixKey } from "./service.ts";

const TAGS = ["Settings"];
const PATH = "/api/v1/company/pix-keys";

const list = createRoute({
  method: "get",
  path: PATH,
  summary: "List the PIX keys to which withdraws are allowed",
  description: "They count while `allowedPixKeys.enforced` is set. The main PIX key always counts.",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireScope("settings:write")] as const,
  request: { query: PixKeysQuery },
  responses: { 200: jsonResponse("One page", PixKeys), ...problemResponses("VALIDATION_FAILED") },
});

const add = createRoute({
  method: "post",
  path: PATH,
  summary: "Allow withdraws to a PIX key",
  description:
    "From `countsFrom` on: the cool-down is that of the settings now. A key that is listed keeps its times.",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireScope("settings:write"), jsonBody(AddPixKeyBody)] as const,
  request: {
    body: { required: true, content: { "application/json": { schema: AddPixKeyBody } } },
  },
  responses: {
    200: jsonResponse("The key, listed before", AddedPixKey),
    201: jsonResponse("The key", AddedPixKey),
    ...problemResponses(...BODY_PROBLEMS, "INVALID_STATE"),
  },
});

const remove = createRoute({
  method: "delete",
  path: `${PATH}/{id}`,
  summary: "Take a PIX key from the list",
  description: "At once. A repeat does nothing.",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireScope("settings:write")] as const,
  request: { params: z.object({ id: z.string().openapi({ example: "1" }) }) },
  responses: {
    200: jsonResponse("The key is not on the list", RemovedPixKey),
    ...problemResponses("NOT_FOUND"),
  },
});

export function companyPixKeyRoutes(app: Api): void {
  app.openapi(list, async (c) =>
    c.json(await pageOfPixKeys(c.env, c.get("caller"), c.req.valid("query")), 200),
  );

  app.openapi(add, async (c) => {
    const request = c.req.valid("json");
    const { key, isNew } = await writeOptimistically(c, ({ company }) =>
      addPixKey(c.env, company, request),
    );
    const shown = visiblePixKey(c.get("caller").scopes, key);
    return c.json({ data: allowedPixKeyView(shown) }, isNew ? 201 : 200);
  });

  app.openapi(remove, async (c) => {
    const id = await removePixKey(c.env, c.get("caller").company.id, c.req.valid("param").id);
    return c.json({ data: { id, removed: true as const } }, 200);
  });
}
