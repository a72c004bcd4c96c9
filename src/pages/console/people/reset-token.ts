import type { ConsoleContext } from "../context.ts";
import { authOf } from "./auth.ts";
import { RESET_LINK_SECONDS } from "./better-auth.ts";

/** A token that sets a person's password once, within 30 minutes. The database keeps its hash only. */
export async function makeResetToken(c: ConsoleContext, userId: string): Promise<string> {
  const token = crypto.randomUUID();
  const { internalAdapter } = await (await authOf(c)).$context;
  const now = c.env.outer.get("deps").clock.now();
  await internalAdapter.createVerificationValue({
    identifier: `reset-password:${token}`,
    value: userId,
    expiresAt: new Date(now + RESET_LINK_SECONDS * 1_000),
  });
  return token;
}
