import { Hono } from "hono";
import { findForPayer } from "../../api/checkout/service.ts";
import type { AppContext } from "../../http/context.ts";
import { payerCharge } from "./charge.ts";
import type { CheckoutEnv } from "./context.ts";
import { failedPage, notFoundPage } from "./errors.tsx";
import { checkoutPage } from "./page.tsx";
import { answerReceipt, answerReturn } from "./way-on.ts";
import { wordsOf } from "./texts.ts";
import { assetRoutes } from "./ui/assets.ts";

const checkoutApp = new Hono<CheckoutEnv>().basePath("/checkout");
checkoutApp.use(async (c, next) => {
  await next();
  c.header("X-Robots-Tag", "noindex");
  c.header("Referrer-Policy", "no-referrer");
});
assetRoutes(checkoutApp);
checkoutApp.get("/:secureId", async (c) => {
  const { outer } = c.env;
  const found = await findForPayer(outer.env, c.req.param("secureId"));
  if (found === null) return notFoundPage(c);
  return checkoutPage(c, wordsOf(c), payerCharge(found, outer.get("deps").clock.now()));
});
checkoutApp.get("/:secureId/receipt.pdf", async (c) => {
  const found = await findForPayer(c.env.outer.env, c.req.param("secureId"));
  return (found === null ? null : await answerReceipt(c, found)) ?? notFoundPage(c);
});
checkoutApp.get("/:secureId/return", async (c) => {
  const found = await findForPayer(c.env.outer.env, c.req.param("secureId"));
  return (found === null ? null : await answerReturn(c, found)) ?? notFoundPage(c);
});
checkoutApp.notFound(notFoundPage);
checkoutApp.onError(failedPage);

/** The checkout's answer to a request of the service. */
export async function serveCheckout(outer: AppContext): Promise<Response> {
  return checkoutApp.fetch(outer.req.raw, { outer });
}
