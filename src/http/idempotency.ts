import { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import { Problem, type ProblemCode } from "../domain/shared/problem.ts";
import { containsCardNumber } from "../domain/cards/card-number.ts";
import { canonicalJson, sha256Hex, withoutDefaults } from "../lib/hash.ts";
import type { AppContext, AppEnv } from "./context.ts";
import { breaks } from "../lib/fields/rules.ts";

const HEADER = "Idempotency-Key";
/** What peers call it. Ignored, it would let a retry do the same twice. */
const FOREIGN_HEADER = "X-Idempotency-Key";
/** Bare (as the contract shows) or quoted (as the IETF draft asks). */
const KEY = /^(?:"([A-Za-z0-9_.:-]{1,255})"|([A-Za-z0-9_.:-]{1,255}))$/;

export const REPLAYED_HEADER = "Idempotent-Replayed";
/** Seconds before a client may repeat a request that is still running. */
const IN_PROGRESS_RETRY_SECONDS = 1;

/** How a route takes an `Idempotency-Key`: the header for the document, the middleware, and what it may answer. */
export interface IdempotencyRule {
  described: z.ZodObject<{ "Idempotency-Key": z.ZodString | z.ZodOptional<z.ZodString> }>;
  middleware: MiddlewareHandler<AppEnv>;
  problems: readonly ProblemCode[];
  /** Whether a repeat gets the first answer, and a header says so; else it is refused or has no effect. */
  isReplayed: boolean;
}

const KEY_DESCRIPTION =
  "1 to 255 of A-Z a-z 0-9 _ . : -, bare or quoted. Repeating a request with its key returns the first " +
  "response and does nothing twice; a different request with the key gets a 409.";
const KEY_PROBLEMS = ["IDEMPOTENCY_KEY_INVALID", "IDEMPOTENCY_KEY_REUSED"] as const;

function keyHeader(example: string) {
  return z.string().openapi({ description: KEY_DESCRIPTION, example });
}

/** Reads the key if one is sent. Duplicate headers arrive joined by a comma, which no key contains. */
export function optionalIdempotencyKey(
  example: string,
  { isReplayed = true }: { isReplayed?: boolean } = {},
): IdempotencyRule {
  return {
    isReplayed,
    described: z.object({ [HEADER]: keyHeader(example).optional() }),
    middleware: readOptionalKey,
    problems: KEY_PROBLEMS,
  };
}

/** Reads the key. Throws 400 if it is missing or malformed. */
export function requiredIdempotencyKey(example: string): IdempotencyRule {
  return {
    isReplayed: true,
    described: z.object({ [HEADER]: keyHeader(example) }),
    middleware: readRequiredKey,
    problems: [...KEY_PROBLEMS, "IDEMPOTENCY_KEY_REQUIRED"],
  };
}

const readOptionalKey = createMiddleware<AppEnv>(async (c, next) => {
  const header = sentKey(c);
  c.set("idempotencyKey", header === undefined ? null : parseKey(header));
  await next();
});

const readRequiredKey = createMiddleware<AppEnv>(async (c, next) => {
  const header = sentKey(c);
  if (header === undefined) {
    throw new Problem({
      code: "IDEMPOTENCY_KEY_REQUIRED",
      detail: "This request moves money and needs an Idempotency-Key header.",
      errors: { [HEADER]: [breaks("required")] },
    });
  }
  c.set("idempotencyKey", parseKey(header));
  await next();
});

/** The header's text; undefined where none was sent. Throws 400 where it came under a peer's name alone. */
function sentKey(c: AppContext): string | undefined {
  const header = c.req.header(HEADER);
  if (header !== undefined || c.req.header(FOREIGN_HEADER) === undefined) return header;
  throw new Problem({
    code: "IDEMPOTENCY_KEY_INVALID",
    detail: `The header ${FOREIGN_HEADER} is not read; send ${HEADER}.`,
    errors: { [FOREIGN_HEADER]: [breaks("unknownNearly", { names: HEADER })] },
  });
}

function parseKey(header: string): string {
  const match = KEY.exec(header.trim());
  const key = match?.[1] ?? match?.[2];
  if (key !== undefined && containsCardNumber(key)) throw holdsCardNumber();
  if (key !== undefined) return key;
  throw new Problem({
    code: "IDEMPOTENCY_KEY_INVALID",
    detail: "The Idempotency-Key must be 1 to 255 of A-Z a-z 0-9 _ . : - and be sent once.",
    errors: {
      [HEADER]: [`${breaks("idempotencyKey")}; got ${header.length} characters`],
    },
  });
}

function holdsCardNumber(): Problem {
  return new Problem({
    code: "IDEMPOTENCY_KEY_INVALID",
    detail: "The Idempotency-Key reads as a card number, which is never kept.",
    errors: {
      [HEADER]: [breaks("cardNumberSent")],
    },
  });
}

/** What a stored request is compared by. */
export interface RequestHashes {
  /** SHA-256 of the request without what it says by default; new requests are stored with it. */
  requestHash: string;
  /** SHA-256 of the request as it was sent: older requests were stored with it. */
  sentRequestHash: string;
}

/** The hashes of a request, whose fields left out mean `defaults`. */
export async function requestHashes(request: object, defaults: object): Promise<RequestHashes> {
  const meant = withoutDefaults(request, defaults) ?? {};
  const [requestHash, sentRequestHash] = await Promise.all([
    sha256Hex(canonicalJson(meant)),
    sha256Hex(canonicalJson(request)),
  ]);
  return { requestHash, sentRequestHash };
}

export function isSameRequest(storedHash: string, hashes: RequestHashes): boolean {
  return storedHash === hashes.requestHash || storedHash === hashes.sentRequestHash;
}

export function keyReused(): Problem {
  return new Problem({
    code: "IDEMPOTENCY_KEY_REUSED",
    detail: "This Idempotency-Key was already used for a different request.",
  });
}

export function keyInProgress(): Problem {
  return new Problem({
    code: "IDEMPOTENCY_IN_PROGRESS",
    detail: "The first request with this Idempotency-Key is still running.",
    retryAfterSeconds: IN_PROGRESS_RETRY_SECONDS,
  });
}
