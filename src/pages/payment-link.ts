import type { Api } from "../http/api.ts";
import { enforceRateLimit, limitPublicRoute } from "../http/rate-limits/enforce.ts";
import { senderOf } from "../http/client-address.ts";

/** `/l`: the pages of payment links. Loaded when the first of them is asked for, by a promise of that request. */
export function paymentLinkPages(app: Api): void {
  app.use("/l/*", limitPublicRoute);
  app.get("/l/:slug", async (c) => {
    const { servePaymentLink } = await import("./payment-link/app.ts");
    return servePaymentLink(c);
  });
  app.post("/l/:slug", async (c) => {
    await enforceRateLimit(c, "linkPayments", senderOf(c));
    const { servePaymentLink } = await import("./payment-link/app.ts");
    return servePaymentLink(c);
  });
}
