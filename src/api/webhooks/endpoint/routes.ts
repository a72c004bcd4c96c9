import { createRoute } from "@hono/zod-openapi";
import type { Api } from "../../../http/api.ts";
import { SMALL_WRITE_BYTES } from "../../../domain/storage/quotas.ts";
import { audited } from "../../../http/audit.ts";
import { requireScope } from "../../../http/auth/auth.ts";
import { jsonBody } from "../../../http/body.ts";
import {
  BODY_PROBLEMS,
  jsonResponse,
  problemResponses,
  SECURITY,
} from "../../../http/openapi/openapi.ts";
import { webhookUrlField } from "../../../http/fields/webhook-url.ts";
import { takeQuota } from "../../settings/take-quota.ts";
import { Endpoint, SetEndpoint } from "./schemas.ts";
import { setEndpoint, showEndpoint } from "./service.ts";

const TAGS = ["Webhooks"];
const PATH = "/api/v1/webhooks/endpoint";

const show = createRoute({
  method: "get",
  path: PATH,
  operationId: "getWebhookEndpoint",
  summary: "Get the company's webhook URL and failing hosts",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireScope("webhooks:read")] as const,
  responses: { 200: jsonResponse("The endpoint", Endpoint), ...problemResponses() },
});

const put = createRoute({
  method: "put",
  path: PATH,
  operationId: "setWebhookEndpoint",
  summary: "Set the company's webhook URL",
  description:
    'https, port 443, a public DNS name. "" removes it. Applies to later events. ' +
    "Switches the host on again.",
  tags: TAGS,
  security: SECURITY,
  middleware: [
    requireScope("webhooks:write"),
    jsonBody(SetEndpoint),
    webhookUrlField("url"),
  ] as const,
  request: { body: { required: true, content: { "application/json": { schema: SetEndpoint } } } },
  responses: {
    200: jsonResponse("The endpoint", Endpoint),
    ...problemResponses(...BODY_PROBLEMS, "QUOTA_EXCEEDED"),
  },
});

export function endpointRoutes(app: Api): void {
  app.openapi(show, async (c) =>
    c.json(await showEndpoint(c.env, c.get("deps"), c.get("caller").company), 200),
  );

  app.openapi(put, async (c) => {
    const { url } = c.req.valid("json");
    await takeQuota(c, SMALL_WRITE_BYTES);
    const { company } = c.get("caller");
    const action = {
      companyId: company.id,
      action: "endpoint.change",
      target: `company:${company.id}`,
      before: { url: withoutQuery(company.webhookUrl) },
      after: { url: withoutQuery(url) },
    };
    const endpoint = await audited(c, action, () =>
      setEndpoint(c.env, c.get("deps"), company, url),
    );
    return c.json(endpoint, 200);
  });
}

/** A URL for the audit trail: its query may hold a secret. */
function withoutQuery(url: string): string {
  return url.split("?")[0] ?? "";
}
