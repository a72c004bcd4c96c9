/** What a person does in a company, from most to least. */
export const PERSON_ROLES = [
  "owner",
  "admin",
  "finance",
  "support",
  "developer",
  "viewer",
  "cashier",
] as const;

export type PersonRole = (typeof PERSON_ROLES)[number];
