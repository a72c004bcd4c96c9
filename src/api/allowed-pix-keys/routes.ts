import { z } from "@hono/zod-openapi";
import { maskPixKey } from "../../domain/access/masks.ts";
import { visiblePixKey } from "../../domain/access/payer-masks.ts";
import { allowedPixKeyView, type AllowedPixKey } from "../../domain/withdraws/allowed-pix-key.ts";
import { SMALL_WRITE_BYTES } from "../../domain/storage/quotas.ts";
import type { Api } from "../../http/api.ts";
import { audited } from "../../http/audit.ts";
import { requireScope } from "../../http/auth/auth.ts";
import { writeOptimistically } from "../../http/auth/optimistic-auth.ts";
import { jsonBody } from "../../http/body.ts";
import { jsonResponse } from "../../http/openapi/openapi.ts";
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
import { routesOf } from "../../http/openapi/route.ts";

const route = routesOf("Settings");
const PATH = "/api/v1/company/pix-keys";

const list = route.get(PATH, {
  operationId: "listAllowedPixKeys",
  summary: "List the PIX keys to which withdraws are allowed",
  description: "They count while `allowedPixKeys.enforced` is set. The main PIX key always counts.",
  guard: requireScope("settings:write"),
  query: PixKeysQuery,
  answers: { 200: jsonResponse("One page", PixKeys) },
  problems: ["VALIDATION_FAILED"],
});

const add = route.post(PATH, {
  operationId: "allowPixKey",
  summary: "Allow withdraws to a PIX key",
  description:
    "From `countsFrom` on: the cool-down is that of the settings now. A key that is listed keeps its times.",
  guard: requireScope("settings:write"),
  body: jsonBody(AddPixKeyBody),
  answers: {
    200: jsonResponse("The key, listed before", AddedPixKey),
    201: jsonResponse("The key", AddedPixKey),
  },
  problems: ["INVALID_STATE", "QUOTA_EXCEEDED"],
});

const remove = route.delete(`${PATH}/{id}`, {
  operationId: "deleteAllowedPixKey",
  summary: "Take a PIX key from the list",
  description: "At once. A repeat does nothing.",
  guard: requireScope("settings:write"),
  params: z.object({ id: z.string().openapi({ example: "1" }) }),
  answers: { 200: jsonResponse("The key is not on the list", RemovedPixKey) },
  problems: ["NOT_FOUND", "QUOTA_EXCEEDED"],
});

export { list as listAllowedPixKeys, add as allowPixKey, remove as deleteAllowedPixKey };

export function allowedPixKeyRoutes(app: Api): void {
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
