import { z } from "@hono/zod-openapi";
import { integer, isoTimeText } from "../../../http/fields/fields.ts";
import { endTime } from "../schemas.ts";
import { breaks } from "../../../lib/fields/rules.ts";

const OVERLAP_HOURS = 24;
const OVERLAP_HOURS_MAX = 168;

const KEY_FIELDS = {
  id: z.int().openapi({ example: 2 }),
  clientId: z
    .string()
    .openapi({ example: "app_kq3vX9r2TfWm0sZbY1hUeA", description: "The key's application." }),
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

export const ApiKeyEnvelope = z.object({ data: ApiKey }).openapi("ApiKeyEnvelope");

export const ApiKeys = z
  .object({ items: z.array(ApiKey), after: z.string().nullable(), hasMore: z.boolean() })
  .openapi("ApiKeys");

export const IssuedApiKey = z
  .object({
    ...KEY_FIELDS,
    key: z.string().openapi({
      example: "sk_live_mZ1cV5rJ8w2Q0tYb7uN4xK6eH3sP9aLdGfRiOoCkEjU",
      description: "Shown once; keep it.",
    }),
  })
  .openapi("IssuedApiKey");

export const IssuedApiKeyEnvelope = z
  .object({ data: IssuedApiKey })
  .openapi("IssuedApiKeyEnvelope");

/** The fields of a request for a key, which the operator's requests have too. */
export const ISSUE_FIELDS = {
  overlapHours: integer(0, OVERLAP_HOURS_MAX, "hours").default(OVERLAP_HOURS).openapi({
    description: "Hours until the application's other keys expire; 0 for at once.",
  }),
  expiresAt: endTime,
};

export const IssueKey = z.object(ISSUE_FIELDS).openapi("IssueKey");

export const keyNumber = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, breaks("keyNumber"))
  .transform(Number)
  .openapi({ type: "integer", example: 2 });
