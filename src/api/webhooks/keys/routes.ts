import { z } from "@hono/zod-openapi";
import type { Api } from "../../../http/api.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { limitPublicRoute } from "../../../http/rate-limits/enforce.ts";
import { WebhookKeys } from "./schemas.ts";
import { keysOfCompany } from "./service.ts";
import { routesOf } from "../../../http/openapi/route.ts";
import { breaks } from "../../../lib/fields/rules.ts";

const route = routesOf("Webhooks", "Public");

/** A key changes only with the Worker's own secret. */
const CACHE_CONTROL = "public, max-age=3600";

const list = route.get("/.well-known/webhook-keys.json", {
  operationId: "listWebhookKeys",
  summary: "List the public keys of a company's webhooks",
  description:
    "They verify the `v1a` (Ed25519) signature; the first signs, and any verifies. No credentials. Accept " +
    "only the keys of your own company.",
  guard: limitPublicRoute,
  security: [],
  query: z.object({
    company: z
      .string({ error: breaks("required") })
      .regex(/^\d{1,8}$/, breaks("companyNumber"))
      .transform(Number)
      .openapi({ type: "integer", example: 1 }),
  }),
  answers: {
    200: jsonResponse("The keys", WebhookKeys, {
      "Cache-Control": { schema: { type: "string" }, description: CACHE_CONTROL },
    }),
  },
  problems: ["VALIDATION_FAILED", "NOT_FOUND"],
});

/** `/.well-known/webhook-keys.json`; public. */
export function webhookKeyRoutes(app: Api): void {
  app.openapi(list, async (c) => {
    const keys = await keysOfCompany(c.env, c.req.valid("query").company);
    c.header("Cache-Control", CACHE_CONTROL);
    return c.json({ keys }, 200);
  });
}
