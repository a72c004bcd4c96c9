import { DEBIT_RULE_MARKS } from "../../domain/subscriptions/debit-rules.ts";
import { z } from "@hono/zod-openapi";
import { CREATE_STATUSES, PAYMENT_METHODS } from "../../domain/charges/charge-status.ts";
import { RETRY_RULE_NAMES } from "../../domain/subscriptions/debit-rules.ts";
import { CARD_SKIPS, CYCLE_STATUSES } from "../../domain/subscriptions/records.ts";
import { chargeView } from "../../domain/subscriptions/subscription-view.ts";
import { cursor, isoTimeText, pageLimit } from "../../http/fields/fields.ts";
import {
  SubscriptionAttempt,
  SubscriptionChargeAttempt,
  SubscriptionDebitEnd,
  SubscriptionDebitRefusal,
} from "./attempt-schema.ts";
import { EXAMPLE_CYCLE, EXAMPLE_SUBSCRIPTION } from "./examples.ts";
import { cents, day } from "./schemas.ts";

const EXAMPLE_CHARGE = chargeView(
  EXAMPLE_SUBSCRIPTION,
  { cycle: EXAMPLE_CYCLE, byHandStatus: "waiting_payment" },
  { publicUrl: "https://pay.example.com", nowMs: EXAMPLE_CYCLE.updatedAt },
);

const byHandFields = {
  id: z.string().openapi({ format: "uuid", description: "The charge that is paid by hand." }),
  method: z.enum(PAYMENT_METHODS).openapi({
    description: "CREDIT_CARD: the payer's saved card is charged (`dunning.savedCardId`).",
  }),
  url: z.string().nullable().openapi({
    description:
      "The page on which it is paid; null without a public address, and for a saved card.",
  }),
  digitableLine: z.string().nullable().openapi({
    description: "Of a boleto that is made; null for any other.",
  }),
};

/** A day or time of a debit, and why it is this one. */
export const DebitDay = z
  .object({
    what: z.enum([
      "due",
      "settles",
      "ordered",
      "ordered_until",
      "cancelled_until",
      "payer_cancels_until",
    ]),
    at: z.string().openapi({ description: "A day, or the time of a limit." }),
    why: z.string(),
    source: z.string(),
    mark: z.enum(DEBIT_RULE_MARKS).openapi({
      description:
        "How sure the rule is: BACEN's own, of PSPs' manuals, or a stricter choice of ours.",
    }),
  })
  .openapi("DebitDay");

/** A cycle's charge without the reasons of its days, as events show it. */
export const chargeFields = {
  id: z.string().openapi({ format: "uuid", description: "The charge, which is a transaction." }),
  transactionId: z.string().openapi({ format: "uuid", description: "The same as `id`." }),
  cycle: z.int().openapi({ description: "Its place in the subscription, from 1." }),
  dueDate: z.string().openapi({ format: "date" }),
  amount: z.int().openapi({ description: "centavos" }),
  status: z.enum(CYCLE_STATUSES).openapi("SubscriptionChargeStatus"),
  attempts: z.array(SubscriptionAttempt),
  end: SubscriptionDebitEnd.nullable().openapi({
    description: "Why the banks say that its debit is over unpaid; null where they do not.",
  }),
  byHand: z.object(byHandFields).nullable().openapi({
    description:
      "By which the payer pays this cycle by hand, in an event only while he can; null before it is made.",
  }),
  cardSkipped: z
    .enum(CARD_SKIPS)
    .nullable()
    .openapi({
      description:
        "Why the saved card of the dunning was not charged: it is `deleted`, `no_account` takes it, or its `brand_rules` " +
        "allow no attempt now. Null where nothing kept it from that.",
    }),
  recovered: z.boolean().openapi({
    description: "Whether it was paid after a failed attempt, by a retry or by hand.",
  }),
  createdAt: isoTimeText,
  updatedAt: isoTimeText,
};

const SubscriptionCharge = z
  .object({
    ...chargeFields,
    attempts: z.array(SubscriptionChargeAttempt),
    refusal: SubscriptionDebitRefusal.nullable().openapi({
      description:
        "Why the provider did not take the order of its debit, which is sent again each day; null once it is taken, or " +
        "refused for good, which is an attempt.",
    }),
    byHand: z
      .object({
        ...byHandFields,
        status: z.enum(CREATE_STATUSES).nullable().openapi({
          description: "As of any transaction; null before it is made.",
        }),
      })
      .nullable(),
    cancellable: z.boolean().openapi({ description: "Whether it can be cancelled now." }),
    days: z
      .array(DebitDay)
      .openapi({ description: "Each day of the debit, and the rule that makes it this day." }),
    retryDays: z
      .array(
        z.object({
          date: z.string().openapi({ format: "date" }),
          allowed: z.boolean(),
          rule: z.enum(RETRY_RULE_NAMES).openapi("RetryRule"),
          why: z.string(),
          source: z.string(),
        }),
      )
      .openapi({
        description:
          "Of a debit that failed: the seven days after its due date, and whether it can be repeated on each now. Else empty.",
      }),
  })
  .openapi("SubscriptionCharge", { example: EXAMPLE_CHARGE });

export const SubscriptionChargeEnvelope = z
  .object({ data: SubscriptionCharge })
  .openapi("SubscriptionChargeEnvelope", { example: { data: EXAMPLE_CHARGE } });

export const SubscriptionCharges = z
  .object({
    items: z.array(SubscriptionCharge),
    after: z.string().nullable(),
    hasMore: z.boolean(),
  })
  .openapi("SubscriptionCharges", {
    example: { items: [EXAMPLE_CHARGE], after: "1", hasMore: false },
  });

export const ChargesQuery = z.object({
  after: cursor.default(Number.MAX_SAFE_INTEGER).openapi({ type: "string" }),
  limit: pageLimit,
});

export const ChargeParam = z.object({
  id: z.string().openapi({ format: "uuid", example: EXAMPLE_SUBSCRIPTION.id }),
  transactionId: z.string().openapi({ format: "uuid", example: EXAMPLE_CHARGE.transactionId }),
});

export const OpenCharge = z
  .object({
    dueDate: day.openapi({ description: "That of the next cycle (`nextCharges`)." }),
    amount: cents().optional().openapi({
      description: "centavos of this cycle alone; where left out those of the subscription",
    }),
  })
  .openapi("OpenSubscriptionChargeInput", { example: { dueDate: "2031-01-10" } });

export const RetryCharge = z
  .object({ date: day.openapi({ description: "One of the days that the rules allow." }) })
  .openapi("RetrySubscriptionChargeInput", { example: { date: "2030-12-16" } });
