import { z } from "@hono/zod-openapi";
import { PAYMENT_METHODS } from "../../domain/charges/charge-status.ts";
import { dayParam, inDayRange } from "../../http/fields/fields.ts";
import { dailyReportView } from "./views.ts";

export const DailyReportQuery = z
  .object({
    from: dayParam.openapi({ description: "America/Sao_Paulo. Default: 30 days before `to`." }),
    to: dayParam.openapi({ description: "America/Sao_Paulo, included. Default: today." }),
  })
  .superRefine(inDayRange);

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
  hours: z.record(z.string(), z.int()).openapi({
    description:
      "Payments by the hour of the day, `0` to `23`. Hours without one are left out, and payments from before hours " +
      "were counted.",
  }),
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
        hours: { 9: 12, 14: 30 },
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
