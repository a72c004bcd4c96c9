import { z } from "@hono/zod-openapi";
import { RECEIVED_STATUSES, receivedPaymentView } from "../../domain/charges/received-payment.ts";
import { PAYMENT_METHODS } from "../../domain/charges/charge-status.ts";
import { EXAMPLE_RECEIVED_PAYMENT } from "../../domain/events/api-examples.ts";
import { amountParam, isoInstant, isoTimeText } from "../../http/fields/fields.ts";
import { breaks } from "../../lib/fields/rules.ts";

const EXAMPLE = receivedPaymentView(EXAMPLE_RECEIVED_PAYMENT);

const ReceivedPaymentSchema = z
  .object({
    id: z
      .string()
      .openapi({ description: "The provider's id; of a PIX the end-to-end id (BACEN)." }),
    transactionId: z.string().nullable(),
    paymentMethod: z.enum(PAYMENT_METHODS).openapi("PaymentMethod"),
    amount: z.int().openapi({ description: "centavos" }),
    paidAt: isoTimeText,
    status: z.enum(RECEIVED_STATUSES).openapi({
      description:
        "`credited`: the money is the company's. `kept`: it arrived, but no charge expected it. `disputed`: its " +
        "payer's bank asks it back. `partly_returned`, `returned`: it went back.",
    }),
    payer: z.object({
      firstName: z.string().nullable(),
      documentMasked: z.string().nullable(),
    }),
  })
  .openapi("ReceivedPayment", { example: EXAMPLE });

export const ReceivedPaymentsQuery = z
  .object({
    endToEndId: z
      .string()
      .regex(/^E\d{20}[A-Za-z0-9]{11}$/, {
        error: breaks("endToEndIdForm"),
      })
      .optional(),
    amount: amountParam.optional(),
    at: isoInstant.optional(),
  })
  .refine(
    ({ endToEndId, amount, at }) =>
      endToEndId === undefined
        ? amount !== undefined && at !== undefined
        : amount === undefined && at === undefined,
    { path: ["endToEndId"], error: breaks("endToEndIdOrAmount") },
  );

export const ReceivedPaymentsList = z
  .object({
    items: z.array(ReceivedPaymentSchema),
    isWhole: z.boolean().openapi({
      description: "False where so much came at that time that not all was looked at.",
    }),
  })
  .openapi("ReceivedPayments", { example: { items: [EXAMPLE], isWhole: true } });
