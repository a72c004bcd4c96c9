import { requestAs, requestAsOperator } from "../../http/auth/person-requests.ts";
import { executionContextOf } from "../../http/auth/internal-retry.ts";
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
  { body, idempotencyKey, accept = "application/json", dryRun = false }: CallOptions = {},
): Promise<Response> {
  const { outer } = c.env;
  const headers = new Headers({ Accept: accept, traceparent: traceparent(outer.get("traceId")) });
  const address = c.req.header("CF-Connecting-IP");
  if (address !== undefined) headers.set("CF-Connecting-IP", address);
  if (body !== undefined) headers.set("Content-Type", "application/json");
  if (dryRun) headers.set("X-Dry-Run", "true");
  if (idempotencyKey !== undefined) headers.set("Idempotency-Key", idempotencyKey);
  const request = new Request(new URL(path, c.req.url), {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const operator = c.get("operator");
  if (operator === undefined) requestAs(c.get("person"), request);
  else requestAsOperator(operator, request);
  return outer.get("app").fetch(request, outer.env, executionContextOf(outer));
}

/** W3C Trace Context: the request's trace, with any span. */
function traceparent(traceId: string): string {
  return `00-${traceId}-${traceId.slice(0, 16)}-01`;
}
