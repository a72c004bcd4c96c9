import { z } from "@hono/zod-openapi";
import { integer, isoTimeText, text, TEXT_MAX } from "../../../http/fields/fields.ts";

const OLD_EXPIRES_IN_HOURS = 24;
const OLD_EXPIRES_IN_HOURS_MAX = 168;

const KEY_FIELDS = {
  id: z.int().openapi({ example: 2 }),
  clientId: z.string().openapi({ example: "app_01JD8ZC3", description: "The key's application." }),
  prefix: z
    .string()
    .openapi({ example: "sk_live_mZ1c", description: "The key's first characters." }),
  lastUsedAt: isoTimeText
    .nullable()
    .openapi({ description: "To the hour; null if it was never used." }),
  createdAt: isoTimeText,
  expiresAt: isoTimeText.nullable().openapi({ description: "null if the key does not expire" }),
  revokedAt: isoTimeText.nullable(),
};

export const ApiKey = z.object(KEY_FIELDS).openapi("ApiKey");

export const ApiKeys = z.object({ items: z.array(ApiKey) }).openapi("ApiKeys");

export const IssuedApiKey = z
  .object({
    ...KEY_FIELDS,
    key: z.string().openapi({
      example: "sk_live_mZ1cV5rJ8w2Q0tYb7uN4xK6eH3sP9aLdGfRiOoCkEjU",
      description: "Shown once; keep it.",
    }),
  })
  .openapi("IssuedApiKey");

export const IssueApiKey = z
  .object({
    clientId: text(TEXT_MAX).optional().openapi({
      description: "The application; by default the company's only one.",
      example: "app_01JD8ZC3",
    }),
    oldExpiresInHours: integer(0, OLD_EXPIRES_IN_HOURS_MAX, "hours").default(OLD_EXPIRES_IN_HOURS),
  })
  .openapi("IssueApiKey");
