import { createRoute, z } from "@hono/zod-openapi";
import type { Api } from "../../../http/api.ts";
import { setWebhookUrl } from "../../../db/companies/companies.ts";
import { isoTime } from "../../../domain/shared/clock.ts";
import { MAX_URL_LENGTH, webhookHost } from "../../../domain/events/webhook-target.ts";
import { requireScope } from "../../../http/auth/auth.ts";
import { jsonBody } from "../../../http/body.ts";
import type { AppContext } from "../../../http/context.ts";
import { isoTimeText, text } from "../../../http/fields/fields.ts";
import {
  BODY_PROBLEMS,
  jsonResponse,
  problemResponses,
  SECURITY,
} from "../../../http/openapi/openapi.ts";
import { webhookUrlField } from "../../../http/fields/webhook-url.ts";
import { listFailingHosts, closeCircuit } from "../../../webhooks/delivery/host-circuits.ts";
import { updateCredentials } from "../../settings/update-credentials.ts";

const TAGS = ["Webhooks"];
const PATH = "/api/v1/webhooks/endpoint";
const url = text(MAX_URL_LENGTH).openapi({ example: "https://loja.example.com/webhooks" });

const SetEndpoint = z.object({ url }).openapi("SetWebhookEndpoint", {
  description: 'Where all the company\'s events go; "" for none.',
});

const Endpoint = z
  .object({
    url,
    failingHosts: z
      .array(
        z.object({
          host: z.string().openapi({ example: "loja.example.com" }),
          failingSince: isoTimeText,
          lastFailureAt: isoTimeText,
          lastFailure: z.string().openapi({
            example: "503",
            description: "An HTTP status, or why no answer came.",
          }),
          offSince: isoTimeText.nullable().openapi({
            description:
              "Since when nothing is sent there any more: after five days of failures in a row. " +
              "Setting the endpoint, or a test that arrives, switches it on again.",
          }),
        }),
      )
      .optional()
      .openapi({
        description:
          "Hosts that the company's webhooks fail at, of `postbackUrl`s too. Absent while none does.",
      }),
  })
  .openapi("WebhookEndpoint");

const show = createRoute({
  method: "get",
  path: PATH,
  summary: "Show the company's webhook URL, and hosts that fail",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireScope("webhooks:read")] as const,
  responses: { 200: jsonResponse("The endpoint", Endpoint), ...problemResponses() },
});

const put = createRoute({
  method: "put",
  path: PATH,
  summary: "Set the company's webhook URL",
  description:
    'https, port 443, a public DNS name. "" removes it. Applies to events from then on. ' +
    "A host that was switched off is on again.",
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
    ...problemResponses(...BODY_PROBLEMS),
  },
});

export function endpointRoutes(app: Api): void {
  app.openapi(show, async (c) => {
    const { id, webhookUrl } = c.get("caller").company;
    return c.json(await endpointView(c, id, webhookUrl), 200);
  });

  app.openapi(put, async (c) => {
    const { id } = c.get("caller").company;
    const { url: requestedUrl } = c.req.valid("json");
    await updateCredentials(c.env, id, () => setWebhookUrl(c.env, id, requestedUrl));
    if (requestedUrl !== "") await closeCircuit(c.env, id, webhookHost(requestedUrl));
    return c.json(await endpointView(c, id, requestedUrl), 200);
  });
}

async function endpointView(c: AppContext, companyId: number, webhookUrl: string) {
  const hosts = await listFailingHosts(c.env, companyId, c.get("deps").clock.now());
  if (hosts.length === 0) return { url: webhookUrl };
  return {
    url: webhookUrl,
    failingHosts: hosts.map((row) => ({
      host: row.host,
      failingSince: isoTime(row.failingSince),
      lastFailureAt: isoTime(row.lastFailureAt),
      lastFailure: row.lastFailure,
      offSince: row.offSince === null ? null : isoTime(row.offSince),
    })),
  };
}
