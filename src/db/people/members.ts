import { and, eq, isNull, ne, or, sql } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { ROLES_THAT_MANAGE_PEOPLE } from "../../domain/access/person.ts";
import type { PersonRole } from "../../domain/access/person-role.ts";
import { directoryOf } from "../client.ts";
import { memberships } from "../schema/people/memberships.ts";
import { passkeys, users } from "../schema/people/sessions.ts";
import { removePinOfFormer } from "./cashier-pins.ts";
import { endInvitationsAfter } from "./invitations.ts";
import { runIdempotent } from "../storage-errors.ts";

/** A person in a company. `createdAt`: when he joined, in Unix milliseconds. */
export interface Member {
  id: string;
  name: string;
  email: string;
  role: PersonRole;
  createdAt: number;
  hasSecondFactor: boolean;
}

/** The people of a company, the first to join first; `userId` narrows to one. */
export async function findMembers(env: Env, companyId: number, userId?: string): Promise<Member[]> {
  const rows = await directoryOf(env)
    .select({
      id: users.id,
      name: users.name,
      email: users.email,
      role: memberships.role,
      createdAt: memberships.createdAt,
      hasSecondFactor: sql<number>`${users.twoFactorEnabled} IS 1
        OR EXISTS (SELECT 1 FROM ${passkeys} WHERE ${passkeys.userId} = ${users.id})`,
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(memberships.companyId, companyId),
        isNull(memberships.removedAt),
        userId === undefined ? undefined : eq(memberships.userId, userId),
      ),
    );
  return rows
    .map(({ id, name, email, role, createdAt, hasSecondFactor }) => ({
      id,
      name,
      email,
      role,
      createdAt,
      hasSecondFactor: hasSecondFactor === 1,
    }))
    .toSorted((left, right) => left.createdAt - right.createdAt);
}

/**
 * Changes a member's role or removes him, while he still has the role `from`. False if nothing changed: the role
 * is another by now, or he is the last owner. With one who managed people the company's open invitations end: he
 * may keep a link to come back by. Who is removed loses his PIN.
 */
export async function changeMember(
  env: Env,
  member: { companyId: number; userId: string; from: PersonRole },
  change: { role: PersonRole; givenAt: number; givenBy: string[] } | { removedAt: number },
  nowMs: number,
): Promise<boolean> {
  const { companyId, userId, from } = member;
  const staysOwner = "role" in change && change.role === "owner";
  // A condition of the statement, so that of two owners who leave at once the second stays.
  const isAnotherOwner = sql`EXISTS (SELECT 1 FROM memberships AS others
    WHERE others.company_id = ${companyId} AND others.user_id <> ${userId}
      AND others.role = 'owner' AND others.removed_at IS NULL)`;
  // A repeat after a lost answer finds what it wrote.
  const isRepeat =
    "role" in change
      ? eq(memberships.role, change.role)
      : eq(memberships.removedAt, change.removedAt);
  const isAsBefore = and(eq(memberships.role, from), isNull(memberships.removedAt));
  // Whoever gave a right before stays in its chain.
  const values =
    "role" in change
      ? {
          ...change,
          givenBy: sql`(SELECT json_group_array(value) FROM (
            SELECT value FROM json_each(coalesce(${memberships.givenBy}, '[]'))
            UNION ALL SELECT value FROM json_each(${JSON.stringify(change.givenBy)})
            WHERE value NOT IN (SELECT value FROM json_each(coalesce(${memberships.givenBy}, '[]')))))`,
        }
      : change;
  const db = directoryOf(env);
  const [changed] = await runIdempotent(() =>
    db.batch([
      db
        .update(memberships)
        .set(values)
        .where(
          and(
            eq(memberships.companyId, companyId),
            eq(memberships.userId, userId),
            or(isAsBefore, isRepeat),
            staysOwner ? undefined : or(ne(memberships.role, "owner"), isAnotherOwner),
          ),
        )
        .returning({ userId: memberships.userId }),
      ...(ROLES_THAT_MANAGE_PEOPLE.has(from)
        ? [endInvitationsAfter(db, { companyId, userId }, nowMs)]
        : []),
      removePinOfFormer(db, { companyId, userId }),
    ]),
  );
  return changed.length > 0;
}
