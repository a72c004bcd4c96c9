import { z } from "@hono/zod-openapi";
import { isoTimeText } from "../../../http/fields/fields.ts";
import { OPERATION_DECISION, PAYOUT_DECISION, checkReturnedAmount } from "../proposals/requests.ts";
import { evidence, requiredReason } from "../proposals/schemas.ts";
import { EXAMPLE_TRANSACTION } from "../../../domain/events/api-examples.ts";

const PaymentInSuspenseSchema = z
  .object({
    paymentId: z.string(),
    transactionId: z
      .string()
      .nullable()
      .openapi({ description: "The charge that the payment names; null if it matches none." }),
    amount: z.int().openapi({ description: "centavos" }),
    paidAt: isoTimeText,
    returnedAmount: z.int().openapi({
      description: "centavos returned outside the gateway: at the provider itself, or by a dispute",
    }),
    returnStatus: z.enum(["PENDING", "DONE", "FAILED"]).nullable(),
  })
  .openapi("PaymentInSuspense", {
    example: {
      paymentId: "E00000000202611211200a1b2c3d4e5f",
      transactionId: EXAMPLE_TRANSACTION.id,
      amount: 2_500,
      paidAt: "2026-11-21T12:00:00.000Z",
      returnedAmount: 0,
      returnStatus: null,
    },
  });

export const PaymentsInSuspense = z
  .object({
    items: z.array(PaymentInSuspenseSchema),
    after: z.string().nullable(),
    hasMore: z.boolean(),
  })
  .openapi("PaymentsInSuspense");

/** Only the proposal's own fields. */
export const ReturnBody = z
  .object({ reason: requiredReason, evidence })
  .openapi("OperatorReturn", { example: { reason: "The payer asked for it in writing." } });

export const DecisionBody = z
  .object({ ...OPERATION_DECISION, reason: requiredReason, evidence })
  .openapi("OperatorDecision");

/** A `DecisionBody` that also allows `returned`, for a Paid withdraw. */
export const WithdrawDecisionBody = z
  .object({ ...PAYOUT_DECISION, reason: requiredReason, evidence })
  .superRefine(checkReturnedAmount)
  .openapi("OperatorWithdrawDecision");
