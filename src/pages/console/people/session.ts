import { getCookie, getSignedCookie } from "hono/cookie";
import { configOf } from "../../../config.ts";
import type { Membership } from "../../../db/people/people.ts";
import { findSessionByToken } from "../../../db/people/sessions.ts";
import type { ConsoleContext, Session } from "../context.ts";
import { authSecrets } from "../../../http/auth/auth-secrets.ts";

export type { Membership };

/** Names the company that a person chose, or `OPERATOR_CHOICE`. */
export const COMPANY_COOKIE = "centavo_company";
/** The choice of a person who is an operator too: to work as that. */
export const OPERATOR_CHOICE = "operator";

/** Cookies go over TLS only, except on a developer's machine. */
export function hasSecureCookies(c: ConsoleContext): boolean {
  return configOf(c.env.outer.env).environment !== "local";
}

/** The name that better-auth gives to the session's cookie. */
export function sessionCookieName(c: ConsoleContext): string {
  return cookieName(c, "session_token");
}

/** The name of a cookie of the sign-in, by its short name. */
export function cookieName(c: ConsoleContext, name: string): string {
  return `${hasSecureCookies(c) ? "__Secure-" : ""}centavo.${name}`;
}

/** The value of a cookie that better-auth signed, by its short name; null without one, or with a forged one. */
export async function signedCookie(c: ConsoleContext, shortName: string): Promise<string | null> {
  const name = cookieName(c, shortName);
  if (getCookie(c, name) === undefined) return null;
  const [current] = await authSecrets(configOf(c.env.outer.env).secretsKeys);
  const value = await getSignedCookie(c, current!.value, name);
  return typeof value === "string" ? value : null;
}

/** The session of a request's cookie, read in one trip; null without one, or with one that has ended. */
export async function findSession(c: ConsoleContext): Promise<Session | null> {
  const { env } = c.env.outer;
  const token = await signedCookie(c, "session_token");
  if (token === null) return null;
  const now = c.env.outer.get("deps").platformClock.now();
  const found = await findSessionByToken(env, token, now);
  if (found === null) return null;
  return { ...found, hasSecondFactor: found.hasAuthenticator || found.hasPasskey };
}

/** As `findSession`; null too for a person who has yet to prove a second factor. */
export async function findProvedSession(c: ConsoleContext): Promise<Session | null> {
  const session = await findSession(c);
  const isProved =
    session !== null && !(session.hasSecondFactor && session.secondFactorAt === null);
  return isProved ? session : null;
}

/** The company that the person chose, else the first; undefined for a person of no company. */
export function chosenMembership(
  c: ConsoleContext,
  { memberships }: Session,
): Membership | undefined {
  const chosen = Number(getCookie(c, COMPANY_COOKIE));
  return memberships.find(({ companyId }) => companyId === chosen) ?? memberships[0];
}

/** Whether a person who is an operator works as that: by choice, or because he may open no company. */
export function isAsOperator(c: ConsoleContext, { operator, memberships }: Session): boolean {
  if (operator === null) return false;
  return memberships.length === 0 || getCookie(c, COMPANY_COOKIE) === OPERATOR_CHOICE;
}
