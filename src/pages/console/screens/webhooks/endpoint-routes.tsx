import {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  listWebhookEndpoints,
  rotateWebhookEndpointSecret,
} from "../../../../api/webhooks/endpoints/routes.ts";
import { testWebhook } from "../../../../api/webhooks/test-events/routes.ts";
import { ALL_EVENTS } from "../../../../domain/events/webhook-endpoint.ts";
import { callRoute } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { asTyped } from "../../form.ts";
import { requireMember } from "../../people/require-member.ts";
import { requirePermission } from "../../people/require-scope.ts";
import { requireFreshSecondFactor } from "../../people/require-second-factor.ts";
import type { RouteRefusal } from "../../../../http/openapi/route-types.ts";
import { textsOf } from "../../texts.ts";
import { page } from "../../ui/layout.tsx";
import { DoneNotice } from "../../ui/parts.tsx";
import { formOf, keyOf, may, nextKey, pageStatus, refusalPage, type Form } from "../answers.tsx";
import { NewSecret, RotateForm } from "./endpoint.tsx";
import { ChangeEndpoint, DeleteEndpoint, EndpointDetail, NewEndpoint } from "./endpoints.tsx";
import { DEFAULT_OVERLAP_HOURS, hoursOf } from "./overlap.ts";
import {
  DELIVERIES_PATH,
  ENDPOINTS_PATH,
  targetName,
  WEBHOOKS_PATH,
  type EndpointItem,
  type TypedEndpoint,
} from "./webhook.ts";

const mayRead = requirePermission("webhooks:read");
const mayChange = requirePermission("webhooks:write");

/** The company's webhook endpoints, each with its own secret and what it takes. */
export function endpointScreens(app: ConsoleApp): void {
  const path = "/webhooks/endpoints/:id";
  // Whoever is at the address gets every event, personal data too.
  app.get("/webhooks/endpoints/new", requireMember, mayChange, requireFreshSecondFactor, (c) =>
    newPage(c, { url: "", events: [ALL_EVENTS], description: "" }),
  );
  app.post("/webhooks/endpoints", requireMember, mayChange, requireFreshSecondFactor, (c) =>
    create(c),
  );
  app.get(path, requireMember, mayRead, (c) => detailPage(c));
  app.get(`${path}/change`, requireMember, mayChange, requireFreshSecondFactor, (c) =>
    changePage(c),
  );
  app.post(path, requireMember, mayChange, requireFreshSecondFactor, (c) => change(c));
  app.post(`${path}/test`, requireMember, mayChange, (c) => sendTest(c));
  app.get(`${path}/secret`, requireMember, mayChange, requireFreshSecondFactor, (c) =>
    secretPage(c),
  );
  app.post(`${path}/secret`, requireMember, mayChange, requireFreshSecondFactor, (c) => rotate(c));
  app.get(`${path}/delete`, requireMember, mayChange, requireFreshSecondFactor, (c) =>
    withEndpoint(c, (endpoint) => deletePage(c, endpoint)),
  );
  app.post(`${path}/delete`, requireMember, mayChange, requireFreshSecondFactor, async (c) => {
    const answer = await callRoute(c, deleteWebhookEndpoint, { params: paramsOf(c) });
    if (!answer.ok) return refusalPage(c, headOf(c), answer);
    return c.redirect(`${WEBHOOKS_PATH}?done=deleted`, 303);
  });
}

function newPage(
  c: ConsoleContext,
  typed: TypedEndpoint,
  { form = {}, refusal }: { form?: Form; refusal?: RouteRefusal } = {},
) {
  const { webhooks } = textsOf(c);
  return page(
    c,
    { ...headOf(c), title: webhooks.add, status: pageStatus(refusal ?? OK) },
    <NewEndpoint
      typed={shown(typed)}
      idempotencyKey={nextKey(form, refusal?.status ?? OK.status)}
      problem={refusal?.body ?? null}
    />,
  );
}

async function create(c: ConsoleContext) {
  const form = await formOf(c);
  const typed = await typedEndpoint(c);
  const answer = await callRoute(c, createWebhookEndpoint, { json: typed, ...keyOf(form) });
  if (!answer.ok) return newPage(c, typed, { form, refusal: answer });
  const { id, secret } = answer.body.data;
  return secretShown(c, { id, secret, previousValidUntil: null });
}

function detailPage(c: ConsoleContext, refusal?: RouteRefusal) {
  return withEndpoint(c, (endpoint) => {
    const { webhooks } = textsOf(c);
    return page(
      c,
      { ...headOf(c), title: nameOf(c, endpoint), status: pageStatus(refusal ?? OK) },
      <>
        {c.req.query("done") === "saved" ? <DoneNotice>{webhooks.done.saved}</DoneNotice> : null}
        <EndpointDetail
          endpoint={endpoint}
          idempotencyKey={may(c, "webhooks:write") ? crypto.randomUUID() : null}
          problem={refusal?.body ?? null}
        />
      </>,
    );
  });
}

