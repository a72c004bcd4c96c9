import { z } from "@hono/zod-openapi";
import { MAX_URL_LENGTH } from "../../../domain/events/webhook-target.ts";
import { text } from "../../../http/fields/fields.ts";

export const TestBody = z
  .object({
    url: text(MAX_URL_LENGTH).min(1, "must be a URL").optional().openapi({
      example: "https://loja.example.com/webhooks",
      description: "By default the company's webhook URL.",
    }),
  })
  .openapi("TestWebhookInput");
