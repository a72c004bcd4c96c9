import { setTimeout as sleep } from "node:timers/promises";
import { isoTime } from "../../../src/domain/shared/clock.ts";
import { exponentialBackoffMs } from "../../../src/lib/backoff.ts";
import { postWebhook, type PostResult } from "../../../src/webhooks/delivery/post.ts";
import { signWebhook } from "../../../src/webhooks/signing/sign.ts";
import { ApiError, CentavoError, type Centavo, type Event } from "../src/index.ts";
import {
  EVENTS_PAGE,
  eventsAfter,
  newestEventOf,
  isVisible,
  webhookBody,
  type VisibleEvent,
} from "./events.ts";
import { CliError, explained } from "./failure.ts";
import type { Output } from "./output.ts";
import { START, type ListenState, type Cursor } from "./state.ts";

/** The poll interval while there are no new events. */
const IDLE_MS = 1_000;
/** Backoff while the service does not respond: doubles up to half a minute. */
const UNAVAILABLE_BASE_MS = 1_000;
const UNAVAILABLE_MAX_MS = 30_000;
/** The longest accepted `Retry-After`; a timer overflows after 24 days. */
const RETRY_AFTER_MAX_MS = 3_600_000;
/** Waits after the handler did not answer 2xx: short at first, for a handler that restarts. */
const HANDLER_WAITS_MS = [1_000, 2_000, 5_000];
const HANDLER_WAIT_MAX_MS = 10_000;

export interface ListenOptions {
  /** Without retries of its own: they are told here. */
  centavo: Centavo;
  /** The service's URL. */
  url: string;
  state: ListenState;
  /** Identifies service and application in the state file. */
  key: string;
  forward: string;
  secret: string;
  /** The forwarded event types; null for all. */
  types: Set<string> | null;
  /** The starting point when the state file has no cursor. */
  from: "start" | "now";
  /** Stops the listener after the current attempt. */
  stop: AbortSignal;
  output: Output;
}

/**
 * Forwards the company's events to a local handler, in order and one at a time, until it is stopped. Repeats
 * an event until the handler answers 2xx; later events wait, so their order holds and none is lost. Saves
 * the cursor to disk after each event.
 */
export async function listen(options: ListenOptions): Promise<void> {
  const { stop } = options;
  try {
    let cursor = await startCursor(options);
    while (!stop.aborted) {
      const events = await retryWhileUnavailable(options, () => nextEvents(options, cursor));
      if (events === "another database") {
        options.output.say(
          "The service has another event history (a new database?). Forwarding all its events.",
        );
        cursor = START;
        continue;
      }
      cursor = await forwardAll(options, events, cursor);
      if (events.length < EVENTS_PAGE - 1) await sleep(IDLE_MS, undefined, { signal: stop });
    }
  } catch (error) {
    // `stop` aborts the current wait, which is no error.
    if (!stop.aborted) throw error;
  }
}

async function startCursor(options: ListenOptions): Promise<Cursor> {
  const { centavo, state, key, forward, from, stop, output } = options;
  let cursor = state.cursor(key);
  if (cursor === null) {
    const find = () => newestEventOf(centavo, { signal: stop });
    const newest = from === "now" ? await retryWhileUnavailable(options, find) : null;
    cursor = newest === null ? START : cursorOf(newest);
    state.saveCursor(key, cursor);
  }
  output.say(
    `Forwarding events of ${key} to ${forward}, from number ${cursor.after + 1} on. Press Ctrl-C to stop.`,
  );
  return cursor;
}

/** The events after a cursor. The page starts with the cursor's event, to detect another database. */
async function nextEvents(
  { centavo, stop }: ListenOptions,
  cursor: Cursor,
): Promise<Event[] | "another database"> {
  if (cursor.timestamp === null) return eventsAfter(centavo, 0, EVENTS_PAGE, { signal: stop });
  const [last, ...events] = await eventsAfter(centavo, cursor.after - 1, EVENTS_PAGE, {
    signal: stop,
  });
  const isKnown = last?.companySequence === cursor.after && last.timestamp === cursor.timestamp;
  return isKnown ? events : "another database";
}

/** Returns the cursor of the last processed event. */
async function forwardAll(
  options: ListenOptions,
  events: Event[],
  before: Cursor,
): Promise<Cursor> {
  const { state, key, types, stop } = options;
  let cursor = before;
  for (const event of events) {
    if (stop.aborted) break;
    if (event.companySequence !== cursor.after + 1) {
      throw new CliError(
        `Event ${cursor.after + 1} is missing before ${event.id}; listen stopped.`,
      );
    }
    const isSelected = types === null || types.has(event.type);
    if (isSelected && isVisible(event)) await forwardOne(options, event);
    else if (isSelected) options.output.say(hiddenLine(event));
    cursor = cursorOf(event);
    // Skipping events twice does no harm, so skipped events are saved once per page.
    if (isSelected || event === events.at(-1)) state.saveCursor(key, cursor);
  }
  return cursor;
}

function hiddenLine({ type, id }: Event): string {
  return `${isoTime(Date.now())}  ${type}  ${id}  not forwarded: the application lacks its scope`;
}

/** Sends an event until the handler answers 2xx. Throws when it is stopped before. */
async function forwardOne({ forward, secret, stop, output }: ListenOptions, event: VisibleEvent) {
  for (let attempts = 0; ; attempts++) {
    const result = await post(forward, secret, event);
    const accepted = result.httpStatus !== null && Math.floor(result.httpStatus / 100) === 2;
    const waitMs = HANDLER_WAITS_MS[attempts] ?? HANDLER_WAIT_MAX_MS;
    output.say(
      [
        isoTime(Date.now()),
        event.type,
        event.id,
        result.httpStatus ?? `no answer (${result.fault})`,
        `${result.durationMs} ms`,
        ...(accepted ? [] : [`again in ${waitMs / 1_000} s; later events wait`]),
      ].join("  "),
      { eventId: event.id, type: event.type, ...result, ...(accepted ? {} : { waitMs }) },
    );
    if (accepted) return;
    await sleep(waitMs, undefined, { signal: stop });
  }
}

/** One POST like the gateway's own, signed with the current time. */
async function post(forward: string, secret: string, event: VisibleEvent): Promise<PostResult> {
  const body = webhookBody(event);
  const timestamp = Math.floor(Date.now() / 1_000);
  const headers = {
    "webhook-id": event.id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": await signWebhook(secret, event.id, timestamp, body),
  };
  return postWebhook({ url: forward, headers, body }, { fetch, now: () => Date.now() });
}

/** Retries until the service responds. Tells when it stops responding and when it is back. */
async function retryWhileUnavailable<Answer>(
  { stop, url, output }: ListenOptions,
  attempt: () => Promise<Answer>,
): Promise<Answer> {
  for (let failed = 0; ; failed++) {
    try {
      const answer = await attempt();
      if (failed > 0) output.say(`${isoTime(Date.now())}  The service is back.`);
      return answer;
    } catch (error) {
      if (!(error instanceof CentavoError) || !error.retryable) throw error;
      const { message } = explained(error, url) as CliError;
      if (failed === 0) output.say(`${isoTime(Date.now())}  ${message} Trying again.`);
      const backoff = exponentialBackoffMs(failed, UNAVAILABLE_BASE_MS, UNAVAILABLE_MAX_MS);
      const asked = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
      const waitMs = Math.max(backoff, Math.min(asked, RETRY_AFTER_MAX_MS));
      await sleep(waitMs, undefined, { signal: stop });
    }
  }
}

function cursorOf({ companySequence, timestamp }: Event): Cursor {
  return { after: companySequence, timestamp };
}
