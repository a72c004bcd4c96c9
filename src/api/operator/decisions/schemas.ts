import { z } from "@hono/zod-openapi";
import { MAX_AMOUNT_CENTS } from "../../../domain/shared/money.ts";
import { integer, isoTimeText, text, TEXT_MAX } from "../../../http/fields/fields.ts";
import { EXAMPLE_TRANSACTION } from "../../../domain/events/api-examples.ts";

export const SuspendedPaymentSchema = z
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
  .openapi("SuspendedPayment", {
    example: {
      paymentId: "E00000000202611211200a1b2c3d4e5f",
      transactionId: EXAMPLE_TRANSACTION.id,
      amount: 2_500,
      paidAt: "2026-11-21T12:00:00.000Z",
      returnedAmount: 0,
      returnStatus: null,
    },
  });

export const SuspendedPayments = z
  .object({
    items: z.array(SuspendedPaymentSchema),
    after: z.string().nullable(),
    hasMore: z.boolean(),
  })
  .openapi("SuspendedPayments");

export const DecisionBody = z
  .object({
    outcome: z.enum(["done", "failed"], { error: "must be done or failed" }),
    reason: text(TEXT_MAX).default("Decided by the operator."),
    endToEndId: text(TEXT_MAX).optional(),
  })
  .openapi("OperatorDecision");

/** A `DecisionBody` that also allows `returned`, for a Paid withdraw. */
export const WithdrawDecisionBody = z
  .object({
    outcome: z.enum(["done", "failed", "returned"], {
      error: "must be done, failed or returned",
    }),
    reason: text(TEXT_MAX).default("Decided by the operator."),
    endToEndId: text(TEXT_MAX).optional(),
    returnedAmount: integer(1, MAX_AMOUNT_CENTS, "centavos").optional().openapi({
      description: "With `returned`: centavos returned in total; by default the full amount.",
    }),
  })
  .superRefine(({ outcome, returnedAmount }, context) => {
    if (returnedAmount === undefined || outcome === "returned") return;
    context.addIssue({
      code: "custom",
      path: ["returnedAmount"],
      message: "is only allowed with returned",
    });
  })
  .openapi("OperatorWithdrawDecision");

export const DecidedOperation = z
  .object({
    operationId: z.string(),
    outcome: z.enum(["PENDING", "DONE", "FAILED"]),
    reason: z.string().nullable(),
  })
  .openapi("DecidedOperation");
