import { describe, expect, it } from "vitest";
import { parseConfig, type Env } from "../../src/config.ts";
import { LOCAL_SECRETS_KEY } from "../../src/lib/local-key.ts";
import { LOCAL_COMPANIES } from "../../tools/lib/local-companies.ts";
import { call } from "../support/builders/requests/api.ts";
import { givenCompany } from "../support/builders/companies/company.ts";
import { freshIsolate } from "../support/builders/companies/isolate.ts";
import { sharedCompany } from "../support/builders/companies/shared-company.ts";
import { withBrokenDatabase } from "../support/faults/broken-database.ts";
import { ROUTE_PERMISSIONS } from "../support/probes/http/route-permissions.ts";
import { routesOf } from "../support/probes/http/routes.ts";

const OWN_KEY = btoa("a-key-of-this-environment-alone!");
const startWith = (variables: object) => () => parseConfig(variables as Env);

describe.each(["sandbox", "production"])("a deployed %s", (ENVIRONMENT) => {
  it.each([
    ["without a key for secrets", {}],
    ["with the key of the repository", { SECRETS_KEY: LOCAL_SECRETS_KEY }],
    ["with a short key", { SECRETS_KEY: btoa("short") }],
    ["with webhooks to loopback", { SECRETS_KEY: OWN_KEY, ALLOW_HTTP_LOOPBACK_WEBHOOKS: "true" }],
    ["with a short operator key", { SECRETS_KEY: OWN_KEY, BOOTSTRAP_KEY: "admin" }],
    ["with a public address without TLS", { SECRETS_KEY: OWN_KEY, PUBLIC_URL: "http://a.com" }],
  ])("refuses to start %s", (_name, variables) => {
    expect(startWith({ ENVIRONMENT, ...variables })).toThrow(/refuses to start/);
  });
});

it.each(["", "dev", "test", "PRODUCTION"])("an environment called %j does not start", (name) => {
  expect(startWith({ ENVIRONMENT: name, SECRETS_KEY: OWN_KEY })).toThrow(/ENVIRONMENT/);
});

it("credentials of local development open nothing in a database of another environment", async () => {
  for (const { clientId, apiKey } of LOCAL_COMPANIES) {
    const headers = { "X-Client-Id": clientId, "X-API-Key": apiKey };
    expect((await call("/api/v1/events", { headers })).status).toBe(401);
  }
});

const INTERNAL = /sqlite|\bd1\b|select |insert |drizzle|hono|zod|workerd|\bat .*\.[jt]s|stack/i;

it.each(Object.entries(ROUTE_PERMISSIONS))(
  "%s tells nothing of the inside when the database fails",
  async (name, { body, query }) => {
    const company = await sharedCompany();
    const [method = "", path = ""] = name.split(" ");
    const filled = path.replace(":companyId", String(company.id)).replaceAll(/:\w+/g, "1");
    const answer = await call(`${filled}${query ?? ""}`, {
      company,
      method,
      ...(body === undefined ? {} : { body }),
      headers: { "Idempotency-Key": "k_broken" },
      env: withBrokenDatabase("D1_ERROR: no such table: api_keys: SQLITE_ERROR"),
      deps: freshIsolate(),
    });
    expect([500, 503]).toContain(answer.status);
    expect(answer.headers.get("Content-Type")).toBe("application/problem+json");
    expect(answer.text).not.toMatch(INTERNAL);
  },
);

it("no answer names the software or lets another origin read data", async () => {
  const company = await givenCompany();
  for (const path of ["/api/v1/events", "/api/v1/company/settings", "/nowhere", "/openapi.json"]) {
    const answer = await call(path, { company, headers: { Origin: "https://evil.example.com" } });
    for (const header of ["Server", "X-Powered-By", "Access-Control-Allow-Credentials"]) {
      expect(answer.headers.has(header), `${path} ${header}`).toBe(false);
    }
    if (path.startsWith("/api/"))
      expect(answer.headers.has("Access-Control-Allow-Origin")).toBe(false);
  }
});

it("no path takes a method that no route has", async () => {
  const company = await sharedCompany();
  const taken = new Set(routesOf().map(({ method, path }) => `${method} ${path}`));
  for (const { path } of routesOf()) {
    const filled = path.replaceAll(/:\w+/g, "1");
    for (const method of ["PUT", "PATCH", "DELETE", "PROPFIND"]) {
      if (taken.has(`${method} ${path}`)) continue;
      const answer = await call(filled, { method, company });
      const isOther = [...taken].some(
        (name) =>
          name.startsWith(`${method} `) && filled.split("/").length === name.split("/").length,
      );
      expect(isOther ? [400, 401, 403, 404, 405, 415] : [404, 405], `${method} ${path}`).toContain(
        answer.status,
      );
    }
  }
});

it("the reference page runs only this service's scripts", async () => {
  const policy = (await call("/docs/api")).headers.get("Content-Security-Policy");
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
});

it("every answer has the headers that keep browsers and caches from misusing it", async () => {
  const company = await sharedCompany();
  const headers = { Accept: "*/*" };
  for (const path of [
    "/api/v1/events",
    "/nowhere",
    "/api/v1/pix/decode",
    "/openapi.json",
    "/docs",
    "/docs/",
  ]) {
    const answer = await call(path, { company, headers });
    expect(answer.headers.get("X-Content-Type-Options"), path).toBe("nosniff");
    expect(answer.headers.get("Content-Security-Policy"), path).toContain("default-src 'none'");
    if (path.startsWith("/api/v1/events")) {
      expect(answer.headers.get("Cache-Control")).toBe("no-store");
    }
  }
});
