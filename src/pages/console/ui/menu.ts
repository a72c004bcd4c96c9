import {
  isPermitted,
  type OperatorPermission,
  type OperatorPerson,
} from "../../../domain/access/operator.ts";
import { SCOPES_OF_PERSON_ROLE, type Person } from "../../../domain/access/person.ts";
import type { Scope } from "../../../domain/shared/company.ts";
import type { Texts } from "../texts.ts";

export interface MenuEntry<Who> {
  name: keyof Texts["menu"];
  path: string;
  isFor: (who: Who) => boolean;
}

export const has = (scope: Scope) => (person: Person) =>
  SCOPES_OF_PERSON_ROLE[person.role].includes(scope);

/** The screens a person reaches from everywhere, in this order; those the role may not open are left out. */
export const MENU: readonly MenuEntry<Person>[] = [
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
  { name: "settings", path: "/console/settings", isFor: has("settings:write") },
  { name: "team", path: "/console/team", isFor: has("people:write") },
  { name: "keys", path: "/console/keys", isFor: has("keys:write") },
  { name: "audit", path: "/console/audit", isFor: has("settings:write") },
  { name: "webhooks", path: "/console/webhooks", isFor: has("webhooks:read") },
  { name: "events", path: "/console/events", isFor: has("webhooks:read") },
];

const hasPermission = (permission: OperatorPermission) => (operator: OperatorPerson) =>
  isPermitted(operator, permission);

/** The screens of an operator of the gateway, in this order. */
export const OPERATOR_MENU: readonly MenuEntry<OperatorPerson>[] = [
  { name: "operatorHome", path: "/console/operator", isFor: () => true },
  {
    name: "companies",
    path: "/console/operator/companies",
    isFor: hasPermission("companies:read"),
  },
  {
    name: "contradictions",
    path: "/console/operator/contradictions",
    isFor: hasPermission("companies:read"),
  },
  { name: "moves", path: "/console/operator/moves", isFor: hasPermission("companies:read") },
  { name: "operators", path: "/console/operator/people", isFor: hasPermission("people:write") },
  {
    name: "operatorAudit",
    path: "/console/operator/audit",
    isFor: hasPermission("companies:read"),
  },
  { name: "status", path: "/console/operator/status", isFor: hasPermission("companies:read") },
];
