import { afterEach, describe, expect, it, vi } from "vitest";
import { SCOPES } from "../../../../src/domain/shared/company.ts";
import { CredentialsCache } from "../../../../src/http/auth/credentials-cache.ts";
import type { Credentials } from "../../../../src/db/companies/credentials.ts";
import { call, type Answer, type Call } from "../../../support/builders/requests/api.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { countingLimiters } from "../../../support/fakes/rate-limiters.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import {
  expireKey,
  issueKey,
  revokeKey,
  setScopes,
} from "../../../support/builders/companies/credentials.ts";
import { withBrokenDatabase } from "../../../support/faults/broken-database.ts";
import { freshIsolate } from "../../../support/builders/companies/isolate.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { READ_ROUTES } from "../../../support/probes/http/read-routes.ts";
import { countRoundTrips } from "../../../support/probes/database/round-trips.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";

const LIST = "/api/Transaction/company/transactions";
const UNAUTHORIZED = { status: 401, code: "INVALID_CREDENTIALS" };
const FORBIDDEN = { status: 403, code: "FORBIDDEN" };

/** A warm isolate. */
async function warmIsolate(company: TestCompany, clock = new TestClock()) {
  const deps = { ...freshIsolate(), platformClock: clock };
  expect((await call(LIST, { company, deps })).status).toBe(200);
  return { deps, clock, read: (options: Call = {}) => call(LIST, { company, deps, ...options }) };
}

async function reassignApplication(from: TestCompany, to: TestCompany): Promise<void> {
  await env.DB.batch([
    env.DB.prepare("UPDATE applications SET company_id = ? WHERE client_id = ?").bind(
      to.id,
      from.clientId,
    ),
    env.DB.prepare("UPDATE api_keys SET company_id = ? WHERE company_id = ?").bind(to.id, from.id),
  ]);
}

function expectNoDataLeaked(answer: Answer, status: number): void {
  expect(answer.status).toBe(status);
  expect(answer.text).not.toContain("secret-ref");
  expect(answer.headers.get("Content-Type")).toBe("application/problem+json");
  expect(answer.headers.get("Content-Disposition")).toBeNull();
}

afterEach(() => {
  vi.restoreAllMocks();
});

/** An OFX statement says when it was made. */
const withoutTimes = (text: string) => text.replaceAll(/\d{14}\.\d{3}/g, "now");

describe.each(Object.entries(READ_ROUTES))(
  "%s, requested with cached credentials",
  (_, { path, options }) => {
    const warm = async () => {
      const company = await givenCompany({ balance: 5_000 });
      const { id } = await givenTransaction(company, { externalRef: "secret-ref" });
      const deps = freshIsolate();
      const read = () => call(path(company, id), { company, deps, ...options });
      expect((await read()).status).toBe(200);
      return { company, read };
    };

    it("is rejected with the first request after a manual revocation of the key", async () => {
      const { company, read } = await warm();
      await revokeKey(company.apiKey);
      expectNoDataLeaked(await read(), 401);
      expectNoDataLeaked(await read(), 401);
    });

    it("is rejected with the first request after the scope was removed", async () => {
      const { company, read } = await warm();
      await setScopes(company, ["transactions:write"]);
      expectNoDataLeaked(await read(), 403);
      await setScopes(company, SCOPES);
      expect((await read()).status).toBe(200);
    });

    it("is unchanged after a change that keeps the caller's rights", async () => {
      const { company, read } = await warm();
      const before = await read();
      await issueKey(company);
      const after = await read();
      expect({ status: after.status, text: withoutTimes(after.text) }).toEqual({
        status: 200,
        text: withoutTimes(before.text),
      });
      expect([...after.headers.keys()]).toEqual([...before.headers.keys()]);
    });
  },
);

