import {
  addOperator,
  changeOperator,
  listOperatorKeys,
  listOperators,
  createOperatorSignInLink,
  deleteOperator,
  revokeOperatorKey,
  getOperator,
} from "../../../../../api/operator/people/routes.ts";
import { callRoute } from "../../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../../context.ts";
import { requireOperatorPerson } from "../../../people/require-member.ts";
import { requireOperatorPermission } from "../../../people/require-scope.ts";
import { requireFreshSecondFactor } from "../../../people/require-second-factor.ts";
import { asTyped } from "../../../form.ts";
import type { RouteRefusal } from "../../../../../http/openapi/route-types.ts";
import { textsOf } from "../../../texts.ts";
import { formOf, refusalPage } from "../../answers.tsx";
import { addPage, linkPage, listPage, personPage, type MadeLink } from "./pages.tsx";

const ACTIVE = "/console/operator/people";

/** The operators of the gateway: list, add, role, set-up link, keys, removal. */
export function operatorPeopleScreen(app: ConsoleApp): void {
  const read = [requireOperatorPerson, requireOperatorPermission("people:write")] as const;
  const write = [...read, requireFreshSecondFactor] as const;
  app.get("/operator/people", ...read, (c) => showList(c));
  app.get("/operator/people/new", ...write, (c) => addPage(c, { name: "", role: "read" }));
  app.post("/operator/people", ...write, (c) => add(c));
  app.get("/operator/people/:id", ...write, (c) => showPerson(c, c.req.param("id")));
  app.post("/operator/people/:id/change", ...write, async (c) => {
    const { name = "", role = "" } = await formOf(c);
    const id = c.req.param("id");
    const json = { name, role: asTyped(role) };
    const answer = await callRoute(c, changeOperator, { params: { id }, json });
    return answer.ok ? doneAt(c, id, "changed") : showPerson(c, id, answer);
  });
  app.post("/operator/people/:id/remove", ...write, async (c) => {
    const id = c.req.param("id");
    const answer = await callRoute(c, deleteOperator, { params: { id } });
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
    const answer = await callRoute(c, revokeOperatorKey, { params: { id, keyId } });
    return answer.ok ? doneAt(c, id, "revoked") : showPerson(c, id, answer);
  });
}

async function showList(c: ConsoleContext): Promise<Response> {
  const query = { after: c.req.query("after") };
  const answer = await callRoute(c, listOperators, { query });
  const { title } = textsOf(c).operatorPeople;
  if (!answer.ok) return refusalPage(c, { title, active: ACTIVE }, answer);
  return listPage(c, answer.body);
}

/** Of one who works in the console: without a key. The link is in this answer only, so it is the page itself. */
async function add(c: ConsoleContext): Promise<Response> {
  const { name = "", role = "" } = await formOf(c);
  const answer = await callRoute(c, addOperator, {
    json: { name, role: asTyped(role), withKey: false },
  });
  if (!answer.ok) return addPage(c, { name, role }, answer);
  const { id } = answer.body.data;
  const link = await makeLink(c, id);
  if (!link.ok) return c.redirect(`${ACTIVE}/${id}?done=added`, 303);
  return linkShown(c, link.body.data);
}

function linkShown(c: ConsoleContext, link: MadeLink) {
  c.header("Cache-Control", "no-store");
  return linkPage(c, link);
}

function makeLink(c: ConsoleContext, id: string) {
  return callRoute(c, createOperatorSignInLink, { params: { id } });
}

function doneAt(c: ConsoleContext, id: string, done: string) {
  return c.redirect(`${ACTIVE}/${encodeURIComponent(id)}?done=${done}`, 303);
}

async function showPerson(
  c: ConsoleContext,
  id: string,
  refusal: RouteRefusal | null = null,
): Promise<Response> {
  const [person, keys] = await Promise.all([
    callRoute(c, getOperator, { params: { id } }),
    callRoute(c, listOperatorKeys, { params: { id } }),
  ]);
  const { title } = textsOf(c).operatorPeople;
  if (!person.ok) return refusalPage(c, { title, active: ACTIVE }, refusal ?? person);
  return personPage(c, {
    person: person.body.data,
    keys: keys.ok ? keys.body.items : [],
    refusal,
  });
}
