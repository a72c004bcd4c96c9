import { createMiddleware } from "hono/factory";
import type { ConsoleEnv } from "../context.ts";

/**
 * Asks for the second factor again before an action that needs a fresh one. This one lets all pass: the place is
 * held for the one that comes with the sign-in, and must not be released as it is.
 */
export const requireFreshSecondFactor = createMiddleware<ConsoleEnv>(async (_c, next) => next());
