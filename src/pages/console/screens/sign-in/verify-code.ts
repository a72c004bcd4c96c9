import { challengedPerson, takeCode } from "../../../../db/people/used-codes.ts";
import type { ConsoleContext } from "../../context.ts";
import { authOf } from "../../people/auth.ts";
import { signedCookie } from "../../people/session.ts";

/** A code of the authenticator app; recovery codes are longer. */
const APP_CODE = /^\d{6}$/;
/** better-auth's name for the cookie of a sign-in whose password was right. */
const CHALLENGE_COOKIE = "two_factor";

/**
 * Proves a code of the authenticator app, or a recovery code: of the session, or of the sign-in that waits for it.
 * Either counts once; a code that was tried before is a 401.
 */
export async function verifyCode(c: ConsoleContext, typed: string): Promise<Response> {
  const code = withoutSpaces(typed);
  if (APP_CODE.test(code)) return verifyAppCode(c, code);
  const { api } = await authOf(c);
  return api.verifyBackupCode({ body: { code }, headers: c.req.raw.headers, asResponse: true });
}

/** As `verifyCode`, of the authenticator app only: of one that is set up, too. */
export async function verifyAppCode(c: ConsoleContext, typed: string): Promise<Response> {
  const code = withoutSpaces(typed);
  if (!(await isFirstUse(c, code))) return new Response(null, { status: 401 });
  const { api } = await authOf(c);
  return api.verifyTOTP({ body: { code }, headers: c.req.raw.headers, asResponse: true });
}

const withoutSpaces = (typed: string) => typed.replaceAll(/\s/g, "");

async function isFirstUse(c: ConsoleContext, code: string): Promise<boolean> {
  if (!APP_CODE.test(code)) return true;
  const { env } = c.env.outer;
  const now = c.env.outer.get("deps").platformClock.now();
  const userId = c.get("session")?.userId ?? (await personOfSignIn(c));
  // Without a person there is nothing to prove, which better-auth answers.
  return userId === null || takeCode(env, userId, code, now);
}

/** The person whose sign-in waits for its code; null if none does. */
export async function personOfSignIn(c: ConsoleContext): Promise<string | null> {
  const challenge = await signedCookie(c, CHALLENGE_COOKIE);
  const now = c.env.outer.get("deps").platformClock.now();
  return challenge === null ? null : challengedPerson(c.env.outer.env, challenge, now);
}
