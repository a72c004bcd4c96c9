import {
  isPermitted,
  type OperatorPermission,
  type OperatorPerson,
} from "../../../domain/operators/operator.ts";
import { SCOPES_OF_PERSON_ROLE, type Person } from "../../../domain/access/person.ts";
import type { CompanyMode, Scope } from "../../../domain/shared/company.ts";
import type { IconName } from "../../shared/look/icons.ts";
import type { Texts } from "../texts.ts";

/** A screen, as a tab of its section. */
interface MenuEntry<Who> {
  name: keyof Texts["menu"];
  path: string;
  isFor: (who: Who) => boolean;
  /** Only where no money is real. */
  isSandboxOnly?: true;
}

/** An entry of the menu, which leads to the first of its tabs that the person may open. */
interface MenuSection<Who> {
  name: keyof Texts["menuSections"];
  icon: IconName;
  /** Whether the bar at the foot of a narrow screen has it too. */
  isInBar?: boolean;
  tabs: readonly MenuEntry<Who>[];
}

/** A section as one person sees it, with at least one tab. */
export type ShownSection = Omit<MenuSection<never>, "tabs"> & {
  tabs: Pick<MenuEntry<never>, "name" | "path">[];
};

export const has = (scope: Scope) => (person: Person) =>
  SCOPES_OF_PERSON_ROLE[person.role].includes(scope);

const NEW_CHARGE: MenuEntry<Person> = {
  name: "newCharge",
  path: "/console/charges/new",
  isFor: has("transactions:write"),
};

/** The sections of a company's console, in this order. */
const MENU: readonly MenuSection<Person>[] = [
  {
    name: "today",
    icon: "today",
    isInBar: true,
    tabs: [{ name: "home", path: "/console", isFor: has("transactions:read") }],
  },
  {
    name: "charges",
    icon: "charge",
    isInBar: true,
    tabs: [
      { name: "payments", path: "/console/payments", isFor: has("transactions:read") },
      NEW_CHARGE,
      { name: "paymentLinks", path: "/console/payment-links", isFor: has("transactions:read") },
      { name: "subscriptions", path: "/console/subscriptions", isFor: has("transactions:read") },
      { name: "staticCodes", path: "/console/static-codes", isFor: has("transactions:read") },
    ],
  },
  {
    name: "clients",
    icon: "people",
    tabs: [{ name: "payers", path: "/console/payers", isFor: has("pii:read") }],
  },
  {
    name: "money",
    icon: "money",
    isInBar: true,
    tabs: [
      { name: "statement", path: "/console/statement", isFor: has("balance:read") },
      { name: "forecast", path: "/console/calendar", isFor: has("balance:read") },
      { name: "rehearsal", path: "/console/rehearsal", isFor: has("balance:read") },
      { name: "fees", path: "/console/fees", isFor: has("balance:read") },
      { name: "withdraws", path: "/console/withdraws", isFor: has("withdraws:read") },
    ],
  },
  {
    name: "pending",
    icon: "pending",
    tabs: [
      { name: "disputes", path: "/console/disputes", isFor: has("transactions:read") },
      {
        name: "unexpectedPayments",
        path: "/console/unexpected-payments",
        isFor: has("transactions:read"),
      },
      { name: "refunds", path: "/console/refunds", isFor: has("transactions:read") },
    ],
  },
  {
    name: "cashier",
    icon: "cashier",
    tabs: [{ name: "cashier", path: "/console/cashier", isFor: has("cashier:write") }],
  },
  {
    name: "developers",
    icon: "code",
    tabs: [
      { name: "keys", path: "/console/keys", isFor: has("keys:write") },
      { name: "webhooks", path: "/console/webhooks", isFor: has("webhooks:read") },
      { name: "events", path: "/console/events", isFor: has("webhooks:read") },
      { name: "requests", path: "/console/requests", isFor: has("keys:write") },
      {
        name: "clock",
        path: "/console/clock",
        isFor: has("webhooks:write"),
        isSandboxOnly: true,
      },
      {
        name: "scenarios",
        path: "/console/scenarios",
        isFor: has("settings:write"),
        isSandboxOnly: true,
      },
    ],
  },
  {
    name: "company",
    icon: "company",
    tabs: [
      { name: "settings", path: "/console/settings", isFor: has("balance:read") },
      { name: "team", path: "/console/team", isFor: has("people:write") },
      { name: "audit", path: "/console/audit", isFor: has("settings:write") },
    ],
  },
];

const hasPermission = (permission: OperatorPermission) => (operator: OperatorPerson) =>
  isPermitted(operator, permission);

/** The sections of an operator of the gateway, in this order. */
const OPERATOR_MENU: readonly MenuSection<OperatorPerson>[] = [
  {
    name: "operation",
    icon: "health",
    isInBar: true,
    tabs: [
      { name: "operatorHome", path: "/console/operator", isFor: () => true },
      {
        name: "status",
        path: "/console/operator/status",
        isFor: hasPermission("companies:read"),
      },
    ],
  },
  {
    name: "companies",
    icon: "company",
    isInBar: true,
    tabs: [
      {
        name: "companies",
        path: "/console/operator/companies",
        isFor: hasPermission("companies:read"),
      },
      { name: "moves", path: "/console/operator/moves", isFor: hasPermission("companies:read") },
    ],
  },
  {
    name: "contradictions",
    icon: "alarm",
    isInBar: true,
    tabs: [
      {
        name: "contradictions",
        path: "/console/operator/contradictions",
        isFor: hasPermission("companies:read"),
      },
    ],
  },
  {
    name: "operators",
    icon: "people",
    tabs: [
      {
        name: "operators",
        path: "/console/operator/people",
        isFor: hasPermission("people:write"),
      },
      {
        name: "operatorAudit",
        path: "/console/operator/audit",
        isFor: hasPermission("companies:read"),
      },
    ],
  },
];

/** The sections of a company's console that a person's role shows. */
export function menuOfPerson(person: Person, mode: CompanyMode): ShownSection[] {
  return shown(MENU, person, mode);
}

/** The screens of a company's console that a person's role shows, in the menu's order. */
export function screensOfPerson(person: Person, mode: CompanyMode): ShownSection["tabs"] {
  return menuOfPerson(person, mode).flatMap(({ tabs }) => tabs);
}

/** Where a person makes a charge; null for one who may not. */
export function newChargePath(person: Person): string | null {
  return NEW_CHARGE.isFor(person) ? NEW_CHARGE.path : null;
}

/** The sections of an operator's console that the operator's role shows. */
export function menuOfOperator(operator: OperatorPerson): ShownSection[] {
  return shown(OPERATOR_MENU, operator, "live");
}

function shown<Who>(
  sections: readonly MenuSection<Who>[],
  who: Who,
  mode: CompanyMode,
): ShownSection[] {
  const isShown = ({ isFor, isSandboxOnly }: MenuEntry<Who>) =>
    isFor(who) && (isSandboxOnly !== true || mode === "sandbox");
  return sections
    .map((section) => ({ ...section, tabs: section.tabs.filter(isShown) }))
    .filter(({ tabs }) => tabs.length > 0);
}
