import { createRoute, z } from "@hono/zod-openapi";
import type { Api } from "../../../http/api.ts";
import { requireOperator } from "../../../http/auth/operator-auth.ts";
import { NO_FIELDS, noFieldsBody, optionalJsonBody } from "../../../http/body.ts";
import {
  BODY_PROBLEMS,
  jsonResponse,
  problemResponses,
  SECURITY,
} from "../../../http/openapi/openapi.ts";
import { revokeApiKey, issueApiKey, listApiKeys } from "./service.ts";
import { ApiKey, ApiKeys, IssueApiKey, IssuedApiKey } from "./schemas.ts";
import { COMPANY, CompanyParam, companyContext } from "../company-param.ts";

const TAGS = ["Operator"];
const KEYS = `${COMPANY}/keys`;
const issue = createRoute({
  method: "post",
  path: KEYS,
  summary: "Issue an API key for a company",
  description:
    "The application's other keys expire after `oldExpiresInHours`, 0 for at once. 409 if two active keys do " +
    "not expire at once. If the response is lost, revoke the newest key and repeat.",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireOperator("companies:write"), optionalJsonBody(IssueApiKey)] as const,
  request: {
    params: CompanyParam,
    body: {
      required: false,
      content: {
        "application/json": {
          schema: IssueApiKey,
        },
      },
    },
  },
  responses: {
    201: jsonResponse("The key", IssuedApiKey),
    ...problemResponses(...BODY_PROBLEMS, "NOT_FOUND", "INVALID_STATE"),
  },
});

const list = createRoute({
  method: "get",
  path: KEYS,
  summary: "List the API keys of a company",
  description: "The newest 100, newest first, without the keys themselves.",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireOperator("companies:read")] as const,
  request: { params: CompanyParam },
  responses: {
    200: jsonResponse("The keys", ApiKeys),
    ...problemResponses("VALIDATION_FAILED", "NOT_FOUND"),
  },
});

const revoke = createRoute({
  method: "post",
  path: `${KEYS}/{keyId}/revoke`,
  summary: "Revoke an API key",
  description: "The next request with the key is refused, everywhere. Idempotent.",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireOperator("companies:write"), noFieldsBody] as const,
  request: {
    params: CompanyParam.extend({
      keyId: z
        .string()
        .regex(/^[1-9]\d{0,14}$/, "must be a key's number")
        .transform(Number)
        .openapi({ type: "integer", example: 2 }),
    }),
    body: NO_FIELDS,
  },
  responses: {
    200: jsonResponse("The key", ApiKey),
    ...problemResponses(...BODY_PROBLEMS, "NOT_FOUND"),
  },
});

/** An operator's routes for a company's API keys. */
export function apiKeyRoutes(app: Api): void {
  app.openapi(issue, async (c) => {
    const context = await companyContext(c, c.req.valid("param").companyId);
    const issued = await issueApiKey(context, c.req.valid("json"));
    c.header("Cache-Control", "no-store");
    return c.json(issued, 201);
  });

  app.openapi(list, async (c) =>
    c.json(await listApiKeys(await companyContext(c, c.req.valid("param").companyId)), 200),
  );

  app.openapi(revoke, async (c) => {
    const { companyId, keyId } = c.req.valid("param");
    return c.json(await revokeApiKey(await companyContext(c, companyId), keyId), 200);
  });
}
