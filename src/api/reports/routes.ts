import { listDailyReports } from "../../db/projection/daily-reports.ts";
import { saoPauloDay } from "../../domain/shared/business-day.ts";
import { addDays } from "../../domain/shared/calendar-day.ts";
import type { Api } from "../../http/api.ts";
import { requireScope } from "../../http/auth/auth.ts";
import { jsonResponse } from "../../http/openapi/openapi.ts";
import { feeRoutes } from "./fees/routes.ts";
import { rehearsalRoutes } from "./rehearsal/routes.ts";
import { ConversionReport, DailyReportQuery, DailyReports } from "./schemas.ts";
import { dailyReportView } from "./views.ts";
import { routesOf } from "../../http/openapi/route.ts";
import { requireDayRange } from "../../http/validation.ts";
import { listConversion } from "../../db/projection/conversion.ts";
import { companyDeps } from "../../http/context.ts";

const route = routesOf("Bookkeeping");

/** Days before `to` that a report begins with by default. */
const DEFAULT_DAYS_BEFORE = 30;

const daily = route.get("/api/v1/reports/daily", {
  operationId: "getDailyReport",
  summary: "Sum the payments, fees and refunds of each day",
  description:
    "By day and payment method, oldest first, equal to the ledger to the centavo. A movement counts on the day " +
    "(America/Sao_Paulo) that the ledger booked it. Days without movements are left out. At most 366 days.",
  guard: requireScope("balance:read"),
  query: DailyReportQuery,
  answers: { 200: jsonResponse("The report", DailyReports) },
  problems: ["VALIDATION_FAILED"],
});

const conversion = route.get("/api/v1/reports/conversion", {
  operationId: "getConversionReport",
  summary: "Show the created and paid charges of each day",
  description:
    "By day (America/Sao_Paulo) and payment method, oldest first: charges created on the day, whatever became of " +
    "them, and payments that the ledger booked on it. A charge that is paid later counts on two days, so `paid` of " +
    "one day may exceed `created`. Days with neither are left out. At most 366 days.",
  guard: requireScope("balance:read"),
  query: DailyReportQuery,
  answers: { 200: jsonResponse("The report", ConversionReport) },
  problems: ["VALIDATION_FAILED"],
});

/** The days that a report is asked for; by default today and the 30 days before it. Throws 400. */
function daysOf(query: { from?: string | undefined; to?: string | undefined }, nowMs: number) {
  const { from, to = saoPauloDay(nowMs) } = query;
  return requireDayRange({ from: from ?? addDays(to, -DEFAULT_DAYS_BEFORE), to });
}

export { daily as getDailyReport, conversion as getConversionReport };

export function reportRoutes(app: Api): void {
  rehearsalRoutes(app);
  feeRoutes(app);

  app.openapi(daily, async (c) => {
    const days = daysOf(c.req.valid("query"), companyDeps(c).clock.now());
    const rows = await listDailyReports(c.env, c.get("caller").company.id, days);
    return c.json({ items: rows.map(dailyReportView) }, 200);
  });

  app.openapi(conversion, async (c) => {
    const days = daysOf(c.req.valid("query"), companyDeps(c).clock.now());
    return c.json({ items: await listConversion(c.env, c.get("caller").company.id, days) }, 200);
  });
}
