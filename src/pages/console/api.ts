import { requestAs, requestAsOperator, requestWithin } from "../../http/auth/person-requests.ts";
import { executionContextOf } from "../../http/auth/internal-retry.ts";
import type { ProblemBody } from "../../http/openapi/openapi.ts";
import { notFound, PROBLEM_MEDIA_TYPE } from "../../http/problems.ts";
import { traceparentOf } from "../../lib/trace/trace.ts";
import { refusalIn } from "../shared/refusals/refusals.ts";
import type { ConsoleContext } from "./context.ts";
import { localeOf } from "./texts.ts";
import type {
  FileTypeOf,
  Route,
  RouteAnswer,
  RouteArguments,
  RouteInput,
  RouteRefusal,
} from "./route-types.ts";

/** problem+json, as far as a page shows it. */
export type ApiProblem = Pick<ProblemBody, "title" | "detail" | "traceId" | "errors"> & {
  code: string;
};

/** A file as a route answers it. */
interface FileAnswer {
  ok: true;
  status: number;
  body: ReadableStream<Uint8Array> | null;
  headers: Headers;
}

/** What of a call is sent, whatever its route is. */
interface Input {
  params?: Record<string, string | number>;
  query?: Record<string, string | number | undefined>;
  json?: unknown;
  text?: { type: string; text: string | Uint8Array<ArrayBuffer> };
  idempotencyKey?: string;
  dryRun?: boolean;
}

/**
 * Calls a route of the API in this process for the signed-in person, on an operator's page for the operator: with the
 * same validation, scopes, idempotency and audit trail as any client. Nothing leaves the isolate. Its types are the
 * route's. What the page's own request has proven is not proven again: `fromOutside`, `ReadOncePerPage`.
 */
export async function callRoute<R extends Route>(
  c: ConsoleContext,
  route: R,
  ...[input = {} as RouteInput<R>]: RouteArguments<R>
): Promise<RouteAnswer<R>> {
  const response = await fetchRoute(c, route, input, "application/json");
  const text = await response.text();
  const { ok, status, headers } = response;
  const body: unknown = text === "" ? null : JSON.parse(text);
  // The route's handler is held to the same types.
  return {
    ok,
    status,
    headers,
    body: ok ? body : inPersonsWords(c, response, body),
  } as RouteAnswer<R>;
}

/** As `callRoute`, for a file: the answer as it came, of a media type that the route has. */
export async function callRouteForFile<R extends Route>(
  c: ConsoleContext,
  route: R,
  type: FileTypeOf<R>,
  ...[input = {} as RouteInput<R>]: RouteArguments<R>
): Promise<FileAnswer | RouteRefusal> {
  const response = await fetchRoute(c, route, input, type);
  const { ok, status, headers } = response;
  if (ok) return { ok, status, headers, body: response.body };
  const body = inPersonsWords(c, response, await response.json());
  return { ok, status, headers, body: body as ProblemBody };
}

/** A problem in the language of the person who reads it; another refusal as it came. */
function inPersonsWords(c: ConsoleContext, { headers }: Response, body: unknown): unknown {
  if (headers.get("Content-Type") !== PROBLEM_MEDIA_TYPE) return body;
  return refusalIn(localeOf(c), body as ProblemBody);
}

function fetchRoute(
  c: ConsoleContext,
  { method, path }: Route,
  { params = {}, query = {}, json, text, idempotencyKey, dryRun = false }: Input,
  accept: string,
): Promise<Response> {
  const { outer } = c.env;
  const headers = new Headers({
    Accept: accept,
    "Accept-Language": localeOf(c).language,
    traceparent: traceparentOf(outer.get("traceId")),
  });
  const address = c.req.header("CF-Connecting-IP");
  if (address !== undefined) headers.set("CF-Connecting-IP", address);
  if (json !== undefined) headers.set("Content-Type", "application/json");
  if (text !== undefined) headers.set("Content-Type", text.type);
  if (dryRun) headers.set("X-Dry-Run", "true");
  if (idempotencyKey !== undefined) headers.set("Idempotency-Key", sendable(idempotencyKey));
  const request = new Request(urlOf(c, path, params, query), {
    method: method.toUpperCase(),
    headers,
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    ...(text === undefined ? {} : { body: text.text }),
  });
  requestWithin(outer.req.raw, request);
  const operator = c.get("operator");
  if (operator === undefined) requestAs(c.get("person"), request);
  else requestAsOperator(operator, request);
  return Promise.resolve(outer.get("app").fetch(request, outer.env, executionContextOf(outer)));
}

/**
 * The address of a route with its parameters. Throws 404 for one that is another by the time it is read: `..` as an
 * id, which no encoding hides, would lead to another route.
 */
function urlOf(
  c: ConsoleContext,
  template: string,
  params: Record<string, string | number>,
  query: Record<string, string | number | undefined>,
): URL {
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ""),
  );
  const url = new URL(path, c.req.url);
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
