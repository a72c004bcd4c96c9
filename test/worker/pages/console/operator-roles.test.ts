import { expect, it } from "vitest";
import {
  isPermitted,
  OPERATOR_ROLES,
  type OperatorPermission,
} from "../../../../src/domain/operators/operator.ts";
import { consoleApp } from "../../../../src/pages/console/app.tsx";
import { requireOperatorPerson } from "../../../../src/pages/console/people/require-member.ts";
import { permissionGuardedBy } from "../../../../src/pages/console/people/require-scope.ts";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { Browser } from "../../../support/builders/console/browser.ts";
import { givenOperatorPerson, givenSession } from "../../../support/builders/console/people.ts";

/** Who opens a page or does an action of operators: the roles with a permission, or every role. */
type Access = OperatorPermission | "every role";

/** Every page and action of operators. A new route needs its line here. */
const ACCESS: Record<string, Access> = {
  "GET /console/operator": "every role",
  "GET /console/operator/people": "people:write",
  "GET /console/operator/people/new": "people:write",
  "POST /console/operator/people": "people:write",
  "GET /console/operator/people/:id": "people:write",
  "POST /console/operator/people/:id/change": "people:write",
  "POST /console/operator/people/:id/remove": "people:write",
  "POST /console/operator/people/:id/link": "people:write",
  "POST /console/operator/people/:id/keys/:keyId/revoke": "people:write",
  "GET /console/operator/audit": "companies:read",
  "GET /console/operator/audit/trail.json": "companies:read",
  "GET /console/operator/companies": "companies:read",
  "GET /console/operator/companies/new": "companies:write",
  "POST /console/operator/companies": "companies:write",
  "GET /console/operator/companies/:id": "companies:read",
  "GET /console/operator/companies/:id/reconcile": "companies:support",
  "POST /console/operator/companies/:id/reconcile": "companies:support",
  "GET /console/operator/companies/:id/inspect": "companies:read",
  "POST /console/operator/companies/:id/callback": "companies:write",
  "GET /console/operator/companies/:id/manage": "companies:write",
  "GET /console/operator/companies/:id/providers": "companies:read",
  "POST /console/operator/companies/:id/providers": "companies:write",
  "GET /console/operator/companies/:id/providers/:account/certificate": "companies:read",
  "POST /console/operator/companies/:id/providers/:account/certificate": "companies:write",
  "POST /console/operator/companies/:id/providers/:account/certificate/give-up": "companies:write",
  "POST /console/operator/companies/:id/providers/:account/disconnect": "companies:write",
  "POST /console/operator/companies/:id/providers/:account/state": "companies:write",
  "GET /console/operator/companies/:id/providers/:account/terms": "companies:write",
  "POST /console/operator/companies/:id/providers/:account/terms": "companies:write",
  "POST /console/operator/companies/:id/change": "companies:write",
  "POST /console/operator/companies/:id/terms": "companies:write",
  "POST /console/operator/companies/:id/quotas": "companies:write",
  "POST /console/operator/companies/:id/freeze": "companies:write",
  "POST /console/operator/companies/:id/fork": "companies:write",
  "POST /console/operator/companies/:id/close": "companies:write",
  "POST /console/operator/companies/:id/owner-invitation": "companies:write",
  "GET /console/operator/companies/:id/withdraws/:item/decide": "money:decide",
  "POST /console/operator/companies/:id/withdraws/:item/decide": "money:decide",
  "GET /console/operator/companies/:id/operations/:item/decide": "money:decide",
  "POST /console/operator/companies/:id/operations/:item/decide": "money:decide",
  "GET /console/operator/contradictions": "companies:read",
  "GET /console/operator/contradictions/:id": "companies:read",
  "GET /console/operator/contradictions/:id/check": "companies:read",
  "POST /console/operator/contradictions/:id/check": "money:decide",
  "POST /console/operator/contradictions/:id/decide": "money:decide",
  "GET /console/operator/proposals": "companies:read",
  "GET /console/operator/proposals/:id": "companies:read",
  "POST /console/operator/proposals/:id/approve": "money:decide",
  "POST /console/operator/proposals/:id/refuse": "money:decide",
  "GET /console/operator/moves": "companies:read",
  "POST /console/operator/moves": "companies:write",
  "GET /console/operator/moves/:id": "companies:read",
  "POST /console/operator/moves/:id/step": "companies:write",
  "GET /console/operator/status": "companies:read",
};

const guarded = Object.entries(ACCESS);
const nameOf = ({ method, path }: { method: string; path: string }) =>
  `${method} ${path.replaceAll(/(?<=:\w+)\{[^}]+\}/g, "")}`;
const routes = consoleApp.routes.filter(({ method }) => method !== "ALL");
const operatorRoutes = routes.filter(({ handler }) => handler === requireOperatorPerson);

it("every route of operators is in the table, and no other", () => {
  const names = [...new Set(operatorRoutes.map(nameOf))];
  expect(names.toSorted()).toEqual(Object.keys(ACCESS).toSorted());
  expect(names.filter((name) => !name.includes(" /console/operator"))).toEqual([]);
});

it("every route of operators declares the permission of the table", () => {
  for (const [name, access] of guarded) {
    const handlers = routes.filter((route) => nameOf(route) === name).map(({ handler }) => handler);
    const permissions = handlers.flatMap((handler) => permissionGuardedBy(handler) ?? []);
    expect(permissions, name).toEqual(access === "every role" ? [] : [access]);
  }
});

it.each(OPERATOR_ROLES)("as %s, every page and action is allowed or refused", async (role) => {
  const { cookie } = await givenOperatorPerson(role);
  const expected = guarded.map(([name, access]) => {
    const isOpen = access === "every role" || isPermitted({ role }, access);
    return [name, isOpen ? "allowed" : "refused"];
  });
  expect(await answersOf(cookie)).toEqual(Object.fromEntries(expected));
});

it("the owner of a company gets 403 on every page and action of operators", async () => {
  const cookie = await givenSession(await givenCompany(), "owner");
  const expected = guarded.map(([name]) => [name, "refused"]);
  expect(await answersOf(cookie)).toEqual(Object.fromEntries(expected));
});

it("every page and action of operators leads to the sign-in without a session", async () => {
  for (const [name] of guarded) {
    const { status, headers } = await ask(new Browser(), name);
    expect(status, name).toBe(303);
    expect(headers.get("Location"), name).toContain("/console/sign-in");
  }
});

it("every page and action of operators leads to the set-up without a second factor", async () => {
  const { cookie } = await givenOperatorPerson("read", {
    hasSecondFactor: false,
    secondFactorAt: null,
  });
  for (const [name] of guarded) {
    const { status, headers } = await ask(new Browser(cookie), name);
    expect([status, headers.get("Location")], name).toEqual([303, "/console/second-factor"]);
  }
});

async function answersOf(cookie: string): Promise<Record<string, "allowed" | "refused">> {
  const answers: Record<string, "allowed" | "refused"> = {};
  for (const [name] of guarded) {
    const { status, headers } = await ask(new Browser(cookie), name);
    expect(status, name).toBeLessThan(500);
    expect(headers.get("Location") ?? "", name).not.toContain("/console/sign-in");
    answers[name] = status === 403 ? "refused" : "allowed";
  }
  return answers;
}

function ask(browser: Browser, name: string) {
  const [method = "", path = ""] = name.split(" ");
  return browser.ask(path.replaceAll(/:\w+/g, "1"), method === "GET" ? {} : { form: {} });
}
