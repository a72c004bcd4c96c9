import { createRoute, z } from "@hono/zod-openapi";
import type { Api } from "../../../http/api.ts";
import { jsonResponse, publicProblemResponses } from "../../../http/openapi/openapi.ts";
import { WebhookKeys } from "./schemas.ts";
import { keyOfCompany } from "./service.ts";

/** A key changes only with the Worker's own secret. */
const CACHE_CONTROL = "public, max-age=3600";

const list = createRoute({
  method: "get",
  path: "/.well-known/webhook-keys.json",
  summary: "Get the public key of a company's webhooks",
  description:
    "It verifies the `v1a` (Ed25519) signature. No credentials. Accept only the key of your own company.",
  tags: ["Webhooks"],
  request: {
    query: z.object({
      company: z
        .string({ error: "is required" })
        .regex(/^\d{1,8}$/, "must be a company's number")
        .transform(Number)
        .openapi({ type: "integer", example: 1 }),
    }),
  },
  responses: {
    200: jsonResponse("The key, as a list of one", WebhookKeys, {
      "Cache-Control": { schema: { type: "string" }, description: CACHE_CONTROL },
    }),
    ...publicProblemResponses("VALIDATION_FAILED", "NOT_FOUND"),
  },
});

/** `/.well-known/webhook-keys.json`; public. */
export function webhookKeyRoutes(app: Api): void {
  app.openapi(list, async (c) => {
    const key = await keyOfCompany(c.env, c.req.valid("query").company);
    c.header("Cache-Control", CACHE_CONTROL);
    return c.json({ keys: [key] }, 200);
  });
}
