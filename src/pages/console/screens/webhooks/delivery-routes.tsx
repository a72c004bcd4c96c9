import { etag } from "hono/etag";
import { getEvent } from "../../../../api/events/routes.ts";
import {
  listWebhookDeliveries,
  resendWebhook,
} from "../../../../api/webhooks/deliveries/routes.ts";
import { eventId, parseDeliveryId } from "../../../../domain/events/delivery.ts";
import { callRoute } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { ifTyped } from "../../form.ts";
import { requireMember } from "../../people/require-member.ts";
import { requirePermission } from "../../people/require-scope.ts";
import type { RouteRefusal } from "../../../../http/openapi/route-types.ts";
import { textsOf } from "../../texts.ts";
import { notFoundPage } from "../../ui/error-pages.tsx";
import { fragment, page } from "../../ui/layout.tsx";
import { DoneNotice, NextPage, ProblemNotice } from "../../ui/parts.tsx";
import { may, pageStatus, refusalPage } from "../answers.tsx";
import { DeliveryFilter, DeliveryList, DeliveryPage } from "./deliveries.tsx";
import { DELIVERIES_PATH, WEBHOOKS_PATH } from "./webhook.ts";

const DELIVERY = "/webhooks/deliveries/:id";

const mayRead = requirePermission("webhooks:read");

/** The deliveries of webhooks: their list, each with its attempts and body, and sending one again. */
export function deliveriesScreen(app: ConsoleApp): void {
  app.get("/webhooks/deliveries", requireMember, mayRead, etag(), (c) => showDeliveries(c));
  app.get(DELIVERY, requireMember, mayRead, (c) => showDelivery(c));
  app.post(`${DELIVERY}/resend`, requireMember, requirePermission("webhooks:write"), (c) =>
    resend(c),
  );
}

async function showDeliveries(c: ConsoleContext) {
  const { webhooks } = textsOf(c);
  const asked = ["status", "after"].map((name): [string, string] => [
    name,
    c.req.query(name) ?? "",
  ]);
  const query = new URLSearchParams(asked.filter(([, value]) => value !== ""));
  const { status = "", after = "" } = c.req.query();
  const answer = await callRoute(c, listWebhookDeliveries, {
    query: { status: ifTyped(status), after: ifTyped(after) },
  });
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  query.set("fragment", "1");
  const refresh = `${DELIVERIES_PATH}?${query.toString()}`;
  const list = <DeliveryList items={answer.body.items} refresh={refresh} />;
  if (c.req.query("fragment") === "1") return fragment(c, list);
  return page(
    c,
    headOf(c),
    <>
      <DeliveryFilter status={status} />
      {list}
      <NextPage url={c.req.url} list={answer.body} />
      <p>
        <a href={WEBHOOKS_PATH}>{webhooks.back}</a>
      </p>
    </>,
  );
}

/** The API shows a delivery with its event. */
async function showDelivery(c: ConsoleContext, refusal?: RouteRefusal) {
  const id = c.req.param("id") ?? "";
  const ref = parseDeliveryId(id);
  if (ref === null) return notFoundPage(c);
  const params = { id: eventId(ref.companyId, ref.companySequence) };
  const answer = await callRoute(c, getEvent, { params });
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  const event = answer.body;
  const delivery = event.deliveries.find((each) => each.id === id);
  if (delivery === undefined) return notFoundPage(c);
  const texts = textsOf(c);
  const notices: Record<string, string> = texts.webhooks.done;
  const asked = c.req.query("done") ?? "";
  const done = Object.hasOwn(notices, asked) ? notices[asked] : undefined;
  return page(
    c,
    {
      ...headOf(c),
      title: texts.webhooks.delivery,
      status: pageStatus({ status: refusal?.status ?? 200 }),
    },
    <>
      {refusal === undefined ? null : <ProblemNotice problem={refusal.body} />}
      {done === undefined ? null : <DoneNotice>{done}</DoneNotice>}
      <DeliveryPage
        event={event}
        delivery={delivery}
        idempotencyKey={may(c, "webhooks:write") ? crypto.randomUUID() : null}
      />
    </>,
  );
}

/** The API may send a newer event of the same object instead: the page of what is sent follows. */
async function resend(c: ConsoleContext) {
  const id = c.req.param("id") ?? "";
  const answer = await callRoute(c, resendWebhook, { params: { id } });
  if (!answer.ok) return showDelivery(c, answer);
  const done = answer.body.id === id ? "resent" : "resentNewer";
  return c.redirect(`${DELIVERIES_PATH}/${answer.body.id}?done=${done}`, 303);
}

function headOf(c: ConsoleContext) {
  return { title: textsOf(c).webhooks.deliveries, active: WEBHOOKS_PATH };
}
