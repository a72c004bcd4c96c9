import { setTimeout as sleep } from "node:timers/promises";
import { isoTime } from "../../src/domain/shared/clock.ts";
import { exponentialBackoffMs } from "../../src/lib/backoff.ts";
import { postWebhook, type PostResult } from "../../src/webhooks/delivery/post.ts";
import { signWebhook } from "../../src/webhooks/signing/sign.ts";
import type { ApiClient } from "../lib/merchant.ts";
import {
  EVENTS_PAGE,
  eventsAfter,
  newestEventOf,
  webhookBody,
  type CompanyEvent,
} from "./events.ts";
import { CliError, ServiceUnavailable } from "./failure.ts";
import { START, type ListenState, type Cursor } from "./state.ts";

/** How often the service is asked while nothing happens. */
const IDLE_MS = 1_000;
/** Between tries of a service that is away: doubles, and is seen to be back within half a minute. */
const UNAVAILABLE_BASE_MS = 1_000;
const UNAVAILABLE_MAX_MS = 30_000;
/** Whatever `Retry-After` says: a timer holds no more than 24 days, a developer less. */
const RETRY_AFTER_MAX_MS = 3_600_000;
/** Between tries of a handler that did not take an event: quick for a restart, then in its own time. */
const HANDLER_WAITS_MS = [1_000, 2_000, 5_000];
const HANDLER_WAIT_MAX_MS = 10_000;

export interface ListenOptions {
  client: ApiClient;
  state: ListenState;
  /** Under which the state keeps this service's and application's place. */
  key: string;
  forward: string;
  secret: string;
  /** Null for all. */
  types: Set<string> | null;
  /** Where to begin where the state knows no place. */
  from: "start" | "now";
  /** The event in hand is finished first. */
  stop: AbortSignal;
  log: (line: string) => void;
}

/**
 * Forwards the company's events to a local handler, in order and one at a time, until it is stopped.
 * An event that the handler does not take with a 2xx is offered again until it does: the later ones
 * wait, so that their order holds and none is missed. The place is on the disk after each event.
 */
export async function listen(listening: ListenOptions): Promise<void> {
  const { stop } = listening;
  try {
    let mark = await startCursor(listening);
    while (!stop.aborted) {
      const events = await retryWhileUnavailable(listening, () => nextEvents(listening, mark));
      if (events === "another database") {
        listening.log(
          "The event history changed (is the database new?); listen forwards all events.",
        );
        mark = START;
        continue;
      }
      mark = await forwardAll(listening, events, mark);
      if (events.length < EVENTS_PAGE - 1) await sleep(IDLE_MS, undefined, { signal: stop });
    }
  } catch (error) {
    // Whatever was waited for when the reader stopped us has ended by that.
    if (!stop.aborted) throw error;
  }
}

async function startCursor(listening: ListenOptions): Promise<Cursor> {
  const { client, state, key, forward, from, stop, log } = listening;
  let mark = state.cursor(key);
  if (mark === null) {
    const find = () => newestEventOf(client, stop);
    const newest = from === "now" ? await retryWhileUnavailable(listening, find) : null;
    mark = newest === null ? START : cursorOf(newest);
    state.saveCursor(key, mark);
  }
  log(
    `Forwarding events of ${key} to ${forward}, from number ${mark.after + 1} on. Press Ctrl-C to stop.`,
  );
  return mark;
}

/** The events after a mark. Each page begins with the mark's own, which proves whose numbers these are. */
async function nextEvents(
  { client, stop }: ListenOptions,
  mark: Cursor,
): Promise<CompanyEvent[] | "another database"> {
  if (mark.timestamp === null) return eventsAfter(client, 0, EVENTS_PAGE, stop);
  const [last, ...events] = await eventsAfter(client, mark.after - 1, EVENTS_PAGE, stop);
  const isKnown = last?.companySequence === mark.after && last.timestamp === mark.timestamp;
  return isKnown ? events : "another database";
}

/** Answers the mark of the last event that was dealt with. */
async function forwardAll(
  listening: ListenOptions,
  events: CompanyEvent[],
  before: Cursor,
): Promise<Cursor> {
  const { state, key, types, stop } = listening;
  let mark = before;
  for (const event of events) {
    if (stop.aborted) break;
    if (event.companySequence !== mark.after + 1) {
      throw new CliError(`Event ${mark.after + 1} is missing before ${event.id}; listen stopped.`);
    }
    const wanted = types === null || types.has(event.type);
    if (wanted) await forwardOne(listening, event);
    mark = cursorOf(event);
    // Passing over events again does no harm, so a page of them is kept once.
    if (wanted || event === events.at(-1)) state.saveCursor(key, mark);
  }
  return mark;
}

/** Offers an event until the handler takes it. Throws where it is stopped before. */
async function forwardOne({ forward, secret, stop, log }: ListenOptions, event: CompanyEvent) {
  for (let tries = 0; ; tries++) {
    const result = await post(forward, secret, event);
    const taken = result.httpStatus !== null && Math.floor(result.httpStatus / 100) === 2;
    const waitMs = HANDLER_WAITS_MS[tries] ?? HANDLER_WAIT_MAX_MS;
    log(
      [
        isoTime(Date.now()),
        event.type,
        event.id,
        result.httpStatus ?? `no answer (${result.fault})`,
        `${result.durationMs} ms`,
        ...(taken ? [] : [`again in ${waitMs / 1_000} s; later events wait`]),
      ].join("  "),
    );
    if (taken) return;
    await sleep(waitMs, undefined, { signal: stop });
  }
}

/** One POST as the gateway's own, signed for this moment. */
async function post(forward: string, secret: string, event: CompanyEvent): Promise<PostResult> {
  const body = webhookBody(event);
  const timestamp = Math.floor(Date.now() / 1_000);
  const headers = {
    "webhook-id": event.id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": await signWebhook(secret, event.id, timestamp, body),
  };
  return postWebhook({ url: forward, headers, body }, { fetch, now: () => Date.now() });
}

/** Tries until the service answers; says when it is away and when it is back. */
async function retryWhileUnavailable<Answer>(
  { stop, log }: ListenOptions,
  attempt: () => Promise<Answer>,
): Promise<Answer> {
  for (let failed = 0; ; failed++) {
    try {
      const answer = await attempt();
      if (failed > 0) log(`${isoTime(Date.now())}  The service is back.`);
      return answer;
    } catch (error) {
      if (!(error instanceof ServiceUnavailable)) throw error;
      if (failed === 0) log(`${isoTime(Date.now())}  ${error.message} Trying again.`);
      const backoff = exponentialBackoffMs(failed, UNAVAILABLE_BASE_MS, UNAVAILABLE_MAX_MS);
      const asked = Math.min(error.retryAfterMs ?? 0, RETRY_AFTER_MAX_MS);
      await sleep(Math.max(backoff, asked), undefined, { signal: stop });
    }
  }
}

function cursorOf({ companySequence, timestamp }: CompanyEvent): Cursor {
  return { after: companySequence, timestamp };
}
