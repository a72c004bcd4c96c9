import type { getEvent, listEvents } from "../../../../api/events/routes.ts";
import type { listWebhookDeliveries } from "../../../../api/webhooks/deliveries/routes.ts";
import type { getWebhookEndpoint } from "../../../../api/webhooks/endpoint/routes.ts";
import type { verifyWebhook } from "../../../../api/webhooks/verify/routes.ts";
import type { RouteBody } from "../../../../http/openapi/route-types.ts";

export const WEBHOOKS_PATH = "/console/webhooks";
export const DELIVERIES_PATH = `${WEBHOOKS_PATH}/deliveries`;

export type DeliveryStatus = Delivery["status"];

export type Endpoint = RouteBody<typeof getWebhookEndpoint>;

/** A delivery of an event to one target. */
export type Delivery = RouteBody<typeof listWebhookDeliveries>["items"][number];

/** `data` is null without the scope of its object. */
export type WebhookEvent = RouteBody<typeof listEvents>["items"][number];
export type EventDetail = RouteBody<typeof getEvent>;
export type Attempt = EventDetail["deliveries"][number]["tries"][number];

/** What the debugger found. */
export type Verdict = RouteBody<typeof verifyWebhook>;
