import { z } from "@hono/zod-openapi";
import { APPROVAL_STATUSES } from "../../domain/withdraws/withdraw-status.ts";
import { REFUND_STATUSES } from "../../domain/charges/transaction.ts";
import { cursor, isoTimeText, pageLimit, text, TEXT_MAX } from "../../http/fields/fields.ts";
import { NullableRequester } from "../../http/fields/requester.ts";
import { requestedExitView } from "./views.ts";
import { EXAMPLE_REQUESTED_EXIT } from "../../domain/events/api-examples.ts";
import { breaks } from "../../lib/fields/rules.ts";

const EXAMPLE = requestedExitView(EXAMPLE_REQUESTED_EXIT);

const RequestedRefund = z
  .object({
    id: z.string(),
    kind: z.enum(["refund", "return"]).openapi({
      description: "`return`: of an unexpected payment.",
    }),
    transactionId: z.string().nullable(),
    paymentId: z.string().nullable().openapi({
      description: "The provider's id of the payment that goes back; of a PIX the end-to-end id.",
    }),
    amount: z.int().openapi({ description: "centavos" }),
    status: z.enum(REFUND_STATUSES),
    approval: z.enum(APPROVAL_STATUSES),
    requestedBy: NullableRequester,
    decidedBy: NullableRequester.openapi({ description: "Who approved or refused it." }),
    decisionReason: z.string().nullable(),
    createdAt: isoTimeText,
    approvalExpiresAt: isoTimeText
      .nullable()
      .openapi({ description: "Until when it waits; then the money comes back." }),
  })
  .openapi("RequestedRefund", { example: EXAMPLE });

export const RequestedRefundEnvelope = z
  .object({ data: RequestedRefund })
  .openapi("RequestedRefundEnvelope", { example: { data: EXAMPLE } });

export const RequestedRefunds = z
  .object({ items: z.array(RequestedRefund), after: z.string().nullable(), hasMore: z.boolean() })
  .openapi("RequestedRefunds", { example: { items: [EXAMPLE], after: null, hasMore: false } });

export const RequestedRefundsQuery = z.object({
  approval: z.literal("pending", { error: breaks("value", { values: "pending" }) }),
  after: cursor.optional(),
  limit: pageLimit,
});

export const RefundDecisionBody = z
  .object({ reason: text(TEXT_MAX).optional() })
  .openapi("RefundDecision", { example: { reason: "The payer showed the receipt." } });
