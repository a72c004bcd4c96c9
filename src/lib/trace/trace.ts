import { AsyncLocalStorage } from "node:async_hooks";
import { bytesToHex } from "@noble/hashes/utils.js";

const current = new AsyncLocalStorage<string>();
const TRACE_ID = /^[0-9a-f]{32}$/;
const PARENT_ID_BYTES = 8;

/** Runs work under a trace id, which its log lines, calls and messages carry. Null leaves the one around it. */
export function withTrace<Answer>(traceId: string | null | undefined, work: () => Answer): Answer {
  return traceId == null || !TRACE_ID.test(traceId) ? work() : current.run(traceId, work);
}

/** The trace id of the work that runs, 32 hex digits; undefined outside of any. */
export function currentTrace(): string | undefined {
  return current.getStore();
}

/** Binds a function to the trace of whoever calls this: for work that another caller's turn runs. */
export function boundToTrace<Answer>(work: () => Answer): () => Answer {
  const traceId = currentTrace();
  return () => withTrace(traceId, work);
}

/** A `traceparent` (W3C Trace Context, version 00) with a new parent id. */
export function traceparentOf(traceId: string): string {
  const parent = bytesToHex(crypto.getRandomValues(new Uint8Array(PARENT_ID_BYTES)));
  return `00-${traceId}-${parent}-01`;
}

/** The header `traceparent` of the work that runs; nothing outside of a trace. */
export function traceHeaders(): { traceparent?: string } {
  const traceId = currentTrace();
  return traceId === undefined ? {} : { traceparent: traceparentOf(traceId) };
}
