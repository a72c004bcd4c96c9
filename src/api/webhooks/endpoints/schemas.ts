import { z } from "@hono/zod-openapi";
import { MAX_URL_LENGTH } from "../../../domain/events/webhook-target.ts";
import { ALL_EVENTS, ENDPOINT_EVENTS } from "../../../domain/events/webhook-endpoint.ts";
import { pageLimit, text, TEXT_MAX } from "../../../http/fields/fields.ts";
import { breaks } from "../../../lib/fields/rules.ts";
import { FailingHost } from "../endpoint/schemas.ts";
import { RotatedSecret } from "../secrets/schemas.ts";

const EXAMPLE = {
  id: "endpoint_2",
  url: "https://erp.example.com/webhooks",
  events: ["transaction.paid", "withdraw.paid"],
  description: "ERP",
};

const url = text(MAX_URL_LENGTH)
  .min(1, breaks("notEmpty"))
  .openapi({ description: "https, port 443, a public DNS name.", example: EXAMPLE.url });

/** In the order of `ENDPOINT_EVENTS`, each once; `*` stands for all. */
const events = z
  .array(z.enum(ENDPOINT_EVENTS, { error: breaks("eventType") }), {
    error: breaks("listOf", { things: "event types" }),
  })
  .min(1, breaks("nameOneOf", { thing: "event type" }))
  .max(ENDPOINT_EVENTS.length, breaks("nameEachOnce", { thing: "event type" }))
  .transform((types) =>
    ENDPOINT_EVENTS.filter((type) =>
      types.includes(ALL_EVENTS) ? type === ALL_EVENTS : types.includes(type),
    ),
  )
  .openapi({
    type: "array",
    items: { type: "string", enum: [...ENDPOINT_EVENTS] },
    description: "The types that go to it; `*` for all, also those that are new later.",
    example: EXAMPLE.events,
  });

const description = text(TEXT_MAX).trim().openapi({ example: EXAMPLE.description });

export const CreateEndpoint = z
  .object({ url, events, description: description.default("") })
  .openapi("CreateWebhookEndpointInput");

export const ChangeEndpoint = z
  .object({
    url: url.optional(),
    events: events.optional(),
    description: description.optional(),
  })
  .openapi("ChangeWebhookEndpointInput", { description: "Omitted fields keep their value." });

const ENDPOINT_FIELDS = {
  id: z.string().openapi({
    description: "Also the `target` of its deliveries. `endpoint` is the first, which PUT sets.",
  }),
  url: z.string(),
  events: z.array(z.enum(ENDPOINT_EVENTS)),
  description: z.string(),
  /** Absent while its host answers. */
  failingHost: FailingHost.optional(),
};

const WithSecret = {
  ...ENDPOINT_FIELDS,
  secret: z.string().openapi({
    example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=",
    description: "Shown once; keep it.",
  }),
};
const EndpointItem = z.object(ENDPOINT_FIELDS).openapi("WebhookEndpointItem", { example: EXAMPLE });

export const EndpointEnvelope = z.object({ data: EndpointItem }).openapi("WebhookEndpointEnvelope");

export const MadeEndpointEnvelope = z
  .object({ data: z.object(WithSecret).openapi("MadeWebhookEndpoint") })
  .openapi("MadeWebhookEndpointEnvelope");

export const RotatedEndpointEnvelope = z
  .object({
    data: z
      .object({ ...WithSecret, previousValidUntil: RotatedSecret.shape.previousValidUntil })
      .openapi("RotatedWebhookEndpoint"),
  })
  .openapi("RotatedWebhookEndpointEnvelope");

export const Endpoints = z
  .object({ items: z.array(EndpointItem), after: z.string().nullable(), hasMore: z.boolean() })
  .openapi("WebhookEndpoints");

export const EndpointsQuery = z.object({
  after: text(TEXT_MAX).optional().openapi({ description: "`after` of the last page." }),
  limit: pageLimit,
});

export const EndpointParam = z.object({ id: z.string().openapi({ example: EXAMPLE.id }) });
