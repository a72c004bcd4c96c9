import { describe, expect, it } from "vitest";
import { call } from "../../support/builders/requests/api.ts";
import { givenCompany } from "../../support/builders/companies/company.ts";
import { deployed } from "../../support/builders/companies/deployed.ts";
import { OPERATOR_CREDENTIALS } from "../../support/builders/companies/operator.ts";
import { freshIsolate } from "../../support/builders/companies/isolate.ts";
import { givenTransaction } from "../../support/builders/charges/transaction.ts";
import { withBrokenDatabase } from "../../support/faults/broken-database.ts";
import { routesOf } from "../../support/probes/http/routes.ts";
import { READ_ROUTES } from "../../support/probes/http/read-routes.ts";
import { expectProblem } from "../../support/probes/http/problem.ts";

const LIST = "/api/Transaction/company/transactions";
const LOCKED = "default-src 'none'; frame-ancestors 'none'";
const HSTS = "max-age=63072000; includeSubDomains";
const PAGES = [
  "/docs",
  "/docs/",
  "/docs/api",
  "/docs/api/start.js",
  "/llms.txt",
  "/openapi.json",
  "/no/such/path",
];

/** Asserts what every answer carries, whatever its status. */
function expectHardened(headers: Headers): void {
  expect(Object.fromEntries(headers)).toMatchObject({
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "content-security-policy": expect.stringMatching(/^default-src 'none'; /),
    "cache-control": expect.stringMatching(/\S/),
  });
  const policy = headers.get("Content-Security-Policy") ?? "";
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/script-src[^;]*'unsafe-inline'/);
}

it.each([
  ["nobody", {}],
  ["a company", null],
  ["an operator", OPERATOR_CREDENTIALS],
])("every route answers %s with the security headers", async (_who, credentials) => {
  const company = await givenCompany();
  for (const { method, path } of routesOf()) {
    const answer = await call(path.replaceAll(/:\w+/g, "1"), {
      method,
      company: { credentials: credentials ?? company.credentials },
    });
    expectHardened(answer.headers);
    expect(answer.headers.get("Content-Security-Policy"), path).toBe(LOCKED);
  }
});

it.each(PAGES)("%s has the security headers", async (path) => {
  const { headers } = await call(path);
  expectHardened(headers);
});

it("answers with data are not stored by any cache", async () => {
  const company = await givenCompany({ balance: 1_000 });
  const { id } = await givenTransaction(company);
  for (const [name, { path, options }] of Object.entries(READ_ROUTES)) {
    const answer = await call(path(company, id), { company, ...options });
    expect(answer.status, name).toBe(200);
    expect(answer.headers.get("Cache-Control"), name).toBe("no-store");
  }
});

it("a public answer may say itself how it is cached", async () => {
  const company = await givenCompany();
  const { id } = await givenTransaction(company);
  const keys = await call(`/.well-known/webhook-keys.json?company=${company.id}`);
  expect(keys.headers.get("Cache-Control")).toBe("public, max-age=3600");
  const status = await call(`/api/checkout/status/${id}`);
  expect(status.headers.get("Cache-Control")).toBe("no-cache");
});

it("problems have the security headers, also those of faults", async () => {
  const company = await givenCompany();
  const faulty = { company, deps: freshIsolate(), env: withBrokenDatabase("D1_ERROR: overloaded") };
  for (const [path, options, status] of [
    [LIST, {}, 401],
    [LIST, { method: "DELETE" }, 405],
    [`/${"a".repeat(2_048)}`, {}, 414],
    [LIST, { headers: { Accept: "image/png" } }, 406],
    [LIST, faulty, 503],
  ] as const) {
    const answer = await call(path, options);
    expect(answer.status).toBe(status);
    expectHardened(answer.headers);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
  }
});

describe.each(["sandbox", "production"] as const)("in %s", (environment) => {
  it("every answer demands https for two years", async () => {
    for (const path of [...PAGES, LIST]) {
      const answer = await call(path, { env: deployed(environment) });
      expect(answer.headers.get("Strict-Transport-Security"), path).toBe(HSTS);
    }
  });

  it("HTTPS_REQUIRED: plain http is refused without a redirect, with right credentials too", async () => {
    const company = await givenCompany();
    for (const path of [LIST, "/docs", "/no/such/path"]) {
      const answer = await call(path, {
        company,
        env: deployed(environment),
        origin: "http://pay.example.com",
      });
      expect(answer.status).toBe(403);
      expect(answer.body.code).toBe("HTTPS_REQUIRED");
      expect(answer.body.detail).toContain("API key that was sent by http must be replaced");
      expect(answer.headers.has("Location")).toBe(false);
    }
  });

  it("any host is served, as Cloudflare routes only the right ones", async () => {
    const company = await givenCompany();
    const answer = await call(LIST, {
      company,
      env: deployed(environment),
      origin: "https://pay.example.com",
    });
    expect(answer.status).toBe(200);
  });
});

describe("in local development", () => {
  it.each([
    "http://evil.example",
    "http://localhost.evil.example",
    "http://127.0.0.1.nip.io:8787",
    "http://192.168.0.10:8787",
    "http://0.0.0.0:8787",
    "http://[::]:8787",
    "https://pay.example.com",
  ])("HOST_NOT_ALLOWED: %s, a name that may be rebound, is refused", async (origin) => {
    const company = await givenCompany();
    const answer = await call(LIST, { company, origin });
    await expectProblem(answer, { status: 403, code: "HOST_NOT_ALLOWED" });
  });

  it.each([
    "http://localhost:8787",
    "http://127.0.0.1:8787",
    "http://127.9.9.9",
    "http://[::1]:8787",
    "http://[::ffff:127.0.0.1]",
  ])("%s is served by http and demands no https", async (origin) => {
    const company = await givenCompany();
    const answer = await call(LIST, { company, origin });
    expect(answer.status).toBe(200);
    expect(answer.headers.has("Strict-Transport-Security")).toBe(false);
  });
});
