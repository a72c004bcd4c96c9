import { createRoute, z } from "@hono/zod-openapi";
import type { Api } from "../../../http/api.ts";
import { DELIVERY_STATUSES } from "../../../db/schema/webhooks.ts";
import { Problem } from "../../../domain/shared/problem.ts";
import { MAX_URL_LENGTH } from "../../../domain/events/webhook-target.ts";
import { requireScope } from "../../../http/auth/auth.ts";
import { jsonBody, optionalJsonBody } from "../../../http/body.ts";
import { cursor, rangeEnd, isoInstant, text } from "../../../http/fields/fields.ts";
import {
  BODY_PROBLEMS,
  jsonResponse,
  problemResponses,
  SECURITY,
} from "../../../http/openapi/openapi.ts";
import { webhookUrlField } from "../../../http/fields/webhook-url.ts";
import { Deliveries, DeliveriesQuery, Delivery, EventDetail } from "../../events/schemas.ts";
import { deliveryView } from "../../events/service.ts";
import { pageOfDeliveries } from "./service.ts";
import { endpointRoutes } from "../endpoint/routes.ts";
import { webhookKeyRoutes } from "../keys/routes.ts";
import { resend, resendRange } from "./resend.ts";
import { secretRoutes } from "../secrets/routes.ts";
import { sendTestEvent } from "../test-events/service.ts";
import { verifyRoutes } from "../verify/routes.ts";

const TAGS = ["Webhooks"];

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
    200: jsonResponse("One page", Deliveries),
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
    202: jsonResponse("What is sent", Delivery),
    ...problemResponses("NOT_FOUND"),
  },
});

const ResendRange = z
  .object({
    from: isoInstant,
    to: rangeEnd,
    status: z
      .array(z.enum(DELIVERY_STATUSES, { error: `must be of ${DELIVERY_STATUSES.join(", ")}` }))
      .min(1, "must name at least one status")
      .default(["stopped", "exhausted"])
      .openapi({ description: "Deliveries that ended so." }),
    after: cursor.default(0).openapi({ description: "`after` of the last call, to go on." }),
  })
  .openapi("ResendWebhooks", { description: "When the events happened, both ends included." });

const resendMany = createRoute({
  method: "post",
  path: "/api/v1/webhooks/deliveries/resend",
  summary: "Send the webhooks of a time again",
  description:
    "By default what was given up. Of an object only the newest event goes. A call does a bounded " +
    "part: while `hasMore`, call again with its `after`.",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireScope("webhooks:write"), jsonBody(ResendRange)] as const,
  request: { body: { required: true, content: { "application/json": { schema: ResendRange } } } },
  responses: {
    202: jsonResponse("What is sent", Deliveries),
    ...problemResponses(...BODY_PROBLEMS),
  },
});

const TestBody = z
  .object({
    url: text(MAX_URL_LENGTH).min(1, "must be a URL").optional().openapi({
      example: "https://loja.example.com/webhooks",
      description: "The company's webhook URL where left out.",
    }),
  })
  .openapi("TestWebhook");

const test = createRoute({
  method: "post",
  path: "/api/v1/webhooks/test",
  summary: "Try a webhook URL out",
  description:
    "Sends a `webhook.test` event, once, and answers with what came of it. Where it arrives, a host " +
    "that was switched off is on again.",
  tags: TAGS,
  security: SECURITY,
  middleware: [
    requireScope("webhooks:write"),
    optionalJsonBody(TestBody),
    webhookUrlField("url"),
  ] as const,
  request: { body: { required: false, content: { "application/json": { schema: TestBody } } } },
  responses: {
    201: jsonResponse("The event and its attempt", EventDetail),
    ...problemResponses(...BODY_PROBLEMS, "INVALID_STATE"),
  },
});

export function webhookRoutes(app: Api): void {
  endpointRoutes(app);
  webhookKeyRoutes(app);
  secretRoutes(app);
  verifyRoutes(app);

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

  app.openapi(resendMany, async (c) => {
    const { company } = c.get("caller");
    const { from, to, status, after } = c.req.valid("json");
    if (from > to) throw rangeEndsBeforeItBegins();
    const range = { from, to, statuses: status, after };
    const resent = await resendRange(c.env, company, range, c.get("deps").clock.now());
    const next = resent.after === null ? null : String(resent.after);
    const items = resent.sent.map(deliveryView);
    return c.json({ items, after: next, hasMore: next !== null }, 202);
  });

  app.openapi(test, async (c) => {
    const { url } = c.req.valid("json");
    return c.json(await sendTestEvent(c.env, c.get("deps"), c.get("caller").company, url), 201);
  });
}

function rangeEndsBeforeItBegins(): Problem {
  return new Problem({
    code: "VALIDATION_FAILED",
    detail: "Invalid fields: to.",
    errors: { to: ["must not be before from"] },
  });
}
