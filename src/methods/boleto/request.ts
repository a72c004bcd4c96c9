import { z } from "@hono/zod-openapi";
import type { BoletoTerms } from "../../domain/charges/payment-details.ts";
import { saoPauloDay } from "../../domain/shared/business-day.ts";
import { addDays } from "../../domain/shared/calendar-day.ts";
import { EVEN_AFTER_OTHER_ERRORS, integer, text } from "../../lib/fields/fields.ts";
import { calendarDay, dueTermErrors, dueTermFields, dueTerms } from "../terms/request.ts";
import { breaks } from "../../lib/fields/rules.ts";

const DAYS_MAX = 60;
const DAYS_DEFAULT = 3;
const INSTRUCTIONS_MAX = 256;
const DOCUMENT_NUMBER_MAX = 16;
/** The last day of a barcode's due date factor before it begins again (FEBRABAN). */
const LAST_DUE_DATE = "2049-10-13";

const daysToPay = integer(0, DAYS_MAX, "days");

/** `boleto` of the create request. */
export const BoletoRequest = z
  .object({
    expiresInDays: daysToPay.optional().openapi({ default: DAYS_DEFAULT }),
    dueDate: calendarDay.optional().openapi({
      description: "From today in America/Sao_Paulo; instead of `expiresInDays`.",
    }),
    instructions: text(INSTRUCTIONS_MAX).optional(),
    documentNumber: text(DOCUMENT_NUMBER_MAX).optional(),
    ...dueTermFields,
  })
  .superRefine(({ expiresInDays, dueDate }, context) => {
    if (expiresInDays === undefined || dueDate === undefined) return;
    context.addIssue({
      code: "custom",
      path: ["dueDate"],
      message: breaks("notTogetherWith", { field: "expiresInDays" }),
    });
  }, EVEN_AFTER_OTHER_ERRORS);

/** A boleto whose request says nothing of it. Zero interest is none. */
export const BOLETO_DEFAULTS = {
  expiresInDays: DAYS_DEFAULT,
  instructions: "",
  documentNumber: "",
  interest: { value: 0 },
};

/** The terms of a boleto with the contract's defaults. A zero fine, interest or discount is none. */
export function boletoTerms(
  request: z.output<typeof BoletoRequest> | undefined,
  nowMs: number,
): BoletoTerms {
  const days = request?.expiresInDays ?? DAYS_DEFAULT;
  return {
    ...dueTerms(request ?? {}, request?.dueDate ?? addDays(saoPauloDay(nowMs), days)),
    instructions: request?.instructions ?? "",
    documentNumber: request?.documentNumber ?? "",
  };
}

/** Why a registered boleto cannot get its due date. Fine and interest follow the day, a discount does not. */
export function dueDateErrors({ dueDate, discount }: BoletoTerms, today: string): string[] {
  if (dueDate <= today) return [breaks("afterToday", { day: today })];
  if (dueDate > LAST_DUE_DATE) return [breaks("notAfter", { day: LAST_DUE_DATE })];
  if (discount !== null && dueDate < discount.untilDate)
    return [breaks("notBefore", { field: "boleto.discount.untilDate" })];
  return [];
}

/** Due dates outside the calendar's range, and discounts later than the due date or of everything. */
export function* boletoErrors(
  body: Record<string, unknown>,
  today: string,
): Generator<z.core.$ZodIssue> {
  if (body["boleto"] === undefined) return;
  const boleto = body["boleto"] as Record<string, unknown> | null;
  const days = daysToPay.default(DAYS_DEFAULT).safeParse(boleto?.["expiresInDays"]);
  const isByDays = boleto?.["dueDate"] === undefined && days.success;
  yield* dueTermErrors(body, {
    member: "boleto",
    today,
    lastDueDate: LAST_DUE_DATE,
    defaultDueDate: isByDays ? addDays(today, days.data) : undefined,
  });
}
