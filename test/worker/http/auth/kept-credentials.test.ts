import { afterEach, describe, expect, it, vi } from "vitest";
import { SCOPES } from "../../../../src/domain/shared/company.ts";
import { KeptCredentials } from "../../../../src/http/auth/kept-credentials.ts";
import type { Credentials } from "../../../../src/db/companies/credentials.ts";
import { call, type Answer, type Call } from "../../../support/builders/api.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { env, givenCompany, type TestCompany } from "../../../support/builders/company.ts";
import {
  expireKey,
  issueKey,
  revokeKey,
  setScopes,
} from "../../../support/builders/credentials.ts";
import { withBrokenDatabase } from "../../../support/probes/database.ts";
import { anIsolate } from "../../../support/faults/isolate.ts";
import { expectProblem } from "../../../support/probes/problem.ts";
import { READS } from "../../../support/probes/reads.ts";
import { countedTrips } from "../../../support/probes/trips.ts";
import { givenTransaction } from "../../../support/builders/transaction.ts";

const LIST = "/api/Transaction/company/transactions";
const UNAUTHORIZED = { status: 401, code: "INVALID_CREDENTIALS" };
const FORBIDDEN = { status: 403, code: "FORBIDDEN" };

/** An isolate that has served the company before. */
async function aWarmIsolate(company: TestCompany, clock = new TestClock()) {
  const deps = { ...anIsolate(), clock };
  expect((await call(LIST, { company, deps })).status).toBe(200);
  return { deps, clock, read: (options: Call = {}) => call(LIST, { company, deps, ...options }) };
}

async function moveApplication(from: TestCompany, to: TestCompany): Promise<void> {
  await env.DB.batch([
    env.DB.prepare("UPDATE applications SET company_id = ? WHERE client_id = ?").bind(
      to.id,
      from.clientId,
    ),
    env.DB.prepare("UPDATE api_keys SET company_id = ? WHERE company_id = ?").bind(to.id, from.id),
  ]);
}

