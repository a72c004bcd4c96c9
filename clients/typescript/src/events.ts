import { MissingEventError } from "./errors.ts";
import { wait, type CallOptions, type Http } from "./http.ts";
import type { Query, Schemas } from "./types.ts";

const PAGE = 100;
const POLL_MS = 5_000;
/** An event is in the list seconds after it happened; a number that is missing for longer is a fault. */
const GAP_MS = 120_000;

export interface EventsOptions {
  /** The `companySequence` of the last event that you handled; 0, or left out, for the first one ever. */
  after?: number;
  /** Whether to wait for new events, without end; else it ends at the newest one. */
  follow?: boolean;
  /** How often `follow` asks. Milliseconds, 5 s where left out. */
  pollMs?: number;
  signal?: AbortSignal;
}

/** The company's events, in order and without gaps. */
export class Events {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** An event with its deliveries and each attempt. */
  get(id: string, options?: CallOptions): Promise<Schemas["EventDetail"]> {
    return this.#http.call("get", "/api/v1/events/{id}", { params: { id } }, options);
  }

  /** A page of events, oldest first where `order` does not say otherwise. */
  list(query: Query<"/api/v1/events"> = {}, options?: CallOptions): Promise<Schemas["Events"]> {
    return this.#http.call("get", "/api/v1/events", { query }, options);
  }

  /**
   * Each event after one, once, in order: keep the `companySequence` of what you handled, and begin there after a crash.
   * A number that is missing is an event that is being written: it is waited for, and throws `MissingEventError` after
   * two minutes.
   */
  async *iterate({ after = 0, follow = false, pollMs = POLL_MS, signal }: EventsOptions = {}) {
    let last = after;
    let gapSince: number | null = null;
    for (;;) {
      const before = last;
      const query = { after: String(last), limit: PAGE };
      const { items, hasMore } = await this.list(query, signal === undefined ? {} : { signal });
      for (const event of items) {
        if (event.companySequence !== last + 1) break;
        yield event;
        last = event.companySequence;
      }
      const newest = items.at(-1)?.companySequence ?? last;
      const hasMoved = last !== before;
      if (newest === last) gapSince = null;
      else if (hasMoved || gapSince === null) gapSince = Date.now();
      if (gapSince !== null && Date.now() - gapSince > GAP_MS)
        throw new MissingEventError(`Event ${last + 1} is missing.`, { retryable: true });
      const isNewest = gapSince === null && !hasMore;
      if (isNewest && !follow) return;
      if (isNewest || gapSince !== null || !hasMoved) await wait(pollMs, signal);
    }
  }
}
