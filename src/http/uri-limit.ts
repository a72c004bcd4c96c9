import { createMiddleware } from "hono/factory";
import { Problem } from "../domain/shared/problem.ts";
import type { AppEnv } from "./context.ts";

/** Ten times the longest path of the API; bounds the time spent on reading a path. */
export const MAX_PATH_LENGTH = 2_048;
/** Path and query: a search for 100 ids has 3,900 characters with escaped commas. */
const MAX_URI_LENGTH = 8_192;

/** A part of a path as routes write their parameters, also where `*` is escaped. */
const PATTERN = /\/(?::[A-Za-z]\w*|\*|%2A)(?=\/|$)/i;

/** Whether a path is a route's own pattern (`/:id`, `/*`), which is nobody's address. */
export const isRoutePattern = (pathname: string): boolean => PATTERN.test(pathname);

/**
 * Throws 414 for a URI that is too long, and 404 for a path that is a route's own pattern (`/:id`): the router takes it
 * for the route and for one of its addresses, and runs the route twice. The first middleware after tracing.
 */
export const uriLimit = createMiddleware<AppEnv>(async (c, next) => {
  const { pathname, search } = new URL(c.req.url);
  if (pathname.length > MAX_PATH_LENGTH) throw tooLong("path", MAX_PATH_LENGTH);
  if (pathname.length + search.length > MAX_URI_LENGTH) {
    throw tooLong("path with its query", MAX_URI_LENGTH);
  }
  if (isRoutePattern(pathname)) {
    throw new Problem({ code: "NOT_FOUND", detail: "There is no such page." });
  }
  await next();
});

function tooLong(part: string, max: number): Problem {
  return new Problem({
    code: "URI_TOO_LONG",
    detail: `The ${part} is longer than ${max} characters.`,
  });
}
