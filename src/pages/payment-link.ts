import { Problem } from "../domain/shared/problem.ts";
import type { Api } from "../http/api.ts";
import { senderOf } from "../http/client-address.ts";
import type { AppContext } from "../http/context.ts";
import { enforceRateLimit } from "../http/rate-limits/enforce.ts";
import type { RateLimitName } from "../http/rate-limits/policies.ts";

/** `/l`: the pages of payment links. Loaded when the first of them is asked for, by a promise of that request. */
export function paymentLinkPages(app: Api): void {
  app.get("/l/:slug", (c) => serve(c, ["publicRoutes"]));
  app.post("/l/:slug", (c) => serve(c, ["publicRoutes", "linkPayments"]));
}

/** A payer beyond a limit is told so by a page. */
async function serve(c: AppContext, limits: RateLimitName[]): Promise<Response> {
  const { servePaymentLink, serveBusyPage } = await import("./payment-link/app.ts");
  try {
    for (const limit of limits) await enforceRateLimit(c, limit, senderOf(c));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return serveBusyPage(c, error);
  }
  return servePaymentLink(c);
}
