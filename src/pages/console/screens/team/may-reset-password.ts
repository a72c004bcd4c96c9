import { refusalOf } from "../../../../domain/access/people-rules.ts";
import {
  personClientId,
  ROLES_WITH_SECOND_FACTOR,
  type Person,
} from "../../../../domain/access/person.ts";
import type { PersonRole } from "../../../../domain/access/person-role.ts";

/** A member as the company's list has him. */
interface ListedMember {
  id: string;
  role: PersonRole;
  hasSecondFactor: boolean;
}

/**
 * Whether a person may make a link for a member's new password: whoever may remove him. Where the role needs a second
 * factor the member has one, so that the link alone lets nobody act in his name.
 */
export function mayResetPassword(by: Person, member: ListedMember): boolean {
  const { id, role, hasSecondFactor } = member;
  const isSelf = [by.userId, personClientId(by)].includes(id);
  return (
    !isSelf &&
    (hasSecondFactor || !ROLES_WITH_SECOND_FACTOR.has(role)) &&
    refusalOf({ by: by.role, from: role, to: null, isSelf }) === null
  );
}
