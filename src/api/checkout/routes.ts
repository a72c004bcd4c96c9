import { z } from "@hono/zod-openapi";
import type { Api } from "../../http/api.ts";
import { cors } from "hono/cors";
import { etag, RETAINED_304_HEADERS } from "hono/etag";
import { withExpiryApplied } from "../../methods/expired-view.ts";
import { checkoutView } from "../../methods/transaction-view.ts";
import { jsonResponse } from "../../http/openapi/openapi.ts";
import { limitPublicRoute } from "../../http/rate-limits/enforce.ts";
import { notFound } from "../../http/problems.ts";
import { CheckoutStatus } from "./schemas.ts";
import { findStatusForCheckout } from "./service.ts";
import { routesOf } from "../../http/openapi/route.ts";

const route = routesOf("Checkout", "Public");

const CORS_HEADERS = ["Access-Control-Allow-Origin", "Access-Control-Expose-Headers"];

const status = route.get("/api/checkout/status/{id}", {
  operationId: "getCheckoutStatus",
  summary: "Get a transaction's status",
  description:
    "For the payer's browser: no credentials, no personal data. `id` is the transaction's UUID or " +
    "its `secureId`. Send the `ETag` as `If-None-Match` to get a 304. Servers should use webhooks.",
  guard: [limitPublicRoute, etag({ retainedHeaders: [...RETAINED_304_HEADERS, ...CORS_HEADERS] })],
  security: [],
  params: z.object({ id: z.string() }),
  answers: {
    200: jsonResponse("The status", CheckoutStatus),
    304: { description: "The status has not changed." },
  },
  problems: ["NOT_FOUND", "NOT_ACCEPTABLE"],
});

export function checkoutRoutes(app: Api): void {
  // A browser of any origin may poll: the response holds no personal data.
  app.use(
    "/api/checkout/status/*",
    cors({
      origin: "*",
      allowMethods: ["GET", "HEAD"],
      allowHeaders: ["If-None-Match", "traceparent"],
      exposeHeaders: ["ETag", "Retry-After", "X-Trace-Id"],
    }),
  );
  app.openapi(status, async (c) => {
    const found = await findStatusForCheckout(c.env, c.req.valid("param").id);
    if (found === null) throw notFound("transaction");
    c.header("Cache-Control", "no-cache");
    // Without a read of the company: where its clock was moved, its charges have ended by it already.
    const nowMs = c.get("deps").platformClock.now();
    return c.json(checkoutView(withExpiryApplied(found, nowMs)), 200);
  });
}
