import {
  endSession,
  findSessionByToken,
  noteProof,
  sessionIdOfToken,
} from "../../../db/people/sessions.ts";
import type { ConsoleContext } from "../context.ts";
import { rememberDevice } from "./known-device.ts";
import { recordOwnAction } from "./own-actions.ts";
import { findSession, sessionCookieName } from "./session.ts";

/**
 * better-auth for one request: it holds promises, which the platform binds to the request that made them. It is
 * large, so most pages do without. None of its own routes is served: pages call its functions.
 */
export async function authOf(c: ConsoleContext) {
  const { makeAuth } = await import("./better-auth.ts");
  return makeAuth(c);
}

/** Hands better-auth's cookies on. */
export function passCookies(c: ConsoleContext, answer: Response): void {
  for (const cookie of answer.headers.getSetCookie()) {
    c.header("Set-Cookie", cookie, { append: true });
  }
}

/** The token of the session that better-auth began; null if it began none. */
function tokenOf(c: ConsoleContext, answer: Response): string | null {
  let token: string | null = null;
  for (const cookie of answer.headers.getSetCookie()) {
    const [name, value = ""] = cookie.slice(0, cookie.indexOf(";")).split("=");
    if (name !== sessionCookieName(c) || value === "") continue;
    const signed = decodeURIComponent(value);
    token = signed.slice(0, signed.lastIndexOf("."));
  }
  return token;
}

/**
 * Hands the cookies on, with the session that better-auth began as proved at `provedAt`. Answers that session's id;
 * null if none began.
 */
export async function passProvedSession(
  c: ConsoleContext,
  answer: Response,
  provedAt: number | null,
): Promise<string | null> {
  passCookies(c, answer);
  const token = tokenOf(c, answer);
  if (token === null) return null;
  const { env } = c.env.outer;
  const sessionId = await sessionIdOfToken(env, token);
  if (sessionId === null) return null;
  await noteProof(env, sessionId, provedAt, c.env.outer.get("deps").platformClock.now());
  return sessionId;
}

/** How a person signed in. */
export type SignInMethod = "password" | "code" | "passkey";

/**
 * Lets a person in whose sign-in better-auth accepted, after the trails have it, and makes the browser known. Without
 * an entry the session ends before anybody has its cookie.
 */
export async function letIn(
  c: ConsoleContext,
  answer: Response,
  method: SignInMethod,
): Promise<void> {
  const { env } = c.env.outer;
  const now = c.env.outer.get("deps").platformClock.now();
  const session = await findSessionByToken(env, tokenOf(c, answer) ?? "", now);
  if (session === null) throw new Error("the sign-in began no session");
  const { userId, sessionId } = session;
  try {
    const target = `session:${sessionId}`;
    await recordOwnAction(c, session, { action: "session.begin", target, after: { method } });
  } catch (error) {
    await endSession(env, userId, sessionId);
    throw error;
  }
  await passProvedSession(c, answer, method === "password" ? null : now);
  await rememberDevice(c, userId);
}

/** Ends the session of this browser, after the trails have it; nothing without one. */
export async function endCurrentSession(c: ConsoleContext): Promise<void> {
  const session = await findSession(c);
  if (session === null) return;
  const { userId, sessionId } = session;
  await recordOwnAction(c, session, { action: "session.end", target: `session:${sessionId}` });
  await endSession(c.env.outer.env, userId, sessionId);
}
