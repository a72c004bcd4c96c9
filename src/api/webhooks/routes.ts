import { createRoute, z, type OpenAPIHono } from "@hono/zod-openapi";
import { setWebhookUrl } from "../../db/companies.ts";
import { MAX_URL_LENGTH } from "../../domain/webhook-target.ts";
import { requireScope } from "../../http/auth.ts";
import { jsonBody } from "../../http/body.ts";
import type { AppEnv } from "../../http/context.ts";
import { text } from "../../http/fields.ts";
import { BODY_PROBLEMS, jsonAnswer, problemResponses, SECURITY } from "../../http/openapi.ts";
import { webhookUrlField } from "../../http/webhook-url.ts";

const TAGS = ["Webhooks"];

const Endpoint = z
  .object({ url: text(MAX_URL_LENGTH).openapi({ example: "https://loja.example.com/webhooks" }) })
  .openapi("WebhookEndpoint", { description: 'Where all the company\'s events go; "" for none.' });

const show = createRoute({
  method: "get",
  path: "/api/v1/webhooks/endpoint",
  summary: "Show the company's webhook URL",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireScope("webhooks:read")] as const,
  responses: { 200: jsonAnswer("The endpoint", Endpoint), ...problemResponses() },
});

const put = createRoute({
  method: "put",
  path: "/api/v1/webhooks/endpoint",
  summary: "Set the company's webhook URL",
  description: 'https, port 443, a public DNS name. "" removes it. Applies to events from then on.',
  tags: TAGS,
  security: SECURITY,
  middleware: [requireScope("webhooks:write"), jsonBody, webhookUrlField("url")] as const,
  request: { body: { required: true, content: { "application/json": { schema: Endpoint } } } },
  responses: {
    200: jsonAnswer("The endpoint", Endpoint),
    ...problemResponses(...BODY_PROBLEMS),
  },
});

export function webhookRoutes(app: OpenAPIHono<AppEnv>): void {
  app.openapi(show, (c) => c.json({ url: c.get("caller").company.webhookUrl }, 200));

  app.openapi(put, async (c) => {
    const { url } = c.req.valid("json");
    await setWebhookUrl(c.env, c.get("caller").company.id, url);
    return c.json({ url }, 200);
  });
}
