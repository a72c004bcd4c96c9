import { expect, it } from "vitest";
import type { Person } from "../../../../../src/domain/access/person.ts";
import type { PersonRole } from "../../../../../src/domain/access/person-role.ts";
import { FROM_THE_START } from "../../../../../src/domain/access/standing.ts";
import {
  menuOfPerson,
  newChargePath,
  screensOfPerson,
} from "../../../../../src/pages/console/ui/menu.ts";

/** The screens that a role sees beside those of every role. */
const OWN_SCREENS: Record<PersonRole, string[]> = {
  owner: [
    "newCharge",
    "payers",
    "cashier",
    "keys",
    "requests",
    "clock",
    "scenarios",
    "team",
    "audit",
  ],
  admin: [
    "newCharge",
    "payers",
    "cashier",
    "keys",
    "requests",
    "clock",
    "scenarios",
    "team",
    "audit",
  ],
  finance: ["newCharge", "payers", "cashier"],
  support: ["newCharge", "cashier"],
  developer: ["keys", "requests", "clock"],
  viewer: [],
  cashier: ["cashier"],
};

const personOf = (role: PersonRole): Person => ({
  userId: "1",
  name: "Ana",
  email: "ana@loja.local",
  companyId: 1,
  role,
  standing: FROM_THE_START,
});

const namesOf = (role: PersonRole) =>
  screensOfPerson(personOf(role), "sandbox").map(({ name }) => name);

it.each(Object.entries(OWN_SCREENS) as [PersonRole, string[]][])(
  "the menu of %s has only the screens that the role may open",
  (role, own) => {
    const ofAll = role === "cashier" ? [] : namesOf("viewer");
    expect(namesOf(role).filter((name) => !ofAll.includes(name))).toEqual(own);
    expect(namesOf(role)).toEqual(expect.arrayContaining(ofAll));
  },
);

const sections = (role: PersonRole) => menuOfPerson(personOf(role), "live").map(({ name }) => name);

it("the owner's menu has eight sections, a viewer's none without a screen", () => {
  expect(sections("owner")).toEqual([
    "today",
    "charges",
    "clients",
    "money",
    "pending",
    "cashier",
    "developers",
    "company",
  ]);
  expect(sections("viewer")).not.toContain("clients");
});

it("a live company has no clock to move, and no scenario to play", () => {
  const names = new Set(screensOfPerson(personOf("owner"), "live").map(({ name }) => name));
  expect(namesOf("owner").filter((name) => !names.has(name))).toEqual(["clock", "scenarios"]);
});

it("only who may charge is led to a new charge", () => {
  expect(newChargePath(personOf("support"))).toBe("/console/charges/new");
  expect(newChargePath(personOf("viewer"))).toBeNull();
});
