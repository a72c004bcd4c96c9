import { Hono } from "hono";
import { csrf } from "hono/csrf";
import { etag } from "hono/etag";
import { HTTPException } from "hono/http-exception";
import { cancelForPayer } from "../../api/subscriptions/payer/cancel.ts";
import {
  findPolledSubscription,
  findSubscriptionForPayer,
  type PayersSubscription,
} from "../../api/subscriptions/payer/repository.ts";
import { clientAddress } from "../../http/client-address.ts";
import { depsOfCompany, type AppContext } from "../../http/context.ts";
import type { CheckoutContext, CheckoutEnv } from "../checkout/context.ts";
import { failedPage, notFoundPage } from "../checkout/errors.tsx";
import { payersPage } from "../checkout/ui/headers.ts";
import { approvalPage } from "./approval.tsx";
import { cancelPage, ownPage } from "./own.tsx";
import { payerSubscription, polledOf } from "./view.ts";

const subscriptionApp = new Hono<CheckoutEnv>();
subscriptionApp.use(payersPage);
subscriptionApp.get("/a/:secureId", async (c) => {
  const found = await find(c);
  return found === null ? notFoundPage(c) : approvalPage(c, viewOf(c, found));
});
subscriptionApp.get("/a/:secureId/status", etag(), async (c) => {
  const found = await findPolledSubscription(c.env.outer.env, c.req.param("secureId"));
  if (found === null) return c.json({}, 404);
  c.header("Cache-Control", "no-cache");
  return c.json(polledOf(found, nowOf(c, found)));
});
subscriptionApp.get("/s/:secureId", async (c) => {
  const found = await find(c);
  return found === null ? notFoundPage(c) : ownPage(c, viewOf(c, found));
});
subscriptionApp.get("/s/:secureId/cancel", async (c) => {
  const found = await find(c);
  if (found === null) return notFoundPage(c);
  const subscription = viewOf(c, found);
  return cancelPage(c, subscription, subscription.isOver);
});
subscriptionApp.post("/s/:secureId/cancel", csrf(), async (c) => {
  const { outer } = c.env;
  const found = await find(c);
  if (found === null) return notFoundPage(c);
  const context = {
    env: outer.env,
    deps: outer.get("deps"),
    traceId: outer.get("traceId"),
    address: clientAddress(outer),
  };
  const isCancelled = await cancelForPayer(context, found);
  return isCancelled
    ? c.redirect(`/s/${c.req.param("secureId")}`, 303)
    : cancelPage(c, viewOf(c, found), true);
});
subscriptionApp.notFound(notFoundPage);
subscriptionApp.onError((error, c) => {
  if (error instanceof HTTPException && error.status === 403) return c.body(null, 403);
  return failedPage(error, c);
});

function find(c: CheckoutContext): Promise<PayersSubscription | null> {
  return findSubscriptionForPayer(c.env.outer.env, c.req.param("secureId") ?? "");
}

function viewOf(c: CheckoutContext, found: PayersSubscription) {
  return payerSubscription(found, nowOf(c, found));
}

/** The company's time, which a tester may have moved. */
function nowOf(c: CheckoutContext, { payee }: Pick<PayersSubscription, "payee">): number {
  return depsOfCompany(c.env.outer.get("deps"), payee).clock.now();
}

/** The answer to a request for a page of a subscription's payer. */
export async function serveSubscription(outer: AppContext): Promise<Response> {
  return subscriptionApp.fetch(outer.req.raw, { outer });
}
