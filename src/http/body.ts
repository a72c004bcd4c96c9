import { bodyLimit } from "hono/body-limit";
import { every } from "hono/combine";
import type { MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import { EVIDENCE_FILE_MAX_BYTES } from "../domain/disputes/evidence-file.ts";
import { Problem } from "../domain/shared/problem.ts";
import type { AppContext, AppEnv } from "./context.ts";
import { refuseCardNumbers } from "./fields/card-numbers.ts";
import { breaks } from "../lib/fields/rules.ts";
import { scanJson, type JsonScan } from "../lib/json-scan.ts";
import {
  checkUnknownFields,
  refuseNumbers,
  STRICT,
  type FieldPolicy,
} from "./fields/unknown-fields.ts";
import { z } from "@hono/zod-openapi";

/** The largest body that is stored: twelve times a full create request. */
const MAX_BODY_BYTES = 64 * 1024;
/**
 * The largest body that quotes a whole event as text: its metadata (4,096 characters) takes up to 7
 * bytes a character when escaped twice, each of its refunds some 300, and there may be thousands.
 */
const MAX_QUOTING_BYTES = 1024 * 1024;
/** The largest list of lines to compare: 1,000 of 260 bytes. */
const MAX_LIST_BYTES = 256 * 1024;
/** The largest callback of a provider: some 600 PIX notifications. */
const MAX_CALLBACK_BYTES = 256 * 1024;
/** The largest signed document that is checked: some pages of PDF. */
const MAX_DOCUMENT_BYTES = 512 * 1024;
/** Deeper than any request needs; recursive functions over the body stay within the stack. */
const MAX_NESTING = 32;
const MEDIA_TYPE = /^[a-z]{1,20}\/[a-z0-9.+-]{1,60}(?=\s*(?:;|$))/i;
/** The content codings of HTTP (IANA's registry), with their older names. */
const COMPRESSIONS = /\b(?:x-)?(?:gzip|compress|deflate|br|zstd)\b/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
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

/** Checks a body's type, depth, field names and texts, and caches it for the schema's validator. */
function validateJson(c: AppContext, text: string, schema: z.ZodType, policy: FieldPolicy): void {
  requireJsonType(c.req.header("Content-Type"));
  const scan = scanJson(text, MAX_NESTING);
  const body = jsonObject(text, scan);
  if (policy.keepsNothing !== true) refuseCardNumbers(c, schema, body);
  checkUnknownFields(c, schema, body, policy);
  refuseNumbers(c, schema, scan);
  cacheBody(c, JSON.stringify(body));
}

/** The body as the UTF-8 that JSON is (RFC 8259); other bytes are refused, not replaced. */
async function bodyText(c: AppContext): Promise<string> {
  refuseEncoding(c.req.header("Content-Encoding"));
  const bytes = await c.req.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw new Problem({ code: "MALFORMED_JSON", detail: "The body is not valid UTF-8." });
  }
}

/**
 * Puts the text into Hono's cache (of promises, despite its type), so that it is decoded once. Normalizes the
 * media type: the route's validator refuses some legal spellings (`application/json ; ...`).
 */
function cacheBody(c: AppContext, text: string): void {
  if (c.req.header("Content-Type") !== "application/json") {
    const headers = new Headers(c.req.raw.headers);
    headers.set("Content-Type", "application/json");
    c.req.raw = new Request(c.req.raw.url, { method: c.req.method, headers });
  }
  c.req.bodyCache = { text: Promise.resolve(text) } as object;
}

/** Replaces an absent body with `{}` for the route's validator. */
function emptyBody(c: AppContext): void {
  const headers = new Headers(c.req.raw.headers);
  headers.set("Content-Type", "application/json");
  c.req.raw = new Request(c.req.raw.url, { method: c.req.method, headers, body: "{}" });
  c.req.bodyCache = {};
}

/** A route's JSON body: how the document shows it, and the middleware that checks it. */
export interface BodyRule<Schema extends z.ZodType | undefined> {
  described: {
    required: boolean;
    content: {
      "application/json": { schema: Schema; examples?: Record<string, { value: object }> };
    };
  };
  middleware: MiddlewareHandler<AppEnv>;
}

interface BodyOptions extends Partial<FieldPolicy> {
  /** By name, for the document. */
  examples?: Record<string, { value: object }>;
}

/**
 * Requires a JSON object with `application/json`, of bounded size and depth. Unknown fields are refused with the
 * other invalid fields or, by policy, ignored and named in the header `Centavo-Ignored`. Optional fields that
 * are null count as absent. A card number is refused in every field that is not marked (`allowCardNumber`). Throws 400, 413,
 * 415.
 */
export function jsonBody<Schema extends z.ZodType>(
  schema: Schema,
  { examples, ...policy }: BodyOptions = {},
): BodyRule<Schema> {
  return requiredBody(schema, MAX_BODY_BYTES, { ...STRICT, ...policy }, examples);
}

/** As `jsonBody`, for routes whose body is optional. */
export function optionalJsonBody<Schema extends z.ZodType>(schema: Schema): BodyRule<Schema> {
  return {
    described: { required: false, content: { "application/json": { schema } } },
    middleware: every(limitedTo(MAX_BODY_BYTES), optionalJson(schema)),
  };
}

