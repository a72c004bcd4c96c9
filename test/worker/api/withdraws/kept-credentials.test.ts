import { describe, expect, it } from "vitest";
import { credentialsVersionOf } from "../../../../src/db/companies/credentials-version.ts";
import { call, type Call } from "../../../support/builders/api.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import {
  env,
  givenCompany,
  inAccount,
  type TestCompany,
} from "../../../support/builders/company.ts";
import { revokeKey } from "../../../support/builders/credentials.ts";
import { fault, withAccounts } from "../../../support/faults/faulty-env.ts";
import { leavingNoTrace } from "../../../support/probes/footprint.ts";
import { anIsolate } from "../../../support/faults/isolate.ts";
import { operate } from "../../../support/builders/operator.ts";
import { expectProblem } from "../../../support/probes/problem.ts";
import { countedTrips } from "../../../support/probes/trips.ts";
import { requestWithdraw } from "../../../support/builders/withdraw.ts";

const UNAUTHORIZED = { status: 401, code: "INVALID_CREDENTIALS" };
const SETTINGS = "/api/v1/company/settings";

/** A company whose withdraws an isolate has served before, with what it keeps since. */
async function givenKept() {
  const company = await givenCompany({ balance: 10_000 });
  const clock = new TestClock();
  const deps = { ...anIsolate(), clock };
  const withdraw = (options: Call & { key?: string } = {}, body = {}) =>
    requestWithdraw(company, body, { deps, ...options });
  const first = await withdraw({ key: "wd_first" });
  expect(first.status).toBe(201);
  return { company, clock, withdraw, first };
}

async function keyIdOf(company: TestCompany): Promise<number> {
  const { body } = await operate(`/companies/${company.id}/keys`);
  return body.items[0].id;
}

async function revoke(company: TestCompany, environment = env) {
  const path = `/companies/${company.id}/keys/${await keyIdOf(company)}/revoke`;
  return operate(path, { method: "POST", env: environment });
}

/** What the company's object was told. */
function toldTo(company: TestCompany): Promise<number | null> {
  return inAccount(
    company.id,
    (_account, { storage }) =>
      storage.sql
        .exec<{ value: number | null }>("SELECT credentials_version AS value FROM company")
        .one().value,
  );
}

describe("a withdraw asked for with what another isolate has kept", () => {
  it("INVALID_CREDENTIALS: is refused with the request that follows the key's revocation", async () => {
    const { company, withdraw } = await givenKept();
    expect((await revoke(company)).status).toBe(200);
    await leavingNoTrace(company, async () => {
      await expectProblem(await withdraw(), UNAUTHORIZED);
      await expectProblem(await withdraw({ key: "wd_first" }), UNAUTHORIZED);
      await expectProblem(await withdraw({ headers: { "X-Dry-Run": "true" } }), UNAUTHORIZED);
    });
  });

  it("INVALID_CREDENTIALS: comes before what is wrong with the request", async () => {
    const { company, withdraw } = await givenKept();
    await revokeKey(company.apiKey);
    await expectProblem(await withdraw({}, { amount: "much" }), UNAUTHORIZED);
  });

  it("is judged as it is where its key holds", async () => {
    const { withdraw } = await givenKept();
    await expectProblem(await withdraw({}, { amount: "much" }), {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: ["amount"],
    });
    await expectProblem(await withdraw({}, { amount: 999_999 }), {
      status: 422,
      code: "INSUFFICIENT_BALANCE",
      extensions: { available: 9_000, required: 999_999 },
    });
  });

  it("is held to the limit that was set just before, in one trip more, and then in one again", async () => {
    const { company, withdraw } = await givenKept();
    const changed = await call(SETTINGS, {
      company,
      method: "PUT",
      body: { withdrawDailyLimit: 1_999 },
      deps: anIsolate(),
    });
    expect(changed.status).toBe(200);
    const trips = countedTrips();
    const refused = await withdraw({ env: trips.env });
    await expectProblem(refused, {
      status: 422,
      code: "DAILY_LIMIT_EXCEEDED",
      extensions: { limit: 1_999, withdrawnToday: 1_000 },
    });
    expect(trips.lap().trips).toEqual(["requestWithdraw", expect.any(String), "requestWithdraw"]);
    expect((await withdraw({ env: trips.env }, { amount: 999 })).status).not.toBe(201);
    expect(trips.lap().inSequence).toBeLessThanOrEqual(1);
  });

  it("replays what it made, after a change that leaves the caller its rights", async () => {
    const { company, withdraw, first } = await givenKept();
    await call(SETTINGS, { company, method: "PUT", body: { duplicateWithdrawGuard: true } });
    const again = await withdraw({ key: "wd_first" });
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    expect(again.text).toBe(first.text);
  });

  it("INVALID_CREDENTIALS: after a revocation by hand in SQL, a minute later at the latest", async () => {
    const { company, clock, withdraw } = await givenKept();
    await revokeKey(company.apiKey);
    clock.advance(59_999);
    expect((await withdraw()).status).toBe(201);
    clock.advance(1);
    await expectProblem(await withdraw(), UNAUTHORIZED);
  });
});

