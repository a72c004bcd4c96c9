import { createRoute, z } from "@hono/zod-openapi";
import { toTransactionRecord } from "../../../db/projection/transaction-mapper.ts";
import { visibleTransaction } from "../../../domain/access/payer-masks.ts";
import { companyIdOfTransactionId } from "../../../domain/shared/ids.ts";
import { issuerOf } from "../../../config.ts";
import type { Api } from "../../../http/api.ts";
import { requireOwnCompany, requireScope } from "../../../http/auth/auth.ts";
import { jsonBody } from "../../../http/body.ts";
import {
  BODY_PROBLEMS,
  jsonResponse,
  problemResponses,
  SECURITY,
} from "../../../http/openapi/openapi.ts";
import { notFound } from "../../../http/problems.ts";
import { withExpiryApplied } from "../../../methods/expired-view.ts";
import { creationView } from "../../../methods/transaction-view.ts";
import { TransactionEnvelope } from "../schemas.ts";
import { saveFiscalKey } from "./repository.ts";
import { FiscalLinkBody } from "./schemas.ts";
import { companyDeps } from "../../../http/context.ts";

const TAGS = ["Transactions"];
const FISCAL_LINK_BODY = jsonBody(FiscalLinkBody);

const update = {
  method: "patch",
  path: "/api/v1/transactions/{id}",
  operationId: "changeTransaction",
  summary: "Link a fiscal document to a transaction",
  description:
    "Before or after payment; `null` removes the link. Later events carry the key, and the daily report counts " +
    "it on the day that the payment was booked. Sending the same key again changes nothing.",
  tags: TAGS,
  security: SECURITY,
  request: {
    params: z.object({ id: z.string() }),
    body: FISCAL_LINK_BODY.described,
  },
  responses: {
    200: jsonResponse("The transaction", TransactionEnvelope),
    ...problemResponses(...BODY_PROBLEMS, "NOT_FOUND"),
  },
} as const;
// An id has a digit or a hyphen, so that PATCH .../create gets a 405; the document shows plain {id}.
const updateMounted = createRoute({
  ...update,
  path: "/api/v1/transactions/:id{[^/]*[0-9-][^/]*}",
  middleware: [requireScope("transactions:write"), FISCAL_LINK_BODY.middleware] as const,
  hide: true,
});

export function fiscalLinkRoutes(app: Api): void {
  app.openAPIRegistry.registerPath(update);
  app.openapi(updateMounted, async (c) => {
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
