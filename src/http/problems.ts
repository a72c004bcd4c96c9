import type { ErrorHandler, NotFoundHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import { isStorageUnavailable } from "../db/storage-errors.ts";
import { PROBLEMS, Problem, TITLES, type ProblemDetails } from "../domain/shared/problem.ts";
import { errorFields, log } from "../lib/log.ts";
import type { AppContext, AppEnv } from "./context.ts";
import { MAX_PATH_LENGTH } from "./uri-limit.ts";

export const PROBLEM_MEDIA_TYPE = "application/problem+json";

/** Seconds after which a client may try again when storage was overloaded or out of reach. */
const STORAGE_RETRY_SECONDS = 2;

/** The problem object of RFC 9457, with `code`, `traceId` and, where fields are wrong, `errors`. */
export function problemResponse(
  c: AppContext,
  problem: ProblemDetails,
  traceId: string = c.get("traceId"),
): Response {
  const status = PROBLEMS[problem.code];
  const body = {
    type: "about:blank",
    title: TITLES[status],
    status,
    detail: problem.detail,
    instance: uriPath(c.req.url),
    code: problem.code,
    traceId,
    ...problem.extensions,
    ...(problem.errors === undefined ? {} : { errors: problem.errors }),
  };
  return c.body(JSON.stringify(body), status, {
    "Content-Type": PROBLEM_MEDIA_TYPE,
    ...(problem.retryAfterSeconds === undefined
      ? {}
      : { "Retry-After": String(problem.retryAfterSeconds) }),
    ...problem.headers,
  });
}

/**
 * The path as a URI reference (RFC 3986): a stray `%` that a parser lets pass is escaped. Of a path that is
 * refused for its length only the beginning is told.
 */
function uriPath(url: string): string {
  const { pathname } = new URL(url);
  return pathname.slice(0, MAX_PATH_LENGTH).replaceAll(/%(?![0-9A-Fa-f]{2})/g, "%25");
}

/** Whatever was thrown becomes a problem; what came from inside stays in the log. */
export const onError: ErrorHandler<AppEnv> = (error, c) => {
  if (error instanceof Problem) return problemResponse(c, error.details);
  if (error instanceof HTTPException && error.status === 400) {
    return problemResponse(c, { code: "MALFORMED_JSON", detail: "The body is not valid JSON." });
  }
  const storage = isStorageUnavailable(error);
  log("error", storage ? "storage_unavailable" : "internal_error", {
    ...errorFields(error),
    traceId: c.get("traceId"),
  });
  return storage
    ? problemResponse(c, {
        code: "STORAGE_UNAVAILABLE",
        detail: "The storage did not answer. No data is lost. Please try again.",
        retryAfterSeconds: STORAGE_RETRY_SECONDS,
      })
    : problemResponse(c, {
        code: "INTERNAL_ERROR",
        detail: "The gateway failed to process the request. Please quote the traceId.",
      });
};

export const onNotFound: NotFoundHandler<AppEnv> = (c) =>
  problemResponse(c, { code: "NOT_FOUND", detail: "No resource exists at this path." });

/** The plain 404 of a resource, the same whether the id is malformed or unknown. */
export function notFound(what: string): Problem {
  return new Problem({ code: "NOT_FOUND", detail: `There is no such ${what}.` });
}

/** The 409 of a move that a state forbids, which `what` says as the beginning of a sentence. */
export function invalidState(what: string): Problem {
  return new Problem({ code: "INVALID_STATE", detail: `${what}.` });
}

export function forbidden(detail: string): Problem {
  return new Problem({ code: "FORBIDDEN", detail });
}

/** The 422 of what only an account at a provider can do that the company has left; `what` it did. */
export function disconnected(what: "took this payment" | "has this charge"): Problem {
  return new Problem({
    code: "PROVIDER_DISCONNECTED",
    detail: `The account that ${what} is no longer connected.`,
  });
}
