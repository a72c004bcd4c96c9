import { createRoute } from "@hono/zod-openapi";
import type { Api } from "../../../http/api.ts";
import { requireOperator } from "../../../http/auth/operator-auth.ts";
import { jsonResponse, problemResponses, SECURITY } from "../../../http/openapi/openapi.ts";
import { COMPANY, CompanyParam, companyContext } from "../company-param.ts";
import { CompanyStatus, GatewayStatus } from "./schemas.ts";
import { companyStatus, gatewayStatus } from "./service.ts";

const TAGS = ["Operator"];
const status = createRoute({
  method: "get",
  path: "/api/v1/operator/status",
  operationId: "getGatewayStatus",
  summary: "Show open contradictions, late passes and database sizes of all companies",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireOperator("companies:read")] as const,
  responses: { 200: jsonResponse("The status", GatewayStatus), ...problemResponses() },
});

const companyStatusRoute = createRoute({
  method: "get",
  path: `${COMPANY}/status`,
  operationId: "getCompanyStatus",
  summary: "Compare a company's ledger with its balances at the banks",
  description: "Queries the balance of each connected account whose API offers it.",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireOperator("companies:read")] as const,
  request: { params: CompanyParam },
  responses: {
    200: jsonResponse("The status", CompanyStatus),
    ...problemResponses("VALIDATION_FAILED", "NOT_FOUND"),
  },
});

/** The first routes for an operator on call. */
export function statusRoutes(app: Api): void {
  app.openapi(status, async (c) =>
    c.json(await gatewayStatus(c.env, c.get("deps").clock.now()), 200),
  );

  app.openapi(companyStatusRoute, async (c) =>
    c.json(await companyStatus(await companyContext(c, c.req.valid("param").companyId)), 200),
  );
}
