import { and, eq, gt, isNull, sql } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { directoryOf } from "../client.ts";
import { operators } from "../schema/operators.ts";
import { accounts, users } from "../schema/people/sessions.ts";
import { runIdempotent } from "../storage-errors.ts";
import { existsAdmin, OPERATOR_COLUMNS, type OperatorRecord } from "./operators.ts";

/** A set-up link. Times in Unix milliseconds. */
export interface SignInLink {
  tokenHash: string;
  expiresAt: number;
}

/**
 * Gives an operator a link, in the place of an earlier one. Null for an unknown or removed operator; with
 * `onlyFirst` also for one who is no admin, or while an admin can sign in.
 */
export async function putSignInLink(
  env: Env,
  clientId: string,
  { tokenHash, expiresAt }: SignInLink,
  { onlyFirst, nowMs }: { onlyFirst: boolean; nowMs: number },
): Promise<OperatorRecord | null> {
  const isFirst = sql`(${operators.role} = 'admin' AND NOT ${existsAdmin(nowMs)})`;
  const [changed] = await runIdempotent(() =>
    directoryOf(env)
      .update(operators)
      .set({ linkHash: tokenHash, linkExpiresAt: expiresAt, linkUsedAt: null })
      .where(
        and(
          eq(operators.clientId, clientId),
          isNull(operators.removedAt),
          onlyFirst ? isFirst : undefined,
        ),
      )
      .returning(OPERATOR_COLUMNS),
  );
  return changed ?? null;
}

/** The operator of a link that is open; null for one that is used, replaced, over or unknown. */
export async function findSignInLink(
  env: Env,
  tokenHash: string,
  nowMs: number,
): Promise<OperatorRecord | null> {
  const [found] = await directoryOf(env)
    .select(OPERATOR_COLUMNS)
    .from(operators)
    .where(isOpen(tokenHash, nowMs));
  return found ?? null;
}

/** Whether an e-mail, in lower case, is a person's already. */
export async function isEmailTaken(env: Env, email: string): Promise<boolean> {
  const [found] = await directoryOf(env)
    .select({ id: users.id })
    .from(users)
    .where(eq(users.email, email));
  return found !== undefined;
}

/** Who becomes the operator: a new person with a hashed password, or one who has signed in. */
export type LinkedPerson =
  | { userId: string; isNew: true; name: string; email: string; password: string }
  | { userId: string; isNew: false };

/**
 * Uses a link: makes the person, if new, and names him in the operator's row, all or nothing. An earlier person of
 * the operator is one no longer. False if the link is not open by now, the e-mail has a person already, or the
 * person is another operator.
 */
export async function useSignInLink(
  env: Env,
  tokenHash: string,
  person: LinkedPerson,
  nowMs: number,
): Promise<boolean> {
  const { userId } = person;
  const db = directoryOf(env);
  const isMine = sql`EXISTS (SELECT 1 FROM operators
    WHERE link_hash = ${tokenHash} AND link_used_at IS NOT NULL AND user_id = ${userId})`;
  const isFree = person.isNew
    ? sql`NOT EXISTS (SELECT 1 FROM users WHERE email = ${person.email})`
    : sql`NOT EXISTS (SELECT 1 FROM operators AS others
        WHERE others.user_id = ${userId} AND others.link_hash IS NOT ${tokenHash})`;
  const use = db
    .update(operators)
    .set({ userId, linkUsedAt: nowMs })
    .where(and(isOpen(tokenHash, nowMs), isFree));
  const check = db
    .select({ clientId: operators.clientId })
    .from(operators)
    .where(and(eq(operators.linkHash, tokenHash), isMine));
  const linked = await runIdempotent(async () => {
    if (!person.isNew) return (await db.batch([use, check]))[1];
    const { name, email, password } = person;
    // The values in the order of each table's columns.
    const makeUser = db
      .insert(users)
      .select(
        sql`SELECT ${userId}, ${name}, ${email}, 1, NULL, NULL, ${nowMs}, ${nowMs} WHERE ${isMine}`,
      )
      .onConflictDoNothing();
    const makeAccount = db
      .insert(accounts)
      .select(
        sql`SELECT ${`${userId}_password`}, ${userId}, ${userId}, 'credential', ${password},
          NULL, NULL, NULL, NULL, NULL, NULL, ${nowMs}, ${nowMs} WHERE ${isMine}`,
      )
      .onConflictDoNothing();
    return (await db.batch([use, makeUser, makeAccount, check]))[3];
  });
  return linked.length > 0;
}

function isOpen(tokenHash: string, nowMs: number) {
  return and(
    eq(operators.linkHash, tokenHash),
    isNull(operators.linkUsedAt),
    gt(operators.linkExpiresAt, nowMs),
    isNull(operators.removedAt),
  );
}
