import { GATEWAY_TRAIL } from "../../domain/access/audit-entry.ts";
import type { Api } from "../../http/api.ts";
import { requireScope } from "../../http/auth/auth.ts";
import { requireOperator } from "../../http/auth/operator-auth.ts";
import { jsonResponse } from "../../http/openapi/openapi.ts";
import { AuditQuery, AuditTrail, OperatorAuditQuery } from "./schemas.ts";
import { pageOfAuditEntries } from "./service.ts";
import { routesOf } from "../../http/openapi/route.ts";

const route = routesOf("Settings");
const route2 = routesOf("Operator");

const ofCompany = route.get("/api/v1/audit", {
  operationId: "listAuditEntries",
  summary: "List the company's audit trail",
  description:
    "Each change of settings, keys, scopes, endpoints and each decision, by an application, a person of the " +
    "console or an operator, oldest first unless `order` is `newest`. A call with a filter reads a bounded part of the trail, so a page may be " +
    "short while `hasMore` is true. `npm run verify-audit` checks the hashes offline.",
  guard: requireScope("settings:write"),
  query: AuditQuery,
  answers: { 200: jsonResponse("One page, by sequence", AuditTrail) },
  problems: ["VALIDATION_FAILED"],
});

const ofGateway = route2.get("/api/v1/operator/audit", {
  operationId: "listOperatorAuditEntries",
  summary: "List the audit trail of the gateway or of a company",
  description:
    "The gateway's own trail has every action of an operator, oldest first unless `order` is `newest`. A call with a " +
    "filter reads a bounded part of the trail, so a page may be short while `hasMore` is true.",
  guard: requireOperator("companies:read"),
  query: OperatorAuditQuery,
  answers: { 200: jsonResponse("One page, by sequence", AuditTrail) },
  problems: ["VALIDATION_FAILED"],
});

export { ofCompany as listAuditEntries, ofGateway as listOperatorAuditEntries };

/** The audit trails of companies and of the gateway. */
export function auditTrailRoutes(app: Api): void {
  app.openapi(ofCompany, async (c) => {
    const { id } = c.get("caller").company;
    return c.json(await pageOfAuditEntries(c.env, id, c.req.valid("query")), 200);
  });

  app.openapi(ofGateway, async (c) => {
    const { companyId = GATEWAY_TRAIL, ...page } = c.req.valid("query");
    return c.json(await pageOfAuditEntries(c.env, companyId, page), 200);
  });
}
