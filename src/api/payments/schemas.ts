import { z } from "@hono/zod-openapi";
import {
  UNEXPECTED_REASONS,
  UNEXPECTED_RULES,
  UNEXPECTED_STATUSES,
  unexpectedPaymentView,
} from "../../domain/charges/unexpected-payment.ts";
import {
  EXAMPLE_TRANSACTION,
  EXAMPLE_UNEXPECTED_PAYMENT,
} from "../../domain/events/api-examples.ts";
import { cursor, isoTimeText, pageLimit } from "../../http/fields/fields.ts";
import { APPROVAL_STATUSES } from "../../domain/withdraws/withdraw-status.ts";
import { NullableRequester } from "../../http/fields/requester.ts";
import { PaidBySchema } from "../transactions/schemas.ts";
import { breaks } from "../../lib/fields/rules.ts";

const EXAMPLE = unexpectedPaymentView(EXAMPLE_UNEXPECTED_PAYMENT);

export const UnexpectedPayment = z
  .object({
    id: z
      .string()
      .openapi({ description: "The provider's id; of a PIX the end-to-end id (BACEN)." }),
    reason: z.enum(UNEXPECTED_REASONS),
    amount: z.int().openapi({ description: "centavos" }),
    transactionId: z
      .string()
      .nullable()
      .openapi({ description: "The transaction that it came for or was credited to." }),
    endToEndId: z.string().nullable(),
    payer: z.union([PaidBySchema, z.null()]).openapi({
      description: "As far as the provider says; the name masked without `pii:read`.",
    }),
    receivedAt: isoTimeText,
    status: z.enum(UNEXPECTED_STATUSES),
    rule: z.enum(UNEXPECTED_RULES).openapi({ description: "The company's rule when it came." }),
    requestedBy: NullableRequester.openapi({
      description: "Who asked for its return or credit: a caller, an operator or the rule.",
    }),
    approval: z
      .enum(APPROVAL_STATUSES)
      .openapi({ description: "`pending`: somebody else must approve its return." }),
  })
  .openapi("UnexpectedPayment", { example: EXAMPLE });

export const UnexpectedPaymentEnvelope = z
  .object({ data: UnexpectedPayment })
  .openapi("UnexpectedPaymentEnvelope", { example: { data: EXAMPLE } });

const oneOf = (names: readonly string[]) => ({
  error: breaks("oneOf", { values: names.join(", ") }),
});

export const UnexpectedPaymentsQuery = z.object({
  status: z.enum(UNEXPECTED_STATUSES, oneOf(UNEXPECTED_STATUSES)).optional(),
  reason: z.enum(UNEXPECTED_REASONS, oneOf(UNEXPECTED_REASONS)).optional(),
  after: cursor.optional(),
  limit: pageLimit,
});

export const UnexpectedPayments = z
  .object({ items: z.array(UnexpectedPayment), after: z.string().nullable(), hasMore: z.boolean() })
  .openapi("UnexpectedPayments", { example: { items: [EXAMPLE], after: null, hasMore: false } });

export const CreditBody = z
  .object({
    transactionId: z
      .uuid({ error: breaks("transactionId") })
      .optional()
      .openapi({
        description:
          "Where left out: its own transaction if that can still be paid, else a new one.",
      }),
  })
  .openapi("CreditPayment", { example: { transactionId: EXAMPLE_TRANSACTION.id } });
