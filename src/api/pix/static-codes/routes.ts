import { jsonBytes, SMALL_WRITE_BYTES } from "../../../domain/storage/quotas.ts";
import type { Api } from "../../../http/api.ts";
import { requireScope } from "../../../http/auth/auth.ts";
import { writeOptimistically } from "../../../http/auth/optimistic-auth.ts";
import { jsonBody } from "../../../http/body.ts";
import { optionalIdempotencyKey, REPLAYED_HEADER } from "../../../http/idempotency.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { takeQuota, takeReservedQuota } from "../../settings/take-quota.ts";
import { markStaticCodeDeleted } from "./repository.ts";
import {
  CreateStaticCode,
  StaticCodeEnvelope,
  StaticCodeParam,
  StaticCodes,
  StaticCodesQuery,
  staticCodeView,
} from "./schemas.ts";
import {
  codeRequest,
  createStaticCode,
  findReplayedCode,
  pageOfStaticCodes,
  requireStaticCode,
} from "./service.ts";
import { routesOf } from "../../../http/openapi/route.ts";
import { companyDeps } from "../../../http/context.ts";

const route = routesOf("PIX");
const PATH = "/api/v1/pix/static-codes";

const create = route.post(PATH, {
  operationId: "createStaticCode",
  summary: "Make a static PIX code",
  description:
    "A code that may be printed and paid any number of times. Each payment becomes a paid transaction of its " +
    "own, with `staticCodeId` and its events. At most 10,000 codes (409).",
  guard: requireScope("transactions:write"),
  body: jsonBody(CreateStaticCode),
  idempotencyKey: optionalIdempotencyKey("code_bar"),
  answers: { 201: jsonResponse("The code", StaticCodeEnvelope) },
  problems: ["INVALID_STATE", "PROVIDER_NOT_CONFIGURED", "QUOTA_EXCEEDED"],
});

const list = route.get(PATH, {
  operationId: "listStaticCodes",
  summary: "List the company's static PIX codes",
  description: "Newest first, with the deleted ones.",
  guard: requireScope("transactions:read"),
  query: StaticCodesQuery,
  answers: { 200: jsonResponse("One page", StaticCodes) },
  problems: ["VALIDATION_FAILED"],
});

const show = route.get(`${PATH}/{id}`, {
  operationId: "getStaticCode",
  summary: "Show a static PIX code",
  guard: requireScope("transactions:read"),
  params: StaticCodeParam,
  answers: { 200: jsonResponse("The code", StaticCodeEnvelope) },
  problems: ["NOT_FOUND"],
});

const remove = route.delete(`${PATH}/{id}`, {
  operationId: "deleteStaticCode",
  summary: "Delete a static PIX code",
  description:
    "Marks it as deleted. No bank can be told to refuse a printed code, so a later payment of it still becomes " +
    "a transaction. A repeat does nothing.",
  guard: requireScope("transactions:write"),
  params: StaticCodeParam,
  answers: { 200: jsonResponse("The code", StaticCodeEnvelope) },
  problems: ["NOT_FOUND", "QUOTA_EXCEEDED"],
});

export {
  create as createStaticCode,
  list as listStaticCodes,
  show as getStaticCode,
  remove as deleteStaticCode,
};

/** A merchant's routes for its static PIX codes. */
export function staticCodeRoutes(app: Api): void {
  app.openapi(create, async (c) => {
    const { env } = c;
    const deps = companyDeps(c);
    const body = c.req.valid("json");
    const request = await codeRequest(body, c.get("idempotencyKey"));
    const earlier = await findReplayedCode(env, c.get("caller").company.id, request);
    if (earlier === null) await takeQuota(c, SMALL_WRITE_BYTES + jsonBytes(body));
    const { code, isNew } =
      earlier === null
        ? await writeOptimistically(c, ({ company }) =>
            createStaticCode({ env, deps, company }, request),
          )
        : { code: earlier, isNew: false };
    if (!isNew) c.header(REPLAYED_HEADER, "true");
    // As it was made: a replay does not show what happened since.
    return c.json({ data: staticCodeView({ ...code, deletedAt: null }) }, 201);
  });

  app.openapi(list, async (c) =>
    c.json(await pageOfStaticCodes(c.env, c.get("caller").company, c.req.valid("query")), 200),
  );

  app.openapi(show, async (c) => {
    const code = await requireStaticCode(c.env, c.get("caller").company, c.req.valid("param").id);
    return c.json({ data: staticCodeView(code) }, 200);
  });

  app.openapi(remove, async (c) => {
    const { company } = c.get("caller");
    const code = await requireStaticCode(c.env, company, c.req.valid("param").id);
    await takeReservedQuota(c);
    await markStaticCodeDeleted(c.env, code, companyDeps(c).clock.now());
    const deleted = await requireStaticCode(c.env, company, code.id);
    return c.json({ data: staticCodeView(deleted) }, 200);
  });
}
