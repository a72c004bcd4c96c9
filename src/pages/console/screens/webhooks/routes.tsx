import {
  getWebhookEndpoint,
  setWebhookEndpoint,
} from "../../../../api/webhooks/endpoint/routes.ts";
import { listWebhookEndpoints } from "../../../../api/webhooks/endpoints/routes.ts";
import {
  endPreviousWebhookSecrets,
  rotateWebhookSecret,
} from "../../../../api/webhooks/secrets/routes.ts";
import { testWebhook } from "../../../../api/webhooks/test-events/routes.ts";
import { verifyWebhook } from "../../../../api/webhooks/verify/routes.ts";
import { callRoute } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { requireMember } from "../../people/require-member.ts";
import { requirePermission } from "../../people/require-scope.ts";
import { requireFreshSecondFactor } from "../../people/require-second-factor.ts";
import type { RouteAnswer, RouteRefusal } from "../../../../http/openapi/route-types.ts";
import { textsOf } from "../../texts.ts";
import { page } from "../../ui/layout.tsx";
import { DoneNotice } from "../../ui/parts.tsx";
import { formOf, keyOf, may, pageStatus, refusalPage, type Form } from "../answers.tsx";
import { DebuggerPage, headersOf, type Received } from "./debugger.tsx";
import { EndpointPage, NewSecret, SecretForms } from "./endpoint.tsx";
import { endpointScreens } from "./endpoint-routes.tsx";
import { EndpointList } from "./endpoints.tsx";
import { DEFAULT_OVERLAP_HOURS, hoursOf } from "./overlap.ts";
import { DELIVERIES_PATH, WEBHOOKS_PATH } from "./webhook.ts";

const mayRead = requirePermission("webhooks:read");
const mayChange = requirePermission("webhooks:write");

/** The webhook endpoint with its circuit breakers, its secret, a test, and the signature debugger. */
export function webhooksScreen(app: ConsoleApp): void {
  app.get("/webhooks", requireMember, mayRead, (c) => endpointPage(c));
  // Whoever is at the address gets every event, personal data too.
  app.post("/webhooks", requireMember, mayChange, requireFreshSecondFactor, (c) => setEndpoint(c));
  app.post("/webhooks/test", requireMember, mayChange, (c) => sendTest(c));
  app.get("/webhooks/secret", requireMember, mayChange, requireFreshSecondFactor, (c) =>
    secretPage(c),
  );
  app.post("/webhooks/secret", requireMember, mayChange, requireFreshSecondFactor, (c) =>
    rotateSecret(c),
  );
  app.post(
    "/webhooks/secret/end-previous",
    requireMember,
    mayChange,
    requireFreshSecondFactor,
    async (c) => {
      const answer = await callRoute(c, endPreviousWebhookSecrets);
      if (!answer.ok) return secretPage(c, {}, answer);
      return c.redirect(`${WEBHOOKS_PATH}?done=ended`, 303);
    },
  );
  endpointScreens(app);
  app.get("/webhooks/verify", requireMember, mayRead, (c) => debuggerPage(c));
  app.post("/webhooks/verify", requireMember, mayRead, (c) => verify(c));
}

async function endpointPage(c: ConsoleContext, form: Form = {}, refusal?: RouteRefusal) {
  const [answer, endpoints] = await Promise.all([
    callRoute(c, getWebhookEndpoint),
    callRoute(c, listWebhookEndpoints, { query: {} }),
  ]);
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  if (!endpoints.ok) return refusalPage(c, headOf(c), endpoints);
  const texts = textsOf(c);
  const notices: Record<string, string> = texts.webhooks.done;
  const asked = c.req.query("done") ?? "";
  const done = Object.hasOwn(notices, asked) ? notices[asked] : undefined;
  return page(
    c,
    { ...headOf(c), ...statusOf(refusal) },
    <>
      {done === undefined ? null : <DoneNotice>{done}</DoneNotice>}
      <EndpointPage
        endpoint={answer.body}
        typed={form["url"] ?? answer.body.url}
        mayChange={may(c, "webhooks:write")}
        idempotencyKey={crypto.randomUUID()}
        problem={refusal?.body ?? null}
      >
        <EndpointList items={endpoints.body.items} mayAdd={may(c, "webhooks:write")} />
      </EndpointPage>
    </>,
  );
}

async function setEndpoint(c: ConsoleContext) {
  const form = await formOf(c);
  const url = (form["url"] ?? "").trim();
  const answer = await callRoute(c, setWebhookEndpoint, { json: { url } });
  if (!answer.ok) return endpointPage(c, form, answer);
  return c.redirect(`${WEBHOOKS_PATH}?done=${url === "" ? "removed" : "saved"}`, 303);
}

/** The test's own delivery shows what the server answered. */
async function sendTest(c: ConsoleContext) {
  const form = await formOf(c);
  const answer = await callRoute(c, testWebhook, { json: {}, ...keyOf(form) });
  if (!answer.ok) return endpointPage(c, {}, answer);
  const [delivery] = answer.body.deliveries;
  return c.redirect(`${DELIVERIES_PATH}/${delivery?.id ?? ""}?done=tested`, 303);
}

function secretPage(c: ConsoleContext, form: Form = {}, refusal?: RouteRefusal) {
  const texts = textsOf(c);
  return page(
    c,
    { ...headOf(c), title: texts.webhooks.secret, ...statusOf(refusal) },
    <SecretForms
      hours={form["overlapHours"] ?? DEFAULT_OVERLAP_HOURS}
      idempotencyKey={crypto.randomUUID()}
      problem={refusal?.body ?? null}
    />,
  );
}

async function rotateSecret(c: ConsoleContext) {
  const form = await formOf(c);
  const json = { overlapHours: hoursOf(form) };
  const answer = await callRoute(c, rotateWebhookSecret, { json });
  if (!answer.ok) return secretPage(c, form, answer);
  const texts = textsOf(c);
  c.header("Cache-Control", "no-store");
  return page(
    c,
    { ...headOf(c), title: texts.webhooks.secret },
    <NewSecret {...answer.body} next={WEBHOOKS_PATH} />,
  );
}

function debuggerPage(
  c: ConsoleContext,
  typed: Received = { headers: "", body: "" },
  answer?: RouteAnswer<typeof verifyWebhook>,
) {
  const texts = textsOf(c);
  return page(
    c,
    { ...headOf(c), title: texts.webhooks.debugger, ...statusOf(answer) },
    <DebuggerPage
      typed={typed}
      verdict={answer?.ok === true ? answer.body : null}
      problem={answer?.ok === false ? answer.body : null}
    />,
  );
}

async function verify(c: ConsoleContext) {
  const { headers = "", body: pasted = "", secret = "" } = await formOf(c);
  // A browser sends the line breaks of a field as CRLF.
  const typed = { headers, body: pasted.replaceAll("\r\n", "\n") };
  const json = {
    headers: headersOf(headers),
    body: typed.body,
    ...(secret.trim() === "" ? {} : { secret: secret.trim() }),
  };
  return debuggerPage(c, typed, await callRoute(c, verifyWebhook, { json }));
}

function statusOf(answer: { status: number } | undefined) {
  return answer === undefined ? {} : { status: pageStatus(answer) };
}

function headOf(c: ConsoleContext) {
  return { title: textsOf(c).webhooks.title, active: WEBHOOKS_PATH };
}
