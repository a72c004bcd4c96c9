import { describe, expect, it, vi } from "vitest";
import type { RateLimitPolicy } from "../../../../src/http/rate-limits/policies.ts";
import { RATE_LIMITS } from "../../../../src/http/rate-limits/policies.ts";
import { call, type Answer, type Call } from "../../../support/builders/requests/api.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { issueApplication } from "../../../support/builders/companies/credentials.ts";
import { OPERATOR_CREDENTIALS } from "../../../support/builders/companies/operator.ts";
import { freshIsolate } from "../../../support/builders/companies/isolate.ts";
import { createTransaction } from "../../../support/builders/charges/transaction.ts";
import { requestWithdraw } from "../../../support/builders/withdraws/withdraw.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { countingLimiters } from "../../../support/fakes/rate-limiters.ts";
import { countRoundTrips } from "../../../support/probes/database/round-trips.ts";
import { PUBLIC_ROUTES } from "../../../support/probes/http/route-permissions.ts";
import { pagesOf } from "../../../support/probes/http/routes.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { expectNoSideEffects } from "../../../support/probes/ledger/footprint.ts";

const LIST = "/api/Transaction/company/transactions";
const OPERATOR_LIST = "/api/v1/operator/companies";
const ADDRESS = "203.0.113.7";
const LIMITED = { status: 429, code: "TOO_MANY_REQUESTS", retryAfter: true };
const UNAUTHORIZED = { status: 401, code: "INVALID_CREDENTIALS" };
const { failedLogins, publicRoutes, callbacks, application, company: ofCompany } = RATE_LIMITS;

/** The service with limiters that count by a clock of the test. */
function givenLimits() {
  const clock = new TestClock();
  const limiters = countingLimiters(clock);
  const limited = { ...env, ...limiters.bindings };
  const from = (address: string, path: string, options: Call = {}) =>
    call(path, {
      env: limited,
      ...options,
      headers: { "CF-Connecting-IP": address, ...options.headers },
    });
  return { ...limiters, clock, env: limited, from };
}

const wrong = (company: TestCompany): Call => ({
  company: { credentials: { ...company.credentials, "X-API-Key": "sk_test_wrong" } },
});

async function expectLimited(answer: Answer, { name, windowSeconds }: RateLimitPolicy) {
  await expectProblem(answer, LIMITED);
  expect(answer.headers.get("RateLimit")).toBe(`"${name}";r=0;t=${windowSeconds}`);
  expect(answer.headers.get("RateLimit-Policy")).toContain(`"${name}";q=`);
  expect(answer.headers.get("Retry-After")).toBe(String(windowSeconds));
}

