import { EVENT_TYPES, type EventType } from "./event-types.ts";

/**
 * A company's webhook endpoint, as the API names it and as the target of its deliveries: `endpoint` is the first, whose
 * URL and secret are the company's own, `endpoint_2` and on have their own.
 */
export type EndpointId = "endpoint" | `endpoint_${number}`;

/** The first endpoint, whose secret signs deliveries to a `postbackUrl` too. */
export const FIRST_ENDPOINT = "endpoint";
/** Endpoints of a company: each may be one more delivery of every event. */
export const ENDPOINTS_MAX = 16;
/** Takes every type, also those that are new later. */
export const ALL_EVENTS = "*";

const ENDPOINT_ID = /^endpoint(?:_([1-9]\d{0,8}))?$/;

/** What an endpoint takes: a type, or `*`. A test goes to the endpoint that it names, whatever that takes. */
export const ENDPOINT_EVENTS = [
  ALL_EVENTS,
  ...EVENT_TYPES.filter((type) => type !== "webhook.test"),
] as const;
export type EndpointEvent = (typeof ENDPOINT_EVENTS)[number];

/** The id of an endpoint by its number; the first is 1. */
export function endpointId(number: number): EndpointId {
  return number === 1 ? FIRST_ENDPOINT : `${FIRST_ENDPOINT}_${number}`;
}

/** The number of an endpoint, from 1; null for any text that is no endpoint's id, such as `postback`. */
export function endpointNumber(id: string): number | null {
  const match = ENDPOINT_ID.exec(id);
  if (match === null) return null;
  const number = Number(match[1] ?? 1);
  return endpointId(number) === id ? number : null;
}

/** Whether an endpoint takes events of a type. */
export function takesEvent(events: readonly EndpointEvent[], type: EventType): boolean {
  return events.some((each) => each === ALL_EVENTS || each === type);
}