/** As `jsonBody`, for the route whose body quotes a webhook's body as a string, and of which nothing is kept. */
export function quotingJsonBody<Schema extends z.ZodType>(schema: Schema): BodyRule<Schema> {
  return requiredBody(schema, MAX_QUOTING_BYTES, { ...STRICT, keepsNothing: true });
}

/** As `jsonBody`, for the route whose body is a long list, and of which nothing is kept. */
export function listJsonBody<Schema extends z.ZodType>(schema: Schema): BodyRule<Schema> {
  return requiredBody(schema, MAX_LIST_BYTES, { ...STRICT, keepsNothing: true });
}

function requiredBody<Schema extends z.ZodType>(
  schema: Schema,
  maxBytes: number,
  policy: FieldPolicy,
  examples?: BodyOptions["examples"],
): BodyRule<Schema> {
  const content = { schema, ...(examples === undefined ? {} : { examples }) };
  return {
    described: { required: true, content: { "application/json": content } },
    middleware: every(limitedTo(maxBytes), requiredJson(schema, policy)),
  };
}

const NoFields = z.object({}).openapi("NoFields", { additionalProperties: false });

/** No body, or an empty object: every field is refused, such as the amount of a cancel. */
export const NO_FIELDS = optionalJsonBody(NoFields);

/** Refuses messages of machines that are larger than any request of the API. */
export const messageBody = limitedTo(MAX_BODY_BYTES);

/** Refuses documents to check that are too large; nothing of them is kept. */
export const documentBody = limitedTo(MAX_DOCUMENT_BYTES);

/** Refuses files of evidence that are too large. */
export const evidenceFileBody = limitedTo(EVIDENCE_FILE_MAX_BYTES);

/** Refuses callbacks that are too large; `anyJson` or `jsonOrForm` reads their body. */
export const callbackBody = limitedTo(MAX_CALLBACK_BYTES);

/** The body as JSON of any kind and media type, for a provider's callback. Throws 400 if it is not JSON. */
export async function anyJson(c: AppContext): Promise<unknown> {
  const text = await bodyText(c);
  const scan = scanJson(text, MAX_NESTING);
  limitNesting(scan);
  return parse(text, scan);
}

/** As `anyJson`, or the fields of a form. */
export async function jsonOrForm(c: AppContext): Promise<unknown> {
  if (!FORM_TYPE.test(c.req.header("Content-Type") ?? "")) return anyJson(c);
  return Object.fromEntries(new URLSearchParams(await bodyText(c)));
}

/**
 * Throws 415 for a compressed body (RFC 9110, 15.5.16): no route reads one. A charset, which some clients and PSPs send
 * there by mistake, compresses nothing.
 */
function refuseEncoding(encoding = ""): void {
  if (!COMPRESSIONS.test(encoding)) return;
  throw new Problem({
    code: "UNSUPPORTED_MEDIA_TYPE",
    detail: "The body must not be compressed: leave Content-Encoding out.",
    headers: { "Accept-Encoding": "identity" },
  });
}

function requireJsonType(contentType: string | undefined): void {
  if (contentType !== undefined && JSON_TYPE.test(contentType)) return;
  throw new Problem({
    code: "UNSUPPORTED_MEDIA_TYPE",
    detail: `The body must be sent as Content-Type: application/json; got ${shownType(contentType)}.`,
  });
}

/** The media type without its parameters; a text that is none is not repeated. */
function shownType(contentType: string | undefined): string {
  if (contentType === undefined) return "none";
  return MEDIA_TYPE.exec(contentType)?.[0] ?? "another text";
}

function limitNesting({ depth }: JsonScan): void {
  if (depth > MAX_NESTING) {
    throw new Problem({
      code: "MALFORMED_JSON",
      detail: `The body is nested deeper than ${MAX_NESTING} levels.`,
    });
  }
}

function jsonObject(text: string, scan: JsonScan): object {
  limitNesting(scan);
  const value = parse(text, scan);
  if (scan.duplicate !== null) throw sentTwice(scan.duplicate);
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    const got = Array.isArray(value) ? "an array" : value === null ? "null" : `a ${typeof value}`;
    throw new Problem({
      code: "VALIDATION_FAILED",
      detail: `The body must be a JSON object; got ${got}.`,
      errors: { body: [`${breaks("jsonObject")}; got ${got}`] },
    });
  }
  return value;
}

function parse(text: string, { fault }: JsonScan): unknown {
  if (fault === null) return JSON.parse(text);
  throw new Problem({ code: "MALFORMED_JSON", detail: malformedDetail(text, fault) });
}

/** Peers and libraries disagree on which of two members counts. */
function sentTwice({ line, column }: NonNullable<JsonScan["duplicate"]>): Problem {
  return new Problem({
    code: "MALFORMED_JSON",
    detail: `The body has the same field twice; the second is at line ${line}, column ${column}.`,
  });
}

/** Where and how a text is not JSON. It repeats nothing of the text. */
function malformedDetail(text: string, fault: NonNullable<JsonScan["fault"]>): string {
  if (text.trim() === "") return "The body is empty; it must be a JSON object.";
  const { line, column, expected } = fault;
  return `The body is not valid JSON at line ${line}, column ${column}: expected ${expected}.`;
}
