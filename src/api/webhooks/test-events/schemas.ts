import { z } from "@hono/zod-openapi";
import { MAX_URL_LENGTH } from "../../../domain/events/webhook-target.ts";
import { text, TEXT_MAX } from "../../../http/fields/fields.ts";
import { breaks } from "../../../lib/fields/rules.ts";

export const TestBody = z
  .object({
    url: text(MAX_URL_LENGTH).min(1, "must be a URL").optional().openapi({
      example: "https://loja.example.com/webhooks",
      description:
        "By default the company's first endpoint. The URL of an endpoint is signed by its secret.",
    }),
    endpointId: text(TEXT_MAX).optional().openapi({
      example: "endpoint_2",
      description: "Instead of `url`: an endpoint, whatever it takes.",
    }),
  })
  .refine(({ url, endpointId }) => url === undefined || endpointId === undefined, {
    path: ["endpointId"],
    message: breaks("notWith", { field: "url" }),
  })
  .openapi("TestWebhookInput", { example: { url: "https://loja.example.com/webhooks" } });
