import { z } from "@hono/zod-openapi";
import { text, TEXT_MAX } from "../../../http/fields/fields.ts";
import { CAUSES } from "../../../webhooks/debugger/causes.ts";
import { breaks } from "../../../lib/fields/rules.ts";

export const VERIFIED =
  "The webhook is valid: its headers, body, signature and timestamp are correct.";

export const Received = z
  .object({
    headers: z.record(z.string(), z.unknown(), { error: breaks("object") }).openapi({
      description:
        "As received: names in any case, values as text or lists of text. Other headers are ignored.",
      example: {
        "webhook-id": "evt_1_42",
        "webhook-timestamp": "1795262400",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
      },
    }),
    body: z
      .string({ error: breaks("rawBody") })
      .openapi({ description: "The raw body as received.", example: '{"type":"..."}' }),
    secret: text(TEXT_MAX)
      .optional()
      .openapi({ description: "The secret that your code uses. Neither stored nor logged." }),
    receivedAt: z.iso
      .datetime({ offset: true, error: breaks("time") })
      .transform((value) => Date.parse(value))
      .optional()
      .openapi({
        type: "string",
        format: "date-time",
        description: "By your server's clock; by default now.",
      }),
  })
  .openapi("ReceivedWebhook");

export const Diagnosis = z
  .object({
    verified: z.boolean(),
    cause: z.enum(CAUSES).nullable().openapi({ description: "The first cause; null if verified." }),
    detail: z.string().openapi({ description: "What to change, as a sentence." }),
    eventId: z.string().nullable().openapi({ description: "null if it is no event of yours." }),
  })
  .openapi("WebhookDiagnosis", {
    example: { verified: true, cause: null, detail: VERIFIED, eventId: "evt_1_42" },
  });
