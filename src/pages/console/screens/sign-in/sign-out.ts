import { deleteCookie } from "hono/cookie";
import { endSession } from "../../../../db/people/sessions.ts";
import type { ConsoleContext } from "../../context.ts";
import { recordOwnAction } from "../../people/own-actions.ts";
import { findSession, hasSecureCookies, sessionCookieName } from "../../people/session.ts";

/** Ends the session of this browser, if it has one, and takes its cookie. */
export async function signOutHere(c: ConsoleContext): Promise<void> {
  await endCurrentSession(c);
  deleteCookie(c, sessionCookieName(c), { path: "/console", secure: hasSecureCookies(c) });
}

/** Ends the session of this browser, if it has one, after the trails have it. */
export async function endCurrentSession(c: ConsoleContext): Promise<void> {
  const session = await findSession(c);
  if (session === null) return;
  const { userId, sessionId } = session;
  await recordOwnAction(c, session, { action: "session.end", target: `session:${sessionId}` });
  await endSession(c.env.outer.env, userId, sessionId);
}
