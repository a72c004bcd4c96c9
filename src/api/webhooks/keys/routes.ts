import { createRoute, z } from "@hono/zod-openapi";
import type { Api } from "../../../http/api.ts";
import { cursor } from "../../../http/fields/fields.ts";
import { jsonResponse, publicProblemResponses } from "../../../http/openapi/openapi.ts";
import { limitPublicRoute } from "../../../http/rate-limits/enforce.ts";
import { WebhookKeys } from "./schemas.ts";
import { keysOfCompany, pageOfKeys } from "./service.ts";

/** A key changes only with the Worker's own secret. */
const CACHE_CONTROL = "public, max-age=3600";

const list = createRoute({
  method: "get",
  path: "/.well-known/webhook-keys.json",
  summary: "List the public keys of webhooks",
  description:
    "The keys verify the `v1a` (Ed25519) signature of a company's webhooks; of a company's keys the first " +
    "signs, and any verifies. No credentials. Accept only keys of your own company: `?company=` returns those.",
  tags: ["Webhooks"],
  middleware: [limitPublicRoute] as const,
  request: {
    query: z.object({
      company: z
        .string()
        .regex(/^\d{1,8}$/, "must be a company's number")
        .transform(Number)
        .optional()
        .openapi({ type: "integer", example: 1 }),
      after: cursor.default(0),
    }),
  },
  responses: {
    200: jsonResponse("The keys, by company number", WebhookKeys, {
      "Cache-Control": { schema: { type: "string" }, description: CACHE_CONTROL },
    }),
    ...publicProblemResponses("VALIDATION_FAILED", "NOT_FOUND"),
  },
});

/** `/.well-known/webhook-keys.json`; public. */
export function webhookKeyRoutes(app: Api): void {
  app.openapi(list, async (c) => {
    const { company, after } = c.req.valid("query");
    const page =
      company === undefined
        ? await pageOfKeys(c.env, after)
        : { keys: await keysOfCompany(c.env, company), after: null };
    c.header("Cache-Control", CACHE_CONTROL);
    return c.json(page, 200);
  });
}
