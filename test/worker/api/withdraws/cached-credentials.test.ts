import { describe, expect, it } from "vitest";
import { credentialsVersionOf } from "../../../../src/db/companies/credentials-version.ts";
import { call, type Call } from "../../../support/builders/requests/api.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import {
  env,
  givenCompany,
  inAccount,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { revokeKey } from "../../../support/builders/companies/credentials.ts";
import { injectFault, withAccounts } from "../../../support/faults/faulty-env.ts";
import { expectNoSideEffects } from "../../../support/probes/ledger/footprint.ts";
import { freshIsolate } from "../../../support/builders/companies/isolate.ts";
import { callAsOperator } from "../../../support/builders/companies/operator.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { anyTime } from "../../../support/probes/http/matchers.ts";
import { countRoundTrips } from "../../../support/probes/database/round-trips.ts";
import { requestWithdraw } from "../../../support/builders/withdraws/withdraw.ts";

const UNAUTHORIZED = { status: 401, code: "INVALID_CREDENTIALS" };
const SETTINGS = "/api/v1/company/settings";

/** A company with the credentials that an isolate has cached since an earlier withdraw. */
async function givenCachedCredentials() {
  const company = await givenCompany({ balance: 10_000 });
  const clock = new TestClock();
  const deps = { ...freshIsolate(), platformClock: clock };
  const withdraw = (options: Call & { key?: string } = {}, body = {}) =>
    requestWithdraw(company, body, { deps, ...options });
  const first = await withdraw({ key: "wd_first" });
  expect(first.status).toBe(201);
  return { company, clock, withdraw, first };
}

async function keyIdOf(company: TestCompany): Promise<number> {
  const { body } = await callAsOperator(`/companies/${company.id}/keys`);
  return body.items[0].id;
}

async function revoke(company: TestCompany, environment = env) {
  const path = `/companies/${company.id}/keys/${await keyIdOf(company)}/revoke`;
  return callAsOperator(path, { method: "POST", env: environment });
}

/** The credentials version that the company's object knows. */
function versionInObject(company: TestCompany): Promise<number | null> {
  return inAccount(
    company.id,
    (_account, { storage }) =>
      storage.sql
        .exec<{ value: number | null }>("SELECT credentials_version AS value FROM company")
        .one().value,
  );
}

describe("a withdraw with credentials that another isolate has cached", () => {
  it("INVALID_CREDENTIALS: is rejected with the first request after the revocation", async () => {
    const { company, withdraw } = await givenCachedCredentials();
    expect((await revoke(company)).status).toBe(200);
    await expectNoSideEffects(company, async () => {
      await expectProblem(await withdraw(), UNAUTHORIZED);
      await expectProblem(await withdraw({ key: "wd_first" }), UNAUTHORIZED);
      await expectProblem(await withdraw({ headers: { "X-Dry-Run": "true" } }), UNAUTHORIZED);
    });
  });

  it("INVALID_CREDENTIALS: is reported before errors of the request", async () => {
    const { company, withdraw } = await givenCachedCredentials();
    await revokeKey(company.apiKey);
    await expectProblem(await withdraw({}, { amount: "much" }), UNAUTHORIZED);
  });

  it("follows the normal rules while its key is valid", async () => {
    const { withdraw } = await givenCachedCredentials();
    await expectProblem(await withdraw({}, { amount: "much" }), {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: ["amount"],
    });
    await expectProblem(await withdraw({}, { amount: 999_999 }), {
      status: 422,
      code: "INSUFFICIENT_BALANCE",
      extensions: { availableCents: 9_000, requiredCents: 999_999 },
    });
  });

  it("respects a limit that was set just before, with one more round trip once", async () => {
    const { company, withdraw } = await givenCachedCredentials();
    const changed = await call(SETTINGS, {
      company,
      method: "PUT",
      body: { withdrawDailyLimit: 1_999 },
      deps: freshIsolate(),
    });
    expect(changed.status).toBe(200);
    const trips = countRoundTrips();
    const refused = await withdraw({ env: trips.env });
    await expectProblem(refused, {
      status: 422,
      code: "DAILY_LIMIT_EXCEEDED",
      extensions: {
        rule: "withdrawDailyLimit",
        limitCents: 1_999,
        usedCents: 1_000,
        withdrawnTodayCents: 1_000,
        possibleFrom: anyTime,
      },
    });
    expect(trips.lap().trips).toEqual(["requestWithdraw", expect.any(String), "requestWithdraw"]);
    expect((await withdraw({ env: trips.env }, { amount: 999 })).status).not.toBe(201);
    expect(trips.lap().inSequence).toBeLessThanOrEqual(1);
  });

  it("is replayed after a change that keeps the caller's rights", async () => {
    const { company, withdraw, first } = await givenCachedCredentials();
    await call(SETTINGS, { company, method: "PUT", body: { duplicateWithdrawGuard: true } });
    const again = await withdraw({ key: "wd_first" });
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    expect(again.text).toBe(first.text);
  });

  it("INVALID_CREDENTIALS: is rejected at most a minute after a manual SQL revocation", async () => {
    const { company, clock, withdraw } = await givenCachedCredentials();
    await revokeKey(company.apiKey);
    clock.advance(59_999);
    expect((await withdraw()).status).toBe(201);
    clock.advance(1);
    await expectProblem(await withdraw(), UNAUTHORIZED);
  });
});

