import { z } from "@hono/zod-openapi";
import type { Api } from "../../../http/api.ts";
import { audited } from "../../../http/audit.ts";
import { requireScope } from "../../../http/auth/auth.ts";
import { writeOptimistically } from "../../../http/auth/optimistic-auth.ts";
import { optionalJsonBody } from "../../../http/body.ts";
import { cursor, pageLimit } from "../../../http/fields/fields.ts";
import { optionalIdempotencyKey } from "../../../http/idempotency.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { SMALL_WRITE_BYTES } from "../../../domain/storage/quotas.ts";
import { takeQuota, takeReservedQuota } from "../../settings/take-quota.ts";
import { applicationContext } from "../context.ts";
import { ApplicationParam } from "../schemas.ts";
import { requireApplication } from "../service.ts";
import { isoTimeOrNull } from "../../../domain/shared/clock.ts";
import { ApiKeyEnvelope, ApiKeys, IssuedApiKeyEnvelope, IssueKey, keyNumber } from "./schemas.ts";
import { draftKey, issueKeyAsCaller, pageOfKeys, revokeKeyAsCaller } from "./service.ts";
import { keyView } from "./views.ts";
import { routesOf } from "../../../http/openapi/route.ts";
import { companyDeps } from "../../../http/context.ts";

const route = routesOf("Applications");
const PATH = "/api/v1/applications/{id}/keys";

const list = route.get(PATH, {
  operationId: "listApplicationKeys",
  summary: "List the API keys of an application",
  description: "Newest first, without the keys themselves. Ended keys stay listed for a while.",
  guard: requireScope("keys:write"),
  params: ApplicationParam,
  query: z.object({ after: cursor.optional(), limit: pageLimit }),
  answers: { 200: jsonResponse("The keys", ApiKeys) },
  problems: ["VALIDATION_FAILED", "NOT_FOUND"],
});

const issue = route.post(PATH, {
  operationId: "issueApplicationKey",
  summary: "Issue an API key of an application",
  description:
    "Shown once. The application's other keys expire after `overlapHours`, 0 for at once. 409 if two active " +
    "keys do not expire at once. A repeated request under its `Idempotency-Key` issues no second key and is a " +
    "409 that names the first.",
  guard: requireScope("keys:write"),
  params: ApplicationParam,
  body: optionalJsonBody(IssueKey),
  idempotencyKey: optionalIdempotencyKey("key_2026-11", { isReplayed: false }),
  answers: { 201: jsonResponse("The key", IssuedApiKeyEnvelope) },
  problems: ["NOT_FOUND", "INVALID_STATE", "QUOTA_EXCEEDED"],
});

const revoke = route.delete(`${PATH}/{keyId}`, {
  operationId: "revokeApplicationKey",
  summary: "Revoke an API key of an application",
  description:
    "The next request with the key is refused, everywhere. Repeatable. 409 for the key of this request.",
  guard: requireScope("keys:write"),
  params: ApplicationParam.extend({ keyId: keyNumber }),
  answers: { 200: jsonResponse("The key", ApiKeyEnvelope) },
  problems: ["VALIDATION_FAILED", "NOT_FOUND", "INVALID_STATE", "QUOTA_EXCEEDED"],
});

export {
  list as listApplicationKeys,
  issue as issueApplicationKey,
  revoke as revokeApplicationKey,
};

/** A merchant's routes for the API keys of its applications. */
export function applicationKeyRoutes(app: Api): void {
  app.openapi(list, async (c) => {
    const { id: clientId } = c.req.valid("param");
    const { id: companyId } = c.get("caller").company;
    await requireApplication(c, clientId);
    const query = c.req.valid("query");
    const { rows, after } = await pageOfKeys(c.env, { companyId, clientId }, query);
    return c.json({ items: rows.map(keyView), after, hasMore: after !== null }, 200);
  });

  app.openapi(issue, async (c) => {
    const { id: clientId } = c.req.valid("param");
    const { company } = c.get("caller");
    // Also so that the audit trail repeats no text of a path that names nothing.
    await requireApplication(c, clientId);
    const deps = companyDeps(c);
    const draft = await draftKey(deps.random, company);
    const request = c.req.valid("json");
    const after = {
      prefix: draft.prefix,
      overlapHours: request.overlapHours,
      expiresAt: isoTimeOrNull(request.expiresAt ?? null),
    };
    const action = { action: "key.issue", target: `application:${clientId}`, after };
    await takeQuota(c, SMALL_WRITE_BYTES);
    const record = await audited(c, { companyId: company.id, ...action }, () =>
      writeOptimistically(c, (caller) =>
        issueKeyAsCaller(applicationContext(c, caller), clientId, {
          ...request,
          draft,
          idempotencyKey: c.get("idempotencyKey"),
          nowMs: deps.platformClock.now(),
          createdAt: deps.clock.now(),
        }),
      ),
    );
    c.header("Cache-Control", "no-store");
    return c.json({ data: { ...keyView(record), key: draft.key } }, 201);
  });

  app.openapi(revoke, async (c) => {
    const { id: clientId, keyId } = c.req.valid("param");
    const target = `application:${clientId} key:${keyId}`;
    const companyId = c.get("caller").company.id;
    await requireApplication(c, clientId);
    await takeReservedQuota(c);
    const revoked = await audited(c, { companyId, action: "key.revoke", target }, () =>
      writeOptimistically(c, (caller) =>
        revokeKeyAsCaller(applicationContext(c, caller), clientId, keyId),
      ),
    );
    return c.json({ data: keyView(revoked) }, 200);
  });
}
