import { createMiddleware } from "hono/factory";
import type { RandomSource } from "../domain/clock.ts";
import { bytesToHex } from "@noble/hashes/utils.js";
import { parseSecureId } from "../domain/ids.ts";
import { log } from "../lib/log.ts";
import type { AppEnv } from "./context.ts";
import { traceOfRepeat } from "./repeat.ts";

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const ALL_ZEROS = /^0+$/;
const TRACE_ID_BYTES = 16;
/** As long as a `secureId`. */
const SEGMENT = /[\w-]{43}/g;
/** What a PSP's callbacks are let in by, or most of it, also in a path that misses the route. */
const CALLBACK_TOKEN = /(?<=\/callbacks\/.*)[\w-]{16,}/gi;

/**
 * The trace id of a `traceparent` header, or null where a new trace must begin (W3C Trace Context):
 * version ff and all-zero ids are invalid, version 00 takes no further fields, a later one may.
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

/** Gives every request its trace id, every answer its `X-Trace-Id`, and the log one line. */
export const tracing = createMiddleware<AppEnv>(async (c, next) => {
  const repeatedTrace = traceOfRepeat(c.req.raw);
  if (repeatedTrace !== undefined) {
    c.set("traceId", repeatedTrace);
    await next();
    return;
  }
  const { clock, random } = c.get("deps");
  const startedAt = clock.now();
  const traceId = traceIdOf(c.req.header("traceparent")) ?? newTraceId(random);
  c.set("traceId", traceId);
  await next();
  c.res.headers.set("X-Trace-Id", traceId);
  log("info", "request", {
    traceId,
    method: c.req.method,
    path: withoutSecrets(c.req.path),
    status: c.res.status,
    durationMs: clock.now() - startedAt,
    clientId: c.get("caller")?.clientId,
  });
});

/**
 * A path as the log may show it: a `secureId`, which opens a payer's page, is the UUID inside it, and a
 * callback's token is not shown.
 */
function withoutSecrets(path: string): string {
  return path
    .replaceAll(CALLBACK_TOKEN, "{callbackToken}")
    .replaceAll(SEGMENT, (text) => parseSecureId(text)?.transactionId ?? text);
}
