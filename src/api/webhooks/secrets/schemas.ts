import { z } from "@hono/zod-openapi";

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
