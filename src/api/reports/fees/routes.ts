import { z } from "@hono/zod-openapi";
import { listDailyReports } from "../../../db/projection/daily-reports.ts";
import {
  listDifferences,
  listFeeDays,
  listSettlingAccounts,
  type FeeDay,
} from "../../../db/reconciliation/settlements.ts";
import type { Env } from "../../../config.ts";
import { providerOfAccount } from "../../../domain/psp/account-provider.ts";
import type { Company } from "../../../domain/shared/company.ts";
import { SANDBOX_ACCOUNT } from "../../../domain/withdraws/withdraw.ts";
import type { DayPeriod } from "../../../domain/ledger/entries/month.ts";
import { saoPauloDay } from "../../../domain/shared/business-day.ts";
import { addDays } from "../../../domain/shared/calendar-day.ts";
import type { Api } from "../../../http/api.ts";
import { requireScope } from "../../../http/auth/auth.ts";
import { companyDeps } from "../../../http/context.ts";
import { prefersPortuguese } from "../../../http/csv.ts";
import { CSV_TYPE } from "../../../http/negotiation.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { routesOf } from "../../../http/openapi/route.ts";
import { requireDayRange } from "../../../http/validation.ts";
import {
  differenceCursor,
  DifferencesQuery,
  FeeDifferences,
  FeeReport,
  FeesQuery,
} from "./schemas.ts";
import { differencePage, FEES_CSV_HEADER, feeReportView, feesCsv } from "./views.ts";

const route = routesOf("Bookkeeping");

/** Days before `to` that the report begins with by default. */
const DEFAULT_DAYS_BEFORE = 30;
/** Each line of these days is read. */
const DAYS_MAX = 92;

const fees = route.get("/api/v1/reports/fees", {
  operationId: "getFeeReport",
  summary: "Compare the fees that banks took with the agreed ones",
  description:
    "By day of payment, account and method, oldest first: the fee that was agreed, the one that the bank took, and the " +
    "difference, of each credit that the bank has paid. A day is read once it is over. Only some banks tell what they " +
    "took (`accounts`). The agreed fee stays when a payment goes back: `refunds` and `chargebacks` are what the bank " +
    "took away again, and a fee that it takes for one, or gives back, is in `taken`. The sandbox's bank takes what was " +
    "agreed, on the day of the payment. At most 92 days. " +
    "`Accept: text/csv` returns the days as CSV; with `Accept-Language: pt` in Portuguese, with semicolons and reais.",
  guard: requireScope("balance:read"),
  query: FeesQuery,
  answers: {
    200: {
      description: "The report",
      content: {
        "application/json": { schema: FeeReport },
        [CSV_TYPE]: { schema: z.string().openapi({ example: FEES_CSV_HEADER }) },
      },
    },
  },
  problems: ["VALIDATION_FAILED"],
});

const differences = route.get("/api/v1/reports/fees/differences", {
  operationId: "listFeeDifferences",
  summary: "List the settlements that differ",
  description:
    "Lines of a bank's settlements that are not as agreed and booked, by the day of the finding, oldest first, by " +
    "cursor. A line that the bank tells again is listed again only for what is new. At most 92 days.",
  guard: requireScope("balance:read"),
  query: DifferencesQuery,
  answers: { 200: jsonResponse("A page of differences", FeeDifferences) },
  problems: ["VALIDATION_FAILED"],
});

export { fees as getFeeReport, differences as listFeeDifferences };

/** The days that are asked for; by default today and the 30 days before it. Throws 400. */
function daysOf(
  query: { from?: string | undefined; to?: string | undefined },
  nowMs: number,
): DayPeriod {
  const { from, to = saoPauloDay(nowMs) } = query;
  return requireDayRange({ from: from ?? addDays(to, -DEFAULT_DAYS_BEFORE), to }, DAYS_MAX);
}

type Settled = Pick<Company, "id" | "mode">;

/** The sandbox's bank settles each day's payments on that day and takes what was agreed: the daily sums tell its lines. */
async function settledDays(env: Env, { id, mode }: Settled, days: DayPeriod): Promise<FeeDay[]> {
  if (mode !== "sandbox") return listFeeDays(env, id, days);
  return (await listDailyReports(env, id, days)).map(
    ({ day, paymentMethod, count, gross, fees: taken, refunds }) => ({
      day,
      account: SANDBOX_ACCOUNT,
      paymentMethod,
      count,
      gross,
      agreed: taken,
      taken,
      anticipation: 0,
      refunds,
      chargebacks: 0,
    }),
  );
}

/** Each with the next day to read. */
async function settlingAccounts(env: Env, { id, mode }: Settled, nowMs: number) {
  return mode === "sandbox"
    ? [{ account: SANDBOX_ACCOUNT, day: addDays(saoPauloDay(nowMs), 1) }]
    : listSettlingAccounts(env, id);
}

export function feeRoutes(app: Api): void {
  app.openapi(fees, async (c) => {
    const { company } = c.get("caller");
    const nowMs = companyDeps(c).clock.now();
    const days = daysOf(c.req.valid("query"), nowMs);
    if (c.get("mediaType") !== CSV_TYPE) {
      const [rows, accounts] = await Promise.all([
        settledDays(c.env, company, days),
        settlingAccounts(c.env, company, nowMs),
      ]);
      const named = accounts.map(({ account, day }) => {
        return { account, day, provider: providerOfAccount(company, account) };
      });
      return c.json(feeReportView(rows, named), 200);
    }
    const rows = await settledDays(c.env, company, days);
    return c.body(feesCsv(rows, prefersPortuguese(c)), 200, {
      "Content-Type": `${CSV_TYPE}; charset=utf-8; header=present`,
      "Content-Disposition": `attachment; filename="fees-${days.from}-${days.to}.csv"`,
      Vary: "Accept-Language",
    }) as never;
  });

  app.openapi(differences, async (c) => {
    const { after, limit, ...asked } = c.req.valid("query");
    const days = daysOf(asked, companyDeps(c).clock.now());
    const page = { ...days, after: after ?? null, limit: limit + 1 };
    const rows = await listDifferences(c.env, c.get("caller").company.id, page);
    const items = rows.slice(0, limit);
    const last = rows.length > limit ? items.at(-1) : undefined;
    return c.json(differencePage(items, last === undefined ? null : differenceCursor(last)), 200);
  });
}
