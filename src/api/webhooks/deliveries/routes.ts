import { z } from "@hono/zod-openapi";
import type { Api } from "../../../http/api.ts";
import { Problem } from "../../../domain/shared/problem.ts";
import { requireScope } from "../../../http/auth/auth.ts";
import { jsonBody } from "../../../http/body.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { takeQuota } from "../../settings/take-quota.ts";
import { Deliveries, DeliveriesQuery, Delivery } from "../../events/schemas.ts";
import { deliveryView } from "../../events/views.ts";
import { ResendRange } from "./schemas.ts";
import { pageOfDeliveries } from "./service.ts";
import { resend, RESEND_MAX, resendRange } from "./resend.ts";
import { routesOf } from "../../../http/openapi/route.ts";
import { breaks } from "../../../lib/fields/rules.ts";
import { companyDeps } from "../../../http/context.ts";

const route = routesOf("Webhooks");
/** The most that an attempt adds to its delivery: the start of an answer, and when it was made. */
const ATTEMPT_BYTES = 1_500;

const deliveries = route.get("/api/v1/webhooks/deliveries", {
  operationId: "listWebhookDeliveries",
  summary: "List the company's webhook deliveries",
  description:
    "Newest first, without those of events whose object's scope is missing. A call reads a bounded number of " +
    "rows, so a page may be short.",
  guard: requireScope("webhooks:read"),
  query: DeliveriesQuery,
  answers: { 200: jsonResponse("One page", Deliveries) },
  problems: ["VALIDATION_FAILED"],
});

const resendOne = route.post("/api/v1/webhooks/deliveries/{id}/resend", {
  operationId: "resendWebhook",
  summary: "Resend a webhook",
  description:
    "Under the same `webhook-id`. If the object has a newer event, the gateway sends and returns that " +
    "one: an old state never follows a newer one. 403 without the scope of the event's object.",
  guard: requireScope("webhooks:write"),
  params: z.object({ id: z.string().openapi({ example: "dlv_1_42_endpoint" }) }),
  answers: { 202: jsonResponse("The delivery that is sent", Delivery) },
  problems: ["NOT_FOUND", "QUOTA_EXCEEDED"],
});

const resendMany = route.post("/api/v1/webhooks/deliveries/resend", {
  operationId: "resendWebhooks",
  summary: "Resend the webhooks of a time range",
  description:
    "By default those that the gateway gave up on. Only the newest event of an object is sent, and none whose " +
    "object's scope is missing. Each call does a bounded part: while `hasMore`, call again with its `after`.",
  guard: requireScope("webhooks:write"),
  body: jsonBody(ResendRange),
  answers: { 202: jsonResponse("The deliveries that are sent", Deliveries) },
  problems: ["QUOTA_EXCEEDED"],
});

export { deliveries as listWebhookDeliveries, resendOne as resendWebhook };

export function deliveryRoutes(app: Api): void {
  app.openapi(deliveries, async (c) => {
    const { rows, after } = await pageOfDeliveries(c.env, c.get("caller"), c.req.valid("query"));
    const next = after === null ? null : String(after);
    return c.json({ items: rows.map(deliveryView), after: next, hasMore: next !== null }, 200);
  });

  app.openapi(resendOne, async (c) => {
    const now = companyDeps(c).clock.now();
    await takeQuota(c, ATTEMPT_BYTES);
    const sent = await resend(c.env, c.get("caller"), c.req.valid("param").id, now);
    return c.json(deliveryView(sent), 202);
  });

  app.openapi(resendMany, async (c) => {
    const { from, to, status, after } = c.req.valid("json");
    if (from > to) throw rangeEndsBeforeItBegins();
    await takeQuota(c, RESEND_MAX * ATTEMPT_BYTES);
    const range = { from, to, statuses: status, after };
    const resent = await resendRange(c.env, c.get("caller"), range, companyDeps(c).clock.now());
    const next = resent.after === null ? null : String(resent.after);
    const items = resent.sent.map(deliveryView);
    return c.json({ items, after: next, hasMore: next !== null }, 202);
  });
}

function rangeEndsBeforeItBegins(): Problem {
  return new Problem({
    code: "VALIDATION_FAILED",
    detail: "Invalid fields: to.",
    errors: { to: [breaks("notBefore", { field: "from" })] },
  });
}
