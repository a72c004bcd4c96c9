import { z } from "@hono/zod-openapi";
import type { Api } from "../../http/api.ts";
import { requireScope } from "../../http/auth/auth.ts";
import { jsonResponse } from "../../http/openapi/openapi.ts";
import { EventDetail, Events, EventsQuery, Webhook, WebhookHeaders } from "./schemas.ts";
import { eventDetail, pageOfEvents } from "./service.ts";
import { routesOf } from "../../http/openapi/route.ts";

const route = routesOf("Events");

const list = route.get("/api/v1/events", {
  operationId: "listEvents",
  summary: "Read the company's events in order",
  description:
    "Oldest first unless `order` is `newest`, numbered by `companySequence` from 1 without gaps, so that a " +
    "reader can prove that it missed nothing. Send `after` of the response in the next call, now or later. A page may end " +
    "before `limit` if its events are large or a `type` is sent; `hasMore` tells if more follow. `data` is " +
    "null without the scope of the event's object, such as `withdraws:read`.",
  guard: requireScope("webhooks:read"),
  query: EventsQuery,
  answers: { 200: jsonResponse("One page", Events) },
  problems: ["VALIDATION_FAILED"],
});

const detail = route.get("/api/v1/events/{id}", {
  operationId: "getEvent",
  summary: "Get an event, its deliveries and each attempt",
  description: "403 without the scope of the event's object, such as `withdraws:read`.",
  guard: requireScope("webhooks:read"),
  params: z.object({ id: z.string().openapi({ example: "evt_1_42" }) }),
  answers: { 200: jsonResponse("The event", EventDetail) },
  problems: ["NOT_FOUND"],
});

export { list as listEvents, detail as getEvent };

export function eventRoutes(app: Api): void {
  app.openapi(list, async (c) =>
    c.json(await pageOfEvents(c.env, c.get("caller"), c.req.valid("query")), 200),
  );

  app.openapi(detail, async (c) =>
    c.json(await eventDetail(c.env, c.get("caller"), c.req.valid("param").id), 200),
  );

  // The webhook that a merchant's server receives, for the API reference.
  app.openAPIRegistry.registerWebhook({
    method: "post",
    path: "event",
    operationId: "receiveWebhook",
    summary: "Receive an event, at the URL that you set",
    tags: ["Webhooks"],
    security: [],
    request: {
      headers: WebhookHeaders,
      body: { required: true, content: { "application/json": { schema: Webhook } } },
    },
    responses: {
      204: { description: "Any 2xx within 15 s. Any other response is retried." },
      410: { description: "Ends the delivery." },
    },
  });
}
