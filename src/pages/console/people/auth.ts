import { noteProof, sessionIdOfToken } from "../../../db/people/sessions.ts";
import type { ConsoleContext } from "../context.ts";
import { sessionCookieName } from "./session.ts";

/**
 * better-auth for one request: it holds promises, which the platform binds to the request that made them. It is
 * large, so most pages do without. None of its own routes is served: pages call its functions.
 */
export async function authOf(c: ConsoleContext) {
  const { makeAuth } = await import("./better-auth.ts");
  return makeAuth(c);
}

/** Hands better-auth's cookies on. Answers the token of the session that it began; null if it began none. */
export function passCookies(c: ConsoleContext, answer: Response): string | null {
  let token: string | null = null;
  for (const cookie of answer.headers.getSetCookie()) {
    c.header("Set-Cookie", cookie, { append: true });
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
  const token = passCookies(c, answer);
  if (token === null) return null;
  const { env } = c.env.outer;
  const sessionId = await sessionIdOfToken(env, token);
  if (sessionId === null) return null;
  await noteProof(env, sessionId, provedAt, c.env.outer.get("deps").clock.now());
  return sessionId;
}
