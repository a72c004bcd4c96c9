import type { RefundPolicy } from "../exits/refund-policy.ts";
import { roleLimitOf } from "../exits/exit-limits.ts";
import { isAtMost, SCOPES_THAT_SEND_BACK } from "./authority.ts";
import { ROLES_THAT_MANAGE_PEOPLE, SCOPES_OF_PERSON_ROLE } from "./person.ts";
import { PERSON_ROLES, type PersonRole } from "./person-role.ts";

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

/**
 * Whether somebody with a limit would give a role that sends back more a day than the person may now. A limit holds for
 * each person alone, so whoever has one makes nobody else who sends back: ten people of his own would be ten limits.
 */
export function givesBeyondLimit(
  roleLimits: RefundPolicy["roleLimits"],
  { by, from, to }: { by: PersonRole; from: PersonRole | null; to: PersonRole },
): boolean {
  const limitOf = (role: PersonRole) => (sendsBack(role) ? roleLimitOf(roleLimits, role) : 0);
  const isLimited = limitOf(by) !== null;
  return isLimited && !isAtMost(limitOf(to), from === null ? 0 : limitOf(from));
}

function sendsBack(role: PersonRole): boolean {
  return SCOPES_THAT_SEND_BACK.some((scope) => SCOPES_OF_PERSON_ROLE[role].includes(scope));
}

function isAbove(role: PersonRole, other: PersonRole): boolean {
  return PERSON_ROLES.indexOf(role) < PERSON_ROLES.indexOf(other);
}
