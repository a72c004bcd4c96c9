import { createRoute, z, type OpenAPIHono } from "@hono/zod-openapi";
import { setWebhookUrl } from "../../db/companies.ts";
import { MAX_URL_LENGTH } from "../../domain/webhook-target.ts";
import { requireScope } from "../../http/auth.ts";
import { jsonBody } from "../../http/body.ts";
import type { AppEnv } from "../../http/context.ts";
import { text } from "../../http/fields.ts";
import { BODY_PROBLEMS, jsonAnswer, problemResponses, SECURITY } from "../../http/openapi.ts";
import { webhookUrlField } from "../../http/webhook-url.ts";
import { Deliveries, DeliveriesQuery, Delivery } from "../events/schemas.ts";
import { deliveryView } from "../events/service.ts";
import { pageOfDeliveries, resend } from "./deliveries.ts";

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

const deliveries = createRoute({
  method: "get",
  path: "/api/v1/webhooks/deliveries",
  summary: "List the company's webhook deliveries",
  description: "Newest first. A call reads a bounded number of rows, so a page may be short.",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireScope("webhooks:read")] as const,
  request: { query: DeliveriesQuery },
  responses: {
    200: jsonAnswer("One page", Deliveries),
    ...problemResponses("VALIDATION_FAILED"),
  },
});

const resendOne = createRoute({
  method: "post",
  path: "/api/v1/webhooks/deliveries/{id}/resend",
  summary: "Send a webhook again",
  description:
    "Under the same `webhook-id`. Where the object has had a newer event since, that one is sent " +
    "and answered: an old state never goes after a newer one.",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireScope("webhooks:write")] as const,
  request: { params: z.object({ id: z.string().openapi({ example: "dlv_1_42_endpoint" }) }) },
  responses: {
    202: jsonAnswer("What is sent", Delivery),
    ...problemResponses("NOT_FOUND"),
  },
});

export function webhookRoutes(app: OpenAPIHono<AppEnv>): void {
  app.openapi(deliveries, async (c) => {
    const { company } = c.get("caller");
    const { rows, after } = await pageOfDeliveries(c.env, company, c.req.valid("query"));
    const next = after === null ? null : String(after);
    return c.json({ items: rows.map(deliveryView), after: next, hasMore: next !== null }, 200);
  });

  app.openapi(resendOne, async (c) => {
    const { company } = c.get("caller");
    const now = c.get("deps").clock.now();
    const sent = await resend(c.env, company, c.req.valid("param").id, now);
    return c.json(deliveryView(sent), 202);
  });

  app.openapi(show, (c) => c.json({ url: c.get("caller").company.webhookUrl }, 200));

  app.openapi(put, async (c) => {
    const { url } = c.req.valid("json");
    await setWebhookUrl(c.env, c.get("caller").company.id, url);
    return c.json({ url }, 200);
  });
}
