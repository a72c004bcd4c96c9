import { z } from "@hono/zod-openapi";
import { MAX_URL_LENGTH } from "../../../domain/events/webhook-target.ts";
import { isoTimeText, text } from "../../../http/fields/fields.ts";

const url = text(MAX_URL_LENGTH).openapi({ example: "https://loja.example.com/webhooks" });

export const SetEndpoint = z.object({ url }).openapi("SetWebhookEndpointInput", {
  description: 'The URL of the first endpoint; "" for none.',
});

export const FailingHost = z
  .object({
    host: z.string().openapi({ example: "loja.example.com" }),
    failingSince: isoTimeText,
    lastFailureAt: isoTimeText,
    lastFailure: z.string().openapi({
      example: "503",
      description: "An HTTP status, or why no response came.",
    }),
    offSince: isoTimeText.nullable().openapi({
      description:
        "Since when the gateway sends nothing to the host: after five days of failures in a row. " +
        "Setting the endpoint, or a delivered test, switches it on again.",
    }),
  })
  .openapi("FailingWebhookHost");

export const Endpoint = z
  .object({
    url,
    failingHosts: z.array(FailingHost).optional().openapi({
      description:
        "Hosts at which the company's webhooks fail, also those of `postbackUrl`s. Absent if there are none.",
    }),
  })
  .openapi("WebhookEndpoint");
