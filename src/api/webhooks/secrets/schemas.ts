import { z } from "@hono/zod-openapi";
import { integer } from "../../../http/fields/fields.ts";
import { SECRET_OVERLAP_HOURS } from "../../../webhooks/signing/secrets.ts";

/** A week: whoever needs longer rotates again. */
const OVERLAP_HOURS_MAX = 168;

export const RotateSecretBody = z
  .object({
    overlapHours: integer(0, OVERLAP_HOURS_MAX, "")
      .default(SECRET_OVERLAP_HOURS)
      .openapi({ description: "Earlier secrets sign for at most this long; 0 ends them at once." }),
  })
  .openapi("RotateWebhookSecretInput", { example: { overlapHours: 0 } });

export const RotatedSecret = z
  .object({
    secret: z.string().openapi({ description: "Shown once; keep it." }),
    previousValidUntil: z
      .string()
      .openapi({ format: "date-time", description: "The replaced secret signs too until then." }),
  })
  .openapi("RotatedWebhookSecret", {
    example: {
      secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=",
      previousValidUntil: "2026-11-22T12:00:00.000Z",
    },
  });

export const EndedSecrets = z
  .object({ ended: z.int().openapi({ description: "How many secrets signed until now." }) })
  .openapi("EndedWebhookSecrets", { example: { ended: 1 } });
