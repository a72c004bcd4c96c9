import { z } from "@hono/zod-openapi";
import { MAX_AMOUNT_CENTS } from "../../domain/shared/money.ts";
import { text, TEXT_MAX } from "../../http/fields/fields.ts";
import { neverNull } from "../../http/fields/known-fields.ts";
import { breaks } from "../../lib/fields/rules.ts";
import { calendarDay } from "../../methods/terms/request.ts";

/** An amount that may be left out for the whole. `JSON.stringify` writes NaN as null, which is no whole. */
function partOf(whole: string, description: string) {
  const amount = z
    .int({
      error: ({ input }) =>
        input === null
          ? breaks("amountNotNull", { whole })
          : breaks("integerOf", { unit: "centavos" }),
    })
    .min(1, breaks("minCentavos", { min: 1 }))
    .max(MAX_AMOUNT_CENTS, breaks("maxCentavos", { max: MAX_AMOUNT_CENTS }));
  return neverNull(amount.optional().openapi({ example: 500, description }));
}

export const RefundBody = z
  .object({
    amount: partOf("to refund the rest", "centavos; all that was not refunded yet where left out"),
    insteadOf: text(TEXT_MAX)
      .optional()
      .openapi({
        description:
          "The id of the transaction's open dispute that this refund stands instead of: what the dispute has blocked " +
          "pays it, and `amount` is the dispute's, which is also meant where it is left out.",
        example: "E00000000202611211201a1b2c3d4e5f:D1",
      }),
  })
  .openapi("RefundTransactionInput");

export const DueDateBody = z
  .object({
    dueDate: calendarDay.openapi({
      description: "After today in America/Sao_Paulo, and not before the discount's `untilDate`.",
      example: "2026-12-15",
    }),
  })
  .openapi("ChangeDueDateInput");

export const CaptureBody = z
  .object({
    amount: partOf("to capture all of it", "centavos; all that was authorized where left out"),
  })
  .openapi("CaptureTransactionInput");
