import { SCOPES_OF_PERSON_ROLE, type Person } from "../../../domain/access/person.ts";
import type { Scope } from "../../../domain/shared/company.ts";
import type { Texts } from "../texts.ts";

export interface MenuEntry {
  name: keyof Texts["menu"];
  path: string;
  isFor: (person: Person) => boolean;
}

export const has = (scope: Scope) => (person: Person) =>
  SCOPES_OF_PERSON_ROLE[person.role].includes(scope);

/** The screens a person reaches from everywhere, in this order; those the role may not open are left out. */
export const MENU: readonly MenuEntry[] = [
  { name: "home", path: "/console", isFor: () => true },
  { name: "payments", path: "/console/payments", isFor: has("transactions:read") },
  { name: "withdraws", path: "/console/withdraws", isFor: has("withdraws:read") },
  { name: "disputes", path: "/console/disputes", isFor: has("transactions:read") },
  {
    name: "unexpectedPayments",
    path: "/console/unexpected-payments",
    isFor: has("transactions:read"),
  },
  { name: "newCharge", path: "/console/charges/new", isFor: has("transactions:write") },
  { name: "payers", path: "/console/payers", isFor: has("pii:read") },
  { name: "settings", path: "/console/settings", isFor: has("balance:read") },
  { name: "team", path: "/console/team", isFor: has("people:write") },
  { name: "keys", path: "/console/keys", isFor: has("keys:write") },
  { name: "audit", path: "/console/audit", isFor: has("settings:write") },
  { name: "webhooks", path: "/console/webhooks", isFor: has("webhooks:read") },
  { name: "events", path: "/console/events", isFor: has("webhooks:read") },
];
