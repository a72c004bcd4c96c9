import { describe, expect, it } from "vitest";
import { OPERATOR_ROLES, PERMISSIONS_OF_ROLE } from "../../src/domain/operators/operator.ts";
import { SCOPES } from "../../src/domain/shared/company.ts";
import { operatorSql } from "../../tools/lib/local-operators.ts";
import { call } from "../support/builders/requests/api.ts";
import { env, givenCompany } from "../support/builders/companies/company.ts";
import { setScopes } from "../support/builders/companies/credentials.ts";
import { OPERATOR_CREDENTIALS } from "../support/builders/companies/operator.ts";
import { changedTables, stateOf } from "../support/probes/database/company-state.ts";
import { expectProblem } from "../support/probes/http/problem.ts";
import { OPERATOR_ROUTES } from "../support/probes/http/operator-routes.ts";
import { ROUTE_PERMISSIONS } from "../support/probes/http/route-permissions.ts";

interface Asked {
  body?: object | undefined;
  query?: string | undefined;
}

function request(name: string, credentials: Record<string, string>, asked: Asked, companyId = 1) {
  const [method = "", path = ""] = name.split(" ");
  const filled = path.replace(":companyId", String(companyId)).replaceAll(/:\w+/g, "1");
  return call(`${filled}${asked.query ?? ""}`, {
    method,
    company: { credentials },
    ...(asked.body === undefined ? {} : { body: asked.body }),
    headers: { "Idempotency-Key": "k_function" },
  });
}

describe.each(SCOPES)("an application with the scope %s alone", (scope) => {
  it("reaches the routes of that scope and no other", async () => {
    const company = await givenCompany({ balance: 10_000 });
    await setScopes(company, [scope]);
    for (const [name, route] of Object.entries(ROUTE_PERMISSIONS)) {
      const isAdmitted = route.scope === "any" || route.scope === scope || route.orScope === scope;
      if (isAdmitted) continue;
      const answer = await request(name, company.credentials, route, company.id);
      await expectProblem(answer, { status: 403, code: "FORBIDDEN" });
    }
    for (const [name, route] of Object.entries(ROUTE_PERMISSIONS)) {
      if (route.scope !== scope || route.furtherScopes !== undefined) continue;
      const answer = await request(name, company.credentials, route, company.id);
      expect([401, 403, 500, 503], name).not.toContain(answer.status);
    }
  });
});

it("an application without any scope reaches nothing and changes nothing", async () => {
  const company = await givenCompany({ balance: 10_000 });
  await setScopes(company, []);
  const before = await stateOf(company);
  for (const [name, route] of Object.entries(ROUTE_PERMISSIONS)) {
    const answer = await request(name, company.credentials, route, company.id);
    await expectProblem(answer, { status: 403, code: "FORBIDDEN" });
  }
  expect(
    changedTables(before, await stateOf(company)).filter((name) => name !== "D1 api_keys"),
  ).toEqual([]);
});

it("a merchant with every scope reaches no operator's route", async () => {
  const company = await givenCompany({ balance: 10_000 });
  for (const [name, route] of Object.entries(OPERATOR_ROUTES)) {
    const answer = await request(name, company.credentials, route, company.id);
    await expectProblem(answer, { status: 401, code: "INVALID_CREDENTIALS" });
  }
});

it("an operator with every permission reaches no merchant's route", async () => {
  for (const [name, route] of Object.entries(ROUTE_PERMISSIONS)) {
    const answer = await request(name, OPERATOR_CREDENTIALS, route);
    await expectProblem(answer, { status: 401, code: "INVALID_CREDENTIALS" });
  }
});

describe.each(OPERATOR_ROLES)("an operator with the role %s", (role) => {
  it("reaches the routes of its permissions and no other", async () => {
    const company = await givenCompany();
    const apiKey = `sk_test_operator_with_the_role_${role}`;
    const clientId = `operator_${role}`;
    const sql = await operatorSql({ clientId, name: role, role, apiKey }, Date.now());
    for (const statement of sql.split(";\n").filter((part) => part.trim() !== "")) {
      await env.DB.prepare(statement).run();
    }
    const credentials = { "X-Client-Id": clientId, "X-API-Key": apiKey };
    for (const [name, route] of Object.entries(OPERATOR_ROUTES)) {
      const answer = await request(name, credentials, route, company.id);
      if (PERMISSIONS_OF_ROLE[role].includes(route.permission)) {
        expect([401, 403, 500, 503], name).not.toContain(answer.status);
      } else await expectProblem(answer, { status: 403, code: "FORBIDDEN" });
    }
  });
});

it.each(["X-HTTP-Method-Override", "X-Method-Override", "X-HTTP-Method"])(
  "%s does not turn a read into a write",
  async (header) => {
    const company = await givenCompany();
    await setScopes(company, ["webhooks:read"]);
    const before = await stateOf(company);
    await call("/api/v1/webhooks/endpoint", { company, headers: { [header]: "PUT" } });
    expect(
      changedTables(before, await stateOf(company)).filter((name) => name !== "D1 api_keys"),
    ).toEqual([]);
  },
);

it("another spelling of a path does not pass its guard", async () => {
  const company = await givenCompany();
  await setScopes(company, ["balance:read"]);
  const spellings = [
    "/API/V1/audit",
    "/api/v1/audit/",
    "//api/v1/audit",
    "/api/v1/./audit",
    "/api/v1%2Faudit",
    "/api/v1/audit%00",
    "/api/v1/audit;x=1",
    "/api/Balance/../v1/audit",
  ];
  for (const path of spellings) {
    const answer = await call(path, { company });
    expect([403, 404], path).toContain(answer.status);
  }
});
