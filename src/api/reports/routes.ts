import { createRoute } from "@hono/zod-openapi";
import { listDailyReports } from "../../db/projection/daily-reports.ts";
import { saoPauloDay } from "../../domain/shared/business-day.ts";
import { addDays } from "../../domain/shared/calendar-day.ts";
import type { Api } from "../../http/api.ts";
import { requireScope } from "../../http/auth/auth.ts";
import { jsonResponse, problemResponses, SECURITY } from "../../http/openapi/openapi.ts";
import { DailyReportQuery, DailyReports } from "./schemas.ts";
import { dailyReportView } from "./views.ts";

/** Days before `to` that a report begins with by default. */
const DEFAULT_DAYS_BEFORE = 30;

const daily = createRoute({
  method: "get",
  path: "/api/v1/reports/daily",
  operationId: "getDailyReport",
  summary: "Sum the payments, fees and refunds of each day",
  description:
    "By day and payment method, oldest first, equal to the ledger to the centavo. A movement counts on the day " +
    "(America/Sao_Paulo) that the ledger booked it. Days without movements are left out. At most 366 days.",
  tags: ["Bookkeeping"],
  security: SECURITY,
  middleware: [requireScope("balance:read")] as const,
  request: { query: DailyReportQuery },
  responses: {
    200: jsonResponse("The report", DailyReports),
    ...problemResponses("VALIDATION_FAILED"),
  },
});

export function reportRoutes(app: Api): void {
  app.openapi(daily, async (c) => {
    const { from, to = saoPauloDay(c.get("deps").clock.now()) } = c.req.valid("query");
    const rows = await listDailyReports(c.env, c.get("caller").company.id, {
      from: from ?? addDays(to, -DEFAULT_DAYS_BEFORE),
      to,
    });
    return c.json({ items: rows.map(dailyReportView) }, 200);
  });
}
