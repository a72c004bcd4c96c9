import { z } from "@hono/zod-openapi";
import type { Api } from "../../http/api.ts";
import { EVENT_TYPES } from "../../domain/events/event-types.ts";
import { isoTimeText } from "../../http/fields/fields.ts";

const Headers = z.object({
  "webhook-id": z.string().openapi({
    description: "The event's id, the same over every repeat: what to remember it by.",
    example: "evt_1_42",
  }),
  "webhook-timestamp": z.string().openapi({
    description: "Unix seconds of this attempt.",
    example: "1795262400",
  }),
  "webhook-signature": z.string().openapi({
    description:
      "Standard Webhooks 1.0: `v1` (HMAC-SHA256) of each valid secret, then `v1a` (Ed25519).",
  }),
});

const Webhook = z
  .object({
    type: z.enum(EVENT_TYPES),
    timestamp: isoTimeText,
    sequence: z.int().openapi({ description: "From 1 without gaps, for each object." }),
    data: z.record(z.string(), z.unknown()).openapi({
      description: "The object as the API answers it, as it was then, with its `previousStatus`.",
    }),
  })
  .openapi("Webhook");

/** What a merchant's server is sent, for the API's document. */
export function describeWebhook(app: Api): void {
  app.openAPIRegistry.registerWebhook({
    method: "post",
    path: "event",
    summary: "What your server is sent when something happens",
    tags: ["Webhooks"],
    request: {
      headers: Headers,
      body: { required: true, content: { "application/json": { schema: Webhook } } },
    },
    responses: {
      204: { description: "Any 2xx within 15 s. Anything else is tried again." },
      410: { description: "Ends the delivery." },
    },
  });
}
