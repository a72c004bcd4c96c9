import { createMiddleware } from "hono/factory";
import type { CheckoutEnv } from "../context.ts";

/** A payer's page is in no search engine, and no link from it tells where it was. */
export const payersPage = createMiddleware<CheckoutEnv>(async (c, next) => {
  await next();
  c.header("X-Robots-Tag", "noindex");
  c.header("Referrer-Policy", "no-referrer");
});
