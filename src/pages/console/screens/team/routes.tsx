import { PERSON_ROLES, type PersonRole } from "../../../../domain/access/person.ts";
import { callApi, type ApiAnswer, type ApiProblem } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { formOf } from "../../form.ts";
import { requirePerson } from "../../people/require-person.ts";
import { requirePermission } from "../../people/require-scope.ts";
import { requireFreshSecondFactor } from "../../people/require-second-factor.ts";
import { teamPage, type People } from "./page.tsx";

const PEOPLE = "/api/v1/people";

/** The company's people: list, invite, change, remove. */
export function teamScreen(app: ConsoleApp): void {
  const guards = [
    requirePerson,
    requirePermission("people:write"),
    requireFreshSecondFactor,
  ] as const;
  app.get("/team", ...guards, async (c) =>
    teamPage(c, { people: await readPeople(c), done: c.req.query("done") }),
  );
  app.post("/team/invitations", ...guards, (c) => invite(c));
  app.post("/team/invitations/:id/revoke", ...guards, async (c) => {
    const path = `${PEOPLE}/invitations/${encodeURIComponent(c.req.param("id"))}`;
    return shown(c, await callApi(c, "DELETE", path), "revoked");
  });
  app.post("/team/people/:id/role", ...guards, async (c) => {
    const form = await formOf(c);
    const path = `${PEOPLE}/${encodeURIComponent(c.req.param("id"))}`;
    const answer = await callApi(c, "PATCH", path, { body: { role: form("role") } });
    return shown(c, answer, "changed");
  });
  app.post("/team/people/:id/remove", ...guards, async (c) => {
    const path = `${PEOPLE}/${encodeURIComponent(c.req.param("id"))}`;
    return shown(c, await callApi(c, "DELETE", path), "removed");
  });
}

/** The link is in this answer only, so it is the page itself and no redirect; sent twice, it is the same link. */
async function invite(c: ConsoleContext): Promise<Response> {
  const form = await formOf(c);
  const [email, role] = [form("email"), form("role")];
  const answer = await callApi(c, "POST", `${PEOPLE}/invitations`, {
    body: { email, role },
    ...(form("idempotencyKey") === "" ? {} : { idempotencyKey: form("idempotencyKey") }),
  });
  if (!answer.ok) {
    const typed = { email, role: isRole(role) ? role : ("viewer" as const) };
    return refused(c, answer, typed);
  }
  c.header("Cache-Control", "no-store");
  return teamPage(c, { people: await readPeople(c), link: answer.body.data });
}

async function shown(c: ConsoleContext, answer: ApiAnswer<ApiProblem>, done: string) {
  if (!answer.ok) return refused(c, answer);
  return c.redirect(`/console/team?done=${done}`, 303);
}

async function refused(
  c: ConsoleContext,
  answer: ApiAnswer<ApiProblem>,
  typed?: { email: string; role: PersonRole },
) {
  const status = answer.status as 400 | 403 | 404 | 409 | 429;
  const people = await readPeople(c);
  return teamPage(c, { people, problem: answer.body, status, ...(typed ? { typed } : {}) });
}

/** Empty if the API refuses, as after a person lowered his own role. */
async function readPeople(c: ConsoleContext): Promise<People> {
  const { ok, body } = await callApi<People>(c, "GET", PEOPLE);
  return ok ? body : { items: [], invitations: [] };
}

function isRole(text: string): text is PersonRole {
  return PERSON_ROLES.includes(text as PersonRole);
}
