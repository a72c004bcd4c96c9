import type { Api } from "../../../http/api.ts";
import { auditedView } from "../../../http/audit.ts";
import { requireOperator } from "../../../http/auth/operator-auth.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { notFound } from "../../../http/problems.ts";
import { seesPayers } from "../payer-views.ts";
import { COMPANY, CompanyParam, requireCompany } from "../company-param.ts";
import { InspectionSchema, InspectQuery } from "./schemas.ts";
import { routesOf } from "../../../http/openapi/route.ts";
import { inspect } from "./service.ts";
import { maskedInspection } from "../../../domain/access/row-masks.ts";

const route = routesOf("Operator");

const inspection = route.get(`${COMPANY}/inspect`, {
  operationId: "inspectCompany",
  summary: "Show the rows of D1 and of the object side by side",
  description:
    "Of a transaction or a withdraw: its rows, postings, events and deliveries with each attempt, and " +
    "each field in which D1 differs from the object. Without either: the company's rows. Changes nothing. " +
    "Each look is in the gateway's trail, and the role `read` sees payers and PIX keys masked. " +
    "`npm run inspect` prints it.",
  guard: requireOperator("companies:read"),
  params: CompanyParam,
  query: InspectQuery,
  answers: { 200: jsonResponse("The rows", InspectionSchema) },
  problems: ["VALIDATION_FAILED", "NOT_FOUND"],
});

export { inspection as inspectCompany };

export function inspectRoutes(app: Api): void {
  app.openapi(inspection, async (c) => {
    const { companyId } = c.req.valid("param");
    await requireCompany(c, companyId);
    const query = c.req.valid("query");
    const { transactionId, withdrawId } = query;
    const of = withdrawId === undefined ? transactionId : `withdraw:${withdrawId}`;
    await auditedView(c, companyId, "inspection", of ?? `company:${companyId}`);
    const found = await inspect(c.env, companyId, query);
    if (found === null) throw notFound(query.withdrawId === undefined ? "transaction" : "withdraw");
    if (seesPayers(c)) return c.json(found, 200);
    return c.json(maskedInspection(found), 200);
  });
}
