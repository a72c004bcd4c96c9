import { createMiddleware } from "hono/factory";
import type { RandomSource } from "../domain/shared/clock.ts";
import { bytesToHex } from "@noble/hashes/utils.js";
import { parseSecureId } from "../domain/shared/ids.ts";
import { log } from "../lib/log.ts";
import { withTrace } from "../lib/trace/trace.ts";
import { containsCardNumber } from "../domain/cards/card-number.ts";
import type { AppEnv } from "./context.ts";
import { internalRetryTraceId } from "./auth/internal-retry.ts";

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const ALL_ZEROS = /^0+$/;
const TRACE_ID_BYTES = 16;
/** Characters logged of a path: longer than any path of the API with its ids. */
const LOGGED_PATH_MAX = 256;
/** A path segment as long as a `secureId`: no route has one. */
const LONG_NAMES = /[\w-]{43,}/g;
const CALLBACKS = /callbacks/i;
/** What the address of a link with a token says before it: an invitation, a new password, an operator's set-up. */
const LINKS = /(?:invitation|password-reset|set-up)(?:\/|%2f)/i;
/** A callback token, or most of it. */
const CALLBACK_TOKENS = /[\w-]{16,}/g;

/**
 * The trace id of a `traceparent` header (W3C Trace Context), or null if it is invalid: version ff, all-zero
 * ids, or further fields in version 00.
 */
export function traceIdOf(traceparent: string | undefined): string | null {
  const match = TRACEPARENT.exec(traceparent ?? "");
  if (match === null) return null;
  const [, version, traceId, parentId, , rest] = match;
  if (version === "ff" || (version === "00" && rest !== undefined)) return null;
  if (traceId === undefined || ALL_ZEROS.test(traceId)) return null;
  return parentId === undefined || ALL_ZEROS.test(parentId) ? null : traceId;
}

export function newTraceId(random: RandomSource): string {
  return bytesToHex(random.bytes(TRACE_ID_BYTES));
}

/** Sets the trace id and the `X-Trace-Id` header, and logs one line per request. */
export const tracing = createMiddleware<AppEnv>(async (c, next) => {
  // For the literal path `/*` Hono's router runs a middleware of all paths twice.
  const outer: string | undefined = c.get("traceId");
  const known = outer ?? internalRetryTraceId(c.req.raw);
  if (known !== undefined) {
    c.set("traceId", known);
    await next();
    return;
  }
  const { platformClock, random } = c.get("deps");
  const startedAt = platformClock.now();
  const traceId = traceIdOf(c.req.header("traceparent")) ?? newTraceId(random);
  c.set("traceId", traceId);
  await withTrace(traceId, next);
  c.res.headers.set("X-Trace-Id", traceId);
  log("info", "request", {
    traceId,
    method: c.req.method,
    path: loggedPath(c.req.path),
    status: c.res.status,
    durationMs: platformClock.now() - startedAt,
    clientId: c.get("caller")?.clientId,
    commit: c.env.COMMIT,
  });
});

/**
 * A path without secrets, of at most `LOGGED_PATH_MAX` characters. A `secureId`, which opens a payer's page,
 * becomes its UUID; other long segments are hidden, and so are callback tokens, also outside the route, all that
 * follows in a person's link (half of a token would look like a `secureId`'s UUID), and the digits of a path with a
 * card number. A long path is cut between segments, so that no part of a secret remains.
 */
export function loggedPath(path: string): string {
  const link = LINKS.exec(path);
  const begun = link === null ? path : `${path.slice(0, link.index + link[0].length)}{linkToken}`;
  const shown = begun.length <= LOGGED_PATH_MAX ? begun : cutBetweenNames(begun);
  const callbacksAt = shown.search(CALLBACKS);
  const hidden =
    callbacksAt === -1
      ? shown
      : shown.slice(0, callbacksAt) +
        shown.slice(callbacksAt).replaceAll(CALLBACK_TOKENS, "{callbackToken}");
  const named = hidden.replaceAll(
    LONG_NAMES,
    (name) => parseSecureId(name)?.transactionId ?? "{longName}",
  );
  return containsCardNumber(named) ? named.replaceAll(/\d+/g, "{digits}") : named;
}

function cutBetweenNames(path: string): string {
  return `${path.slice(0, path.lastIndexOf("/", LOGGED_PATH_MAX - 2))}/…`;
}
