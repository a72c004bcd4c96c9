import { z } from "@hono/zod-openapi";
import { CREATE_STATUSES, PAYMENT_METHODS } from "../../../domain/charges/charge-status.ts";
import { ACCOUNTS, TRANSACTION_MOVEMENT_TYPES } from "../../../domain/ledger/ledger.ts";
import { OPERATION_KINDS } from "../../../domain/charges/operation.ts";
import { CAUSE_KINDS } from "../../../domain/charges/charge-history.ts";
import { DISPUTE_STATUSES, REFUND_STATUSES } from "../../../domain/charges/transaction.ts";
import { deliveryTarget, isoTimeText } from "../../../http/fields/fields.ts";

/**
 * Items up to which an answer is filled with attempts, and movements and events that are read: a
 * transaction refunded 100 times has 500 items of its own.
 */
export const TIMELINE_MAX = 1_000;
/** Characters of an answer to a webhook; the event's own page shows its first kibibyte. */
export const RESPONSE_SHOWN_MAX = 200;

const cents = z.int().openapi({ description: "centavos" });

const Cause = z
  .object({
    kind: z.enum(CAUSE_KINDS),
    id: z
      .string()
      .nullable()
      .openapi({
        description:
          "Of a payment its end-to-end id, of a refund, cancel, return, dispute or chargeback the id " +
          "its own items carry; null where the cause has none.",
      }),
    amount: z.int().nullable().openapi({ description: "centavos; null where the cause has none" }),
  })
  .openapi("TimelineCause", {
    description:
      "`expiry`: its time ran out. `refusal`, `provider_cancel`: the provider says that it failed or " +
      "was cancelled. `release`: a credit's day has come.",
  });

const Created = z
  .object({
    kind: z.literal("created"),
    at: isoTimeText,
    amount: cents,
    currency: z.string().openapi({ example: "BRL" }),
    paymentMethod: z.enum(PAYMENT_METHODS).openapi("PaymentMethod"),
    expiresAt: isoTimeText.nullable(),
  })
  .openapi("TimelineCreated", {
    description:
      "A charge past `expiresAt` is shown as cancelled from then on; its move follows once the " +
      "provider was asked.",
  });

const Answered = z
  .object({
    kind: z.literal("answered"),
    at: isoTimeText,
    status: z.enum(CREATE_STATUSES).openapi("TransactionStatus"),
    reason: z.string().nullable().openapi({ description: "Why the provider refused it." }),
  })
  .openapi("TimelineAnswered", {
    description: "What the provider said when it was created; before all that followed from it.",
  });

const Payment = z
  .object({
    kind: z.literal("payment"),
    at: isoTimeText,
    paymentId: z.string(),
    amount: cents,
    paidAt: isoTimeText.openapi({
      description: "What the provider says; `at` is when it was booked.",
    }),
    expected: z.boolean().openapi({
      description: "False for an unexpected payment, which no open charge expected.",
    }),
  })
  .openapi("TimelinePayment");

const Operation = z
  .object({
    kind: z.literal("operation"),
    at: isoTimeText,
    operation: z.enum(OPERATION_KINDS),
    id: z.string(),
    amount: z.int().openapi({ description: "centavos; 0 where no money moves" }),
    status: z.enum(REFUND_STATUSES).openapi("RefundStatus", {
      description: "As it stood then: PENDING when it was asked for, later how it ended.",
    }),
    reason: z.string().nullable().openapi({ description: "Why it failed." }),
    dueDate: z
      .object({ from: z.string(), to: z.string() })
      .optional()
      .openapi("TimelineDueDate", { description: "Of a `due_date`: the days, `YYYY-MM-DD`." }),
  })
  .openapi("TimelineOperation", {
    description:
      "A refund, a cancel, a capture, the return of a payment that nobody expected, or another due date of a boleto.",
  });

const Dispute = z
  .object({
    kind: z.literal("dispute"),
    at: isoTimeText,
    id: z.string(),
    type: z.enum(["DISPUTE", "CHARGEBACK"]),
    amount: cents,
    status: z.enum(DISPUTE_STATUSES).openapi("DisputeStatus"),
  })
  .openapi("TimelineDispute");

const StatusTransition = z
  .object({
    kind: z.literal("move"),
    at: isoTimeText,
    from: z.enum(CREATE_STATUSES).openapi("TransactionStatus"),
    to: z.enum(CREATE_STATUSES).openapi("TransactionStatus"),
    cause: Cause,
  })
  .openapi("TimelineMove");

export const Postings = z
  .array(
    z
      .object({ account: z.enum(ACCOUNTS).openapi("LedgerAccount"), amount: cents })
      .openapi("TimelinePosting"),
  )
  .openapi({ description: "They sum to 0; `provider` is the outside world." });

const Movement = z
  .object({
    kind: z.literal("movement"),
    at: isoTimeText,
    number: z.int().openapi({ description: "Of the movement in the company's ledger." }),
    type: z.enum(TRANSACTION_MOVEMENT_TYPES),
    cause: z
      .union([Cause, z.null()])
      .openapi({ description: "Null of one that was booked before causes were kept." }),
    postings: Postings,
  })
  .openapi("TimelineMovement");

export const Event = z
  .object({
    kind: z.literal("event"),
    at: isoTimeText,
    id: z.string().openapi({ example: "evt_1_42", description: "The `webhook-id`." }),
    type: z.string().openapi({ example: "transaction.paid" }),
    sequence: z.int(),
    companySequence: z.int(),
  })
  .openapi("TimelineEvent");

export const Attempt = z
  .object({
    kind: z.literal("attempt"),
    at: isoTimeText,
    eventId: z.string().openapi({ example: "evt_1_42" }),
    deliveryId: z.string().openapi({ example: "dlv_1_42_endpoint" }),
    target: deliveryTarget,
    number: z.int(),
    durationMs: z.int(),
    httpStatus: z.int().nullable(),
    fault: z.string().nullable().openapi({ description: "Why no answer came." }),
    answer: z
      .string()
      .openapi({ description: `The answer's first ${RESPONSE_SHOWN_MAX} characters.` }),
  })
  .openapi("TimelineAttempt", {
    description: "Shown to an application with the scope `webhooks:read`.",
  });

const Reminder = z
  .object({
    kind: z.literal("reminder"),
    at: isoTimeText,
    number: z.int().openapi({ description: "Counted from 1." }),
    status: z.enum(["sent", "failed"]),
  })
  .openapi("TimelineReminder", {
    description: "An e-mail that reminded the payer, or could not be sent; kept for a year.",
  });

export const Timeline = z
  .object({
    items: z
      .array(
        z.discriminatedUnion("kind", [
          Created,
          Answered,
          Payment,
          Operation,
          Dispute,
          StatusTransition,
          Movement,
          Event,
          Attempt,
          Reminder,
        ]),
      )
      .openapi({
        description:
          "Oldest first. All that is about the transaction itself is there; attempts, the newest of " +
          `them, up to ${TIMELINE_MAX} items in all.`,
      }),
    hasMore: z.boolean().openapi({
      description:
        "Whether something was left out: older attempts, or more of the transaction's own than is " +
        "kept or read.",
    }),
    refundable: z.int().nullable().openapi({
      description:
        "Centavos that may still be refunded, as far as the balance and limits allow; null before it was paid.",
    }),
  })
  .openapi("TransactionTimeline");
