import { createMiddleware } from "hono/factory";
import { Problem } from "../domain/shared/problem.ts";
import type { AppEnv } from "./context.ts";

/** Ten times the longest path of the API; bounds the time spent on reading a path. */
export const MAX_PATH_LENGTH = 2_048;
/** Path and query: a search for 100 ids has 3,900 characters with escaped commas. */
const MAX_URI_LENGTH = 8_192;

/** Throws 414 for a URI that is too long. The first middleware after tracing. */
export const uriLimit = createMiddleware<AppEnv>(async (c, next) => {
  const { pathname, search } = new URL(c.req.url);
  if (pathname.length > MAX_PATH_LENGTH) throw tooLong("path", MAX_PATH_LENGTH);
  if (pathname.length + search.length > MAX_URI_LENGTH) {
    throw tooLong("path with its query", MAX_URI_LENGTH);
  }
  await next();
});

function tooLong(part: string, max: number): Problem {
  return new Problem({
    code: "URI_TOO_LONG",
    detail: `The ${part} is longer than ${max} characters.`,
  });
}
