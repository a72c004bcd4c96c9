import { z } from "@hono/zod-openapi";
import type { BoletoTerms } from "../../domain/charges/payment-details.ts";
import { saoPauloDay } from "../../domain/shared/business-day.ts";
import { addDays, isCalendarDay } from "../../domain/shared/calendar-day.ts";
import { MAX_AMOUNT_CENTS } from "../../domain/shared/money.ts";
import { EVEN_AFTER_OTHER_ERRORS, integer, text } from "../../lib/fields.ts";

const DAYS_MAX = 60;
const DAYS_DEFAULT = 3;
const INSTRUCTIONS_MAX = 256;
const DOCUMENT_NUMBER_MAX = 16;
const BASIS_POINTS_MAX = 10_000;
/** The last day of a barcode's due date factor before it begins again (FEBRABAN). */
const LAST_DUE_DATE = "2049-10-13";

const calendarDay = z
  .string({ error: "must be a string" })
  .refine(isCalendarDay, "must be a day of the calendar, YYYY-MM-DD")
  .openapi({ format: "date" });

const adjustment = z.object({
  type: z.enum(["FIXED", "PERCENTAGE"], { error: "must be FIXED or PERCENTAGE" }),
  value: integer(0, MAX_AMOUNT_CENTS, "centavos").openapi({
    description: "centavos, or hundredths of a percent",
  }),
});

const daysToPay = integer(0, DAYS_MAX, "days");

const Adjustment = adjustment.superRefine(limitPercentage);
const Discount = adjustment
  .extend({ untilDate: calendarDay.optional() })
  .superRefine(limitPercentage)
  .openapi({ description: "Until the due date where `untilDate` is left out." });

/** `boleto` of the create request. */
export const BoletoRequest = z
  .object({
    expiresInDays: daysToPay.optional().openapi({ default: DAYS_DEFAULT }),
    dueDate: calendarDay.optional().openapi({
      description: "From today in America/Sao_Paulo; instead of `expiresInDays`.",
    }),
    instructions: text(INSTRUCTIONS_MAX).optional(),
    documentNumber: text(DOCUMENT_NUMBER_MAX).optional(),
    fine: Adjustment.optional(),
    interest: z
      .object({ value: integer(0, BASIS_POINTS_MAX, "hundredths of a percent") })
      .optional()
      .openapi({ description: "A month, counted for each day after the due date." }),
    discount: Discount.optional(),
  })
  .superRefine(({ expiresInDays, dueDate }, context) => {
    if (expiresInDays === undefined || dueDate === undefined) return;
    context.addIssue({
      code: "custom",
      path: ["dueDate"],
      message: "must not be sent together with expiresInDays",
    });
  }, EVEN_AFTER_OTHER_ERRORS);

/** The terms of a boleto with the contract's defaults. A zero fine, interest or discount is none. */
export function boletoTerms(
  request: z.output<typeof BoletoRequest> | undefined,
  nowMs: number,
): BoletoTerms {
  const days = request?.expiresInDays ?? DAYS_DEFAULT;
  const dueDate = request?.dueDate ?? addDays(saoPauloDay(nowMs), days);
  const { fine, interest, discount } = request ?? {};
  return {
    dueDate,
    instructions: request?.instructions ?? "",
    documentNumber: request?.documentNumber ?? "",
    fine: fine === undefined || fine.value === 0 ? null : fine,
    interest: interest === undefined || interest.value === 0 ? null : interest,
    discount:
      discount === undefined || discount.value === 0
        ? null
        : { ...discount, untilDate: discount.untilDate ?? dueDate },
  };
}

/** Due dates outside the calendar's range, and discounts later than the due date or of everything. */
export function* boletoErrors(
  body: Record<string, unknown>,
  today: string,
): Generator<z.core.$ZodIssue> {
  if (body["boleto"] === undefined) return;
  const boleto = body["boleto"] as Record<string, unknown> | null;
  const sent = calendarDay.safeParse(boleto?.["dueDate"]);
  if (sent.success && sent.data < today) {
    yield issue(["dueDate"], `must not be before today, ${today}`);
  } else if (sent.success && sent.data > LAST_DUE_DATE) {
    yield issue(["dueDate"], `must not be after ${LAST_DUE_DATE}`);
  }
  const discount = boleto?.["discount"] as Record<string, unknown> | null | undefined;
  const untilDate = calendarDay.safeParse(discount?.["untilDate"]);
  const days = daysToPay.default(DAYS_DEFAULT).safeParse(boleto?.["expiresInDays"]);
  const isByDays = boleto?.["dueDate"] === undefined && days.success;
  const dueDate = isByDays ? addDays(today, days.data) : sent.data;
  if (untilDate.success && dueDate !== undefined && untilDate.data > dueDate) {
    yield issue(["discount", "untilDate"], `must not be after the due date, ${dueDate}`);
  }
  const discountTerms = Adjustment.safeParse(discount);
  if (!discountTerms.success) return;
  const whole = discountTerms.data.type === "FIXED" ? body["amount"] : BASIS_POINTS_MAX;
  if (typeof whole === "number" && discountTerms.data.value >= whole) {
    yield issue(["discount", "value"], "must leave something to pay");
  }
}

function issue(path: string[], message: string): z.core.$ZodIssue {
  return { code: "custom", path: ["boleto", ...path], message, input: undefined };
}

function limitPercentage(
  { type, value }: { type: string; value: number },
  context: z.core.$RefinementCtx,
): void {
  if (type !== "PERCENTAGE" || value <= BASIS_POINTS_MAX) return;
  context.addIssue({
    code: "custom",
    path: ["value"],
    message: `must be at most ${BASIS_POINTS_MAX} hundredths of a percent`,
  });
}
