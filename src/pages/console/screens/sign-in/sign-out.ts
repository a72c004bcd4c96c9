import { deleteCookie } from "hono/cookie";
import type { ConsoleContext } from "../../context.ts";
import { endCurrentSession } from "../../people/auth.ts";
import { hasSecureCookies, sessionCookieName } from "../../people/session.ts";

/** Ends the session of this browser, if it has one, and takes its cookie. */
export async function signOutHere(c: ConsoleContext): Promise<void> {
  await endCurrentSession(c);
  deleteCookie(c, sessionCookieName(c), { path: "/console", secure: hasSecureCookies(c) });
}
