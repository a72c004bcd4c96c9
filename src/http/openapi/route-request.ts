import { traceparentOf } from "../../lib/trace/trace.ts";
import { requestWithin } from "../auth/person-requests.ts";
import type { AppContext } from "../context.ts";
import { notFound } from "../problems.ts";
import type { Route } from "./route-types.ts";

/** What of a call is sent, whatever its route is. */
export interface CallInput {
  params?: Record<string, string | number>;
  query?: Record<string, string | number | undefined>;
  json?: unknown;
  text?: { type: string; text: string | Uint8Array<ArrayBuffer> };
  idempotencyKey?: string;
  dryRun?: boolean;
}

/**
 * A request of a route of the API, made in this process within another request, which has passed the way from outside:
 * same trace, same address. Who asks is for the caller to add. Throws 404 for parameters that lead to another path.
 */
export function routeRequest(
  outer: AppContext,
  { method, path }: Route,
  { params = {}, query = {}, json, text, idempotencyKey, dryRun = false }: CallInput,
  given: Record<string, string>,
): Request {
  const headers = new Headers({ ...given, traceparent: traceparentOf(outer.get("traceId")) });
  const address = outer.req.header("CF-Connecting-IP");
  if (address !== undefined) headers.set("CF-Connecting-IP", address);
  if (json !== undefined) headers.set("Content-Type", "application/json");
  if (text !== undefined) headers.set("Content-Type", text.type);
  if (dryRun) headers.set("X-Dry-Run", "true");
  if (idempotencyKey !== undefined) headers.set("Idempotency-Key", sendable(idempotencyKey));
  const request = new Request(urlOf(outer.req.url, path, params, query), {
    method: method.toUpperCase(),
    headers,
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    ...(text === undefined ? {} : { body: text.text }),
  });
  return requestWithin(outer.req.raw, request);
}

/**
 * The address of a route with its parameters. Throws 404 for one that is another by the time it is read: `..` as an
 * id, which no encoding hides, would lead to another route.
 */
function urlOf(
  base: string,
  template: string,
  params: Record<string, string | number>,
  query: Record<string, string | number | undefined>,
): URL {
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ""),
  );
  const url = new URL(path, base);
  if (url.pathname !== path) throw notFound("page");
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

/** A form's text as a header: what no header holds becomes what no key holds, so that the API refuses it. */
function sendable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, "?");
}
