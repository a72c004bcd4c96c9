import { createRoute, z } from "@hono/zod-openapi";
import { maskPixKey } from "../../domain/access/masks.ts";
import { visiblePixKey } from "../../domain/access/payer-masks.ts";
import { allowedPixKeyView, type AllowedPixKey } from "../../domain/withdraws/allowed-pix-key.ts";
import { SMALL_WRITE_BYTES } from "../../domain/storage/quotas.ts";
import type { Api } from "../../http/api.ts";
import { audited } from "../../http/audit.ts";
import { requireScope } from "../../http/auth/auth.ts";
import { writeOptimistically } from "../../http/auth/optimistic-auth.ts";
import { jsonBody } from "../../http/body.ts";
import {
  BODY_PROBLEMS,
  jsonResponse,
  problemResponses,
  SECURITY,
} from "../../http/openapi/openapi.ts";
import { takeQuota, takeReservedQuota } from "../settings/take-quota.ts";
import { AddedPixKey, AddPixKeyBody, PixKeys, PixKeysQuery, RemovedPixKey } from "./schemas.ts";
import {
  addPixKey,
  findPixKey,
  pageOfPixKeys,
  pixKeyOfRequest,
  removePixKey,
  requirePixKeyId,
} from "./service.ts";

const TAGS = ["Settings"];
const PATH = "/api/v1/company/pix-keys";

const list = createRoute({
  method: "get",
  path: PATH,
  operationId: "listAllowedPixKeys",
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
  operationId: "allowPixKey",
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
    ...problemResponses(...BODY_PROBLEMS, "INVALID_STATE", "QUOTA_EXCEEDED"),
  },
});

const remove = createRoute({
  method: "delete",
  path: `${PATH}/{id}`,
  operationId: "removeAllowedPixKey",
  summary: "Take a PIX key from the list",
  description: "At once. A repeat does nothing.",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireScope("settings:write")] as const,
  request: { params: z.object({ id: z.string().openapi({ example: "1" }) }) },
  responses: {
    200: jsonResponse("The key is not on the list", RemovedPixKey),
    ...problemResponses("NOT_FOUND", "QUOTA_EXCEEDED"),
  },
});

export function companyPixKeyRoutes(app: Api): void {
  app.openapi(list, async (c) =>
    c.json(await pageOfPixKeys(c.env, c.get("caller"), c.req.valid("query")), 200),
  );

  app.openapi(add, async (c) => {
    const request = c.req.valid("json");
    await takeQuota(c, SMALL_WRITE_BYTES);
    const { id: companyId } = c.get("caller").company;
    const wanted = pixKeyOfRequest(request);
    const after = auditedKey({ pixKey: wanted.value, pixKeyType: wanted.type });
    const action = { companyId, action: "pix_key.allow", target: `company:${companyId}`, after };
    const { key, isNew } = await audited(c, action, () =>
      writeOptimistically(c, ({ company }) => addPixKey(c.env, company, wanted)),
    );
    const shown = visiblePixKey(c.get("caller").scopes, key);
    return c.json({ data: allowedPixKeyView(shown) }, isNew ? 201 : 200);
  });

  app.openapi(remove, async (c) => {
    await takeReservedQuota(c);
    const { id: companyId } = c.get("caller").company;
    const id = requirePixKeyId(c.req.valid("param").id);
    const listed = await findPixKey(c.env, companyId, id);
    const before = listed === null ? null : auditedKey(listed);
    const action = { companyId, action: "pix_key.remove", target: `pix_key:${id}`, before };
    await audited(c, action, () => removePixKey(c.env, companyId, id));
    return c.json({ data: { id, removed: true as const } }, 200);
  });
}

/** A key in the audit trail, where nothing is ever erased. */
function auditedKey({ pixKey, pixKeyType }: Pick<AllowedPixKey, "pixKey" | "pixKeyType">) {
  return { pixKey: maskPixKey({ value: pixKey, type: pixKeyType }), pixKeyType };
}
