import { createMiddleware } from "hono/factory";
import { ROLES_WITH_SECOND_FACTOR } from "../../../domain/access/person.ts";
import type { ConsoleContext, ConsoleEnv } from "../context.ts";
import { noCompanyPage } from "../ui/error-pages.tsx";
import { chosenMembership, findSession } from "./session.ts";

/** Admits whoever has a session, and sets `session`; for the proof of a second factor and its set-up. */
export const requireSession = createMiddleware<ConsoleEnv>(async (c, next) => {
  const session = await findSession(c);
  if (session === null) return c.redirect(`/console/sign-in${wayBack(c)}`, 303);
  c.set("session", session);
  await next();
});

/**
 * Admits a signed-in person and sets `person` and `session`; leads everybody else to the sign-in, and to the
 * second factor or its set-up first.
 */
export const requirePerson = createMiddleware<ConsoleEnv>(async (c, next) => {
  const session = await findSession(c);
  if (session === null) return c.redirect(`/console/sign-in${wayBack(c)}`, 303);
  c.set("session", session);
  // A password alone opens nothing once there is a second factor.
  if (session.hasSecondFactor && session.secondFactorAt === null) {
    return c.redirect(`/console/confirm${wayBack(c)}`, 303);
  }
  const membership = chosenMembership(c, session);
  if (membership === undefined) return noCompanyPage(c);
  const { companyId, role } = membership;
  if (ROLES_WITH_SECOND_FACTOR.has(role) && !session.hasSecondFactor) {
    return c.redirect("/console/second-factor", 303);
  }
  const { userId, name, email } = session;
  c.set("person", { userId, name, email, companyId, role });
  await next();
});

/** The page a person asked for, to come back to. A form is not sent again. */
function wayBack(c: ConsoleContext): string {
  if (c.req.method !== "GET") return "";
  const { pathname, search } = new URL(c.req.url);
  return pathname === "/console" ? "" : `?next=${encodeURIComponent(pathname + search)}`;
}
