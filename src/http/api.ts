import type { OpenAPIRegistry } from "@asteasolutions/zod-to-openapi";
import type { createRoute as CreateRoute, OpenAPIHono } from "@hono/zod-openapi";
import { zValidator } from "@hono/zod-validator";
import { Hono, type Handler, type ValidationTargets } from "hono";
import type { AppEnv } from "./context.ts";
import { KeptRoutes } from "./kept-routes.ts";
import { onInvalid } from "./validation.ts";
import type { z } from "./zod.ts";

/** A route as its parts describe it, before types are inferred from it. */
interface DescribedRoute {
  method: string;
  path: string;
  hide?: boolean;
  middleware?: readonly Handler[];
  request?: {
    query?: z.ZodType;
    params?: z.ZodType;
    headers?: z.ZodType;
    body?: { content: { "application/json": { schema: z.ZodType } } };
  };
}

/**
 * A Hono app whose routes are described for `/openapi.json` as they are mounted. The types are those of
 * `@hono/zod-openapi`; of the package itself nothing is loaded, because it evaluates all of zod and the
 * generator of the document at each start.
 */
export class Api extends Hono<AppEnv> {
  constructor() {
    super({ router: new KeptRoutes() });
  }

  /** What the app has for its document, said to whoever makes one. */
  readonly described: ((document: OpenAPIRegistry) => unknown)[] = [];

  /** Mounts a route: its middleware, then a validator for each part of the request, then the handler. */
  readonly openapi = ((route: DescribedRoute, handler: Handler) => {
    const { middleware = [], hide = false, ...described } = route;
    if (!hide) this.described.push((document) => document.registerPath(described as never));
    const { query, params, headers, body } = described.request ?? {};
    const path = described.path.replaceAll(/\/\{(.+?)\}/g, "/:$1");
    this.on(
      [described.method],
      [path],
      ...middleware,
      ...validators("query", query),
      ...validators("param", params),
      ...validators("header", headers),
      ...validators("json", body?.content["application/json"].schema),
      handler,
    );
    return this;
  }) as unknown as OpenAPIHono<AppEnv>["openapi"];
}

/** Keeps a route's description with its types. */
export const createRoute = ((route: unknown) => route) as typeof CreateRoute;

function validators(target: keyof ValidationTargets, schema: z.ZodType | undefined): Handler[] {
  return schema === undefined ? [] : [zValidator(target, schema, onInvalid as never) as Handler];
}
