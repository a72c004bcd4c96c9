import { createMiddleware } from "hono/factory";
import type { ConsoleContext, ConsoleEnv } from "./context.ts";
import { forbiddenPage, refusedPostPage } from "./ui/error-pages.tsx";

/** What browsers send of a form without a file. */
const FORM_TYPE = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)(?:\s*;|$)/i;
const JSON_TYPE = /^application\/json(?:\s*;|$)/i;
/** Only the browser's script posts JSON. */
const JSON_PATHS = "/console/passkeys/";
/** The API takes 16 KiB of JSON; a form writes a letter in up to six characters. */
const BODY_MAX = 64 * 1_024;
/** As the API, the debugger takes whole webhooks of up to 1 MiB, and the check statements of up to 512 KiB. */
const LARGE_BODY_MAX = 4 * 1_024 * 1_024;
const LARGE_PATHS = new Set(["/console/webhooks/verify", "/console/statement/verify"]);

/** The most bytes that a page takes. */
export function bodyMax(c: ConsoleContext): number {
  return LARGE_PATHS.has(c.req.path) ? LARGE_BODY_MAX : BODY_MAX;
}

/**
 * Admits what is posted as a form, or on the routes of the script as JSON of this origin; after Hono's `csrf`, which
 * looks at forms only. Whatever else a site could send without asking is refused before any page reads it.
 */
export const readablePostsOnly = createMiddleware<ConsoleEnv>(async (c, next) => {
  if (c.req.method !== "POST") return next();
  const type = c.req.header("Content-Type") ?? "";
  if (c.req.path.startsWith(JSON_PATHS)) {
    if (!JSON_TYPE.test(type)) return refusedPostPage(c, 415);
    return isFromHere(c) ? next() : forbiddenPage(c);
  }
  if (!FORM_TYPE.test(type)) return refusedPostPage(c, 415);
  const fields = await c.req.parseBody().catch(() => null);
  return fields === null ? refusedPostPage(c, 400) : next();
});

function isFromHere(c: ConsoleContext): boolean {
  return c.req.header("Origin") === new URL(c.req.url).origin;
}
