import { PERSON_ROLES, ROLES_THAT_MANAGE_PEOPLE, type PersonRole } from "./person.ts";

/** How long the link of an invitation is valid: a week, over a weekend and a holiday. */
export const INVITATION_MS = 7 * 24 * 3_600_000;
/** Open invitations of a company at once. */
export const INVITATIONS_MAX = 50;

/** A person whose role somebody sets or takes away. */
export interface RoleChange {
  /** The role of the one who asks; an application with `people:write` asks as an admin. */
  by: PersonRole;
  /** Null for a person who is invited. */
  from: PersonRole | null;
  /** Null for a person who is removed. */
  to: PersonRole | null;
  /** Whether the person changes himself. */
  isSelf: boolean;
}

/** Why a person may not be invited, changed or removed; null if he may. */
export function refusalOf({ by, from, to, isSelf }: RoleChange): string | null {
  if (!ROLES_THAT_MANAGE_PEOPLE.has(by)) return "Only an owner or an admin manages people.";
  if (by !== "owner" && (from === "owner" || to === "owner")) {
    return "Only an owner makes, changes or removes an owner.";
  }
  if (isSelf && from !== null && to !== null && isAbove(to, from)) {
    return "Nobody raises his own role.";
  }
  return null;
}

function isAbove(role: PersonRole, other: PersonRole): boolean {
  return PERSON_ROLES.indexOf(role) < PERSON_ROLES.indexOf(other);
}
