import { saoPauloDay } from "../../../domain/shared/business-day.ts";
import { addDays } from "../../../domain/shared/calendar-day.ts";
import { debitOutlook } from "../../../domain/subscriptions/reports/outlook.ts";
import type { Api } from "../../../http/api.ts";
import { requireScope } from "../../../http/auth/auth.ts";
import { companyDeps } from "../../../http/context.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { routesOf } from "../../../http/openapi/route.ts";
import { requireDayRange } from "../../../http/validation.ts";
import { debitsByBank, mandatesByBank, openDebits, scheduledDebits } from "./repository.ts";
import { BanksQuery, DAYS_MAX, DebitOutlook, OutlookQuery, PayerBanks } from "./schemas.ts";
import { banksView, outlookView } from "./views.ts";

const route = routesOf("Subscriptions");
const DEFAULT_DAYS_BEFORE = 29;

const outlook = route.get("/api/v1/reports/subscriptions/upcoming", {
  operationId: "getDebitOutlook",
  summary: "See what will be debited",
  description:
    "By day, from today on: open debits on the day of their next attempt, and the next cycles of subscriptions that are " +
    "active or past due. A day without a debit has no item.",
  guard: requireScope("transactions:read"),
  query: OutlookQuery,
  answers: { 200: jsonResponse("The days", DebitOutlook) },
  problems: ["VALIDATION_FAILED"],
});

const banks = route.get("/api/v1/reports/subscriptions/banks", {
  operationId: "getPayerBankReport",
  summary: "Compare the banks of your payers",
  description:
    "What each payer's bank did with your subscriptions made in a period (codes read, approved, refused, never answered), " +
    "and with the debits due in it (paid in time, later, and why not). Your own traffic only. At most 90 days.",
  guard: requireScope("transactions:read"),
  query: BanksQuery,
  answers: { 200: jsonResponse("The banks", PayerBanks) },
  problems: ["VALIDATION_FAILED"],
});

/** `/api/v1/reports/subscriptions`: what comes, and what payers' banks did. */
export function subscriptionReportRoutes(app: Api): void {
  app.openapi(outlook, async (c) => {
    const { company } = c.get("caller");
    const from = saoPauloDay(companyDeps(c).clock.now());
    const period = { from, to: addDays(from, c.req.valid("query").days - 1) };
    const [open, scheduled] = await Promise.all([
      openDebits(c.env, company.id, period),
      scheduledDebits(c.env, company.id),
    ]);
    return c.json(outlookView(period, debitOutlook({ open, scheduled }, period)), 200);
  });

  app.openapi(banks, async (c) => {
    const { company } = c.get("caller");
    const { from, to = saoPauloDay(companyDeps(c).clock.now()) } = c.req.valid("query");
    const asked = { from: from ?? addDays(to, -DEFAULT_DAYS_BEFORE), to };
    const period = requireDayRange(asked, DAYS_MAX);
    const [mandates, debits] = await Promise.all([
      mandatesByBank(c.env, company.id, period),
      debitsByBank(c.env, company.id, period),
    ]);
    return c.json(banksView(period, { mandates, debits }), 200);
  });
}

export { outlook as outlookRoute, banks as banksRoute };
