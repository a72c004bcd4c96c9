import { expect, it } from "vitest";
import { RATE_LIMITS } from "../../../../src/http/rate-limits/policies.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { env, givenCompany } from "../../../support/builders/companies/company.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";

const LIST = "/api/Transaction/company/transactions";
const local = { ...env, LOCAL_RATE_LIMITS: "true" };

const login = (credentials: Record<string, string>, address = "203.0.113.20") =>
  call(LIST, {
    company: { credentials },
    env: local,
    headers: { "CF-Connecting-IP": address },
  });

it("npm start counts failed logins in its process: 300 a minute, then 429, while the right key is admitted", async () => {
  const company = await givenCompany();
  const wrong = { ...company.credentials, "X-API-Key": "sk_test_wrong" };
  for (let count = 1; count <= RATE_LIMITS.failedLogins.quota; count++) {
    expect((await login(wrong)).status).toBe(401);
  }
  const refused = await login(wrong);
  await expectProblem(refused, { status: 429, code: "TOO_MANY_REQUESTS", retryAfter: true });
  expect((await login(company.credentials)).status).toBe(200);
  expect((await login(wrong, "203.0.113.21")).status).toBe(401);
});
