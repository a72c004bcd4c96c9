import { z } from "@hono/zod-openapi";
import { MAX_URL_LENGTH } from "../../../domain/events/webhook-target.ts";
import { isoTimeText, text } from "../../../http/fields/fields.ts";

const url = text(MAX_URL_LENGTH).openapi({ example: "https://loja.example.com/webhooks" });

export const SetEndpoint = z.object({ url }).openapi("SetWebhookEndpoint", {
  description: 'Where all the company\'s events go; "" for none.',
});

export const Endpoint = z
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