function changePage(c: ConsoleContext, typed?: TypedEndpoint, refusal?: RouteRefusal) {
  return withEndpoint(c, (endpoint) =>
    page(
      c,
      { ...headOf(c), title: nameOf(c, endpoint), status: pageStatus(refusal ?? OK) },
      <ChangeEndpoint
        path={pathOf(endpoint)}
        typed={typed === undefined ? endpoint : shown(typed)}
        idempotencyKey={crypto.randomUUID()}
        problem={refusal?.body ?? null}
      />,
    ),
  );
}

async function change(c: ConsoleContext) {
  const typed = await typedEndpoint(c);
  const params = paramsOf(c);
  const answer = await callRoute(c, changeWebhookEndpoint, { params, json: typed });
  if (!answer.ok) return changePage(c, typed, answer);
  return c.redirect(`${ENDPOINTS_PATH}/${answer.body.data.id}?done=saved`, 303);
}

/** The test's own delivery shows what the server answered. */
async function sendTest(c: ConsoleContext) {
  const form = await formOf(c);
  const json = { endpointId: paramsOf(c).id };
  const answer = await callRoute(c, testWebhook, { json, ...keyOf(form) });
  if (!answer.ok) return detailPage(c, answer);
  const [delivery] = answer.body.deliveries;
  return c.redirect(`${DELIVERIES_PATH}/${delivery?.id ?? ""}?done=tested`, 303);
}

function secretPage(c: ConsoleContext, form: Form = {}, refusal?: RouteRefusal) {
  return withEndpoint(c, (endpoint) => {
    const { webhooks } = textsOf(c);
    return page(
      c,
      { ...headOf(c), title: nameOf(c, endpoint), status: pageStatus(refusal ?? OK) },
      <>
        <RotateForm
          action={`${pathOf(endpoint)}/secret`}
          hint={webhooks.ownSecretHint}
          hours={form["overlapHours"] ?? DEFAULT_OVERLAP_HOURS}
          idempotencyKey={crypto.randomUUID()}
          problem={refusal?.body ?? null}
        />
        <p>
          <a href={pathOf(endpoint)}>{webhooks.cancel}</a>
        </p>
      </>,
    );
  });
}

async function rotate(c: ConsoleContext) {
  const form = await formOf(c);
  const json = { overlapHours: hoursOf(form) };
  const params = paramsOf(c);
  const answer = await callRoute(c, rotateWebhookEndpointSecret, { params, json });
  if (!answer.ok) return secretPage(c, form, answer);
  return secretShown(c, answer.body.data);
}

function secretShown(
  c: ConsoleContext,
  { id, ...made }: { id: string; secret: string; previousValidUntil: string | null },
) {
  c.header("Cache-Control", "no-store");
  return page(
    c,
    { ...headOf(c), title: textsOf(c).webhooks.secret },
    <NewSecret
      secret={made.secret}
      previousValidUntil={made.previousValidUntil}
      next={`${ENDPOINTS_PATH}/${id}`}
    />,
  );
}

function deletePage(c: ConsoleContext, endpoint: EndpointItem) {
  return page(
    c,
    { ...headOf(c), title: nameOf(c, endpoint) },
    <DeleteEndpoint
      path={pathOf(endpoint)}
      url={endpoint.url}
      idempotencyKey={crypto.randomUUID()}
    />,
  );
}

/** The page of the endpoint that a path names. */
async function withEndpoint(
  c: ConsoleContext,
  show: (endpoint: EndpointItem) => Response | Promise<Response>,
) {
  const answer = await callRoute(c, listWebhookEndpoints, { query: {} });
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  const endpoint = answer.body.items.find(({ id }) => id === paramsOf(c).id);
  return endpoint === undefined ? c.notFound() : show(endpoint);
}

/** What was typed of an endpoint; the API refuses what it cannot be. */
async function typedEndpoint(c: ConsoleContext): Promise<TypedEndpoint> {
  const form = await c.req.formData();
  const textOf = (name: string) => {
    const value = form.get(name);
    return typeof value === "string" ? value.trim() : "";
  };
  const events = form.getAll("events").flatMap((each) => (typeof each === "string" ? [each] : []));
  return {
    url: textOf("url"),
    description: textOf("description"),
    events: events.map(asTyped),
  };
}

function shown({ url, events, description = "" }: TypedEndpoint) {
  return { url, events: [...events], description };
}

const OK = { status: 200 };
const paramsOf = (c: ConsoleContext) => ({ id: c.req.param("id") ?? "" });
const pathOf = ({ id }: EndpointItem) => `${ENDPOINTS_PATH}/${id}`;

function nameOf(c: ConsoleContext, { id, description }: EndpointItem): string {
  return description === "" ? targetName(textsOf(c).webhooks, id) : description;
}

function headOf(c: ConsoleContext) {
  return { title: textsOf(c).webhooks.title, active: WEBHOOKS_PATH };
}
