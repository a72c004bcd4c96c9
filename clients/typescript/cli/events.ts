import { eventBody } from "../../../src/domain/events/event-body.ts";
import type { CallOptions, Centavo, Event } from "../src/index.ts";

/** The API's largest page. */
export const EVENTS_PAGE = 100;
/** The API's cursor has at most fifteen digits. */
export const SEQUENCE_MAX = 999_999_999_999_999;

/** The company's events after a number, in order. */
export async function eventsAfter(
  centavo: Centavo,
  after: number,
  limit: number,
  options?: CallOptions,
): Promise<Event[]> {
  return (await centavo.events.list({ after: String(after), limit }, options)).items;
}

/** The company's newest event; null before the first. */
export async function newestEventOf(
  centavo: Centavo,
  options?: CallOptions,
): Promise<Event | null> {
  const { items } = await centavo.events.list({ order: "newest", limit: 1 }, options);
  return items[0] ?? null;
}

/** An event whose data the application may see. */
export type VisibleEvent = Event & { data: NonNullable<Event["data"]> };

export function isVisible(event: Event): event is VisibleEvent {
  return event.data !== null;
}

/** The body of the event's webhook, byte for byte as the gateway sends it (docs/webhooks.md). */
export function webhookBody(event: VisibleEvent): string {
  return eventBody({ ...event, timestamp: Date.parse(event.timestamp) });
}
