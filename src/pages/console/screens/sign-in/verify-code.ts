import type { ConsoleContext } from "../../context.ts";
import { authOf } from "../../people/auth.ts";

/**
 * Proves a code of the authenticator app, or a recovery code, which then is used up: of the session, or of the
 * sign-in that waits for it.
 */
export async function verifyCode(c: ConsoleContext, typed: string): Promise<Response> {
  const { api } = await authOf(c);
  const code = typed.replaceAll(/\s/g, "");
  const options = { body: { code }, headers: c.req.raw.headers, asResponse: true } as const;
  return /^\d{6}$/.test(code) ? api.verifyTOTP(options) : api.verifyBackupCode(options);
}
