import {
  issueApplicationKey,
  listApplicationKeys,
  revokeApplicationKey,
} from "../../../../api/applications/keys/routes.ts";
import {
  createApplication,
  deleteApplication,
  listApplications,
} from "../../../../api/applications/routes.ts";
import { callRoute, type ApiProblem } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { asTyped } from "../../form.ts";
import { requireMember } from "../../people/require-member.ts";
import { requirePermission } from "../../people/require-scope.ts";
import { requireFreshSecondFactor } from "../../people/require-second-factor.ts";
import { fill, textsOf } from "../../texts.ts";
import { notFoundPage } from "../../ui/error-pages.tsx";
import { page } from "../../ui/layout.tsx";
import { DoneNotice, NextPage, ProblemNotice } from "../../ui/parts.tsx";
import { changeApplicationRoutes } from "./change.tsx";
import { findApplication } from "./find-application.ts";
import {
  applicationRequest,
  endOfDay,
  fieldIn,
  typedApplication,
  type TypedApplication,
} from "./form.ts";
import { ApplicationPage, Applications, ConfirmEnd, IssuedKey, NewApplication } from "./pages.tsx";

const ACTIVE = "/console/keys";
const NOTHING_TYPED: TypedApplication = {
  name: "",
  scopes: [],
  networks: "",
  expiresOn: "",
  dailyLimit: "",
  pixKeys: "",
  spendingLimitsUntil: "",
};

/** Applications and their API keys. */
export function keysScreen(app: ConsoleApp): void {
  app.get("/keys", requireMember, requirePermission("keys:write"), (c) => showApplications(c));
  app.get(
    "/keys/new",
    requireMember,
    requirePermission("keys:write"),
    requireFreshSecondFactor,
    (c) => newApplicationPage(c, NOTHING_TYPED, crypto.randomUUID(), null),
  );
  app.post("/keys", requireMember, requirePermission("keys:write"), requireFreshSecondFactor, (c) =>
    makeApplication(c),
  );
  app.get("/keys/:id", requireMember, requirePermission("keys:write"), (c) =>
    applicationPage(c, c.req.param("id"), null),
  );
  app.post(
    "/keys/:id/issue",
    requireMember,
    requirePermission("keys:write"),
    requireFreshSecondFactor,
    (c) => issueKey(c, c.req.param("id")),
  );
  app.get(
    "/keys/:id/revoke/:keyId",
    requireMember,
    requirePermission("keys:write"),
    requireFreshSecondFactor,
    (c) => confirmRevoke(c, c.req.path),
  );
  app.post(
    "/keys/:id/revoke/:keyId",
    requireMember,
    requirePermission("keys:write"),
    requireFreshSecondFactor,
    async (c) => {
      const { id, keyId } = c.req.param();
      const answer = await callRoute(c, revokeApplicationKey, { params: { id, keyId } });
      if (!answer.ok) return refused(c, answer);
      return c.redirect(`${ACTIVE}/${encodeURIComponent(id)}?done=1`, 303);
    },
  );
  app.get(
    "/keys/:id/delete",
    requireMember,
    requirePermission("keys:write"),
    requireFreshSecondFactor,
    (c) => confirmDelete(c, c.req.param("id")),
  );
  app.post(
    "/keys/:id/delete",
    requireMember,
    requirePermission("keys:write"),
    requireFreshSecondFactor,
    async (c) => {
      const params = { id: c.req.param("id") };
      const answer = await callRoute(c, deleteApplication, { params });
      // Sent twice, the second finds it gone, as was wished.
      if (!answer.ok && answer.status !== 404) return refused(c, answer);
      return c.redirect(`${ACTIVE}?done=1`, 303);
    },
  );
  changeApplicationRoutes(app);
}

async function showApplications(c: ConsoleContext) {
  const query = { after: c.req.query("after") };
  const answer = await callRoute(c, listApplications, { query });
  if (!answer.ok) return refused(c, answer);
  const labels = textsOf(c).keys;
  const actions = (
    <a class="button primary" href={`${ACTIVE}/new`}>
      {labels.new}
    </a>
  );
  return page(
    c,
    { title: labels.title, active: ACTIVE, actions },
    <>
      {c.req.query("done") === "1" ? <DoneNotice>{labels.done}</DoneNotice> : null}
      <Applications rows={answer.body.items} />
      <NextPage url={c.req.url} list={answer.body} />
    </>,
  );
}

