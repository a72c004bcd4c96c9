import { createRoute } from "@hono/zod-openapi";
import type { Api } from "../../../http/api.ts";
import { requireOperator } from "../../../http/auth/auth.ts";
import { jsonResponse, problemResponses, SECURITY } from "../../../http/openapi/openapi.ts";
import { COMPANY, CompanyParam, companyContext } from "../company-param.ts";
import { CompanyStatus, GatewayStatus } from "./schemas.ts";
import { companyStatus, gatewayStatus } from "./service.ts";

const TAGS = ["Operator"];
const status = createRoute({
  method: "get",
  path: "/api/v1/operator/status",
  summary: "Show what is open, late or full, of all companies",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireOperator] as const,
  responses: { 200: jsonResponse("The status", GatewayStatus), ...problemResponses() },
});

const companyStatusRoute = createRoute({
  method: "get",
  path: `${COMPANY}/status`,
  summary: "Show a company's ledger beside what its banks say stands on their accounts",
  description: "Asks each connected account for its balance, where its API can say.",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireOperator] as const,
  request: { params: CompanyParam },
  responses: {
    200: jsonResponse("The status", CompanyStatus),
    ...problemResponses("VALIDATION_FAILED", "NOT_FOUND"),
  },
});

/** What operators look at first. */
export function statusRoutes(app: Api): void {
  app.openapi(status, async (c) =>
    c.json(await gatewayStatus(c.env, c.get("deps").clock.now()), 200),
  );

  app.openapi(companyStatusRoute, async (c) =>
    c.json(await companyStatus(await companyContext(c, c.req.valid("param").companyId)), 200),
  );
}
