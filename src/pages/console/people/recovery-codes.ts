import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import { findAuthenticator, replaceAuthenticator } from "../../../db/people/authenticators.ts";
import type { ConsoleContext } from "../context.ts";
import { authOf } from "./auth.ts";

/**
 * Takes a recovery code of the person with an e-mail in lower case, so that it counts once: of two requests at once,
 * one gets it. Answers the person's id; null for an unknown e-mail and a wrong or used code alike.
 */
export async function takeRecoveryCode(
  c: ConsoleContext,
  { email, code }: { email: string; code: string },
): Promise<string | null> {
  const { env } = c.env.outer;
  // First, for it takes long: the time of an answer tells nothing about an e-mail.
  const { secretConfig: key } = await (await authOf(c)).$context;
  const found = await findAuthenticator(env, email);
  if (found === null) return null;
  const { userId, ...before } = found;
  // As better-auth keeps them.
  const codes: string[] = JSON.parse(await symmetricDecrypt({ key, data: before.backupCodes }));
  const left = codes.filter((one) => one !== code);
  if (left.length === codes.length) return null;
  const backupCodes = await symmetricEncrypt({ key, data: JSON.stringify(left) });
  const isTaken = await replaceAuthenticator(env, before, { secret: before.secret, backupCodes });
  return isTaken ? userId : null;
}
