import { z } from "@hono/zod-openapi";
import { cursor } from "../../../http/fields/fields.ts";

export const ResealBody = z
  .object({ after: cursor.optional() })
  .openapi("ResealSecretsInput", { example: {} });

const keyId = z.string().openapi({ description: "The first 8 hex digits of the key's SHA-256." });

export const Resealed = z
  .object({
    resealed: z.int().openapi({ description: "Values that this call sealed anew." }),
    remaining: z.int().openapi({
      description:
        "Values of these companies, and of people, still under another key: changed meanwhile, or no key opens them.",
    }),
    currentKey: keyId,
    otherKeys: z.array(keyId),
    after: z.string().nullable(),
    hasMore: z.boolean(),
  })
  .openapi("ResealedSecrets", {
    example: {
      resealed: 42,
      remaining: 0,
      currentKey: "5f1c9a02",
      otherKeys: ["c0ffee11"],
      after: "20",
      hasMore: true,
    },
  });
