import { and, eq, gt, lte } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { directoryOf } from "../client.ts";
import { verifications } from "../schema/people/sessions.ts";

/** Longer than a code is valid: its own half minute, the one before and the one after. */
const CODE_MS = 120_000;
/** The identifier of a code that was tried. */
export const USED_CODE = "used-code";

/**
 * Takes a code of a person's authenticator app, right or wrong, so that it is tried once (RFC 6238, section 5.2).
 * False if it was taken within its validity. Of two requests at once, one gets it. better-auth deletes the row.
 */
export async function takeCode(
  env: Env,
  userId: string,
  code: string,
  nowMs: number,
): Promise<boolean> {
  const now = new Date(nowMs);
  const taken = {
    identifier: USED_CODE,
    value: userId,
    expiresAt: new Date(nowMs + CODE_MS),
    createdAt: now,
    updatedAt: now,
  };
  const rows = await directoryOf(env)
    .insert(verifications)
    .values({ id: `${USED_CODE}:${userId}:${code}`, ...taken })
    .onConflictDoUpdate({
      target: verifications.id,
      set: taken,
      setWhere: lte(verifications.expiresAt, now),
    })
    .returning({ id: verifications.id });
  return rows.length > 0;
}

/** The person whose sign-in waits for its code, by the challenge that the password's cookie names. */
export async function challengedPerson(
  env: Env,
  challenge: string,
  nowMs: number,
): Promise<string | null> {
  const [found] = await directoryOf(env)
    .select({ userId: verifications.value })
    .from(verifications)
    .where(
      and(eq(verifications.identifier, challenge), gt(verifications.expiresAt, new Date(nowMs))),
    );
  return found?.userId ?? null;
}
