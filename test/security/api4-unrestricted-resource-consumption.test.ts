import { describe, expect, it } from "vitest";
import { RATE_LIMITS } from "../../src/http/rate-limits/policies.ts";
import { env } from "../support/builders/companies/company.ts";
import { OPERATOR_CREDENTIALS } from "../support/builders/companies/operator.ts";
import { call } from "../support/builders/requests/api.ts";
import { FULL_REQUEST } from "../support/builders/requests/full-request.ts";
import { sharedCompany } from "../support/builders/companies/shared-company.ts";
import { expectProblem } from "../support/probes/http/problem.ts";
import { OPERATOR_ROUTES } from "../support/probes/http/operator-routes.ts";
import { PUBLIC_ROUTES, ROUTE_PERMISSIONS } from "../support/probes/http/route-permissions.ts";

const KIB = 1024;
/** Longer than any route's body, the webhook debugger's included. */
const TOO_LARGE = JSON.stringify({ a: "b".repeat(1_100 * KIB) });
const WITH_BODY = Object.entries(ROUTE_PERMISSIONS).filter(([, { body }]) => body !== undefined);

const pathOf = (name: string, companyId: number) =>
  name.split(" ")[1]!.replace(":companyId", String(companyId)).replaceAll(/:\w+/g, "1");

it.each(WITH_BODY)("%s reads no body beyond its limit", async (name) => {
  const company = await sharedCompany();
  const answer = await call(pathOf(name, company.id), {
    company,
    method: name.split(" ")[0]!,
    rawBody: TOO_LARGE,
    headers: { "Idempotency-Key": "k_large" },
  });
  await expectProblem(answer, { status: 413, code: "BODY_TOO_LARGE" });
});

it("a body without a length is cut off at the limit, not collected", async () => {
  const company = await sharedCompany();
  let produced = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      produced += 1;
      controller.enqueue(new Uint8Array(16 * KIB).fill(97));
    },
  });
  const answer = await call("/api/v1/transactions/create", {
    company,
    method: "POST",
    rawBody: endless,
  });
  await expectProblem(answer, { status: 413, code: "BODY_TOO_LARGE" });
  expect(produced).toBeLessThan(20);
});

it.each([
  ["arrays", "[".repeat(7_000) + "]".repeat(7_000)],
  ["objects", '{"a":'.repeat(2_500) + "1" + "}".repeat(2_500)],
])("deeply nested %s are refused before they are parsed", async (_name, text) => {
  const company = await sharedCompany();
  const answer = await call("/api/v1/transactions/create", {
    company,
    method: "POST",
    rawBody: `{"metadata":${text}}`,
  });
  await expectProblem(answer, { status: 400, code: "MALFORMED_JSON" });
});

it("a long path and a long query are refused", async () => {
  const company = await sharedCompany();
  for (const path of [
    `/api/${"a".repeat(3_000)}`,
    `/api/v1/transactions?ids=${"a".repeat(9_000)}`,
  ]) {
    const answer = await call(path, { company });
    expect(answer.status).toBe(414);
  }
});

describe("a page", () => {
  it.each(["/api/v1/transactions", "/api/v1/events", "/api/v1/webhooks/deliveries"])(
    "of %s has at most 100 items",
    async (path) => {
      const company = await sharedCompany();
      for (const limit of ["101", "1000000", "0", "-1", "1e3", "NaN"]) {
        const answer = await call(`${path}?limit=${limit}`, { company });
        await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: ["limit"] });
      }
    },
  );

  it.each(["/api/Transaction/company/transactions", "/api/Withdraw/company/withdraws"])(
    "of %s is cut to 100 items, as the contract says",
    async (path) => {
      const company = await sharedCompany();
      const answer = await call(`${path}?pageSize=1000000`, { company });
      expect(answer.status).toBe(200);
      expect(answer.text).toContain('"pageSize":100');
    },
  );
});

it.each([
  ["items", { items: Array.from({ length: 101 }, () => ({ title: "a" })) }],
  ["metadata", { metadata: "m".repeat(4_097) }],
  ["customer.name", { customer: { ...FULL_REQUEST.customer, name: "n".repeat(121) } }],
  ["postbackUrl", { postbackUrl: `https://example.com/${"a".repeat(2_048)}` }],
])("a create request has at most so much in %s", async (field, fields) => {
  const company = await sharedCompany();
  const body = { ...FULL_REQUEST, ...fields };
  const answer = await call("/api/v1/transactions/create", { company, body });
  await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: [field] });
});

it("a search for more than 100 ids is refused", async () => {
  const company = await sharedCompany();
  const answer = await call(`/api/v1/transactions?ids=${Array(101).fill("a").join(",")}`, {
    company,
  });
  await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: ["ids"] });
});

describe("a limiter that refuses", () => {
  const refusing = { limit: async () => ({ success: false }) };
  const bindings = Object.values(RATE_LIMITS).map(({ binding }) => [binding, refusing]);
  const limited = { ...env, ...Object.fromEntries(bindings) };
  const routes = [
    ...Object.keys(ROUTE_PERMISSIONS).map((name) => [name, "merchant"] as const),
    ...Object.keys(OPERATOR_ROUTES).map((name) => [name, "operator"] as const),
    ...[...PUBLIC_ROUTES].map((name) => [name, "nobody"] as const),
  ];

  it.each(routes)("stops %s for a %s, with the limit in the answer", async (name, caller) => {
    const company = await sharedCompany();
    const credentials = {
      merchant: company.credentials,
      operator: OPERATOR_CREDENTIALS,
      nobody: {},
    }[caller];
    const answer = await call(pathOf(name, company.id), {
      method: name.split(" ")[0]!,
      company: { credentials },
      env: limited,
    });
    expect(answer.status).toBe(429);
    expect(answer.body.code).toBe("TOO_MANY_REQUESTS");
    expect(answer.headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
    expect(answer.headers.get("RateLimit-Policy")).toMatch(/^".+";q=\d+;w=\d+/);
  });

  it("answers wrong credentials with 429 instead of 401", async () => {
    const company = await sharedCompany();
    const answer = await call("/api/v1/events", {
      company: { credentials: { ...company.credentials, "X-API-Key": "sk_test_wrong" } },
      env: limited,
    });
    await expectProblem(answer, { status: 429, code: "TOO_MANY_REQUESTS", retryAfter: true });
  });
});
