import type { Api } from "../../../http/api.ts";
import { requireOperator } from "../../../http/auth/operator-auth.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { COMPANY, CompanyParam, companyContext } from "../company-param.ts";
import { statusActions } from "./actions.ts";
import { metricsText } from "./metrics.ts";
import { MetricsText } from "./watch-schemas.ts";
import { CompanyHealth, CompanyStatus, GatewayStatus } from "./schemas.ts";
import { routesOf } from "../../../http/openapi/route.ts";
import { companyStatus, gatewayStatus, showHealth } from "./service.ts";

const route = routesOf("Operator");
const status = route.get("/api/v1/operator/status", {
  operationId: "getGatewayStatus",
  summary: "Show what needs an operator, over all companies",
  guard: requireOperator("companies:read"),
  answers: { 200: jsonResponse("The status", GatewayStatus) },
});

const metrics = route.get("/metrics", {
  operationId: "getMetrics",
  summary: "Show the status's figures as Prometheus reads them",
  guard: requireOperator("companies:read"),
  answers: {
    200: {
      description: "The figures, in Prometheus' text format 0.0.4",
      content: { "text/plain": { schema: MetricsText } },
    },
  },
});

const companyStatusRoute = route.get(`${COMPANY}/status`, {
  operationId: "getCompanyStatus",
  summary: "Compare a company's ledger with its balances at the banks",
  description: "Queries the balance of each connected account whose API offers it.",
  guard: requireOperator("companies:read"),
  params: CompanyParam,
  answers: { 200: jsonResponse("The status", CompanyStatus) },
  problems: ["VALIDATION_FAILED", "NOT_FOUND"],
});

const companyHealthRoute = route.get(`${COMPANY}/health`, {
  operationId: "getCompanyHealth",
  summary: "Show a company's last check, backlog and open work",
  description:
    "The last check of its ledger, how far D1 is behind its object, and what waits for a provider or a receiver. " +
    "Asks no bank.",
  guard: requireOperator("companies:read"),
  params: CompanyParam,
  answers: { 200: jsonResponse("The health", CompanyHealth) },
  problems: ["VALIDATION_FAILED", "NOT_FOUND"],
});

export {
  status as getGatewayStatus,
  companyStatusRoute as getCompanyStatus,
  companyHealthRoute as getCompanyHealth,
};

/** The first routes for an operator on call. */
export function statusRoutes(app: Api): void {
  statusActions(app);
  app.openapi(metrics, async (c) => {
    return c.text(await metricsText(c.env, c.get("deps").platformClock), 200, {
      "Content-Type": "text/plain; version=0.0.4; charset=utf-8",
    });
  });

  app.openapi(status, async (c) => {
    return c.json(await gatewayStatus(c.env, c.get("deps").platformClock), 200);
  });

  app.openapi(companyHealthRoute, async (c) => {
    const { companyId } = c.req.valid("param");
    return c.json(await showHealth(c.env, companyId, c.get("deps").platformClock.now()), 200);
  });

  app.openapi(companyStatusRoute, async (c) => {
    return c.json(
      await companyStatus(await companyContext(c, c.req.valid("param").companyId)),
      200,
    );
  });
}
