import type { Api } from "../../../http/api.ts";
import { SMALL_WRITE_BYTES } from "../../../domain/storage/quotas.ts";
import { audited } from "../../../http/audit.ts";
import { requireScope } from "../../../http/auth/auth.ts";
import { jsonBody } from "../../../http/body.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { webhookUrlField } from "../../../http/fields/webhook-url.ts";
import { takeQuota } from "../../settings/take-quota.ts";
import { Endpoint, SetEndpoint } from "./schemas.ts";
import { setEndpoint, showEndpoint } from "./service.ts";
import { withoutQuery } from "./views.ts";
import { routesOf } from "../../../http/openapi/route.ts";
import { companyDeps } from "../../../http/context.ts";

const route = routesOf("Webhooks");
const PATH = "/api/v1/webhooks/endpoint";

const show = route.get(PATH, {
  operationId: "getWebhookEndpoint",
  summary: "Get the company's webhook URL and failing hosts",
  guard: requireScope("webhooks:read"),
  answers: { 200: jsonResponse("The endpoint", Endpoint) },
});

const put = route.put(PATH, {
  operationId: "setWebhookEndpoint",
  summary: "Set the company's webhook URL",
  description:
    'https, port 443, a public DNS name. "" removes it. Applies to later events. ' +
    "Switches the host on again.",
  guard: requireScope("webhooks:write"),
  body: jsonBody(SetEndpoint),
  checks: [webhookUrlField("url")],
  answers: { 200: jsonResponse("The endpoint", Endpoint) },
  problems: ["QUOTA_EXCEEDED"],
});

export { show as getWebhookEndpoint, put as setWebhookEndpoint };

export function endpointRoutes(app: Api): void {
  app.openapi(show, async (c) =>
    c.json(await showEndpoint(c.env, companyDeps(c), c.get("caller").company), 200),
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
      setEndpoint(c.env, companyDeps(c), company, url),
    );
    return c.json(endpoint, 200);
  });
}