describe("failed logins of one address", () => {
  it("are 401 300 times a minute and then 429, while the right key is admitted and another address is not hurt", async () => {
    const company = await givenCompany();
    const { from, clock } = givenLimits();
    for (let login = 1; login <= 300; login++) {
      const answer = await from(ADDRESS, LIST, wrong(company));
      expect(answer.status, `login ${login}`).toBe(401);
      expect(answer.headers.get("RateLimit-Policy")).toBe('"failed-logins";q=300;w=60');
    }
    const limited = await from(ADDRESS, LIST, wrong(company));
    await expectLimited(limited, failedLogins);
    expect(limited.headers.has("WWW-Authenticate")).toBe(false);
    expect((await from(ADDRESS, LIST, { company })).status).toBe(200);
    await expectProblem(await from("203.0.113.8", LIST, wrong(company)), UNAUTHORIZED);
    clock.advance(60_000);
    await expectProblem(await from(ADDRESS, LIST, wrong(company)), UNAUTHORIZED);
  });

  it("are counted together for companies, operators and missing credentials, and right ones never", async () => {
    const company = await givenCompany();
    const { from, counted } = givenLimits();
    const operator = { ...OPERATOR_CREDENTIALS, "X-API-Key": "sk_test_wrong" };
    await from(ADDRESS, LIST, wrong(company));
    await from(ADDRESS, LIST);
    await from(ADDRESS, OPERATOR_LIST, { company: { credentials: operator } });
    expect(counted).toEqual(Array.from({ length: 3 }, () => `LIMIT_FAILED_LOGINS ${ADDRESS}`));
    await from(ADDRESS, LIST, { company });
    await from(ADDRESS, OPERATOR_LIST, { company: { credentials: OPERATOR_CREDENTIALS } });
    expect(counted.slice(3)).toEqual([
      `LIMIT_APPLICATION ${company.clientId}`,
      `LIMIT_COMPANY ${company.id}`,
      "LIMIT_APPLICATION operator",
    ]);
  });

  it("are counted for the /64 of an IPv6 address", async () => {
    const { from, use } = givenLimits();
    use(failedLogins, "2001:db8:1:2::", failedLogins.quota);
    await expectLimited(await from("2001:db8:1:2:ffff::1", LIST), failedLogins);
    await expectProblem(await from("2001:db8:1:3::1", LIST), UNAUTHORIZED);
  });

  it("are counted for the address that Cloudflare saw, whatever the sender writes", async () => {
    const { from, use } = givenLimits();
    use(failedLogins, ADDRESS, failedLogins.quota);
    const headers = { "X-Forwarded-For": "198.51.100.1", "X-Real-IP": "198.51.100.1" };
    await expectLimited(await from(ADDRESS, LIST, { headers }), failedLogins);
    await expectProblem(
      await from("198.51.100.1", LIST, { headers: { "X-Forwarded-For": ADDRESS } }),
      UNAUTHORIZED,
    );
  });

  it("of unknown addresses share one limit", async () => {
    const { env: limited, use } = givenLimits();
    use(failedLogins, "unknown", failedLogins.quota);
    await expectLimited(await call(LIST, { env: limited }), failedLogins);
  });
});

describe("requests of one application", () => {
  it("are 429 from the 20,001st in ten seconds, without any effect", async () => {
    const company = await givenCompany({ balance: 5_000 });
    const { env: limited, use, clock } = givenLimits();
    use(application, company.clientId, application.quota - 1);
    const last = await call(LIST, { company, env: limited });
    expect(last.status).toBe(200);
    expect(last.headers.get("RateLimit-Policy")).toBe(
      '"application";q=20000;w=10, "company";q=40000;w=10',
    );
    const key = "k_limited";
    for (const answer of [
      await call(LIST, { company, env: limited }),
      await call(LIST, { company, env: limited, deps: freshIsolate() }),
      await expectNoSideEffects(company, () =>
        createTransaction(company, {}, { env: limited, key }),
      ),
      await expectNoSideEffects(company, () => requestWithdraw(company, {}, { env: limited, key })),
    ]) {
      await expectLimited(answer, application);
    }
    clock.advance(10_000);
    expect((await createTransaction(company, {}, { env: limited, key })).status).toBe(200);
  });

  it("leave the company's other applications their share", async () => {
    const company = await givenCompany();
    const other = await issueApplication(company);
    const { env: limited, use, counted } = givenLimits();
    use(application, company.clientId, application.quota);
    await expectLimited(await call(LIST, { company, env: limited }), application);
    expect(counted).not.toContain(`LIMIT_COMPANY ${company.id}`);
    expect((await call(LIST, { company: other, env: limited })).status).toBe(200);
  });

  it("are not counted for a forged client id", async () => {
    const company = await givenCompany();
    const { from, counted } = givenLimits();
    await expectProblem(await from(ADDRESS, LIST, wrong(company)), UNAUTHORIZED);
    expect(counted).toEqual([`LIMIT_FAILED_LOGINS ${ADDRESS}`]);
  });
});

it("requests of all of a company's applications are 429 from the 40,001st in ten seconds", async () => {
  const [company, bystander] = [await givenCompany(), await givenCompany()];
  const other = await issueApplication(company);
  const { env: limited, use } = givenLimits();
  use(ofCompany, String(company.id), ofCompany.quota);
  for (const credentials of [company, other]) {
    await expectLimited(await call(LIST, { company: credentials, env: limited }), ofCompany);
  }
  expect((await call(LIST, { company: bystander, env: limited })).status).toBe(200);
});

