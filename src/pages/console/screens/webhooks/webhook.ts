import type { getEvent, listEvents } from "../../../../api/events/routes.ts";
import type { listWebhookDeliveries } from "../../../../api/webhooks/deliveries/routes.ts";
import type { getWebhookEndpoint } from "../../../../api/webhooks/endpoint/routes.ts";
import type {
  createWebhookEndpoint,
  listWebhookEndpoints,
} from "../../../../api/webhooks/endpoints/routes.ts";
import type { verifyWebhook } from "../../../../api/webhooks/verify/routes.ts";
import { endpointNumber, FIRST_ENDPOINT } from "../../../../domain/events/webhook-endpoint.ts";
import type { JsonOf, RouteBody } from "../../../../http/openapi/route-types.ts";
import { fill, type Texts } from "../../texts.ts";

export const WEBHOOKS_PATH = "/console/webhooks";
export const DELIVERIES_PATH = `${WEBHOOKS_PATH}/deliveries`;
export const ENDPOINTS_PATH = `${WEBHOOKS_PATH}/endpoints`;

export type DeliveryStatus = Delivery["status"];

export type Endpoint = RouteBody<typeof getWebhookEndpoint>;

/** One of the company's endpoints, of which `Endpoint` is the first. */
export type EndpointItem = RouteBody<typeof listWebhookEndpoints>["items"][number];
/** What a person types of an endpoint. */
export type TypedEndpoint = JsonOf<typeof createWebhookEndpoint>;

/** What people call the target of a delivery. */
export function targetName({ targets, numbered }: Texts["webhooks"], target: string): string {
  if (target === FIRST_ENDPOINT) return targets.endpoint;
  const number = endpointNumber(target);
  return number === null ? targets.postback : fill(numbered, { number });
}

/** A delivery of an event to one target. */
export type Delivery = RouteBody<typeof listWebhookDeliveries>["items"][number];

/** `data` is null without the scope of its object. */
export type WebhookEvent = RouteBody<typeof listEvents>["items"][number];
export type EventDetail = RouteBody<typeof getEvent>;
export type Attempt = EventDetail["deliveries"][number]["tries"][number];

/** What the debugger found. */
export type Verdict = RouteBody<typeof verifyWebhook>;
