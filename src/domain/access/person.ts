import { PERSON_PREFIX } from "./client-id.ts";
import type { PersonRole } from "./person-role.ts";
import type { Standing } from "./standing.ts";
import { SCOPES, type Scope } from "../shared/company.ts";

const READS = ["transactions:read", "withdraws:read", "balance:read", "webhooks:read"] as const;

/** The one table of role to permission. The scopes are those of an application (`shared/company.ts`). */
export const SCOPES_OF_PERSON_ROLE: Record<PersonRole, readonly Scope[]> = {
  owner: SCOPES,
  admin: SCOPES,
  finance: [
    ...READS,
    "transactions:write",
    "refunds:write",
    "withdraws:write",
    "withdraws:approve",
    "payments:write",
    "disputes:write",
    "pii:read",
    "cashier:write",
  ],
  support: [...READS, "transactions:write", "refunds:write", "disputes:write", "cashier:write"],
  developer: [...READS, "webhooks:write", "keys:write"],
  viewer: READS,
  cashier: ["cashier:write"],
};

/** Roles that must have a second factor before they see anything but its set-up: who moves money or makes keys. */
export const ROLES_WITH_SECOND_FACTOR: ReadonlySet<PersonRole> = new Set([
  "owner",
  "admin",
  "finance",
  "developer",
]);

/** Roles that invite people, change their roles and remove them. */
export const ROLES_THAT_MANAGE_PEOPLE: ReadonlySet<PersonRole> = new Set(["owner", "admin"]);

/** A person signed in to the console, in one company. */
export interface Person {
  userId: string;
  name: string;
  email: string;
  companyId: number;
  role: PersonRole;
  /** Since when, and through whom, the person has the role. */
  standing: Standing;
}

/** How commands and the audit trail name a person, as they name an application by its client id. */
export function personClientId({ userId }: Pick<Person, "userId">): string {
  return PERSON_PREFIX + userId;
}