it("requests of an operator are limited", async () => {
  const { env: limited, use } = givenLimits();
  use(application, "operator", application.quota);
  const company = { credentials: OPERATOR_CREDENTIALS };
  await expectLimited(await call(OPERATOR_LIST, { company, env: limited }), application);
});

describe("requests of one address without credentials", () => {
  /** A path of each page, by its route. */
  const pages: Record<string, string> = {
    "GET /": "/",
    "GET /openapi.json": "/openapi.json",
    "GET /openapi/merchant.json": "/openapi/merchant.json",
    "GET /openapi/operator.json": "/openapi/operator.json",
    "GET /docs/*": "/docs/webhooks/",
    "GET /llms.txt": "/llms.txt",
    "GET /boletos/:file": "/boletos/x.pdf",
    "GET /boletos/:secureId": "/boletos/x",
    "GET /checkout/*": "/checkout/x",
    "POST /checkout/:secureId/renew": "/checkout/x/renew",
    "GET /checkout.js": "/checkout.js",
    "GET /a/:secureId": "/a/x",
    "GET /a/:secureId/status": "/a/x/status",
    "GET /s/:secureId": "/s/x",
    "GET /s/:secureId/cancel": "/s/x/cancel",
    "POST /s/:secureId/cancel": "/s/x/cancel",
    "GET /r/*": "/r/x",
    "GET /l/:slug": "/l/x",
    "POST /l/:slug": "/l/x",
    "GET /reminders/stop/:secureId": "/reminders/stop/x",
    "POST /reminders/stop/:secureId": "/reminders/stop/x",
    "GET /receipts/verify": "/receipts/verify",
    "POST /receipts/check": "/receipts/check",
  };
  const routes = [
    ...PUBLIC_ROUTES,
    ...Object.entries(pages).map(([name, path]) => `${name.split(" ")[0]} ${path}`),
  ];

  it("have every page among them", () => {
    expect(pagesOf().toSorted()).toEqual(Object.keys(pages).toSorted());
  });

  it.each(routes)("to %s are limited before anything is read", async (name) => {
    const [method = "", path = ""] = name.split(" ");
    const { env: limited, use } = givenLimits();
    const policy = path.startsWith("/callbacks/") ? callbacks : publicRoutes;
    use(policy, ADDRESS, policy.quota);
    const trips = countRoundTrips(limited);
    const answer = await call(path.replace(/:\w+/, "1"), {
      method,
      env: trips.env,
      headers: { "CF-Connecting-IP": ADDRESS },
    });
    expect(answer.status).toBe(429);
    expect(answer.headers.get("RateLimit")).toBe(`"${policy.name}";r=0;t=${policy.windowSeconds}`);
    expect(trips.lap().trips).toEqual([]);
  });

  it("are 429 with the headers by which a browser of any origin can read it", async () => {
    const { from, use } = givenLimits();
    use(publicRoutes, ADDRESS, publicRoutes.quota);
    const answer = await from(ADDRESS, "/api/checkout/status/x", {
      headers: { Origin: "https://loja.example" },
    });
    await expectLimited(answer, publicRoutes);
    expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(answer.headers.get("Access-Control-Expose-Headers")).toContain("Retry-After");
  });

  it("name their limit", async () => {
    const { from } = givenLimits();
    const answer = await from(ADDRESS, "/openapi.json");
    expect(answer.headers.get("RateLimit-Policy")).toBe('"address";q=6000;w=60');
    expect(answer.headers.has("RateLimit")).toBe(false);
  });
});

it("a limiter that fails admits the request", async () => {
  const company = await givenCompany();
  const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const failing = { limit: () => Promise.reject(new Error("the platform does not count")) };
  const answer = await call(LIST, { company, env: { ...env, LIMIT_APPLICATION: failing } });
  expect(answer.status).toBe(200);
  expect(logged.mock.calls.join()).toContain("rate_limiter_failed");
  logged.mockRestore();
});
