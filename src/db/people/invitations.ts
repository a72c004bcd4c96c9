import { and, desc, eq, gt, inArray, isNotNull, isNull, notExists, or, sql } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { INVITATIONS_MAX } from "../../domain/access/people-rules.ts";
import { ROLES_THAT_MANAGE_PEOPLE } from "../../domain/access/person.ts";
import { directoryOf, type Database } from "../client.ts";
import { invitations } from "../schema/people/invitations.ts";
import { memberships } from "../schema/people/memberships.ts";
import { accounts, users } from "../schema/people/sessions.ts";
import { jsonOrNull } from "../json-or-null.ts";
import { runIdempotent } from "../storage-errors.ts";

/** An invitation. Times in Unix milliseconds. */
export type Invitation = typeof invitations.$inferSelect;

/** The open invitations of a company, newest first. */
export async function listInvitations(
  env: Env,
  companyId: number,
  nowMs: number,
): Promise<Invitation[]> {
  return directoryOf(env)
    .select()
    .from(invitations)
    .where(and(eq(invitations.companyId, companyId), isOpen(nowMs)))
    .orderBy(desc(invitations.createdAt));
}

/**
 * Adds an invitation, and ends the open ones of its e-mail in the company: the last link counts. False if the
 * company has too many open ones.
 */
export async function addInvitation(
  env: Env,
  invitation: Omit<Invitation, "revokedAt" | "usedAt" | "userId">,
): Promise<boolean> {
  const { id, companyId, email, role, tokenHash, createdAt, expiresAt, givenBy } = invitation;
  const db = directoryOf(env);
  const [, , [added]] = await runIdempotent(() =>
    db.batch([
      db
        .update(invitations)
        .set({ revokedAt: createdAt })
        .where(
          and(
            eq(invitations.companyId, companyId),
            eq(invitations.email, email),
            isOpen(createdAt),
            sql`${invitations.id} <> ${id}`,
          ),
        ),
      db
        .insert(invitations)
        // In the order of the table's columns.
        .select(
          sql`SELECT ${id}, ${companyId}, ${email}, ${role}, ${tokenHash}, ${createdAt}, ${expiresAt}, NULL, NULL, NULL,
            ${jsonOrNull(givenBy)}
            WHERE (SELECT count(*) FROM invitations WHERE company_id = ${companyId} AND used_at IS NULL
              AND revoked_at IS NULL AND expires_at > ${createdAt}) < ${INVITATIONS_MAX}`,
        )
        .onConflictDoNothing(),
      db.select({ id: invitations.id }).from(invitations).where(eq(invitations.id, id)),
    ]),
  );
  return added !== undefined;
}

/** Ends an open invitation of a company. Null if there is no such one. */
export async function revokeInvitation(
  env: Env,
  { companyId, id }: Pick<Invitation, "companyId" | "id">,
  nowMs: number,
): Promise<Invitation | null> {
  const [revoked] = await runIdempotent(() =>
    directoryOf(env)
      .update(invitations)
      .set({ revokedAt: nowMs })
      .where(
        and(
          eq(invitations.companyId, companyId),
          eq(invitations.id, id),
          or(isOpen(nowMs), eq(invitations.revokedAt, nowMs)),
        ),
      )
      .returning(),
  );
  return revoked ?? null;
}

/** An invitation of a company, also one that has ended; null if there is none. */
export async function findInvitationById(
  env: Env,
  { companyId, id }: Pick<Invitation, "companyId" | "id">,
): Promise<Invitation | null> {
  const [found] = await directoryOf(env)
    .select()
    .from(invitations)
    .where(and(eq(invitations.companyId, companyId), eq(invitations.id, id)));
  return found ?? null;
}

/** The statement that ends a company's open invitations, unless the person still manages its people. */
export function endInvitationsAfter(
  db: Database,
  { companyId, userId }: { companyId: number; userId: string },
  nowMs: number,
) {
  const manages = db
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(
      and(
        eq(memberships.companyId, companyId),
        eq(memberships.userId, userId),
        isNull(memberships.removedAt),
        inArray(memberships.role, [...ROLES_THAT_MANAGE_PEOPLE]),
      ),
    );
  return db
    .update(invitations)
    .set({ revokedAt: nowMs })
    .where(and(eq(invitations.companyId, companyId), isOpen(nowMs), notExists(manages)));
}

/** The open invitation of a token, and the person who has its e-mail; null if none is open. */
export async function findInvitation(
  env: Env,
  tokenHash: string,
  nowMs: number,
): Promise<{ invitation: Invitation; userId: string | null } | null> {
  const [found] = await directoryOf(env)
    .select({ invitation: invitations, userId: users.id })
    .from(invitations)
    .leftJoin(users, eq(users.email, invitations.email))
    .where(and(eq(invitations.tokenHash, tokenHash), isOpen(nowMs)));
  return found ?? null;
}

/** A person who joins: `password` hashed for a new one, null for one who has signed in. */
export interface Joining {
  userId: string;
  name: string;
  password: string | null;
}

/**
 * Uses an invitation: makes the person, if new, and the membership, all or nothing. False if it is used, revoked
 * or over by now, or the e-mail has a person already. `nowMs`: the real time; `givenAt`: the company's, by which the age
 * of the right counts.
 */
export async function useInvitation(
  env: Env,
  { id, companyId, email, role, givenBy }: Invitation,
  { userId, name, password }: Joining,
  { nowMs, givenAt }: { nowMs: number; givenAt: number },
): Promise<boolean> {
  const db = directoryOf(env);
  const isMine = sql`EXISTS (SELECT 1 FROM invitations WHERE id = ${id} AND user_id = ${userId})`;
  const isFree =
    password === null
      ? sql`EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND email = ${email})`
      : sql`NOT EXISTS (SELECT 1 FROM users WHERE email = ${email})`;
  const use = db
    .update(invitations)
    .set({ usedAt: nowMs, userId })
    .where(and(eq(invitations.id, id), isOpen(nowMs), isFree));
  // The values in the order of each table's columns.
  const join = db
    .insert(memberships)
    .select(sql`SELECT ${userId}, ${companyId}, ${role}, ${nowMs}, NULL, ${givenAt},
      ${jsonOrNull(givenBy)} WHERE ${isMine}`)
    .onConflictDoUpdate({
      target: [memberships.userId, memberships.companyId],
      set: { role, createdAt: nowMs, removedAt: null, givenAt, givenBy },
      setWhere: isNotNull(memberships.removedAt),
    });
  const check = db
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(and(eq(memberships.companyId, companyId), eq(memberships.userId, userId), isMine));
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
  const joined = await runIdempotent(async () =>
    password === null
      ? (await db.batch([use, join, check]))[2]
      : (await db.batch([use, makeUser, makeAccount, join, check]))[4],
  );
  return joined.length > 0;
}

function isOpen(nowMs: number) {
  return and(
    isNull(invitations.usedAt),
    isNull(invitations.revokedAt),
    gt(invitations.expiresAt, nowMs),
  );
}
