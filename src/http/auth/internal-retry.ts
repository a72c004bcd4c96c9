import type { AppContext } from "../context.ts";

/** Retries of an earlier request, with its trace id. */
const internalRetries = new WeakMap<Request, string>();

/** The trace id of an internal retry; undefined for a request from outside. */
export function internalRetryTraceId(request: Request): string | undefined {
  return internalRetries.get(request);
}

/**
 * Runs a request without a body through the app again, with credentials from D1. The retry keeps the trace
 * and is neither logged nor rate limited.
 */
export async function retryInternally(c: AppContext): Promise<Response> {
  const request = new Request(c.req.raw);
  internalRetries.set(request, c.get("traceId"));
  return c.get("app").fetch(request, c.env, executionContextOf(c));
}

/** Undefined in tests, where Hono's getter throws. */
export function executionContextOf(c: AppContext): AppContext["executionCtx"] | undefined {
  try {
    return c.executionCtx;
  } catch {
    return undefined;
  }
}
