import { z } from "@hono/zod-openapi";
import { PAYMENT_METHODS } from "../../domain/charges/charge-status.ts";
import { daysBetween, isCalendarDay } from "../../domain/shared/calendar-day.ts";
import { dailyReportView } from "./views.ts";
import { breaks } from "../../lib/fields/rules.ts";

/** Days of one report: a leap year, which is at most 1,098 rows of three methods. */
const REPORT_DAYS_MAX = 366;

const day = z
  .string()
  .refine(isCalendarDay, breaks("dayOfReport"))
  .optional()
  .openapi({ type: "string", format: "date", example: "2026-11-21" });

export const DailyReportQuery = z
  .object({
    from: day.openapi({ description: "America/Sao_Paulo. Default: 30 days before `to`." }),
    to: day.openapi({ description: "America/Sao_Paulo, included. Default: today." }),
  })
  .superRefine(({ from, to }, context) => {
    if (from === undefined || to === undefined) return;
    if (!isCalendarDay(from) || !isCalendarDay(to)) return;
    const days = daysBetween(from, to) + 1;
    if (days < 1) reject(context, breaks("notBefore", { field: "from" }));
    if (days > REPORT_DAYS_MAX) reject(context, breaks("withinDays", { max: REPORT_DAYS_MAX }));
  });

function reject(context: z.core.$RefinementCtx, message: string): void {
  context.addIssue({ code: "custom", path: ["to"], message, input: undefined });
}

const DailyReport = z.object({
  day: z.string().openapi({ format: "date", description: "A day in America/Sao_Paulo." }),
  paymentMethod: z.enum(PAYMENT_METHODS),
  count: z.int().openapi({ description: "Payments booked on that day." }),
  gross: z.int().openapi({ description: "centavos: the paid amounts" }),
  fees: z.int().openapi({ description: "centavos: the fees of these payments" }),
  refunds: z.int().openapi({
    description:
      "centavos: refunds, MED refunds and chargebacks booked on that day, less reversed chargebacks",
  }),
  net: z.int().openapi({ description: "centavos: gross less fees and refunds" }),
  fiscalKeys: z
    .int()
    .openapi({ description: "How many of the day's payments have a `fiscalKey` now." }),
});

export const DailyReports = z.object({ items: z.array(DailyReport) }).openapi("DailyReports", {
  example: {
    items: [
      dailyReportView({
        day: "2026-11-21",
        paymentMethod: PAYMENT_METHODS[0],
        count: 42,
        gross: 105_000,
        fees: 1_050,
        refunds: 2_500,
        version: 43,
        fiscalKeys: 40,
      }),
    ],
  },
});

const Conversion = z.object({
  day: z.string().openapi({ format: "date", description: "A day in America/Sao_Paulo." }),
  paymentMethod: z.enum(PAYMENT_METHODS),
  created: z.int().nullable().openapi({
    description: "Charges created on that day; null on a day from before they were counted.",
  }),
  paid: z.int().openapi({ description: "Payments booked on that day." }),
});

export const ConversionReport = z
  .object({ items: z.array(Conversion) })
  .openapi("ConversionReport", {
    example: {
      items: [{ day: "2026-11-21", paymentMethod: PAYMENT_METHODS[0], created: 60, paid: 42 }],
    },
  });
