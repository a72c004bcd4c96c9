import { and, asc, eq, not, like, or } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { directoryOf } from "../client.ts";
import { twoFactors, users } from "../schema/people/sessions.ts";
import { runIdempotent } from "../storage-errors.ts";

/** What an authenticator app's row has encrypted. */
export type EncryptedAuthenticator = Pick<
  typeof twoFactors.$inferSelect,
  "id" | "secret" | "backupCodes"
>;

/** The first rows of which something does not begin with the prefix that the current key writes. */
export async function staleAuthenticators(
  env: Env,
  prefix: string,
  limit: number,
): Promise<EncryptedAuthenticator[]> {
  const isCurrent = (column: typeof twoFactors.secret | typeof twoFactors.backupCodes) =>
    like(column, `${prefix}%`);
  return directoryOf(env)
    .select({ id: twoFactors.id, secret: twoFactors.secret, backupCodes: twoFactors.backupCodes })
    .from(twoFactors)
    .where(or(not(isCurrent(twoFactors.secret)), not(isCurrent(twoFactors.backupCodes))))
    .orderBy(asc(twoFactors.id))
    .limit(limit);
}

/** Puts other texts in a row's place. False if it has changed since: a recovery code that was used stays used. */
export async function replaceAuthenticator(
  env: Env,
  before: EncryptedAuthenticator,
  after: Omit<EncryptedAuthenticator, "id">,
): Promise<boolean> {
  const [replaced] = await runIdempotent(() =>
    directoryOf(env)
      .update(twoFactors)
      .set(after)
      .where(
        and(
          eq(twoFactors.id, before.id),
          or(
            and(
              eq(twoFactors.secret, before.secret),
              eq(twoFactors.backupCodes, before.backupCodes),
            ),
            // A repeat after a lost answer finds what it wrote.
            and(eq(twoFactors.secret, after.secret), eq(twoFactors.backupCodes, after.backupCodes)),
          ),
        ),
      )
      .returning({ id: twoFactors.id }),
  );
  return replaced !== undefined;
}

/** The authenticator app of the person with an e-mail in lower case; null if there is none. */
export async function findAuthenticator(
  env: Env,
  email: string,
): Promise<(EncryptedAuthenticator & { userId: string }) | null> {
  const [found] = await directoryOf(env)
    .select({
      id: twoFactors.id,
      userId: twoFactors.userId,
      secret: twoFactors.secret,
      backupCodes: twoFactors.backupCodes,
    })
    .from(twoFactors)
    .innerJoin(users, eq(users.id, twoFactors.userId))
    .where(and(eq(users.email, email), eq(users.twoFactorEnabled, true)));
  return found ?? null;
}
