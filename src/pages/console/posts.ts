import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { EVIDENCE_FILE_MAX_BYTES } from "../../domain/disputes/evidence-file.ts";
import type { ConsoleContext, ConsoleEnv } from "./context.ts";
import { findProvedSession } from "./people/session.ts";
import { forbiddenPage, refusedPostPage } from "./ui/error-pages.tsx";

/** What browsers send of a form without a file. */
const FORM_TYPE = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)(?:\s*;|$)/i;
const MULTIPART_TYPE = /^multipart\//i;
const JSON_TYPE = /^application\/json(?:\s*;|$)/i;
/** Only the browser's script posts JSON. */
const JSON_PATHS = "/console/passkeys/";
/** As much as the API takes. */
const BODY_MAX = 64 * 1_024;
/** As the API, the debugger takes whole webhooks of up to 1 MiB, and the check statements of up to 512 KiB. */
const LARGE_BODY_MAX = 4 * 1_024 * 1_024;
const LARGE_PATHS = new Set(["/console/webhooks/verify", "/console/statement/verify"]);
/** A file of evidence, with the fields beside it. */
const FILE_BODY_MAX = EVIDENCE_FILE_MAX_BYTES + BODY_MAX;
const FILE_PATH = /^\/console\/disputes\/[^/]+\/files$/;
/**
 * No form of the console has half as many. Reading a form calls JavaScript for each field, so 4 MiB of the smallest
 * fields would hold the isolate for seconds.
 */
const FIELDS_MAX = 200;
const AMPERSAND = 0x26;
/** What each part of a multipart form begins with (RFC 7578, section 4.2). */
const PART = /content-disposition/gi;

/** Refuses larger bodies with 413, before they are read. Only a signed-in person may send a large one. */
export const boundedBytes = createMiddleware<ConsoleEnv>(async (c, next) => {
  const largest = largestOf(c.req.path);
  const maySendLarge = largest > BODY_MAX && (await findProvedSession(c)) !== null;
  const onError = () => refusedPostPage(c, 413);
  return bodyLimit({ maxSize: maySendLarge ? largest : BODY_MAX, onError })(c, next);
});

function largestOf(path: string): number {
  if (FILE_PATH.test(path)) return FILE_BODY_MAX;
  return LARGE_PATHS.has(path) ? LARGE_BODY_MAX : BODY_MAX;
}

/** Refuses forms of more fields with 413, counted in their bytes, before any field is read. */
export const boundedFields = createMiddleware<ConsoleEnv>(async (c, next) => {
  const type = c.req.header("Content-Type") ?? "";
  if (c.req.method !== "POST" || !FORM_TYPE.test(type)) return next();
  const body = await c.req.arrayBuffer().catch(() => null);
  if (body === null) return refusedPostPage(c, 400);
  const isTooLong = MULTIPART_TYPE.test(type) ? hasTooManyParts(body) : hasTooManyPairs(body);
  return isTooLong ? refusedPostPage(c, 413) : next();
});

function hasTooManyPairs(body: ArrayBuffer): boolean {
  const bytes = new Uint8Array(body);
  let pairs = 1;
  let at = bytes.indexOf(AMPERSAND);
  while (at !== -1 && pairs <= FIELDS_MAX) {
    pairs += 1;
    at = bytes.indexOf(AMPERSAND, at + 1);
  }
  return pairs > FIELDS_MAX;
}

function hasTooManyParts(body: ArrayBuffer): boolean {
  let parts = 0;
  for (const _ of new TextDecoder().decode(body).matchAll(PART)) {
    parts += 1;
    if (parts > FIELDS_MAX) return true;
  }
  return false;
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

/** Whether a page of this origin asks. */
export function isFromHere(c: ConsoleContext): boolean {
  return c.req.header("Origin") === new URL(c.req.url).origin;
}
