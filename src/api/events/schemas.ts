import { z } from "@hono/zod-openapi";
import { DELIVERY_STATUSES } from "../../db/schema/webhooks.ts";
import { EVENT_TYPES } from "../../domain/events/event-types.ts";
import {
  deliveryTarget,
  isoTimeText,
  cursor,
  listOrder,
  pageLimit,
} from "../../http/fields/fields.ts";
import { breaks } from "../../lib/fields/rules.ts";

export const EventsQuery = z.object({
  after: cursor.default(0),
  limit: pageLimit,
  order: listOrder,
  type: z
    .enum(EVENT_TYPES, { error: breaks("oneOf", { values: EVENT_TYPES.join(", ") }) })
    .optional(),
});

const header = {
  id: z.string().openapi({ example: "evt_1_42", description: "The `webhook-id`." }),
  companySequence: z.int().openapi({ description: "From 1 without gaps, for each company." }),
  type: z.string().openapi({ example: "transaction.paid" }),
  timestamp: isoTimeText,
  sequence: z.int().openapi({ description: "From 1 without gaps, for each object." }),
  archived: z.literal(true).optional().openapi({
    description: "Its data have left the database for the archive (docs/storage.md); else absent.",
  }),
};

const data = z.record(z.string(), z.unknown());

export const Events = z
  .object({
    items: z.array(
      z.object({
        ...header,
        data: data.nullable().openapi({
          description:
            "null without the scope of the event's object, and of an archived event while the archive cannot be read.",
        }),
      }),
    ),
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
    ...header,
    data: data.nullable().openapi({
      description: "null of an archived event while the archive cannot be read.",
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
  .object({
    type: z.enum(EVENT_TYPES),
    timestamp: isoTimeText,
    sequence: z.int().openapi({ description: "From 1 without gaps, for each object." }),
    data: z.record(z.string(), z.unknown()).openapi({
      description: "The object as the API showed it at that time, with its `previousStatus`.",
    }),
  })
  .openapi("Webhook");