function expectNothingShown(answer: Answer, status: number): void {
  expect(answer.status).toBe(status);
  expect(answer.text).not.toContain("secret-ref");
  expect(answer.headers.get("Content-Type")).toBe("application/problem+json");
  expect(answer.headers.get("Content-Disposition")).toBeNull();
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe.each(Object.entries(READS))("%s, asked for with what was kept", (_, { path, options }) => {
  const warm = async () => {
    const company = await givenCompany({ balance: 5_000 });
    const { id } = await givenTransaction(company, { externalRef: "secret-ref" });
    const deps = anIsolate();
    const read = () => call(path(company, id), { company, deps, ...options });
    expect((await read()).status).toBe(200);
    return { company, read };
  };

  it("is refused with the request that follows the key's revocation by hand", async () => {
    const { company, read } = await warm();
    await revokeKey(company.apiKey);
    expectNothingShown(await read(), 401);
    expectNothingShown(await read(), 401);
  });

  it("is refused with the request that follows the loss of the scope", async () => {
    const { company, read } = await warm();
    await setScopes(company, ["transactions:write"]);
    expectNothingShown(await read(), 403);
    await setScopes(company, SCOPES);
    expect((await read()).status).toBe(200);
  });

  it("is the same after a change that left the caller its rights", async () => {
    const { company, read } = await warm();
    const before = await read();
    await issueKey(company);
    const after = await read();
    expect({ status: after.status, text: after.text }).toEqual({ status: 200, text: before.text });
    expect([...after.headers.keys()]).toEqual([...before.headers.keys()]);
  });
});

describe("what was kept", () => {
  it("is neither a refusal's reason nor its text: a refusal is by what holds now", async () => {
    const [before, now] = [await givenCompany(), await givenCompany()];
    const { id } = await givenTransaction(now);
    const { deps } = await aWarmIsolate(before);
    const read = () =>
      call(`/api/Transaction/transactionByTransactionId/${id}`, { company: before, deps });
    await expectProblem(await read(), FORBIDDEN);
    await moveApplication(before, now);
    expect(await read()).toMatchObject({ status: 200, body: { transactionId: id } });
  });

  it("does not keep out a key that was issued since, nor a scope that was given since", async () => {
    const company = await givenCompany();
    const { deps } = await aWarmIsolate(company);
    const headers = { "X-Client-Id": company.clientId, "X-API-Key": await issueKey(company) };
    expect((await call(LIST, { deps, headers })).status).toBe(200);

    await setScopes(company, ["balance:read"]);
    await expectProblem(await call(LIST, { company, deps }), FORBIDDEN);
    await setScopes(company, ["transactions:read"]);
    expect((await call(LIST, { company, deps })).status).toBe(200);
  });

  it("lets in no other key, and no other application's", async () => {
    const [company, other] = [await givenCompany(), await givenCompany()];
    const { deps } = await aWarmIsolate(company);
    for (const key of [other.apiKey, "sk_test_unknown", company.apiKey.toUpperCase()]) {
      const headers = { "X-Client-Id": company.clientId, "X-API-Key": key };
      await expectProblem(await call(LIST, { deps, headers }), UNAUTHORIZED);
    }
  });

  it("ends with the key's own time, without any change", async () => {
    const company = await givenCompany();
    const clock = new TestClock();
    await expireKey(company.apiKey, clock.now() + 1_000);
    const { read } = await aWarmIsolate(company, clock);
    clock.advance(999);
    expect((await read()).status).toBe(200);
    clock.advance(1);
    await expectProblem(await read(), UNAUTHORIZED);
  });

  it("is used for a minute, and read again then", async () => {
    const company = await givenCompany();
    const { read, clock } = await aWarmIsolate(company);
    const trips = countedTrips();
    clock.advance(59_999);
    await read({ env: trips.env });
    expect(trips.lap().inSequence).toBe(1);
    clock.advance(1);
    await read({ env: trips.env });
    expect(trips.lap().inSequence).toBe(2);
    await read({ env: trips.env });
    expect(trips.lap().inSequence).toBe(1);
  });

  it("is of a thousand applications at most: the one read longest ago makes room", () => {
    const kept = new KeptCredentials();
    const credentials = {} as Credentials;
    for (let index = 0; index < 1_000; index++) kept.keep(`app_${index}`, credentials, 0);
    kept.keep("app_0", credentials, 1);
    kept.keep("app_new", credentials, 1);
    expect(kept.find("app_1", 1)).toBeNull();
    for (const clientId of ["app_0", "app_2", "app_999", "app_new"]) {
      expect(kept.find(clientId, 1)).toBe(credentials);
    }
  });

  it("is forgotten where the application is gone, and not used by a clock that went back", () => {
    const kept = new KeptCredentials();
    const credentials = {} as Credentials;
    kept.keep("app", credentials, 10);
    expect(kept.find("app", 9)).toBeNull();
    expect(kept.find("app", 10)).toBe(credentials);
    kept.keep("app", null, 11);
    expect(kept.find("app", 11)).toBeNull();
  });

  it("is of no use while D1 cannot confirm it", async () => {
    const company = await givenCompany({ balance: 5_000 });
    const { deps } = await aWarmIsolate(company);
    const answer = await call(`/api/Balance/balance/${company.id}?currency=BRL`, {
      company,
      deps,
      env: withBrokenDatabase("D1_ERROR: D1 DB is overloaded."),
    });
    await expectProblem(answer, { status: 503, code: "STORAGE_UNAVAILABLE", retryAfter: true });
    expect(answer.body).not.toHaveProperty("accBalance");
  });
});

describe("a request that runs again", () => {
  const TRACE = "0af7651916cd43dd8448eb211c80319c";

  it("is one request: one trace, one line in the log, once against the rate", async () => {
    const company = await givenCompany();
    const { read } = await aWarmIsolate(company);
    await issueKey(company);
    const lines = vi.spyOn(console, "log").mockImplementation(() => undefined);
    const limit = vi.fn<RateLimit["limit"]>().mockResolvedValue({ success: true });
    const trips = countedTrips({ ...env, RATE_LIMITER: { limit } });
    const answer = await read({
      env: trips.env,
      headers: { traceparent: `00-${TRACE}-b7ad6b7169203331-01` },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("X-Trace-Id")).toBe(TRACE);
    expect(limit).toHaveBeenCalledTimes(1);
    expect(lines.mock.calls.map(([line]) => JSON.parse(line as string))).toEqual([
      expect.objectContaining({ event: "request", traceId: TRACE, status: 200 }),
    ]);
    // The guess with its check, the credentials, and the read itself.
    expect(trips.lap().inSequence).toBe(3);
  });

  it("INVALID_CREDENTIALS: is refused under its own trace", async () => {
    const company = await givenCompany();
    const { read } = await aWarmIsolate(company);
    await revokeKey(company.apiKey);
    const answer = await read({ headers: { traceparent: `00-${TRACE}-b7ad6b7169203331-01` } });
    await expectProblem(answer, UNAUTHORIZED);
    expect(answer.body.traceId).toBe(TRACE);
  });

  it("has left nothing of a refusal by the guess in the answer", async () => {
    const company = await givenCompany({ mode: "live" });
    const { deps } = await aWarmIsolate(company);
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
