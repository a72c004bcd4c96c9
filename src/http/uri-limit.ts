import { createMiddleware } from "hono/factory";
import { Problem } from "../domain/shared/problem.ts";
import type { AppEnv } from "./context.ts";

/** Ten times the longest path of the API. Whatever reads a path may be as slow as this allows. */
export const MAX_PATH_LENGTH = 2_048;
/** Path and query: a search for 100 ids has 3,700 characters, 3,900 with its commas escaped. */
const MAX_URI_LENGTH = 8_192;

/** Answers 414 for a longer path, or path and query, than the API has use for. Stands before everything. */
export const uriLimit = createMiddleware<AppEnv>(async (c, next) => {
  const { pathname, search } = new URL(c.req.url);
  if (pathname.length > MAX_PATH_LENGTH) throw tooLong("path", MAX_PATH_LENGTH);
  if (pathname.length + search.length > MAX_URI_LENGTH) {
    throw tooLong("path with its query", MAX_URI_LENGTH);
  }
  await next();
});

function tooLong(what: string, max: number): Problem {
  return new Problem({
    code: "URI_TOO_LONG",
    detail: `The ${what} is longer than ${max} characters.`,
  });
}
