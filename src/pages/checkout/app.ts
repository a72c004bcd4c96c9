import { Hono } from "hono";
import { csrf } from "hono/csrf";
import { HTTPException } from "hono/http-exception";
import { findForPayer } from "../../api/checkout/payer.ts";
import { renewReservation } from "../../api/payment-links/renew.ts";
import { depsOfCompany, type AppContext } from "../../http/context.ts";
import { payerCharge } from "./charge.ts";
import type { CheckoutEnv } from "./context.ts";
import { failedPage, notFoundPage } from "./errors.tsx";
import { checkoutPage } from "./page.tsx";
import { frameOf } from "./frame.ts";
import { answerReturn } from "./way-on.ts";
import { assetRoutes } from "./ui/assets.ts";
import { payersPage } from "./ui/headers.ts";

const checkoutApp = new Hono<CheckoutEnv>().basePath("/checkout");
checkoutApp.use(payersPage);
assetRoutes(checkoutApp);
checkoutApp.get("/:secureId", async (c) => {
  const { outer } = c.env;
  const found = await findForPayer(outer.env, c.req.param("secureId"));
  if (found === null) return notFoundPage(c);
  const charge = payerCharge(found, depsOfCompany(outer.get("deps"), found.payee).clock.now());
  return checkoutPage(c, { ...charge, frame: frameOf(c, found.payee) });
});
checkoutApp.get("/:secureId/return", async (c) => {
  const found = await findForPayer(c.env.outer.env, c.req.param("secureId"));
  return (found === null ? null : await answerReturn(c, found)) ?? notFoundPage(c);
});
checkoutApp.post("/:secureId/renew", csrf(), async (c) => {
  const { outer } = c.env;
  const found = await findForPayer(outer.env, c.req.param("secureId"));
  if (found === null) return c.body(null, 409);
  const deps = depsOfCompany(outer.get("deps"), found.payee);
  const context = { env: outer.env, deps, traceId: outer.get("traceId") };
  const isRenewed = await renewReservation(context, found);
  return c.body(null, isRenewed ? 204 : 409);
});
checkoutApp.notFound(notFoundPage);
checkoutApp.onError((error, c) => {
  if (error instanceof HTTPException && error.status === 403) return c.body(null, 403);
  return failedPage(error, c);
});

/** The checkout's answer to a request of the service. */
export async function serveCheckout(outer: AppContext): Promise<Response> {
  return checkoutApp.fetch(outer.req.raw, { outer });
}
