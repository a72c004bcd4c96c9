import {
  isPermitted,
  type OperatorPermission,
  type OperatorPerson,
} from "../../../domain/operators/operator.ts";
import { SCOPES_OF_PERSON_ROLE, type Person } from "../../../domain/access/person.ts";
import type { Scope } from "../../../domain/shared/company.ts";
import type { Texts } from "../texts.ts";

/** The menu's parts, in this order. Home stands above them, without a heading. */
export const MENU_GROUPS = ["home", "receive", "money", "developers", "company"] as const;

export interface MenuEntry<Who> {
  name: keyof Texts["menu"];
  group: (typeof MENU_GROUPS)[number];
  path: string;
  isFor: (who: Who) => boolean;
}

export const has = (scope: Scope) => (person: Person) =>
  SCOPES_OF_PERSON_ROLE[person.role].includes(scope);

/** The screens a person reaches from everywhere, in this order; those the role may not open are left out. */
export const MENU: readonly MenuEntry<Person>[] = [
  { name: "home", group: "home", path: "/console", isFor: () => true },
  {
    name: "payments",
    group: "receive",
    path: "/console/payments",
    isFor: has("transactions:read"),
  },
  { name: "withdraws", group: "money", path: "/console/withdraws", isFor: has("withdraws:read") },
  { name: "statement", group: "money", path: "/console/statement", isFor: has("balance:read") },
  { name: "forecast", group: "money", path: "/console/calendar", isFor: has("balance:read") },
  {
    name: "disputes",
    group: "receive",
    path: "/console/disputes",
    isFor: has("transactions:read"),
  },
  {
    name: "unexpectedPayments",
    group: "receive",
    path: "/console/unexpected-payments",
    isFor: has("transactions:read"),
  },
  {
    name: "newCharge",
    group: "receive",
    path: "/console/charges/new",
    isFor: has("transactions:write"),
  },
  {
    name: "paymentLinks",
    group: "receive",
    path: "/console/payment-links",
    isFor: has("transactions:read"),
  },
  {
    name: "staticCodes",
    group: "receive",
    path: "/console/static-codes",
    isFor: has("transactions:read"),
  },
  { name: "cashier", group: "receive", path: "/console/cashier", isFor: has("transactions:read") },
  { name: "payers", group: "receive", path: "/console/payers", isFor: has("pii:read") },
  { name: "settings", group: "company", path: "/console/settings", isFor: has("balance:read") },
  { name: "team", group: "company", path: "/console/team", isFor: has("people:write") },
  { name: "keys", group: "developers", path: "/console/keys", isFor: has("keys:write") },
  { name: "audit", group: "company", path: "/console/audit", isFor: has("settings:write") },
  { name: "webhooks", group: "developers", path: "/console/webhooks", isFor: has("webhooks:read") },
  { name: "events", group: "developers", path: "/console/events", isFor: has("webhooks:read") },
  { name: "requests", group: "developers", path: "/console/requests", isFor: has("keys:write") },
];

const hasPermission = (permission: OperatorPermission) => (operator: OperatorPerson) =>
  isPermitted(operator, permission);

/** The screens of an operator of the gateway, in this order. */
export const OPERATOR_MENU: readonly MenuEntry<OperatorPerson>[] = [
  { name: "operatorHome", group: "home", path: "/console/operator", isFor: () => true },
  {
    name: "companies",
    group: "home",
    path: "/console/operator/companies",
    isFor: hasPermission("companies:read"),
  },
  {
    name: "contradictions",
    group: "home",
    path: "/console/operator/contradictions",
    isFor: hasPermission("companies:read"),
  },
  {
    name: "moves",
    group: "home",
    path: "/console/operator/moves",
    isFor: hasPermission("companies:read"),
  },
  {
    name: "operators",
    group: "home",
    path: "/console/operator/people",
    isFor: hasPermission("people:write"),
  },
  {
    name: "operatorAudit",
    group: "home",
    path: "/console/operator/audit",
    isFor: hasPermission("companies:read"),
  },
  {
    name: "status",
    group: "home",
    path: "/console/operator/status",
    isFor: hasPermission("companies:read"),
  },
];
