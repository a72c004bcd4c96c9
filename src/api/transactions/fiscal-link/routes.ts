import { z } from "@hono/zod-openapi";
import { toTransactionRecord } from "../../../db/projection/transaction-mapper.ts";
import { visibleTransaction } from "../../../domain/access/payer-masks.ts";
import { companyIdOfTransactionId } from "../../../domain/shared/ids.ts";
import { issuerOf } from "../../../config.ts";
import type { Api } from "../../../http/api.ts";
import { requireOwnCompany, requireScope } from "../../../http/auth/auth.ts";
import { jsonBody } from "../../../http/body.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { mounted, routesOf } from "../../../http/openapi/route.ts";
import { notFound } from "../../../http/problems.ts";
import { withExpiryApplied } from "../../../methods/expired-view.ts";
import { creationView } from "../../../methods/transaction-view.ts";
import { TransactionEnvelope } from "../schemas.ts";
import { saveFiscalKey } from "./repository.ts";
import { FiscalLinkBody } from "./schemas.ts";
import { companyDeps } from "../../../http/context.ts";

const route = routesOf("Transactions");

const update = route.patch("/api/v1/transactions/{id}", {
  operationId: "changeTransaction",
  summary: "Link a fiscal document to a transaction",
  description:
    "Before or after payment; `null` removes the link. Later events carry the key, and the daily report counts " +
    "it on the day that the payment was booked. Sending the same key again changes nothing.",
  // An id has a digit or a hyphen, so that PATCH .../create gets a 405.
  mountedAs: "/api/v1/transactions/:id{[^/]*[0-9-][^/]*}",
  guard: requireScope("transactions:write"),
  params: z.object({ id: z.string() }),
  body: jsonBody(FiscalLinkBody),
  answers: { 200: jsonResponse("The transaction", TransactionEnvelope) },
  problems: ["NOT_FOUND"],
});

export function fiscalLinkRoutes(app: Api): void {
  app.openapi(mounted(app, update), async (c) => {
    const { company, scopes } = c.get("caller");
    const { id } = c.req.valid("param");
    const companyId = companyIdOfTransactionId(id);
    if (companyId === null) throw notFound("transaction");
    requireOwnCompany(company, companyId);
    const { fiscalKey } = c.req.valid("json");
    const row = await saveFiscalKey(c.env, companyId, id.toLowerCase(), fiscalKey);
    if (row === null) throw notFound("transaction");
    const record = withExpiryApplied(toTransactionRecord(row), companyDeps(c).clock.now());
    const data = creationView(visibleTransaction(scopes, record), issuerOf(c.env, company));
    return c.json({ data, status: 200, message: "Transaction updated." }, 200);
  });
}
