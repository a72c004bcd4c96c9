import {
  listRecoveredMonths,
  listRetryOutcomes,
} from "../../../db/projection/subscriptions/recovered-cycles.ts";
import { saoPauloDay } from "../../../domain/shared/business-day.ts";
import { addDays } from "../../../domain/shared/calendar-day.ts";
import { backtestRetries } from "../../../domain/subscriptions/reports/recovery-backtest.ts";
import type { Api } from "../../../http/api.ts";
import { requireScope } from "../../../http/auth/auth.ts";
import { companyDeps } from "../../../http/context.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { routesOf } from "../../../http/openapi/route.ts";
import { requireDayRange } from "../../../http/validation.ts";
import { BacktestQuery, RecoveryQuery, RecoveryReport, RetryBacktest } from "./recovery-schemas.ts";

const route = routesOf("Subscriptions");

const YEAR_DAYS = 365;

const recovery = route.get("/api/v1/reports/subscriptions", {
  operationId: "getSubscriptionRecovery",
  summary: "Sum the debits that failed and what of them was recovered",
  description:
    "By month of the due date, oldest first. Months without a failed debit are left out. At most 366 days.",
  guard: requireScope("transactions:read"),
  query: RecoveryQuery,
  answers: { 200: jsonResponse("The report", RecoveryReport) },
  problems: ["VALIDATION_FAILED"],
});

const backtest = route.get("/api/v1/reports/subscriptions/backtest", {
  operationId: "backtestSubscriptionRetries",
  summary: "Backtest a retry policy on the company's own debits",
  description:
    "Of the cycles of the last 365 days that failed so that another day might do: how many the policy would have recovered " +
    "by each of its days, as often as the company's own retries of that day were paid. Of a day with fewer than 20 retries " +
    "nothing is said.",
  guard: requireScope("transactions:read"),
  query: BacktestQuery,
  answers: { 200: jsonResponse("What the policy would have recovered", RetryBacktest) },
  problems: ["VALIDATION_FAILED"],
});

export { backtest as backtestRoute, recovery as recoveryRoute };

/** What subscriptions have recovered, and what a policy would have. */
export function recoveryRoutes(app: Api): void {
  app.openapi(recovery, async (c) => {
    const { from, to = saoPauloDay(companyDeps(c).clock.now()) } = c.req.valid("query");
    const period = requireDayRange({ from: from ?? addDays(to, -YEAR_DAYS), to });
    const months = await listRecoveredMonths(c.env, c.get("caller").company.id, period);
    const items = months.map((each) => ({
      month: each.month,
      failed: { count: each.failed, amount: each.failedAmount },
      recovered: {
        retry: { count: each.retry, amount: each.retryAmount },
        card: { count: each.card, amount: each.cardAmount },
        hand: { count: each.hand, amount: each.handAmount },
      },
    }));
    return c.json({ items }, 200);
  });

  app.openapi(backtest, async (c) => {
    const to = saoPauloDay(companyDeps(c).clock.now());
    const from = addDays(to, -YEAR_DAYS);
    const { company } = c.get("caller");
    const found = await listRetryOutcomes(c.env, company.id, { from, to });
    const days = backtestRetries(c.req.valid("query").retry, found.failed, found.byDaysAfter);
    const insufficient = days.some(({ recovered }) => recovered === null);
    const { failed, byWeekday: weekdays } = found;
    return c.json({ data: { from, to, failed, insufficient, days, weekdays } }, 200);
  });
}
