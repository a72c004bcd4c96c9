import { z, type RouteConfig } from "@hono/zod-openapi";
import { createMiddleware } from "hono/factory";
import type { Api } from "../api.ts";
import type { AppContext, AppEnv } from "../context.ts";
import { publicProblemResponses } from "../openapi/openapi.ts";
import { throwIfInvalid } from "../validation.ts";
import { findUnknownFields, type UnknownField } from "./known-fields.ts";
import { IGNORED, REFUSED_SHOWN_MAX, reportIgnored, SHOWN_PATH_MAX } from "./unknown-fields.ts";
import { breaks } from "../../lib/fields/rules.ts";

/** The contract's endpoints, whose clients may send parameters that mean nothing here. */
const CONTRACT = new Set([
  "post /api/v1/transactions/create",
  "post /api/Withdraw/request",
  "get /api/Transaction/transactionByTransactionId/{transactionId}",
  "get /api/Transaction/company/transactions",
  "get /api/Balance/balance/{companyId}",
  "get /api/checkout/status/{id}",
]);
const NO_PARAMETERS = z.object({});
const INVALID = publicProblemResponses(
  "VALIDATION_FAILED",
)[400] as RouteConfig["responses"][string];

/**
 * Makes every route that is mounted afterwards check the names of its query parameters. Our own routes
 * refuse an unknown one with 400 and the nearest known name; the contract's ignore it and name it in the
 * header `Centavo-Ignored`.
 */
export function checkQueryParameters(app: Api): void {
  const mount = app.openapi as (route: RouteConfig, ...rest: unknown[]) => Api;
  const checked = (route: RouteConfig, ...rest: unknown[]) => mount(withCheck(route), ...rest);
  app.openapi = checked;
}

function withCheck(route: RouteConfig): RouteConfig {
  if (!route.path.startsWith("/api/")) return route;
  const isContract = CONTRACT.has(`${route.method} ${route.path}`);
  const { middleware = [], responses } = route;
  const check = isContract ? ignoreUnknown(schemaOf(route)) : refuseUnknown(route);
  return {
    ...route,
    middleware: [middleware, check].flat(),
    responses: isContract ? withIgnoredHeader(responses) : { 400: INVALID, ...responses },
  };
}

function schemaOf({ request }: RouteConfig): z.ZodType {
  return (request?.query as z.ZodType | undefined) ?? NO_PARAMETERS;
}

function ignoreUnknown(schema: z.ZodType) {
  return createMiddleware<AppEnv>(async (c, next) => {
    reportIgnored(c, unknownParameters(c, schema));
    await next();
  });
}

function refuseUnknown(route: RouteConfig) {
  const schema = schemaOf(route);
  return createMiddleware<AppEnv>(async (c, next) => {
    const unknown = unknownParameters(c, schema).slice(0, REFUSED_SHOWN_MAX);
    const issues = unknown.map((parameter) => parameterError(parameter, schema));
    // The schema's validator reports them with its own errors; without a schema there is none.
    if (schema === NO_PARAMETERS) throwIfInvalid(issues);
    else c.set("queryErrors", issues);
    await next();
  });
}

function unknownParameters(c: AppContext, schema: z.ZodType): UnknownField[] {
  const { searchParams } = new URL(c.req.url);
  if (searchParams.size === 0) return [];
  return findUnknownFields(schema, Object.fromEntries(searchParams));
}

function parameterError({ path, suggestions }: UnknownField, schema: z.ZodType): z.core.$ZodIssue {
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const hint =
    suggestions.length > 0
      ? `did you mean ${suggestions.join(" or ")}?`
      : known.length > 0
        ? `this path knows ${known.join(", ")}`
        : "this path takes none";
  return {
    code: "custom",
    path: [path.join(".").slice(0, SHOWN_PATH_MAX)],
    message: breaks("unknownParameter", { hint }),
    input: undefined,
  };
}

/** Names the header in the answers of a route, for the API reference. */
function withIgnoredHeader(responses: RouteConfig["responses"]): RouteConfig["responses"] {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      if ("$ref" in response || Number(status) >= 300) return [status, response];
      const { headers } = response as { headers?: object };
      return [status, { ...response, headers: { ...headers, ...IGNORED } }];
    }),
  );
}
