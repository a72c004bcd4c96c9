import { createRoute, z } from "@hono/zod-openapi";
import type { Api } from "../../http/api.ts";
import { cors } from "hono/cors";
import { etag, RETAINED_304_HEADERS } from "hono/etag";
import { toTransactionRecord } from "../../db/projection/transaction-mapper.ts";
import { LIST_STATUSES, PAYMENT_METHODS } from "../../domain/charges/charge-status.ts";
import { EXAMPLE_TRANSACTION } from "../../domain/events/examples.ts";
import { withExpiryApplied } from "../../methods/expiry.ts";
import { checkoutView } from "../../methods/transaction-view.ts";
import { jsonResponse, publicProblemResponses } from "../../http/openapi/openapi.ts";
import { notFound } from "../../http/problems.ts";
import { paidFields } from "../transactions/schemas.ts";
import { findForCheckout } from "./service.ts";

const CheckoutStatus = z
  .object({
    id: z.string().openapi({ format: "uuid" }),
    status: z.enum(LIST_STATUSES),
    paymentMethod: z.enum(PAYMENT_METHODS),
    amount: z.int().openapi({ example: 2500, description: "centavos" }),
    ...paidFields,
    currency: z.string().openapi({ example: "BRL" }),
    paidAt: z.string().nullable(),
    expiresAt: z.string().nullable(),
    pollAfterMs: z.int().openapi({ example: 3000 }),
  })
  .openapi("CheckoutStatus", { example: checkoutView(EXAMPLE_TRANSACTION) });

const CORS_HEADERS = ["Access-Control-Allow-Origin", "Access-Control-Expose-Headers"];

const status = createRoute({
  method: "get",
  path: "/api/checkout/status/{id}",
  summary: "Poll a transaction's status",
  description:
    "For the payer's browser: no credentials, no personal data. `id` is the transaction's UUID or " +
    "its `secureId`. Send the `ETag` back as `If-None-Match` for a 304. Webhooks are the better way.",
  tags: ["Checkout"],
  middleware: [etag({ retainedHeaders: [...RETAINED_304_HEADERS, ...CORS_HEADERS] })] as const,
  request: { params: z.object({ id: z.string() }) },
  responses: {
    200: jsonResponse("The status", CheckoutStatus),
    304: { description: "Not changed since the `ETag` sent." },
    ...publicProblemResponses("NOT_FOUND", "NOT_ACCEPTABLE"),
  },
});

export function checkoutRoutes(app: Api): void {
  // A browser of any origin may poll: there is nothing here that credentials protect.
  app.use(
    "/api/checkout/status/*",
    cors({
      origin: "*",
      allowMethods: ["GET", "HEAD"],
      allowHeaders: ["If-None-Match", "traceparent"],
      exposeHeaders: ["ETag", "X-Trace-Id"],
    }),
  );
  app.openapi(status, async (c) => {
    const row = await findForCheckout(c.env, c.req.valid("param").id);
    if (row === null) throw notFound("transaction");
    c.header("Cache-Control", "no-cache");
    return c.json(
      checkoutView(withExpiryApplied(toTransactionRecord(row), c.get("deps").clock.now())),
      200,
    );
  });
}
