import { requestAs, requestAsOperator } from "../../http/auth/person-requests.ts";
import { executionContextOf } from "../../http/auth/internal-retry.ts";
import { notFound } from "../../http/problems.ts";
import { traceparentOf } from "../../lib/trace/trace.ts";
import type { ConsoleContext } from "./context.ts";

/** What the API answered. */
export interface ApiAnswer<Body> {
  status: number;
  ok: boolean;
  /** The answer, or problem+json where `ok` is false. */
  body: Body;
  headers: Headers;
}

/** problem+json, as far as a page shows it. */
export interface ApiProblem {
  title: string;
  detail: string;
  code: string;
  traceId: string;
  errors?: Record<string, string[]>;
}

interface CallOptions {
  body?: unknown;
  /** Sent instead of `body`: a text of another media type. */
  text?: { type: string; text: string };
  idempotencyKey?: string;
  accept?: string;
  /** Asks the API what would happen, without doing it. */
  dryRun?: boolean;
}

/**
 * Calls a route of the API in this process for the signed-in person, on an operator's page for the operator: with the same validation, scopes, limits,
 * idempotency and audit trail as any client. Nothing leaves the isolate.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- the shape of an answer is the route's
export async function callApi<Body = any>(
  c: ConsoleContext,
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  options: CallOptions = {},
): Promise<ApiAnswer<Body>> {
  const response = await fetchApi(c, method, path, options);
  const text = await response.text();
  const body = (text === "" ? null : JSON.parse(text)) as Body;
  return { status: response.status, ok: response.ok, body, headers: response.headers };
}

/** As `callApi`, with the answer as it came: for CSV, PDF and other files. */
export async function fetchApi(
  c: ConsoleContext,
  method: string,
  path: string,
  { body, text, idempotencyKey, accept = "application/json", dryRun = false }: CallOptions = {},
): Promise<Response> {
  const { outer } = c.env;
  const headers = new Headers({ Accept: accept, traceparent: traceparentOf(outer.get("traceId")) });
  const address = c.req.header("CF-Connecting-IP");
  if (address !== undefined) headers.set("CF-Connecting-IP", address);
  if (body !== undefined) headers.set("Content-Type", "application/json");
  if (text !== undefined) headers.set("Content-Type", text.type);
  if (dryRun) headers.set("X-Dry-Run", "true");
  if (idempotencyKey !== undefined) headers.set("Idempotency-Key", sendable(idempotencyKey));
  const request = new Request(urlOf(c, path), {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(text === undefined ? {} : { body: text.text }),
  });
  const operator = c.get("operator");
  if (operator === undefined) requestAs(c.get("person"), request);
  else requestAsOperator(operator, request);
  return outer.get("app").fetch(request, outer.env, executionContextOf(outer));
}

/**
 * The address of a path of the API. Throws 404 for one that is another by the time it is read: `..` as an id, which
 * no encoding hides, would lead to another route.
 */
function urlOf(c: ConsoleContext, path: string): URL {
  const url = new URL(path, c.req.url);
  if (url.origin + url.pathname === new URL(c.req.url).origin + path.split("?", 1)[0]) return url;
  throw notFound("page");
}

/** A form's text as a header: what no header holds becomes what no key holds, so that the API refuses it. */
function sendable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, "?");
}
