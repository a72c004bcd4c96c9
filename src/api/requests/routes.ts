import type { Api } from "../../http/api.ts";
import { requireFurtherScopes, requireScope } from "../../http/auth/auth.ts";
import { jsonResponse } from "../../http/openapi/openapi.ts";
import { OneRequest, Requests, RequestsQuery, TraceParam, TraceQuery } from "./schemas.ts";
import { routesOf } from "../../http/openapi/route.ts";
import { showNewest, showRequest } from "./service.ts";

const route = routesOf("Applications");
const PATH = "/api/v1/requests";

const list = route.get(PATH, {
  operationId: "listRequests",
  summary: "List the newest requests that changed something",
  description:
    "Newest first: the newest creates of charges and the newest entries of the audit trail, with their trace ids. " +
    "For all of them page through the transactions and the audit trail.",
  guard: [requireScope("keys:write"), requireFurtherScopes("transactions:read")],
  query: RequestsQuery,
  answers: { 200: jsonResponse("The newest", Requests) },
  problems: ["VALIDATION_FAILED"],
});

const get = route.get(`${PATH}/{traceId}`, {
  operationId: "getRequest",
  summary: "Find what a request did by its trace id",
  description:
    "The trace id is in `X-Trace-Id` of each answer and in `traceId` of each problem. Found are the charge that the " +
    "request made, also one that its provider refused, and its entries in the audit trail. Nothing is kept of reads " +
    "and of requests that were refused before they did anything. A call looks through 500 charges and 500 entries, " +
    "so nothing found is final only where `searchedFrom` is null.",
  guard: [requireScope("keys:write"), requireFurtherScopes("transactions:read")],
  params: TraceParam,
  query: TraceQuery,
  answers: { 200: jsonResponse("What was found", OneRequest) },
  problems: ["VALIDATION_FAILED"],
});

export { list as listRequests, get as getRequest };

/** What requests did, by the trace ids that their answers carry. */
export function requestRoutes(app: Api): void {
  app.openapi(list, async (c) => {
    const { limit } = c.req.valid("query");
    return c.json(await showNewest(c.env, c.get("caller").company.id, limit), 200);
  });

  app.openapi(get, async (c) => {
    const { traceId } = c.req.valid("param");
    const { to = null } = c.req.valid("query");
    const data = await showRequest(c.env, c.get("caller").company.id, { traceId, toMs: to });
    return c.json({ data }, 200);
  });
}
