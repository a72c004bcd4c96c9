import type { Api } from "../http/api.ts";
import { limitPublicRoute } from "../http/rate-limits/enforce.ts";

/**
 * `/checkout`: the payers' pages, and `/checkout.js`, which shows them on a merchant's page. Loaded when the first of
 * them is asked for, by a promise of that request.
 */
export function checkoutPages(app: Api): void {
  app.use("/checkout/*", limitPublicRoute);
  app.get("/checkout/*", async (c) => {
    const { serveCheckout } = await import("./checkout/app.ts");
    return serveCheckout(c);
  });
  app.post("/checkout/:secureId/renew", async (c) => {
    const { serveCheckout } = await import("./checkout/app.ts");
    return serveCheckout(c);
  });
  app.use("/checkout.js", limitPublicRoute);
  app.get("/checkout.js", async (c) => {
    const { serveElement } = await import("./embed/app.ts");
    return serveElement(c);
  });
}
