import { Hono } from "hono";
import { csrf } from "hono/csrf";
import type { AppContext } from "../../http/context.ts";
import { senderOf } from "../../http/client-address.ts";
import { enforceRateLimit } from "../../http/rate-limits/enforce.ts";
import type { ConsoleEnv } from "./context.ts";
import { counterOnly } from "./people/counter/require-cashier.ts";
import { boundedBytes, boundedFields, readablePostsOnly } from "./posts.ts";
import { assetRoutes } from "./ui/assets.ts";
import { errorPage, notFoundPage } from "./ui/error-pages.tsx";
import { SCREENS } from "./screens.ts";

/** Only files of this service, no inline script or style, no frame, forms only to this service. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

export const consoleApp = new Hono<ConsoleEnv>().basePath("/console");
consoleApp.use(async (c, next) => {
  await next();
  c.header("Content-Security-Policy", CONTENT_SECURITY_POLICY);
  c.header("Referrer-Policy", "same-origin");
});
consoleApp.use(async (c, next) => {
  await enforceRateLimit(c.env.outer, "console", senderOf(c.env.outer));
  await next();
});
consoleApp.use(boundedBytes);
consoleApp.use(boundedFields);
consoleApp.use(csrf());
consoleApp.use(readablePostsOnly);
assetRoutes(consoleApp);
consoleApp.use(counterOnly);
for (const mount of SCREENS) mount(consoleApp);
consoleApp.notFound(notFoundPage);
consoleApp.onError(errorPage);

/** The console's answer to a request of the service. */
export async function serveConsole(outer: AppContext): Promise<Response> {
  return consoleApp.fetch(outer.req.raw, { outer });
}
