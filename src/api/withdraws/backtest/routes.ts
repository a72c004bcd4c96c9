import type { Api } from "../../../http/api.ts";
import { requireScope } from "../../../http/auth/auth.ts";
import { jsonBody } from "../../../http/body.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { BacktestBody, BacktestResult } from "./schemas.ts";
import { backtestPolicy } from "./service.ts";
import { routesOf } from "../../../http/openapi/route.ts";
import { companyDeps } from "../../../http/context.ts";

const route = routesOf("Settings");

const backtest = route.post("/api/v1/company/withdraw-policy/backtest", {
  operationId: "backtestWithdrawPolicy",
  summary: "Show what a withdraw policy would have stopped in the last 90 days",
  description: "Nothing is changed. Listed PIX keys count as if they had always been listed.",
  guard: requireScope("settings:write"),
  body: jsonBody(BacktestBody),
  answers: { 200: jsonResponse("What it would have stopped", BacktestResult) },
});

export { backtest as backtestWithdrawPolicy };

export function withdrawBacktestRoutes(app: Api): void {
  app.openapi(backtest, async (c) => {
    const { company } = c.get("caller");
    const now = companyDeps(c).clock.now();
    return c.json({ data: await backtestPolicy(c.env, company, c.req.valid("json"), now) }, 200);
  });
}
