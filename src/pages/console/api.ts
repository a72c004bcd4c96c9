import type { ScenarioRequest } from "../../domain/scenarios/requests.ts";
import type { ScenarioAnswer } from "../../domain/scenarios/service.ts";
import { requestAs, requestAsOperator } from "../../http/auth/person-requests.ts";
import { executionContextOf } from "../../http/auth/internal-retry.ts";
import type { ProblemBody } from "../../http/openapi/openapi.ts";
import { routeRequest, type CallInput } from "../../http/openapi/route-request.ts";
import { PROBLEM_MEDIA_TYPE } from "../../http/problems.ts";
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
} from "../../http/openapi/route-types.ts";

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

/** As `callRoute`, for a call that is only known as it is made, such as a step of a scenario: its answer is of any shape. */
export async function callPath(
  c: ConsoleContext,
  { method, path, body: json, idempotencyKey }: ScenarioRequest,
): Promise<ScenarioAnswer> {
  const { pathname, searchParams } = new URL(path, c.env.outer.req.url);
  const route = { method: METHODS[method], path: pathname, responses: {} };
  const input = {
    query: Object.fromEntries(searchParams),
    ...(json === undefined ? {} : { json }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  };
  const response = await fetchRoute(c, route, input, "application/json");
  const body: unknown = await response.json();
  return { status: response.status, body: inPersonsWords(c, response, body) };
}

const METHODS = { GET: "get", POST: "post", PUT: "put" } as const;

/** A problem in the language of the person who reads it; another refusal as it came. */
function inPersonsWords(c: ConsoleContext, { headers }: Response, body: unknown): unknown {
  if (headers.get("Content-Type") !== PROBLEM_MEDIA_TYPE) return body;
  return refusalIn(localeOf(c), body as ProblemBody);
}

function fetchRoute(
  c: ConsoleContext,
  route: Route,
  input: CallInput,
  accept: string,
): Promise<Response> {
  const { outer } = c.env;
  const request = routeRequest(outer, route, input, {
    Accept: accept,
    "Accept-Language": localeOf(c).language,
  });
  const operator = c.get("operator");
  if (operator === undefined) requestAs(c.get("person"), request);
  else requestAsOperator(operator, request);
  return Promise.resolve(outer.get("app").fetch(request, outer.env, executionContextOf(outer)));
}
