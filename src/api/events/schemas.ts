import { z } from "@hono/zod-openapi";
import { DELIVERY_STATUSES } from "../../db/schema/webhooks.ts";
import {
  DISPUTE_EVENT_TYPES,
  EVENT_TYPES,
  FREEZE_EVENT_TYPES,
  PAYMENT_EVENT_TYPES,
  PAYMENT_LINK_EVENT_TYPES,
  SETTINGS_EVENT_TYPES,
  SUBSCRIPTION_EVENT_TYPES,
  TRANSACTION_EVENT_TYPES,
  WITHDRAW_EVENT_TYPES,
  type EventType,
} from "../../domain/events/event-types.ts";
import {
  deliveryTarget,
  isoTimeText,
  cursor,
  listOrder,
  pageLimit,
} from "../../http/fields/fields.ts";
import { breaks } from "../../lib/fields/rules.ts";
import {
  AnchorData,
  BalanceData,
  DisputeData,
  FreezeData,
  PaymentData,
  PaymentLinkData,
  SettingsData,
  SubscriptionData,
  TestData,
  TransactionData,
  WithdrawData,
} from "./data-schemas.ts";

export const EventsQuery = z.object({
  after: cursor.default(0),
  limit: pageLimit,
  order: listOrder,
  type: z
    .enum(EVENT_TYPES, { error: breaks("oneOf", { values: EVENT_TYPES.join(", ") }) })
    .optional(),
});

const listed = {
  id: z.string().openapi({ example: "evt_1_42", description: "The `webhook-id`." }),
  companySequence: z.int().openapi({ description: "From 1 without gaps, for each company." }),
  archived: z.literal(true).optional().openapi({
    description: "Its data have left the database for the archive (docs/storage.md); else absent.",
  }),
};
const sent = {
  timestamp: isoTimeText,
  sequence: z.int().openapi({ description: "From 1 without gaps, for each object." }),
};

/** The events of one kind, whose `data` have one shape: as a webhook sends them, and as the list shows them. */
function kindOf<Type extends EventType, Data extends z.ZodType>(
  name: string,
  types: readonly [Type, ...Type[]],
  data: Data,
) {
  const type = z.enum(types);
  return {
    data,
    webhook: z.object({ type, ...sent, data }).openapi(`${name}WebhookBody`),
    event: z
      .object({
        ...listed,
        type,
        ...sent,
        data: z.union([data, z.null()]).openapi({
          description:
            "null without the scope of the event's object, and of an archived event while the archive cannot be read.",
        }),
      })
      .openapi(`${name}Event`),
  };
}

const transaction = kindOf("Transaction", TRANSACTION_EVENT_TYPES, TransactionData);
const withdraw = kindOf("Withdraw", WITHDRAW_EVENT_TYPES, WithdrawData);
const dispute = kindOf("Dispute", DISPUTE_EVENT_TYPES, DisputeData);
const payment = kindOf("Payment", PAYMENT_EVENT_TYPES, PaymentData);
const paymentLink = kindOf("PaymentLink", PAYMENT_LINK_EVENT_TYPES, PaymentLinkData);
const subscription = kindOf("Subscription", SUBSCRIPTION_EVENT_TYPES, SubscriptionData);
const freeze = kindOf("Freeze", FREEZE_EVENT_TYPES, FreezeData);
const settings = kindOf("Settings", SETTINGS_EVENT_TYPES, SettingsData);
const balance = kindOf("Balance", ["balance.released"], BalanceData);
const anchor = kindOf("Anchor", ["ledger.anchored"], AnchorData);
const test = kindOf("Test", ["webhook.test"], TestData);

export const Event = z
  .discriminatedUnion("type", [
    transaction.event,
    withdraw.event,
    dispute.event,
    payment.event,
    paymentLink.event,
    subscription.event,
    freeze.event,
    settings.event,
    balance.event,
    anchor.event,
    test.event,
  ])
  .openapi("Event", {
    description:
      "`type` tells the shape of `data`, which are as they were sent: an event of an older release lacks later fields.",
  });

export const Events = z
  .object({
    items: z.array(Event),
    after: z.string().openapi({
      description: "Send it back as `after`: now or, oldest first, also later.",
    }),
    hasMore: z.boolean(),
  })
  .openapi("Events");

const Attempt = z.object({
  number: z.int(),
  createdAt: isoTimeText,
  durationMs: z.int(),
  httpStatus: z.int().nullable(),
  fault: z.string().nullable().openapi({ description: "Why no response came." }),
  answer: z.string().openapi({ description: "The response's first kibibyte." }),
});

const delivery = {
  id: z.string().openapi({ example: "dlv_1_42_endpoint" }),
  eventId: z.string().openapi({ example: "evt_1_42" }),
  target: deliveryTarget,
  url: z.string(),
  status: z.enum(DELIVERY_STATUSES).openapi("DeliveryStatus"),
  attempts: z.int(),
  nextAttemptAt: isoTimeText.nullable(),
  updatedAt: isoTimeText,
};

export const Delivery = z.object(delivery).openapi("Delivery");

export const DeliveriesQuery = z.object({
  after: cursor.optional(),
  limit: pageLimit,
  status: z
    .enum(DELIVERY_STATUSES, { error: breaks("oneOf", { values: DELIVERY_STATUSES.join(", ") }) })
    .optional(),
});

export const Deliveries = z
  .object({ items: z.array(Delivery), after: z.string().nullable(), hasMore: z.boolean() })
  .openapi("Deliveries");

export const EventDetail = z
  .object({
    ...listed,
    type: z.enum(EVENT_TYPES),
    ...sent,
    data: z
      .union([
        transaction.data,
        withdraw.data,
        dispute.data,
        payment.data,
        paymentLink.data,
        subscription.data,
        freeze.data,
        settings.data,
        balance.data,
        anchor.data,
        test.data,
        z.null(),
      ])
      .openapi({
        description:
          "As `type` says (`Event`); null of an archived event while the archive cannot be read.",
      }),
    deliveries: z.array(z.object({ ...delivery, tries: z.array(Attempt) })),
  })
  .openapi("EventDetail");

export const WebhookHeaders = z.object({
  "webhook-id": z.string().openapi({
    description: "The event's id, the same in every retry: use it to detect duplicates.",
    example: "evt_1_42",
  }),
  "webhook-timestamp": z.string().openapi({
    description: "Unix seconds of this attempt.",
    example: "1795262400",
  }),
  "webhook-signature": z.string().openapi({
    description:
      "Standard Webhooks 1.0: `v1` (HMAC-SHA256) for each valid secret, then `v1a` (Ed25519).",
  }),
});

export const Webhook = z
  .discriminatedUnion("type", [
    transaction.webhook,
    withdraw.webhook,
    dispute.webhook,
    payment.webhook,
    paymentLink.webhook,
    subscription.webhook,
    freeze.webhook,
    settings.webhook,
    balance.webhook,
    anchor.webhook,
    test.webhook,
  ])
  .openapi("Webhook", {
    description: "`type` tells the shape of `data`: the object as the API showed it at that time.",
  });
