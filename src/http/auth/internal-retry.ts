import type { AppContext } from "../context.ts";

/** Requests that stand for an earlier one, with the trace they belong to. */
const internalRetries = new WeakMap<Request, string>();

/** The trace of a request that is a repeat; undefined where it came in from outside. */
export function internalRetryTraceId(request: Request): string | undefined {
  return internalRetries.get(request);
}

/**
 * Runs a request without a body through the app once more, from fresh credentials. It belongs to the same
 * trace, and is neither logged nor counted against the application's rate again.
 */
export async function retryInternally(c: AppContext): Promise<Response> {
  const request = new Request(c.req.raw);
  internalRetries.set(request, c.get("traceId"));
  return c.get("app").fetch(request, c.env, executionContextOf(c));
}

/** Hono throws where there is none, as in a test. */
function executionContextOf(c: AppContext): AppContext["executionCtx"] | undefined {
  try {
    return c.executionCtx;
  } catch {
    return undefined;
  }
}