describe("the credentials cache", () => {
  it("determines neither the reason nor the text of a rejection", async () => {
    const [before, now] = [await givenCompany(), await givenCompany()];
    const { id } = await givenTransaction(now);
    const { deps } = await warmIsolate(before);
    const read = () =>
      call(`/api/Transaction/transactionByTransactionId/${id}`, { company: before, deps });
    await expectProblem(await read(), FORBIDDEN);
    await reassignApplication(before, now);
    expect(await read()).toMatchObject({ status: 200, body: { transactionId: id } });
  });

  it("does not reject a newly issued key or a newly granted scope", async () => {
    const company = await givenCompany();
    const { deps } = await warmIsolate(company);
    const headers = { "X-Client-Id": company.clientId, "X-API-Key": await issueKey(company) };
    expect((await call(LIST, { deps, headers })).status).toBe(200);

    await setScopes(company, ["balance:read"]);
    await expectProblem(await call(LIST, { company, deps }), FORBIDDEN);
    await setScopes(company, ["transactions:read"]);
    expect((await call(LIST, { company, deps })).status).toBe(200);
  });

  it("accepts no other key and no other application's key", async () => {
    const [company, other] = [await givenCompany(), await givenCompany()];
    const { deps } = await warmIsolate(company);
    for (const key of [other.apiKey, "sk_test_unknown", company.apiKey.toUpperCase()]) {
      const headers = { "X-Client-Id": company.clientId, "X-API-Key": key };
      await expectProblem(await call(LIST, { deps, headers }), UNAUTHORIZED);
    }
  });

  it("expires with its key", async () => {
    const company = await givenCompany();
    const clock = new TestClock();
    await expireKey(company.apiKey, clock.now() + 1_000);
    const { read } = await warmIsolate(company, clock);
    clock.advance(999);
    expect((await read()).status).toBe(200);
    clock.advance(1);
    await expectProblem(await read(), UNAUTHORIZED);
  });

  it("has a lifetime of a minute", async () => {
    const company = await givenCompany();
    const { read, clock } = await warmIsolate(company);
    const trips = countRoundTrips();
    clock.advance(59_999);
    await read({ env: trips.env });
    expect(trips.lap().inSequence).toBe(1);
    clock.advance(1);
    await read({ env: trips.env });
    expect(trips.lap().inSequence).toBe(2);
    await read({ env: trips.env });
    expect(trips.lap().inSequence).toBe(1);
  });

  it("holds at most a thousand applications and evicts the least recently read one", () => {
    const kept = new CredentialsCache();
    const credentials = {} as Credentials;
    for (let index = 0; index < 1_000; index++) kept.set(`app_${index}`, credentials, 0);
    kept.set("app_0", credentials, 1);
    kept.set("app_new", credentials, 1);
    expect(kept.get("app_1", 1)).toBeNull();
    for (const clientId of ["app_0", "app_2", "app_999", "app_new"]) {
      expect(kept.get(clientId, 1)).toBe(credentials);
    }
  });

  it("drops deleted applications and is not used after the clock went back", () => {
    const kept = new CredentialsCache();
    const credentials = {} as Credentials;
    kept.set("app", credentials, 10);
    expect(kept.get("app", 9)).toBeNull();
    expect(kept.get("app", 10)).toBe(credentials);
    kept.set("app", null, 11);
    expect(kept.get("app", 11)).toBeNull();
  });

  it("is not used while D1 cannot verify it", async () => {
    const company = await givenCompany({ balance: 5_000 });
    const { deps } = await warmIsolate(company);
    const answer = await call(`/api/Balance/balance/${company.id}?currency=BRL`, {
      company,
      deps,
      env: withBrokenDatabase("D1_ERROR: D1 DB is overloaded."),
    });
    await expectProblem(answer, { status: 503, code: "STORAGE_UNAVAILABLE", retryAfter: true });
    expect(answer.body).not.toHaveProperty("accBalance");
  });
});

describe("a request that is retried internally", () => {
  const TRACE = "0af7651916cd43dd8448eb211c80319c";

  it("is one request: one trace, one log line, one count for the rate limit", async () => {
    const company = await givenCompany();
    const { read } = await warmIsolate(company);
    await issueKey(company);
    const lines = vi.spyOn(console, "log").mockImplementation(() => undefined);
    const limiters = countingLimiters(new TestClock());
    const trips = countRoundTrips({ ...env, ...limiters.bindings });
    const answer = await read({
      env: trips.env,
      headers: { traceparent: `00-${TRACE}-b7ad6b7169203331-01` },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("X-Trace-Id")).toBe(TRACE);
    expect(limiters.counted).toEqual([
      `LIMIT_APPLICATION ${company.clientId}`,
      `LIMIT_COMPANY ${company.id}`,
    ]);
    expect(lines.mock.calls.map(([line]) => JSON.parse(line as string))).toEqual([
      expect.objectContaining({ event: "request", traceId: TRACE, status: 200 }),
    ]);
    // The optimistic read with its check, the credentials, and the read itself.
    expect(trips.lap().inSequence).toBe(3);
  });

  it("INVALID_CREDENTIALS: is rejected under its own trace", async () => {
    const company = await givenCompany();
    const { read } = await warmIsolate(company);
    await revokeKey(company.apiKey);
    const answer = await read({ headers: { traceparent: `00-${TRACE}-b7ad6b7169203331-01` } });
    await expectProblem(answer, UNAUTHORIZED);
    expect(answer.body.traceId).toBe(TRACE);
  });

  it("contains nothing of the rejected optimistic attempt", async () => {
    const company = await givenCompany({ mode: "live" });
    const { deps } = await warmIsolate(company);
    const read = () => call("/api/v1/sandbox/settings", { company, deps });
    await expectProblem(await read(), FORBIDDEN);
    await env.DB.prepare("UPDATE companies SET mode = 'sandbox' WHERE id = ?")
      .bind(company.id)
      .run();
    const answer = await read();
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Type")).toBe("application/json");
  });
});
