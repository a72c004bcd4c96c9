import type { Api } from "../http/api.ts";
import { limitPublicRoute } from "../http/rate-limits/enforce.ts";

/**
 * `/console`: the pages for people. Loaded when the first of them is asked for, by a promise of that request: its
 * sign-in alone is larger than the API.
 */
export function consolePages(app: Api): void {
  app.all("/console/*", async (c) => {
    const { serveConsole } = await import("./console/app.tsx");
    return serveConsole(c);
  });
  // The short link of an e-mail: whoever opens it signs in first, and decides on the page.
  app.get("/a/:secureId", limitPublicRoute, (c) => {
    const id = encodeURIComponent(c.req.param("secureId"));
    return c.redirect(`/console/approvals/${id}`, 303);
  });
}
