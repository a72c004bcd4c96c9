import { eventBody } from "../../src/domain/events/event-body.ts";
import type { EventType } from "../../src/domain/events/event-types.ts";
import type { ApiClient } from "../lib/merchant.ts";
import { requestJson } from "./gateway.ts";

/** An event of `GET /api/v1/events`. */
export interface CompanyEvent {
  /** The `webhook-id`. */
  id: string;
  /** From 1 without gaps, per company. */
  companySequence: number;
  type: EventType;
  timestamp: string;
  sequence: number;
  /** Null without the scope of the event's object. */
  data: Record<string, unknown> | null;
}

/** The API's largest page. */
export const EVENTS_PAGE = 100;
/** The API's cursor has at most fifteen digits. */
export const SEQUENCE_MAX = 999_999_999_999_999;

/** The company's events after a number, in order. */
export async function eventsAfter(
  client: ApiClient,
  after: number,
  limit: number,
  signal?: AbortSignal,
): Promise<CompanyEvent[]> {
  const page = await requestJson(client, {
    method: "GET",
    path: `/api/v1/events?after=${after}&limit=${limit}`,
    ...(signal === undefined ? {} : { signal }),
  });
  return page.items;
}

/** The company's newest event; null before the first. */
export function newestEventOf(
  client: ApiClient,
  signal?: AbortSignal,
): Promise<CompanyEvent | null> {
  return newestEvent(async (sequence) => {
    const [event] = await eventsAfter(client, sequence - 1, 1, signal);
    return event ?? null;
  });
}

/**
 * The newest of events numbered from 1 without gaps. `at` reads one event; null for a number without an
 * event. The API does not return the last number: doubling, then halving takes about 2 log2(n) reads;
 * paging through the history would take n / 100.
 */
export async function newestEvent<Event extends { companySequence: number }>(
  at: (sequence: number) => Promise<Event | null>,
): Promise<Event | null> {
  let newest = await at(1);
  if (newest === null) return null;
  let missing = SEQUENCE_MAX;
  for (let next = 2; next < missing; next *= 2) {
    const found = await at(next);
    if (found === null) missing = next;
    else newest = found;
  }
  while (missing - newest.companySequence > 1) {
    const middle = Math.floor((newest.companySequence + missing) / 2);
    const found = await at(middle);
    if (found === null) missing = middle;
    else newest = found;
  }
  return newest;
}

/** An event whose data the application may see. */
export type VisibleEvent = CompanyEvent & { data: Record<string, unknown> };

export function isVisible(event: CompanyEvent): event is VisibleEvent {
  return event.data !== null;
}

/** The body of the event's webhook, byte for byte as the gateway sends it (docs/webhooks.md). */
export function webhookBody(event: VisibleEvent): string {
  return eventBody({ ...event, timestamp: Date.parse(event.timestamp) });
}
