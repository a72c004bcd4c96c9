import { setSignedCookie } from "hono/cookie";
import { configOf } from "../../../config.ts";
import { findPassword } from "../../../db/people/people.ts";
import { newUuid } from "../../../domain/shared/ids.ts";
import { authSecrets } from "../../../http/auth/auth-secrets.ts";
import { sha256Hex } from "../../../lib/hash.ts";
import type { ConsoleContext } from "../context.ts";
import { cookieName, hasSecureCookies, signedCookie } from "./session.ts";

/** Half a year; each sign-in begins it anew. */
const DEVICE_SECONDS = 180 * 24 * 60 * 60;
/** Of a hash: enough to tell people and passwords apart, too little to find either. */
const MARK_LENGTH = 16;
const VALUE = /^device:(?<deviceId>[\w-]+):(?<userId>[\w-]+):(?<mark>[0-9a-f]{16})$/;

/**
 * The id of this browser, if the person of an e-mail (in lower case) has signed in here with the present password;
 * else null. It opens nothing: its passwords are only counted by themselves, so that a stranger's wrong ones shut
 * nobody out.
 */
export async function knownDevice(c: ConsoleContext, email: string): Promise<string | null> {
  const cookie = await signedCookie(c, await shortName(email));
  const { deviceId, userId, mark } = VALUE.exec(cookie ?? "")?.groups ?? {};
  if (deviceId === undefined || userId === undefined) return null;
  const found = await findPassword(c.env.outer.env, userId);
  if (found === null || found.email !== email) return null;
  return (await markOf(found.passwordHash)) === mark ? deviceId : null;
}

/** Makes this browser known for a person who has just signed in with all that it takes. A new password forgets it. */
export async function rememberDevice(c: ConsoleContext, userId: string): Promise<void> {
  const { env } = c.env.outer;
  const found = await findPassword(env, userId);
  if (found === null) return;
  const { email, passwordHash } = found;
  const deviceId = (await knownDevice(c, email)) ?? newUuid(c.env.outer.get("deps").random);
  const value = `device:${deviceId}:${userId}:${await markOf(passwordHash)}`;
  const [current] = await authSecrets(configOf(env).secretsKeys);
  await setSignedCookie(c, cookieName(c, await shortName(email)), value, current!.value, {
    path: "/console",
    httpOnly: true,
    sameSite: "Lax",
    secure: hasSecureCookies(c),
    maxAge: DEVICE_SECONDS,
  });
}

/** A cookie for each person, so that people who share a browser are all known there. */
async function shortName(email: string): Promise<string> {
  return `device_${await markOf(email)}`;
}

async function markOf(text: string): Promise<string> {
  return (await sha256Hex(text)).slice(0, MARK_LENGTH);
}
