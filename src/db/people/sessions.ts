import { and, asc, desc, eq, gt, isNull, lte, ne, sql } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { directoryOf } from "../client.ts";
import { companies } from "../schema/companies.ts";
import { operators } from "../schema/operators.ts";
import { memberships } from "../schema/people/memberships.ts";
import { passkeys, sessions, users, verifications } from "../schema/people/sessions.ts";
import { USED_CODE } from "./used-codes.ts";
import { MEMBERSHIP_COLUMNS, openMemberships, type PersonRecord } from "./people.ts";

/** A session with its person. Times in Unix milliseconds. */
export interface SessionRecord extends PersonRecord {
  sessionId: string;
  email: string;
  hasAuthenticator: boolean;
  hasPasskey: boolean;
  secondFactorAt: number | null;
  beganAt: number;
}

/** The open session of a token, with the person and the open companies that they may open; null if there is none. */
export async function findSessionByToken(
  env: Env,
  token: string,
  nowMs: number,
): Promise<SessionRecord | null> {
  const rows = await directoryOf(env)
    .select({
      sessionId: sessions.id,
      userId: users.id,
      name: users.name,
      email: users.email,
      hasAuthenticator: users.twoFactorEnabled,
      hasPasskey: sql<number>`EXISTS (SELECT 1 FROM ${passkeys} WHERE ${passkeys.userId} = ${users.id})`,
      secondFactorAt: sessions.secondFactorAt,
      beganAt: sessions.createdAt,
      ...MEMBERSHIP_COLUMNS,
      operator: { clientId: operators.clientId, name: operators.name, role: operators.role },
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(
      memberships,
      and(eq(memberships.userId, sessions.userId), isNull(memberships.removedAt)),
    )
    .leftJoin(companies, eq(companies.id, memberships.companyId))
    .leftJoin(operators, and(eq(operators.userId, sessions.userId), isNull(operators.removedAt)))
    .where(and(eq(sessions.token, token), gt(sessions.expiresAt, new Date(nowMs))))
    .orderBy(asc(memberships.companyId));
  const [first] = rows;
  if (first === undefined) return null;
  const { sessionId, userId, name, email, secondFactorAt } = first;
  return {
    sessionId,
    userId,
    name,
    email,
    hasAuthenticator: first.hasAuthenticator === true,
    hasPasskey: first.hasPasskey === 1,
    secondFactorAt,
    beganAt: first.beganAt.getTime(),
    memberships: await openMemberships(env, rows),
    operator: first.operator,
  };
}

/** The id of a session that has just begun. */
export async function sessionIdOfToken(env: Env, token: string): Promise<string | null> {
  const [row] = await directoryOf(env)
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.token, token));
  return row?.id ?? null;
}

/** Notes when a session's person proved a second factor, and forgets the person's expired sessions. */
export async function noteProof(
  env: Env,
  sessionId: string,
  provedAt: number | null,
  nowMs: number,
): Promise<void> {
  const db = directoryOf(env);
  const owner = db.select({ id: sessions.userId }).from(sessions).where(eq(sessions.id, sessionId));
  await db.batch([
    db
      .update(sessions)
      .set({ secondFactorAt: provedAt, failedProofs: 0 })
      .where(eq(sessions.id, sessionId)),
    db
      .delete(sessions)
      .where(and(eq(sessions.userId, owner), lte(sessions.expiresAt, new Date(nowMs)))),
  ]);
}

/** Refused proofs in one session after which it ends. */
const FAILED_PROOFS_MAX = 5;

/** Counts a refused proof. The fifth ends the session; answers whether it did. */
export async function noteFailedProof(env: Env, sessionId: string): Promise<boolean> {
  const db = directoryOf(env);
  const [, ended] = await db.batch([
    db
      .update(sessions)
      .set({ failedProofs: sql`${sessions.failedProofs} + 1` })
      .where(eq(sessions.id, sessionId)),
    db
      .delete(sessions)
      .where(and(eq(sessions.id, sessionId), sql`${sessions.failedProofs} >= ${FAILED_PROOFS_MAX}`))
      .returning({ id: sessions.id }),
  ]);
  return ended.length > 0;
}

/** Where a person is signed in, newest first. */
export async function listSessions(env: Env, userId: string, nowMs: number) {
  return directoryOf(env)
    .select({
      id: sessions.id,
      createdAt: sessions.createdAt,
      ipAddress: sessions.ipAddress,
      userAgent: sessions.userAgent,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, new Date(nowMs))))
    .orderBy(desc(sessions.createdAt))
    .limit(100);
}

/** Ends one session of a person; nothing happens for another's. */
export async function endSession(env: Env, userId: string, sessionId: string): Promise<void> {
  await directoryOf(env)
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.id, sessionId)));
}

/** Ends all sessions of a person but one. */
export async function endOtherSessions(env: Env, userId: string, kept: string): Promise<void> {
  await directoryOf(env)
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), ne(sessions.id, kept)));
}

/** The passkeys of a person. */
export async function listPasskeys(env: Env, userId: string) {
  return directoryOf(env)
    .select({ id: passkeys.id, name: passkeys.name, createdAt: passkeys.createdAt })
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .limit(100);
}

/** Removes one passkey of a person. */
export async function removePasskey(env: Env, userId: string, passkeyId: string): Promise<void> {
  await directoryOf(env)
    .delete(passkeys)
    .where(and(eq(passkeys.userId, userId), eq(passkeys.id, passkeyId)));
}

/**
 * Ends a person's open links to a new password, and sign-ins that wait for the second factor. Codes that were used stay
 * used.
 */
export async function endPasswordLinks(env: Env, userId: string, nowMs: number): Promise<void> {
  await directoryOf(env)
    .delete(verifications)
    .where(
      and(
        // The open ones are few; those before are over anyway.
        gt(verifications.expiresAt, new Date(nowMs)),
        eq(verifications.value, userId),
        ne(verifications.identifier, USED_CODE),
      ),
    );
}
