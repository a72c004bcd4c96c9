import { describe, expect, it } from "vitest";
import { EXITS, type ExitGuards } from "../../src/domain/exits/exits.ts";
import { consoleApp } from "../../src/pages/console/app.tsx";
import { requireFreshSecondFactor } from "../../src/pages/console/people/require-second-factor.ts";
import { env, givenCompany } from "../support/builders/companies/company.ts";
import { OPERATOR_CREDENTIALS } from "../support/builders/companies/operator.ts";
import { givenPaid } from "../support/builders/charges/transaction.ts";
import { call } from "../support/builders/requests/api.ts";
import { openApi } from "../support/probes/http/documented.ts";
import { OPERATOR_ROUTES } from "../support/probes/http/operator-routes.ts";
import { ROUTE_PERMISSIONS } from "../support/probes/http/route-permissions.ts";

const exits = Object.entries<ExitGuards>(EXITS);
const askedByCallers = exits.filter(([, { scope }]) => scope !== null);
const declared = new Set(exits.flatMap(([, { routes }]) => routes));
const actions = new Set(exits.flatMap(([, guards]) => guards.actions));

/** Scopes that do nothing but ask for exits or approve them. */
const SCOPES_OF_EXITS = new Set(["refunds:write", "payments:write", "withdraws:approve"]);
/** Routes with a scope or permission of exits by which no money leaves, with the reason. */
const NO_EXITS: Record<string, string> = {
  "POST /api/Withdraw/:id/cancel": "ends a withdraw that was not sent",
  "POST /api/v1/withdraws/preview": "stores nothing",
  "POST /api/v1/operator/proposals/:id/refuse": "stops what was proposed",
  "POST /api/v1/sandbox/withdraws/:id/pay": "plays the sandbox's bank",
  "POST /api/v1/sandbox/withdraws/:id/fail": "plays the sandbox's bank",
  "POST /api/v1/sandbox/withdraws/:id/return": "plays the sandbox's bank",
};

const nameOf = ({ method, path }: { method: string; path: string }) =>
  `${method} ${path.replaceAll(/(?<=:\w+)\{[^}]+\}/g, "")}`;

/** The routes that ask for an exit, without those that approve it by another scope. */
const askingRoutes = ({ routes, scope }: ExitGuards) =>
  routes.filter((name) => ROUTE_PERMISSIONS[name]?.scope === scope);

describe("every route that could be an exit", () => {
  it("of a company is one with guards, or has a reason", () => {
    const suspects = Object.entries(ROUTE_PERMISSIONS)
      .filter(([name]) => !name.startsWith("GET "))
      .filter(([, { scope }]) => scope === "withdraws:write" || SCOPES_OF_EXITS.has(scope))
      .map(([name]) => name);
    expect(suspects.filter((name) => !declared.has(name) && !(name in NO_EXITS))).toEqual([]);
  });

  it("of operators is one with guards, or has a reason", () => {
    const suspects = Object.entries(OPERATOR_ROUTES)
      .filter(([name, { permission }]) => !name.startsWith("GET ") && permission === "money:decide")
      .map(([name]) => name);
    expect(suspects.filter((name) => !declared.has(name) && !(name in NO_EXITS))).toEqual([]);
  });

  it("is a route of the app", () => {
    const known = { ...ROUTE_PERMISSIONS, ...OPERATOR_ROUTES };
    expect([...declared, ...Object.keys(NO_EXITS)].filter((name) => !(name in known))).toEqual([]);
  });
});

describe.each(exits)("%s", (_name, { routes, scope, actions: own }) => {
  it("is asked for by its scope, and approved by another one", () => {
    const scopes = routes.flatMap((name) => ROUTE_PERMISSIONS[name]?.scope ?? []);
    expect(scopes.filter((each) => each !== scope && each !== "withdraws:approve")).toEqual([]);
  });

  it("asks for the second factor again in the console", () => {
    for (const name of own) {
      const handlers = consoleApp.routes.filter((route) => nameOf(route) === name);
      expect(
        handlers.map(({ handler }) => handler),
        name,
      ).toContain(requireFreshSecondFactor);
    }
  });
});

it.each(exits.filter(([, { idempotencyKey }]) => idempotencyKey))(
  "IDEMPOTENCY_KEY_REQUIRED: a %s without a key",
  async (_name, guards) => {
    const company = await givenCompany();
    const { id } = await givenPaid(company, 2_000);
    for (const name of askingRoutes(guards)) {
      const path = name.replace("POST ", "").replace(":id", id);
      const answer = await call(path, { company, method: "POST", body: { amount: 1_000 } });
      expect([answer.status, answer.body.code], name).toEqual([400, "IDEMPOTENCY_KEY_REQUIRED"]);
    }
  },
);

it.each(askedByCallers)("%s: its routes document what the guards answer", async (_name, guards) => {
  const { paths } = await openApi();
  const expected = [
    ...(guards.idempotencyKey ? ["IDEMPOTENCY_KEY_REQUIRED"] : []),
    ...(guards.stoppedByFreeze ? ["COMPANY_FROZEN"] : []),
  ];
  for (const name of askingRoutes(guards)) {
    const [method = "", path = ""] = name.split(" ");
    const operation = paths[path.replaceAll(/:(\w+)/g, "{$1}")][method.toLowerCase()];
    const codes = Object.values<any>(operation.responses).flatMap(({ content }) =>
      Object.keys(content?.["application/problem+json"]?.examples ?? {}),
    );
    expect(codes, name).toEqual(expect.arrayContaining(expected));
  }
});

it("every action of the console that carries out an exit's scope is an exit's", () => {
  const names = new Set(consoleApp.routes.map(nameOf));
  const suspects = [...names].filter((name) =>
    /^POST \/console\/(?!operator\/).*(refund|return|credit|withdraws|approve)/.test(name),
  );
  const others = new Set([
    // Tries a withdraw out before it is confirmed.
    "POST /console/withdraws/new",
    // The company's policy, whose loosening waits.
    "POST /console/settings/withdraws",
    "POST /console/settings/withdraws/save",
  ]);
  expect(suspects.filter((name) => !actions.has(name) && !others.has(name))).toEqual([]);
});

it("an operator alone carries out no exit: each route proposes, or needs another's proposal", async () => {
  const company = await givenCompany();
  const before = await env.DB.prepare("SELECT count(*) AS n FROM operator_proposals").first("n");
  for (const name of EXITS.operatorDecision.routes) {
    const path = name.replace("POST ", "").replaceAll(":companyId", String(company.id));
    const answer = await call(path.replaceAll(/:\w+/g, "1"), {
      method: "POST",
      company: { credentials: OPERATOR_CREDENTIALS },
      body: OPERATOR_ROUTES[name]?.body ?? {},
    });
    expect([202, 404, 409], `${name}: ${answer.text}`).toContain(answer.status);
  }
  const after = await env.DB.prepare("SELECT count(*) AS n FROM operator_proposals").first("n");
  expect(after).toBe(before);
});
