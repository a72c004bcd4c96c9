import { callApi, type ApiAnswer, type ApiProblem } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { requirePerson } from "../../people/require-person.ts";
import { requirePermission } from "../../people/require-scope.ts";
import { requireFreshSecondFactor } from "../../people/require-second-factor.ts";
import { languageOf, textsOf } from "../../texts.ts";
import { page } from "../../ui/layout.tsx";
import { DoneNotice } from "../../ui/parts.tsx";
import { formOf, keyOf, may, pageStatus, refusalPage, type Form } from "../answers.tsx";
import { DebuggerPage, headersOf, type Received } from "./debugger.tsx";
import { EndpointPage, NewSecret, SecretForms } from "./endpoint.tsx";
import { DELIVERIES_PATH, WEBHOOKS_PATH, type EventDetail, type Verdict } from "./webhook.ts";

const API = "/api/v1/webhooks";
const DEFAULT_OVERLAP_HOURS = "24";

const mayRead = requirePermission("webhooks:read");
const mayChange = requirePermission("webhooks:write");

/** The webhook endpoint with its circuit breakers, its secret, a test, and the signature debugger. */
export function webhooksScreen(app: ConsoleApp): void {
  app.get("/webhooks", requirePerson, mayRead, (c) => endpointPage(c));
  // Whoever is at the address gets every event, personal data too.
  app.post("/webhooks", requirePerson, mayChange, requireFreshSecondFactor, (c) => setEndpoint(c));
  app.post("/webhooks/test", requirePerson, mayChange, (c) => sendTest(c));
  app.get("/webhooks/secret", requirePerson, mayChange, requireFreshSecondFactor, (c) =>
    secretPage(c),
  );
  app.post("/webhooks/secret", requirePerson, mayChange, requireFreshSecondFactor, (c) =>
    rotateSecret(c),
  );
  app.post(
    "/webhooks/secret/end-previous",
    requirePerson,
    mayChange,
    requireFreshSecondFactor,
    async (c) => {
      const answer = await callApi(c, "DELETE", `${API}/secret/previous`);
      if (!answer.ok) return secretPage(c, {}, answer);
      return c.redirect(`${WEBHOOKS_PATH}?done=ended`, 303);
    },
  );
  app.get("/webhooks/verify", requirePerson, mayRead, (c) => debuggerPage(c));
  app.post("/webhooks/verify", requirePerson, mayRead, (c) => verify(c));
}

type Refusal = ApiAnswer<ApiProblem>;

async function endpointPage(c: ConsoleContext, form: Form = {}, refusal?: Refusal) {
  const answer = await callApi(c, "GET", `${API}/endpoint`);
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
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
        texts={texts}
        language={languageOf(c)}
        endpoint={answer.body}
        typed={form["url"] ?? answer.body.url}
        mayChange={may(c, "webhooks:write")}
        idempotencyKey={crypto.randomUUID()}
        problem={refusal?.body ?? null}
      />
    </>,
  );
}

async function setEndpoint(c: ConsoleContext) {
  const form = await formOf(c);
  const body = { url: form["url"]?.trim() };
  const answer = await callApi(c, "PUT", `${API}/endpoint`, { body });
  if (!answer.ok) return endpointPage(c, form, answer);
  return c.redirect(`${WEBHOOKS_PATH}?done=${body.url === "" ? "removed" : "saved"}`, 303);
}

/** The test's own delivery shows what the server answered. */
async function sendTest(c: ConsoleContext) {
  const form = await formOf(c);
  const answer = await callApi(c, "POST", `${API}/test`, { body: {}, ...keyOf(form) });
  if (!answer.ok) return endpointPage(c, {}, answer);
  const [delivery] = (answer.body as EventDetail).deliveries;
  return c.redirect(`${DELIVERIES_PATH}/${delivery?.id ?? ""}?done=tested`, 303);
}

function secretPage(c: ConsoleContext, form: Form = {}, refusal?: Refusal) {
  const texts = textsOf(c);
  return page(
    c,
    { ...headOf(c), title: texts.webhooks.secret, ...statusOf(refusal) },
    <SecretForms
      texts={texts}
      language={languageOf(c)}
      hours={form["overlapHours"] ?? DEFAULT_OVERLAP_HOURS}
      idempotencyKey={crypto.randomUUID()}
      problem={refusal?.body ?? null}
    />,
  );
}

async function rotateSecret(c: ConsoleContext) {
  const form = await formOf(c);
  const { overlapHours = "" } = form;
  const body = { overlapHours: /^\d+$/.test(overlapHours) ? Number(overlapHours) : overlapHours };
  const answer = await callApi(c, "POST", `${API}/secret/rotate`, { body, ...keyOf(form) });
  if (!answer.ok) return secretPage(c, form, answer);
  const texts = textsOf(c);
  c.header("Cache-Control", "no-store");
  return page(
    c,
    { ...headOf(c), title: texts.webhooks.secret },
    <NewSecret
      texts={texts}
      language={languageOf(c)}
      secret={answer.body.secret}
      previousValidUntil={answer.body.previousValidUntil}
    />,
  );
}

function debuggerPage(
  c: ConsoleContext,
  typed: Received = { headers: "", body: "" },
  answer?: ApiAnswer<Verdict | ApiProblem>,
) {
  const texts = textsOf(c);
  const isRefused = answer?.ok === false;
  const body = answer?.body ?? null;
  return page(
    c,
    { ...headOf(c), title: texts.webhooks.debugger, ...statusOf(answer) },
    <DebuggerPage
      texts={texts}
      language={languageOf(c)}
      typed={typed}
      verdict={isRefused ? null : (body as Verdict | null)}
      problem={isRefused ? (body as ApiProblem) : null}
    />,
  );
}

async function verify(c: ConsoleContext) {
  const { headers = "", body: pasted = "", secret = "" } = await formOf(c);
  // A browser sends the line breaks of a field as CRLF.
  const typed = { headers, body: pasted.replaceAll("\r\n", "\n") };
  const body = {
    headers: headersOf(headers),
    body: typed.body,
    ...(secret.trim() === "" ? {} : { secret: secret.trim() }),
  };
  return debuggerPage(c, typed, await callApi(c, "POST", `${API}/verify`, { body }));
}

function statusOf(answer: ApiAnswer<unknown> | undefined) {
  return answer === undefined ? {} : { status: pageStatus(answer) };
}

function headOf(c: ConsoleContext) {
  return { title: textsOf(c).webhooks.title, active: WEBHOOKS_PATH };
}
