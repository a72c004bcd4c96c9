import { callApi, type ApiAnswer, type ApiProblem } from "../../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../../context.ts";
import { requireOperatorPerson } from "../../../people/require-person.ts";
import { requireOperatorPermission } from "../../../people/require-scope.ts";
import { requireFreshSecondFactor } from "../../../people/require-second-factor.ts";
import { textsOf } from "../../../texts.ts";
import { formOf, refusalPage } from "../../answers.tsx";
import {
  addPage,
  linkPage,
  listPage,
  personPage,
  type MadeLink,
  type OperatorKey,
  type OperatorRow,
} from "./pages.tsx";

const ACTIVE = "/console/operator/people";
const API = "/api/v1/operator/people";

/** The operators of the gateway: list, add, role, set-up link, keys, removal. */
export function operatorPeopleScreen(app: ConsoleApp): void {
  const read = [requireOperatorPerson, requireOperatorPermission("people:write")] as const;
  const write = [...read, requireFreshSecondFactor] as const;
  app.get("/operator/people", ...read, (c) => showList(c));
  app.get("/operator/people/new", ...write, (c) => addPage(c, { name: "", role: "read" }));
  app.post("/operator/people", ...write, (c) => add(c));
  app.get("/operator/people/:id", ...write, (c) => showPerson(c, c.req.param("id")));
  app.post("/operator/people/:id/change", ...write, async (c) => {
    const { name, role } = await formOf(c);
    const id = c.req.param("id");
    return shown(c, id, await callApi(c, "PATCH", pathOf(id), { body: { name, role } }), "changed");
  });
  app.post("/operator/people/:id/remove", ...write, async (c) => {
    const id = c.req.param("id");
    const answer = await callApi(c, "DELETE", pathOf(id));
    // Sent twice, the second finds him gone, as was wished.
    if (!answer.ok && answer.status !== 404) return showPerson(c, id, answer);
    return c.redirect(`${ACTIVE}?done=removed`, 303);
  });
  app.post("/operator/people/:id/link", ...write, async (c) => {
    const id = c.req.param("id");
    const answer = await makeLink(c, id);
    return answer.ok ? linkShown(c, answer.body.data) : showPerson(c, id, answer);
  });
  app.post("/operator/people/:id/keys/:keyId/revoke", ...write, async (c) => {
    const { id, keyId } = c.req.param();
    const path = `${pathOf(id)}/keys/${encodeURIComponent(keyId)}`;
    return shown(c, id, await callApi(c, "DELETE", path), "revoked");
  });
}

async function showList(c: ConsoleContext): Promise<Response> {
  const after = encodeURIComponent(c.req.query("after") ?? "");
  const answer = await callApi(c, "GET", `${API}?after=${after}`);
  const { title } = textsOf(c).operatorPeople;
  if (!answer.ok) return refusalPage(c, { title, active: ACTIVE }, answer);
  return listPage(c, answer.body as { items: OperatorRow[]; after: string | null });
}

/** Of one who works in the console: without a key. The link is in this answer only, so it is the page itself. */
async function add(c: ConsoleContext): Promise<Response> {
  const { name = "", role = "" } = await formOf(c);
  const answer = await callApi(c, "POST", API, { body: { name, role, withKey: false } });
  if (!answer.ok) return addPage(c, { name, role }, answer);
  const { id } = answer.body.data as OperatorRow;
  const link = await makeLink(c, id);
  if (!link.ok) return c.redirect(`${ACTIVE}/${id}?done=added`, 303);
  return linkShown(c, link.body.data);
}

function linkShown(c: ConsoleContext, link: MadeLink) {
  c.header("Cache-Control", "no-store");
  return linkPage(c, link);
}

function makeLink(c: ConsoleContext, id: string) {
  return callApi(c, "POST", `${pathOf(id)}/sign-in-link`);
}

async function shown(c: ConsoleContext, id: string, answer: ApiAnswer<ApiProblem>, done: string) {
  if (!answer.ok) return showPerson(c, id, answer);
  return c.redirect(`${ACTIVE}/${encodeURIComponent(id)}?done=${done}`, 303);
}

async function showPerson(
  c: ConsoleContext,
  id: string,
  refusal: ApiAnswer<ApiProblem> | null = null,
): Promise<Response> {
  const [person, keys] = await Promise.all([
    callApi(c, "GET", pathOf(id)),
    callApi(c, "GET", `${pathOf(id)}/keys`),
  ]);
  const { title } = textsOf(c).operatorPeople;
  if (!person.ok) return refusalPage(c, { title, active: ACTIVE }, refusal ?? person);
  return personPage(c, {
    person: person.body.data as OperatorRow,
    keys: (keys.ok ? keys.body.items : []) as OperatorKey[],
    refusal,
  });
}

function pathOf(id: string): string {
  return `${API}/${encodeURIComponent(id)}`;
}
