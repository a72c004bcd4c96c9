import { z } from "@hono/zod-openapi";
import { CITY_CODE, calendarDay } from "../../domain/subscriptions/business-calendar.ts";
import { whyThisDay } from "../../domain/subscriptions/debit-window.ts";
import { isCalendarDay } from "../../domain/shared/calendar-day.ts";
import type { Api } from "../../http/api.ts";
import { jsonResponse } from "../../http/openapi/openapi.ts";
import { routesOf } from "../../http/openapi/route.ts";
import { limitPublicRoute } from "../../http/rate-limits/enforce.ts";
import { breaks } from "../../lib/fields/rules.ts";
import { DebitDay } from "../subscriptions/charge-schemas.ts";

const route = routesOf("PIX", "Public");

/** The holidays are those of laws of today. */
const YEARS = /^20\d\d-/;
const EXAMPLE_DAY = "2026-12-25";
const SAO_PAULO = "3550308";

/** A day, and what becomes of an automatic debit that is due on it. */
function viewOf(date: string, city: string | null) {
  return { ...calendarDay(date, city), debit: whyThisDay(date, city) };
}

const CalendarDaySchema = z
  .object({
    date: z.string(),
    businessDay: z.boolean().openapi({ description: "Whether banks work on it." }),
    next: z
      .string()
      .openapi({ description: "The day itself, or the first business day after it." }),
    why: z.string().openapi({ description: "A sentence for people, with its source." }),
    debit: z.array(DebitDay).openapi({
      description:
        "The days of an automatic debit (Pix Automático) that is due on it, each with its rule.",
    }),
  })
  .openapi("CalendarDay", { example: viewOf(EXAMPLE_DAY, null) });

const show = route.get("/api/v1/calendar", {
  operationId: "getCalendarDay",
  summary: "See whether banks work on a day, and why a debit is on it",
  description:
    "The calendar by which due dates of Pix Automático move. Holidays of a state and of a capital count " +
    "where the payer's town is named; those of other towns are not known.",
  guard: limitPublicRoute,
  security: [],
  query: z.object({
    date: z
      .string()
      .refine((text) => isCalendarDay(text) && YEARS.test(text), breaks("dayOfReport"))
      .openapi({ format: "date", example: EXAMPLE_DAY }),
    city: z
      .string()
      .regex(CITY_CODE, breaks("digits", { sizes: "7" }))
      .optional()
      .openapi({ description: "The town's IBGE code.", example: SAO_PAULO }),
  }),
  answers: { 200: jsonResponse("The day", CalendarDaySchema) },
  problems: ["VALIDATION_FAILED", "NOT_ACCEPTABLE"],
});

/** `/api/v1/calendar`: the business days of banks, and no company's data. */
export function calendarRoutes(app: Api): void {
  app.openapi(show, (c) => {
    const { date, city } = c.req.valid("query");
    return c.json(viewOf(date, city ?? null), 200);
  });
}
