import { z } from "@hono/zod-openapi";

/** `card` of a transaction's answer: never its whole number, never its CVV. */
export const CardResponse = z
  .object({
    brand: z.string().openapi({ example: "visa" }),
    firstDigits: z.string().openapi({ example: "424242" }),
    lastDigits: z.string().openapi({ example: "4242" }),
    holderName: z.string(),
    expirationMonth: z.int(),
    expirationYear: z.int(),
    authorizationCode: z.string().nullable(),
    savedCardId: z.string().optional().openapi({
      description: "What `card.savedCardId` of a later create takes, where this one saved it",
    }),
  })
  .openapi("TransactionCard");

/** `refusedReason` of a transaction's answer: an acquirer's refusal of its card. */
export const RefusedReasonResponse = z
  .object({
    code: z.string().openapi({ example: "INSUFFICIENT_FUNDS" }),
    message: z.string(),
    retryable: z
      .boolean()
      .openapi({ description: "Whether the same card may be tried again later" }),
    attemptsLeft: z.int().optional().openapi({
      description: "How many more attempts the card's brand allows for now, where known",
    }),
    retryNotBefore: z
      .string()
      .optional()
      .openapi({ description: "ISO 8601. An earlier attempt would break the brand's rules" }),
  })
  .openapi("TransactionRefusedReason");
