import { createRoute } from "@hono/zod-openapi";
import { GATEWAY_TRAIL } from "../../domain/access/audit-entry.ts";
import type { Api } from "../../http/api.ts";
import { requireScope } from "../../http/auth/auth.ts";
import { requireOperator } from "../../http/auth/operator-auth.ts";
import { jsonResponse, problemResponses, SECURITY } from "../../http/openapi/openapi.ts";
import { AuditQuery, AuditTrail, OperatorAuditQuery } from "./schemas.ts";
import { pageOfAuditEntries } from "./service.ts";

const ofCompany = createRoute({
  method: "get",
  path: "/api/v1/audit",
  operationId: "listAuditEntries",
  summary: "List the company's audit trail",
  description:
    "Each change of settings, keys, scopes, endpoints and each decision, by an application, a person of the " +
    "console or an operator, oldest first. `npm run verify-audit` checks the hashes offline.",
  tags: ["Settings"],
  security: SECURITY,
  middleware: [requireScope("settings:write")] as const,
  request: { query: AuditQuery },
  responses: {
    200: jsonResponse("One page, by sequence", AuditTrail),
    ...problemResponses("VALIDATION_FAILED"),
  },
});

const ofGateway = createRoute({
  method: "get",
  path: "/api/v1/operator/audit",
  operationId: "listOperatorAuditEntries",
  summary: "List the audit trail of the gateway or of a company",
  description:
    "The gateway's own trail has every action of an operator. A page of a search (`actor`, `action`, `target`) " +
    "may have fewer than `limit` entries, even none, while `hasMore`: go on with `after`.",
  tags: ["Operator"],
  security: SECURITY,
  middleware: [requireOperator("companies:read")] as const,
  request: { query: OperatorAuditQuery },
  responses: {
    200: jsonResponse("One page, by sequence", AuditTrail),
    ...problemResponses("VALIDATION_FAILED"),
  },
});

/** The audit trails of companies and of the gateway. */
export function auditTrailRoutes(app: Api): void {
  app.openapi(ofCompany, async (c) => {
    const { id } = c.get("caller").company;
    return c.json(await pageOfAuditEntries(c.env, id, c.req.valid("query")), 200);
  });

  app.openapi(ofGateway, async (c) => {
    const { companyId = GATEWAY_TRAIL, ...page } = c.req.valid("query");
    const { pageOfFoundEntries } = await import("./search.ts");
    return c.json(await pageOfFoundEntries(c.env, companyId, page), 200);
  });
}
