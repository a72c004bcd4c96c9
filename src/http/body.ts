import { bodyLimit } from "hono/body-limit";
import { every } from "hono/combine";
import { createMiddleware } from "hono/factory";
import { Problem } from "../domain/shared/problem.ts";
import type { AppContext, AppEnv } from "./context.ts";
import { checkUnknownFields, STRICT, type FieldPolicy } from "./fields/unknown-fields.ts";
import { z } from "@hono/zod-openapi";

/** The largest body the service reads: ten times a full create request. */
const MAX_BODY_BYTES = 64 * 1024;
/**
 * The largest body that quotes a whole event as text: its metadata (4,096 characters) takes up to 7
 * bytes a character when escaped twice, each of its refunds some 300, and there may be thousands.
 */
const MAX_QUOTING_BYTES = 1024 * 1024;
/** The largest callback of a provider: some 600 notices of a PIX. */
const MAX_CALLBACK_BYTES = 256 * 1024;
/** Deeper than any request needs; keeps whoever walks the body from running out of stack. */
const MAX_NESTING = 32;
const JSON_TYPE = /^application\/json\s*(?:;.*)?$/i;

function limitedTo(maxBytes: number) {
  return bodyLimit({
    maxSize: maxBytes,
    onError: () => {
      throw new Problem({
        code: "BODY_TOO_LARGE",
        detail: `The body is larger than ${maxBytes} bytes.`,
      });
    },
  });
}

function requiredJson(schema: z.ZodType, policy: FieldPolicy) {
  return createMiddleware<AppEnv>(async (c, next) => {
    validateJson(c, await bodyText(c), schema, policy);
    await next();
  });
}

function optionalJson(schema: z.ZodType) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const text = await bodyText(c);
    if (text.trim() === "") emptyBody(c);
    else validateJson(c, text, schema, STRICT);
    await next();
  });
}

/** Judges a body up to its schema's own rules, and leaves it as those are to see it. */
function validateJson(c: AppContext, text: string, schema: z.ZodType, policy: FieldPolicy): void {
  requireJsonType(c.req.header("Content-Type"));
  const body = jsonObject(text);
  checkUnknownFields(c, schema, body, policy);
  cacheBody(c, JSON.stringify(body));
}

/** The body as the UTF-8 that JSON is (RFC 8259); other bytes are refused, not replaced. */
async function bodyText(c: AppContext): Promise<string> {
  const bytes = await c.req.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw new Problem({ code: "MALFORMED_JSON", detail: "The body is not valid UTF-8." });
  }
}

/**
 * Hands on what was judged here, so that nobody decodes it again. Hono keeps promises, whatever its type.
 * The route's own check of the media type refuses some spellings that are legal (`application/json ; ...`).
 */
function cacheBody(c: AppContext, text: string): void {
  if (c.req.header("Content-Type") !== "application/json") {
    const headers = new Headers(c.req.raw.headers);
    headers.set("Content-Type", "application/json");
    c.req.raw = new Request(c.req.raw.url, { method: c.req.method, headers });
  }
  c.req.bodyCache = { text: Promise.resolve(text) } as object;
}

/** No body at all is an object without members, in the form that the route's validator knows. */
function emptyBody(c: AppContext): void {
  const headers = new Headers(c.req.raw.headers);
  headers.set("Content-Type", "application/json");
  c.req.raw = new Request(c.req.raw.url, { method: c.req.method, headers, body: "{}" });
  c.req.bodyCache = {};
}

/**
 * The request must carry a JSON object, declared as `application/json`, of bounded size and depth. Fields
 * that `schema` does not know are refused with the other wrong fields, or ignored and named in the header
 * `Centavo-Ignored` where the policy says so. Optional fields that are null are taken as absent.
 */
export function jsonBody(schema: z.ZodType, policy: FieldPolicy = STRICT) {
  return every(limitedTo(MAX_BODY_BYTES), requiredJson(schema, policy));
}

/** As `jsonBody`, for routes whose body may be left out altogether. */
export function optionalJsonBody(schema: z.ZodType) {
  return every(limitedTo(MAX_BODY_BYTES), optionalJson(schema));
}

/** As `jsonBody`, for the route that is shown a webhook's whole body as a string. */
export function quotingJsonBody(schema: z.ZodType) {
  return every(limitedTo(MAX_QUOTING_BYTES), requiredJson(schema, STRICT));
}

const NoFields = z.object({}).openapi("NoFields", { additionalProperties: false });

/** The body of a POST that takes no field: none, or an empty object. Stands in the route's `request`. */
export const NO_FIELDS = {
  required: false,
  content: { "application/json": { schema: NoFields } },
};

/** Refuses every field of a body that has none to take, such as the amount of a cancel. */
export const noFieldsBody = optionalJsonBody(NoFields);

/** Holds back callbacks that are too large; what is in one is read by `anyJson`. */
export const callbackBody = limitedTo(MAX_CALLBACK_BYTES);

/** Whatever JSON the body is, under any media type: a provider's callback. Throws 400 where it is none. */
export async function anyJson(c: AppContext): Promise<unknown> {
  const text = await bodyText(c);
  limitNesting(text);
  return parse(text);
}

function requireJsonType(contentType: string | undefined): void {
  if (contentType !== undefined && JSON_TYPE.test(contentType)) return;
  throw new Problem({
    code: "UNSUPPORTED_MEDIA_TYPE",
    detail: "The body must be sent as Content-Type: application/json.",
  });
}

function limitNesting(text: string): void {
  if (nestingDepth(text) > MAX_NESTING) {
    throw new Problem({
      code: "MALFORMED_JSON",
      detail: `The body is nested deeper than ${MAX_NESTING} levels.`,
    });
  }
}

function jsonObject(text: string): object {
  limitNesting(text);
  const value = parse(text);
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    throw new Problem({
      code: "VALIDATION_FAILED",
      detail: "The body must be a JSON object.",
      errors: { body: ["must be a JSON object"] },
    });
  }
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem({ code: "MALFORMED_JSON", detail: "The body is not valid JSON." });
  }
}

/** How deep arrays and objects stand in each other, strings left out. */
function nestingDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const char = text[index];
    if (inString) {
      if (char === "\\") index++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{" || char === "[") deepest = Math.max(deepest, ++depth);
    else if (char === "}" || char === "]") depth--;
  }
  return deepest;
}
