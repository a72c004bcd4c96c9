import type { ConsoleContext } from "../context.ts";
import { authOf } from "./auth.ts";

/** How long a link for a new password works. */
export const RESET_LINK_SECONDS = 30 * 60;

/** A token that sets a person's password once, within 30 minutes. The database keeps its hash only. */
export async function makeResetToken(c: ConsoleContext, userId: string): Promise<string> {
  const token = crypto.randomUUID();
  const { internalAdapter } = await (await authOf(c)).$context;
  const now = c.env.outer.get("deps").platformClock.now();
  await internalAdapter.createVerificationValue({
    identifier: `reset-password:${token}`,
    value: userId,
    expiresAt: new Date(now + RESET_LINK_SECONDS * 1_000),
  });
  return token;
}
