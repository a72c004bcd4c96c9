import { createMiddleware } from "hono/factory";
import { ROLES_WITH_SECOND_FACTOR } from "../../../domain/access/person.ts";
import type { ConsoleContext, ConsoleEnv } from "../context.ts";
import { forbiddenPage, noCompanyPage } from "../ui/error-pages.tsx";
import { chosenMembership, findSession, isAsOperator } from "./session.ts";
import type { Session } from "../context.ts";

/** Admits whoever has a session, and sets `session`; for the proof of a second factor and its set-up. */
export const requireSession = createMiddleware<ConsoleEnv>(async (c, next) => {
  const session = await findSession(c);
  if (session === null) return c.redirect(`/console/sign-in${wayBack(c)}`, 303);
  c.set("session", session);
  await next();
});

/**
 * Admits a signed-in person and sets `person` and `session`; leads everybody else to the sign-in, and to the
 * second factor or its set-up first. The first page of an operator is the operator's.
 */
export const requireMember = createMiddleware<ConsoleEnv>(async (c, next) => {
  const session = await provedSession(c);
  if (session instanceof Response) return session;
  if (c.req.path === "/console" && isAsOperator(c, session)) {
    return c.redirect("/console/operator", 303);
  }
  const refused = admitPerson(c, session);
  if (refused !== null) return refused;
  await next();
});

/**
 * Admits a signed-in operator of the gateway and sets `operator` and `session`. Every role needs a second factor.
 * Answers a company's people a page with 403.
 */
export const requireOperatorPerson = createMiddleware<ConsoleEnv>(async (c, next) => {
  const session = await provedSession(c);
  if (session instanceof Response) return session;
  const refused = admitOperator(c, session);
  if (refused !== null) return refused;
  await next();
});

/** As `requireOperatorPerson` for who works as an operator, else as `requireMember`: for a person's own account. */
export const requireMemberOrOperator = createMiddleware<ConsoleEnv>(async (c, next) => {
  const session = await provedSession(c);
  if (session instanceof Response) return session;
  const refused = isAsOperator(c, session) ? admitOperator(c, session) : admitPerson(c, session);
  if (refused !== null) return refused;
  await next();
});

/** The session, set as `session`; or the way to the sign-in or the second factor. */
async function provedSession(c: ConsoleContext): Promise<Session | Response> {
  const session = await findSession(c);
  if (session === null) return c.redirect(`/console/sign-in${wayBack(c)}`, 303);
  c.set("session", session);
  // A password alone opens nothing once there is a second factor.
  if (session.hasSecondFactor && session.secondFactorAt === null) {
    return c.redirect(`/console/confirm${wayBack(c)}`, 303);
  }
  return session;
}

/** Sets `person`; answers a page instead if there is no company to open, or no second factor where one is needed. */
function admitPerson(c: ConsoleContext, session: Session): Response | Promise<Response> | null {
  const membership = chosenMembership(c, session);
  if (membership === undefined) {
    return session.operator === null ? noCompanyPage(c) : forbiddenPage(c);
  }
  const { companyId, role, standing } = membership;
  if (ROLES_WITH_SECOND_FACTOR.has(role) && !session.hasSecondFactor) {
    return c.redirect("/console/second-factor", 303);
  }
  const { userId, name, email } = session;
  c.set("person", { userId, name, email, companyId, role, standing });
  return null;
}

/** Sets `operator`; answers a page instead for others, and for an operator without a second factor. */
function admitOperator(c: ConsoleContext, session: Session): Response | Promise<Response> | null {
  const { operator, userId, hasSecondFactor } = session;
  if (operator === null) return forbiddenPage(c);
  if (!hasSecondFactor) return c.redirect("/console/second-factor", 303);
  c.set("operator", { ...operator, userId });
  return null;
}

/** The page a person asked for, to come back to. A form is not sent again. */
function wayBack(c: ConsoleContext): string {
  if (c.req.method !== "GET") return "";
  const { pathname, search } = new URL(c.req.url);
  return pathname === "/console" ? "" : `?next=${encodeURIComponent(pathname + search)}`;
}
