import { parseSecureId } from "../domain/shared/ids.ts";
import type { Api } from "../http/api.ts";
import { documentBody } from "../http/body.ts";
import type { AppContext } from "../http/context.ts";
import { limitPublicRoute } from "../http/rate-limits/enforce.ts";

/**
 * `/a/{secureId}`, on which a payer approves a subscription, and `/s/{secureId}`, on which he sees and cancels it. Loaded
 * when the first of them is asked for, as the checkout is.
 */
export function subscriptionPages(app: Api): void {
  app.get("/a/:secureId", limitPublicRoute, async (c) => {
    const id = c.req.param("secureId");
    // The short link of an e-mail about a withdraw: whoever opens it signs in first, and decides on the page.
    if (parseSecureId(id) === null)
      return c.redirect(`/console/approvals/${encodeURIComponent(id)}`, 303);
    return serve(c);
  });
  app.get("/a/:secureId/status", limitPublicRoute, serve);
  app.get("/s/:secureId", limitPublicRoute, serve);
  app.get("/s/:secureId/cancel", limitPublicRoute, serve);
  app.post("/s/:secureId/cancel", limitPublicRoute, documentBody, serve);
}

async function serve(c: AppContext): Promise<Response> {
  const { serveSubscription } = await import("./subscription/app.tsx");
  return serveSubscription(c);
}