/** The Worker crashes between D1 and the object. */
const crashed = () => injectFault({ on: /^invalidateCredentials$/, when: "before" });

describe("an operator's revocation that crashed before the object was notified", () => {
  it("is not confirmed, and holds for all data of D1", async () => {
    const { company } = await givenCachedCredentials();
    const crash = crashed();
    const answer = await revoke(company, withAccounts(env, crash.intercept));
    expect(crash.injections()).toBe(1);
    expect(answer.status).toBe(500);
    await expectProblem(
      await call("/api/Transaction/company/transactions", { company }),
      UNAUTHORIZED,
    );
  });

  it("is completed by the same request again", async () => {
    const { company, withdraw } = await givenCachedCredentials();
    await revoke(company, withAccounts(env, crashed().intercept));
    expect((await withdraw()).status).toBe(201);
    const again = await revoke(company);
    expect(again.status).toBe(200);
    await expectProblem(await withdraw(), UNAUTHORIZED);
  });

  it("takes effect in the object a minute later", async () => {
    const { company, clock, withdraw } = await givenCachedCredentials();
    await revoke(company, withAccounts(env, crashed().intercept));
    clock.advance(60_000);
    await expectProblem(await withdraw(), UNAUTHORIZED);
  });
});

/** Every API call that changes a company's stored credentials or state. */
const CHANGES: Record<string, (company: TestCompany) => Promise<{ status: number }>> = {
  settings: (company) =>
    call(SETTINGS, { company, method: "PUT", body: { withdrawDailyLimit: 1 } }),
  "the sandbox's terms": (company) =>
    call("/api/v1/sandbox/settings", { company, method: "PUT", body: { minimumWithdraw: 1_001 } }),
  "the operator's terms": ({ id }) =>
    callAsOperator(`/companies/${id}/terms`, { method: "PUT", body: { minimumWithdraw: 1_001 } }),
  "the webhook URL": (company) =>
    call("/api/v1/webhooks/endpoint", {
      company,
      method: "PUT",
      body: { url: "https://loja.example.com/webhooks" },
    }),
  "the webhook secret": (company) =>
    call("/api/v1/webhooks/secret/rotate", { company, method: "POST" }),
  chaos: (company) =>
    call("/api/v1/sandbox/webhooks/chaos", { company, method: "PUT", body: { drop: 0 } }),
  "a new key": ({ id }) => callAsOperator(`/companies/${id}/keys`, { method: "POST" }),
  "a revoked key": (company) => revoke(company),
};

describe("the object is notified before the response to a change of", () => {
  it.each(Object.entries(CHANGES))("%s", async (_, change) => {
    const company = await givenCompany();
    const before = await credentialsVersionOf(env, company.id);
    expect([200, 201]).toContain((await change(company)).status);
    expect(await versionInObject(company)).toBeGreaterThan(before!);
    expect(await versionInObject(company)).toBe(await credentialsVersionOf(env, company.id));
  });

  it("two concurrent changes, in any order of notification", async () => {
    const company = await givenCompany();
    await Promise.all([
      CHANGES["settings"]!(company),
      CHANGES["the operator's terms"]!(company),
      CHANGES["a new key"]!(company),
    ]);
    expect(await versionInObject(company)).toBe(await credentialsVersionOf(env, company.id));
  });
});
