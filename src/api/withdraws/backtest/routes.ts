import { createRoute } from "@hono/zod-openapi";
import type { Api } from "../../../http/api.ts";
import { requireScope } from "../../../http/auth/auth.ts";
import { jsonBody } from "../../../http/body.ts";
import {
  BODY_PROBLEMS,
  jsonResponse,
  problemResponses,
  SECURITY,
} from "../../../http/openapi/openapi.ts";
import { BacktestBody, BacktestResult } from "./schemas.ts";
import { backtestPolicy } from "./service.ts";

const backtest = createRoute({
  method: "post",
  path: "/api/v1/company/withdraw-policy/backtest",
  operationId: "backtestWithdrawPolicy",
  summary: "Show what a withdraw policy would have stopped in the last 90 days",
  description: "Nothing is changed. Listed PIX keys count as if they had always been listed.",
  tags: ["Settings"],
  security: SECURITY,
  middleware: [requireScope("settings:write"), jsonBody(BacktestBody)] as const,
  request: {
    body: { required: true, content: { "application/json": { schema: BacktestBody } } },
  },
  responses: {
    200: jsonResponse("What it would have stopped", BacktestResult),
    ...problemResponses(...BODY_PROBLEMS),
  },
});

export function withdrawBacktestRoutes(app: Api): void {
  app.openapi(backtest, async (c) => {
    const { company } = c.get("caller");
    const now = c.get("deps").clock.now();
    return c.json({ data: await backtestPolicy(c.env, company, c.req.valid("json"), now) }, 200);
  });
}
