import { createRoute } from "@hono/zod-openapi";
import type { Api } from "../../../http/api.ts";
import { requireOperator } from "../../../http/auth/operator-auth.ts";
import { jsonResponse, problemResponses, SECURITY } from "../../../http/openapi/openapi.ts";
import { COMPANY, CompanyParam, companyContext } from "../company-param.ts";
import { statusActions } from "./actions.ts";
import { metricsText } from "./metrics.ts";
import { MetricsText } from "./watch-schemas.ts";
import { CompanyHealth, CompanyStatus, GatewayStatus } from "./schemas.ts";

const TAGS = ["Operator"];
const status = createRoute({
  method: "get",
  path: "/api/v1/operator/status",
  operationId: "getGatewayStatus",
  summary: "Show what needs an operator, over all companies",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireOperator("companies:read")] as const,
  responses: { 200: jsonResponse("The status", GatewayStatus), ...problemResponses() },
});

const metrics = createRoute({
  method: "get",
  path: "/metrics",
  operationId: "getMetrics",
  summary: "Show the status's figures as Prometheus reads them",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireOperator("companies:read")] as const,
  responses: {
    200: {
      description: "The figures, in Prometheus' text format 0.0.4",
      content: { "text/plain": { schema: MetricsText } },
    },
    ...problemResponses(),
  },
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

const companyHealthRoute = createRoute({
  method: "get",
  path: `${COMPANY}/health`,
  operationId: "getCompanyHealth",
  summary: "Show a company's last check, backlog and open work",
  description:
    "The last check of its ledger, how far D1 is behind its object, and what waits for a provider or a receiver. " +
    "Asks no bank.",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireOperator("companies:read")] as const,
  request: { params: CompanyParam },
  responses: {
    200: jsonResponse("The health", CompanyHealth),
    ...problemResponses("VALIDATION_FAILED", "NOT_FOUND"),
  },
});

/** The first routes for an operator on call. */
export function statusRoutes(app: Api): void {
  statusActions(app);
  app.openapi(metrics, async (c) => {
    return c.text(await metricsText(c.env, c.get("deps").clock), 200, {
      "Content-Type": "text/plain; version=0.0.4; charset=utf-8",
    });
  });

  app.openapi(status, async (c) => {
    const { gatewayStatus } = await import("./service.ts");
    return c.json(await gatewayStatus(c.env, c.get("deps").clock), 200);
  });

  app.openapi(companyHealthRoute, async (c) => {
    const { companyId } = c.req.valid("param");
    const { showHealth } = await import("./service.ts");
    return c.json(await showHealth(c.env, companyId, c.get("deps").clock.now()), 200);
  });

  app.openapi(companyStatusRoute, async (c) => {
    const { companyStatus } = await import("./service.ts");
    return c.json(
      await companyStatus(await companyContext(c, c.req.valid("param").companyId)),
      200,
    );
  });
}