/** The Worker dies between D1 and the object. */
const died = () => fault({ on: /^tellCredentialsVersion$/, when: "before" });

describe("an operator's revocation that died before the object was told", () => {
  it("is not answered as done, and holds for all that D1 owns", async () => {
    const { company } = await givenKept();
    const crash = died();
    const answer = await revoke(company, withAccounts(env, crash.around));
    expect(crash.strikes()).toBe(1);
    expect(answer.status).toBe(500);
    await expectProblem(
      await call("/api/Transaction/company/transactions", { company }),
      UNAUTHORIZED,
    );
  });

  it("is made good by the same request once more", async () => {
    const { company, withdraw } = await givenKept();
    await revoke(company, withAccounts(env, died().around));
    expect((await withdraw()).status).toBe(201);
    const again = await revoke(company);
    expect(again.status).toBe(200);
    await expectProblem(await withdraw(), UNAUTHORIZED);
  });

  it("ends by itself a minute later", async () => {
    const { company, clock, withdraw } = await givenKept();
    await revoke(company, withAccounts(env, died().around));
    clock.advance(60_000);
    await expectProblem(await withdraw(), UNAUTHORIZED);
  });
});

/** Every way of the API to change what authentication reads of a company. */
const CHANGES: Record<string, (company: TestCompany) => Promise<{ status: number }>> = {
  settings: (company) =>
    call(SETTINGS, { company, method: "PUT", body: { withdrawDailyLimit: 1 } }),
  "the sandbox's terms": (company) =>
    call("/api/v1/sandbox/settings", { company, method: "PUT", body: { minimumWithdraw: 1_001 } }),
  "the operator's terms": ({ id }) =>
    operate(`/companies/${id}/terms`, { method: "PUT", body: { minimumWithdraw: 1_001 } }),
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
  "a new key": ({ id }) => operate(`/companies/${id}/keys`, { method: "POST" }),
  "a revoked key": (company) => revoke(company),
};

describe("the object is told before the answer of a change of", () => {
  it.each(Object.entries(CHANGES))("%s", async (_, change) => {
    const company = await givenCompany();
    const before = await credentialsVersionOf(env, company.id);
    expect([200, 201]).toContain((await change(company)).status);
    expect(await toldTo(company)).toBeGreaterThan(before!);
    expect(await toldTo(company)).toBe(await credentialsVersionOf(env, company.id));
  });

  it("two at once, whichever is told last", async () => {
    const company = await givenCompany();
    await Promise.all([
      CHANGES["settings"]!(company),
      CHANGES["the operator's terms"]!(company),
      CHANGES["a new key"]!(company),
    ]);
    expect(await toldTo(company)).toBe(await credentialsVersionOf(env, company.id));
  });
});
