import { retryAfterMs } from "./errors.ts";
import { wait } from "./http.ts";
import type { Schemas } from "./types.ts";

/** The wait before the first answer says how often to ask. Milliseconds. */
const FIRST_WAIT_MS = 3_000;
const LONGEST_WAIT_MS = 60_000;
/** A timer that is asked for weeks fires at once. */
const LONGEST_ASKED_MS = 3_600_000;

export type CheckoutStatus = Schemas["CheckoutStatus"];

export interface WatchOptions {
  /** The address of the service. */
  baseUrl: string;
  /** The charge's `secureId`, or its id. */
  id: string;
  signal?: AbortSignal;
  /** In the place of the global one. */
  fetch?: (request: Request) => Promise<Response>;
}

/**
 * A charge's status for the payer's browser: as it is, and at each change until it is open no more. Needs no credentials,
 * and is for the eyes only: a shop ships after a webhook. Asks as often as the service says, and more rarely while it
 * does not answer.
 */
export async function* watchCharge(options: WatchOptions): AsyncGenerator<CheckoutStatus> {
  const { baseUrl, id, signal, fetch: send = fetch } = options;
  const url = `${baseUrl.replace(/\/+$/, "")}/api/checkout/status/${encodeURIComponent(id)}`;
  let etag: string | null = null;
  let waitMs = FIRST_WAIT_MS;
  let failed = 0;
  for (;;) {
    const headers: Record<string, string> = etag === null ? {} : { "If-None-Match": etag };
    // The browser's own cache would answer in the place of the service.
    const init = {
      headers,
      cache: "no-store",
      credentials: "omit",
      signal: signal ?? null,
    } as const;
    const response = await send(new Request(url, init)).catch(() => null);
    signal?.throwIfAborted();
    const isKnown = response?.status === 304;
    failed = response?.ok === true || isKnown ? 0 : failed + 1;
    if (response?.ok === true) {
      const status = (await response.json()) as CheckoutStatus;
      yield status;
      if (status.status !== "PENDING") return;
      etag = response.headers.get("ETag");
      waitMs = status.pollAfterMs;
    }
    const asked = retryAfterMs(response?.headers.get("Retry-After") ?? null) ?? 0;
    const askedMs = Math.min(asked, LONGEST_ASKED_MS);
    await wait(Math.max(askedMs, Math.min(waitMs * 2 ** failed, LONGEST_WAIT_MS)), signal);
  }
}
