import type { ErrorHandler, NotFoundHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import { isStorageNewer, isStorageUnavailable } from "../db/storage-errors.ts";
import {
  PROBLEMS,
  Problem,
  TITLES,
  type FieldErrors,
  type ProblemCode,
  type ProblemDetails,
  type Reason,
} from "../domain/shared/problem.ts";
import { brokenRule, type BrokenRule } from "../lib/fields/rules.ts";
import { errorFields, log } from "../lib/log.ts";
import type { Api } from "./api.ts";
import type { AppContext, AppEnv } from "./context.ts";
import { suggestedRoute } from "./openapi/suggested-route.ts";
import { MAX_PATH_LENGTH } from "./uri-limit.ts";

export const PROBLEM_MEDIA_TYPE = "application/problem+json";

/** RFC 9110 11.6.1 asks for a challenge; the scheme is our own: the headers X-Client-Id and X-API-Key. */
const CHALLENGE = 'Centavo realm="api"';

/** Seconds before a client may retry after storage was overloaded or unreachable. */
const STORAGE_RETRY_SECONDS = 2;

/** The answer to each way out of a frozen company's money. */
export const COMPANY_FROZEN: ProblemDetails = {
  code: "COMPANY_FROZEN",
  detail: "Withdraws, refunds, returns and credits of this company are suspended.",
};

/** The answer to a create or a capture of a company whose charges are frozen. */
export const CHARGES_FROZEN: ProblemDetails = {
  code: "COMPANY_FROZEN",
  detail: "New charges and captures of this company are suspended.",
};

/** The problem details of RFC 9457, with `code`, `traceId` and, for invalid fields, `errors`. */
export function problemResponse(
  c: AppContext,
  problem: ProblemDetails,
  traceId: string = c.get("traceId"),
): Response {
  const status = PROBLEMS[problem.code];
  const body = {
    type: problemType(new URL(c.req.url).origin, problem.code),
    title: TITLES[status],
    status,
    detail: problem.detail,
    instance: uriPath(c.req.url),
    code: problem.code,
    ...(problem.reason === undefined ? {} : { reason: problem.reason }),
    traceId,
    ...problem.extensions,
    ...(problem.errors === undefined
      ? {}
      : { errors: problem.errors, rules: brokenRules(problem.errors) }),
  };
  return c.body(JSON.stringify(body), status, {
    "Content-Type": PROBLEM_MEDIA_TYPE,
    ...(problem.retryAfterSeconds === undefined
      ? {}
      : { "Retry-After": String(problem.retryAfterSeconds) }),
    ...(status === 401 ? { "WWW-Authenticate": CHALLENGE } : {}),
    ...problem.headers,
  });
}

/** The page that explains a code (RFC 9457, 3.1.1). */
function problemType(origin: string, code: ProblemCode): string {
  return `${origin}/docs/errors#${code}`;
}

/** The rules of the same messages, by field path. */
function brokenRules(errors: FieldErrors): Record<string, BrokenRule[]> {
  const entries = Object.entries(errors).map(([path, messages]) => [
    path,
    messages.map(brokenRule).filter((broken) => broken !== null),
  ]);
  return Object.fromEntries(entries) as Record<string, BrokenRule[]>;
}

/** The path as a URI reference (RFC 3986), with stray `%` escaped; the start of a path that is too long. */
function uriPath(url: string): string {
  const { pathname } = new URL(url);
  return pathname.slice(0, MAX_PATH_LENGTH).replaceAll(/%(?![0-9A-Fa-f]{2})/g, "%25");
}

/** Turns each thrown error into a problem; internal details go to the log only. */
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
        detail: isStorageNewer(error)
          ? "A newer version of the service has migrated its data, and this one writes nothing. No data is lost. Please try again."
          : "The storage did not answer. No data is lost. Please try again.",
        retryAfterSeconds: STORAGE_RETRY_SECONDS,
      })
    : problemResponse(c, {
        code: "INTERNAL_ERROR",
        detail: "The gateway failed to process the request. Please quote the traceId.",
      });
};

/** The 503 of what has left D1 while the archive cannot be read. */
export function archiveUnreadable(): Problem {
  return new Problem({
    code: "STORAGE_UNAVAILABLE",
    detail: "The archive did not answer. No data is lost. Please try again.",
    retryAfterSeconds: STORAGE_RETRY_SECONDS,
  });
}

/** The 404 of an unknown path, with the documented route that was most likely meant. */
export function onNotFound(app: Api): NotFoundHandler<AppEnv> {
  return (c) =>
    problemResponse(c, {
      code: "NOT_FOUND",
      detail: `No resource exists at this path.${didYouMean(app, c)}`,
    });
}

/** The 405 of a known path. Where the request's method has a route nearby, it is named too. */
export function onMethodNotAllowed(app: Api) {
  return (c: AppContext, methods: string[]): Response =>
    problemResponse(c, {
      code: "METHOD_NOT_ALLOWED",
      detail: `This path accepts only ${methods.join(", ")}.${didYouMean(app, c)}`,
      headers: { Allow: methods.join(", ") },
    });
}

function didYouMean(app: Api, c: AppContext): string {
  const route = suggestedRoute(app, c.req.method, c.req.path);
  return route === null ? "" : ` Did you mean ${route}?`;
}

/** The 404 of a resource, the same for a malformed id and an unknown one. `hint`: a sentence about its ids. */
export function notFound(resource: string, hint = ""): Problem {
  const detail = `There is no such ${resource}. ${hint}`.trim();
  return new Problem({ code: "NOT_FOUND", detail });
}

/**
 * A 409 for a request that the resource's state forbids. `sentence`: without its full stop. `retryAfterSeconds`: where it
 * will not for long.
 */
export function invalidState(
  sentence: string,
  reason: Reason,
  { retryAfterSeconds }: { retryAfterSeconds?: number } = {},
): Problem {
  const details = { code: "INVALID_STATE", reason, detail: `${sentence}.` } as const;
  return new Problem(retryAfterSeconds === undefined ? details : { ...details, retryAfterSeconds });
}

export function forbidden(detail: string, reason?: Reason): Problem {
  return new Problem({ code: "FORBIDDEN", reason, detail });
}

/** A 422 for a request that only a disconnected account could serve; `role`: its part in it. */
export function disconnected(role: "took this payment" | "has this charge"): Problem {
  return new Problem({
    code: "PROVIDER_DISCONNECTED",
    detail: `The account that ${role} is no longer connected.`,
  });
}
