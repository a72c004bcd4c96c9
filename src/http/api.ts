import type { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "./context.ts";

/** The HTTP API: a Hono app whose routes are described for `/openapi.json` as they are mounted. */
export type Api = OpenAPIHono<AppEnv>;