async function makeApplication(c: ConsoleContext) {
  const { typed, idempotencyKey } = await typedApplication(c);
  const answer = await callRoute(c, createApplication, {
    json: applicationRequest(typed),
    idempotencyKey,
  });
  if (!answer.ok) return newApplicationPage(c, typed, idempotencyKey, answer);
  return c.redirect(`${ACTIVE}/${answer.body.data.id}?done=1`, 303);
}

function newApplicationPage(
  c: ConsoleContext,
  typed: TypedApplication,
  idempotencyKey: string,
  refusal: Refusal | null,
) {
  return page(
    c,
    { title: textsOf(c).keys.new, active: ACTIVE, ...statusOf(refusal) },
    <NewApplication
      typed={typed}
      idempotencyKey={idempotencyKey}
      problem={refusal?.body ?? null}
    />,
  );
}

async function applicationPage(c: ConsoleContext, id: string, refusal: Refusal | null) {
  const application = await findApplication(c, id);
  const keys = await callRoute(c, listApplicationKeys, { params: { id } });
  if (!keys.ok) return refused(c, keys);
  if (application === null) return notFoundPage(c);
  return page(
    c,
    { title: application.name, active: ACTIVE, ...statusOf(refusal) },
    <>
      {c.req.query("done") === "1" ? <DoneNotice>{textsOf(c).keys.done}</DoneNotice> : null}
      <ApplicationPage
        application={application}
        keys={keys.body.items}
        idempotencyKey={crypto.randomUUID()}
        problem={refusal?.body ?? null}
      />
    </>,
  );
}

async function issueKey(c: ConsoleContext, id: string) {
  const form = await c.req.formData();
  const field = (name: string) => fieldIn(form, name);
  const hours = field("overlapHours");
  const answer = await callRoute(c, issueApplicationKey, {
    params: { id },
    json: {
      overlapHours: /^\d+$/.test(hours) ? Number(hours) : asTyped(hours),
      expiresAt: endOfDay(field("expiresOn")),
    },
    idempotencyKey: field("idempotencyKey"),
  });
  if (!answer.ok) return applicationPage(c, id, answer);
  const issued = answer.body.data;
  const listed = await callRoute(c, listApplicationKeys, { params: { id } });
  const all = listed.ok ? listed.body.items : [];
  const others = all.filter((key) => key.id !== issued.id && key.revokedAt === null);
  c.header("Cache-Control", "no-store");
  return page(
    c,
    { title: textsOf(c).keys.issuedTitle, active: ACTIVE },
    <IssuedKey clientId={id} issued={issued} others={others} />,
  );
}

function confirmRevoke(c: ConsoleContext, action: string) {
  const labels = textsOf(c).keys;
  return page(
    c,
    { title: labels.revokeTitle, active: ACTIVE },
    <ConfirmEnd
      action={action}
      question={labels.revokeQuestion}
      submit={labels.revoke}
      back={action.replace(/\/revoke\/[^/]+$/, "")}
    />,
  );
}

async function confirmDelete(c: ConsoleContext, id: string) {
  const application = await findApplication(c, id);
  if (application === null) return applicationPage(c, id, null);
  const labels = textsOf(c).keys;
  return page(
    c,
    { title: labels.deleteTitle, active: ACTIVE },
    <ConfirmEnd
      action={c.req.path}
      question={fill(labels.deleteQuestion, { name: application.name })}
      submit={labels.delete}
      back={`${ACTIVE}/${encodeURIComponent(id)}`}
    />,
  );
}

type Status = 400 | 403 | 404 | 409 | 422 | 429 | 500 | 503;
type Refusal = { status: number; body: ApiProblem };

function statusOf(refusal: Refusal | null): { status?: Status } {
  return refusal === null ? {} : { status: refusal.status as Status };
}

function refused(c: ConsoleContext, refusal: Refusal) {
  return page(
    c,
    { title: textsOf(c).keys.title, active: ACTIVE, ...statusOf(refusal) },
    <ProblemNotice problem={refusal.body} />,
  );
}
