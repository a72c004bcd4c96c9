/** What an operator of the gateway does, from least to most. */
export const OPERATOR_ROLES = ["read", "support", "finance", "admin"] as const;

export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/**
 * What an operator's route lets its caller do. `companies:read`: see every company. `companies:support`:
 * repeat and repair what moves no money. `money:decide`: decide what a provider left open, return
 * payments. `companies:write`: companies, their terms, keys and providers. `people:write`: operators and
 * their keys.
 */
const OPERATOR_PERMISSIONS = [
  "companies:read",
  "companies:support",
  "money:decide",
  "companies:write",
  "people:write",
] as const;

export type OperatorPermission = (typeof OPERATOR_PERMISSIONS)[number];

/** The one table of role to permission. */
export const PERMISSIONS_OF_ROLE: Record<OperatorRole, readonly OperatorPermission[]> = {
  read: ["companies:read"],
  support: ["companies:read", "companies:support"],
  finance: ["companies:read", "companies:support", "money:decide"],
  admin: OPERATOR_PERMISSIONS,
};

/** A named operator, as authentication read it. */
export interface Operator {
  clientId: string;
  name: string;
  role: OperatorRole;
  /** The first characters of the key that was presented; null for an operator signed in to the console. */
  keyPrefix: string | null;
}

/** An operator signed in to the console. */
export interface OperatorPerson {
  userId: string;
  clientId: string;
  name: string;
  role: OperatorRole;
}

/** Whether an operator's role has a permission. */
export function isPermitted(
  { role }: Pick<Operator, "role">,
  permission: OperatorPermission,
): boolean {
  return PERMISSIONS_OF_ROLE[role].includes(permission);
}
