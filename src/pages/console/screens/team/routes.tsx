import {
  changePerson,
  invitePerson,
  listPeople,
  deletePerson,
  revokeInvitation,
} from "../../../../api/people/routes.ts";
import { publicOrigin } from "../../../../config.ts";
import { findPerson } from "../../../../db/people/people.ts";
import { PERSON_ROLES, type PersonRole } from "../../../../domain/access/person-role.ts";
import { callRoute } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { formOf, asTyped } from "../../form.ts";
import { appendToTrails, personEntry } from "../../people/own-actions.ts";
import { makeResetToken } from "../../people/reset-token.ts";
import { requireMember } from "../../people/require-member.ts";
import { requirePermission } from "../../people/require-scope.ts";
import { requireFreshSecondFactor } from "../../people/require-second-factor.ts";
import type { RouteBody, RouteRefusal } from "../../../../http/openapi/route-types.ts";
import { mayResetPassword } from "./may-reset-password.ts";
import { teamPage } from "./page.tsx";

/** The company's people: list, invite, change, remove. */
export function teamScreen(app: ConsoleApp): void {
  const guards = [
    requireMember,
    requirePermission("people:write"),
    requireFreshSecondFactor,
  ] as const;
  app.get("/team", ...guards, async (c) =>
    teamPage(c, { people: await readPeople(c), done: c.req.query("done") }),
  );
  app.post("/team/invitations", ...guards, (c) => invite(c));
  app.post("/team/invitations/:id/revoke", ...guards, async (c) => {
    const params = { id: c.req.param("id") };
    return shown(c, await callRoute(c, revokeInvitation, { params }), "revoked");
  });
  app.post("/team/people/:id/role", ...guards, async (c) => {
    const form = await formOf(c);
    const answer = await callRoute(c, changePerson, {
      params: { id: c.req.param("id") },
      json: { role: asTyped(form("role")) },
    });
    return shown(c, answer, "changed");
  });
  app.post("/team/people/:id/remove", ...guards, async (c) => {
    const params = { id: c.req.param("id") };
    return shown(c, await callRoute(c, deletePerson, { params }), "removed");
  });
  app.post("/team/people/:id/password-link", ...guards, (c) => givePasswordLink(c));
}

/** The link is in this answer only, so it is the page itself and no redirect; sent twice, it is the same link. */
async function invite(c: ConsoleContext): Promise<Response> {
  const form = await formOf(c);
  const [email, role] = [form("email"), form("role")];
  const answer = await callRoute(c, invitePerson, {
    json: { email, role: asTyped(role) },
    ...(form("idempotencyKey") === "" ? {} : { idempotencyKey: form("idempotencyKey") }),
  });
  if (!answer.ok) {
    return refused(c, answer, { email, role: isRole(role) ? role : "viewer" });
  }
  c.header("Cache-Control", "no-store");
  return teamPage(c, { people: await readPeople(c), link: answer.body.data });
}

/**
 * A link by which a member sets a new password, in this answer only. Not for who opens more than this company: the
 * company alone decides only about its own doors.
 */
async function givePasswordLink(c: ConsoleContext): Promise<Response> {
  const { env } = c.env.outer;
  const person = c.get("person");
  const people = await readPeople(c);
  const member = people.items.find(({ id }) => id === c.req.param("id"));
  if (member === undefined || !mayResetPassword(person, member)) return c.notFound();
  const found = await findPerson(env, { userId: member.id });
  const isOnlyHere = found?.operator === null && found.memberships.length === 1;
  if (!isOnlyHere) return teamPage(c, { people, isElsewhere: true, status: 409 });
  const here = c.get("session").memberships.filter((one) => one.companyId === person.companyId);
  const made = { action: "passwordLink.create", target: `person:${member.id}` };
  await appendToTrails(c, { memberships: here, operator: null }, personEntry(c, person, made));
  const token = await makeResetToken(c, member.id);
  const url = `${publicOrigin(env, c.req.url)}/console/password-reset/${token}`;
  c.header("Cache-Control", "no-store");
  return teamPage(c, { people, passwordLink: { url, name: member.name } });
}

async function shown(c: ConsoleContext, answer: { ok: true } | RouteRefusal, done: string) {
  if (!answer.ok) return refused(c, answer);
  return c.redirect(`/console/team?done=${done}`, 303);
}

async function refused(
  c: ConsoleContext,
  answer: RouteRefusal,
  again?: { email: string; role: PersonRole },
) {
  const status = answer.status as 400 | 403 | 404 | 409 | 429;
  const people = await readPeople(c);
  return teamPage(c, { people, problem: answer.body, status, ...(again ? { typed: again } : {}) });
}

/** Empty if the API refuses, as after a person lowered his own role. */
async function readPeople(c: ConsoleContext): Promise<RouteBody<typeof listPeople>> {
  const { ok, body } = await callRoute(c, listPeople);
  return ok ? body : { items: [], invitations: [] };
}

function isRole(text: string): text is PersonRole {
  return PERSON_ROLES.includes(text as PersonRole);
}
