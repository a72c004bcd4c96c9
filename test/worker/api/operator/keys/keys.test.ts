import { describe, expect, it } from "vitest";
import { call } from "../../../../support/builders/requests/api.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { issueKey } from "../../../../support/builders/companies/credentials.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { CONNECTION_LOST, injectFault, withD1 } from "../../../../support/faults/faulty-env.ts";
import { callAsOperator } from "../../../../support/builders/companies/operator.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { sharedCompany } from "../../../../support/builders/companies/shared-company.ts";

const UNKNOWN = 99_999_999;
const DOCUMENTED = "/api/v1/operator/companies/{companyId}/keys";
const HOUR_MS = 3_600_000;

const keysPath = ({ id }: { id: number }) => `/companies/${id}/keys`;
const iso = (ms: number) => new Date(ms).toISOString();

function issue(company: TestCompany, clock: TestClock, body?: object, environment = env) {
  return callAsOperator(keysPath(company), {
    method: "POST",
    deps: { platformClock: clock },
    env: environment,
    ...(body === undefined ? {} : { body }),
  });
}

function revoke(company: TestCompany, keyId: number | string, clock = new TestClock()) {
  return callAsOperator(`${keysPath(company)}/${keyId}/revoke`, {
    method: "POST",
    deps: { platformClock: clock },
  });
}

async function shown(company: TestCompany): Promise<any[]> {
  const answer = await callAsOperator(keysPath(company));
  expect(answer.status).toBe(200);
  return answer.body.items;
}

async function isAccepted(company: TestCompany, key: string, clock: TestClock): Promise<boolean> {
  const headers = { "X-Client-Id": company.clientId, "X-API-Key": key };
  const { status } = await call("/api/v1/webhooks/endpoint", {
    headers,
    deps: { platformClock: clock },
  });
  expect([200, 401]).toContain(status);
  return status === 200;
}

describe("a new key", () => {
  it.each(["sandbox", "live"] as const)("of a %s company is shown once", async (mode) => {
    const company = await givenCompany({ mode });
    const clock = new TestClock();
    const answer = await issue(company, clock);
    expect(answer.status).toBe(201);
    await expectDocumented(`POST ${DOCUMENTED}`, answer);
    const { key, warnings, ...record } = answer.body;
    expect(warnings).toEqual([expect.stringContaining("first 24 hours")]);
    expect(key).toMatch(mode === "live" ? /^sk_live_[\w-]{43}$/ : /^sk_test_[\w-]{43}$/);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect(record).toStrictEqual({
      id: expect.any(Number),
      clientId: company.clientId,
      prefix: key.slice(0, 12),
      lastUsedAt: null,
      createdAt: iso(clock.now()),
      expiresAt: null,
      revokedAt: null,
    });
    const list = await callAsOperator(keysPath(company));
    await expectDocumented(`GET ${DOCUMENTED}`, list);
    expect(list.body.items[0]).toStrictEqual(record);
    expect(list.text).not.toContain(key);
    const stored = await env.DB.prepare("SELECT * FROM api_keys WHERE company_id = ?")
      .bind(company.id)
      .all();
    for (const row of stored.results) {
      expect(JSON.stringify(row)).not.toContain(key);
      expect(list.text).not.toContain(row["key_hash"]);
    }
  });

  it("works next to the old key for a day, then alone", async () => {
    const company = await givenCompany();
    const clock = new TestClock();
    const { key } = (await issue(company, clock)).body;
    expect((await shown(company))[1].expiresAt).toBe(iso(clock.now() + 24 * HOUR_MS));
    clock.advance(24 * HOUR_MS - 1);
    expect(await isAccepted(company, company.apiKey, clock)).toBe(true);
    expect(await isAccepted(company, key, clock)).toBe(true);
    clock.advance(1);
    expect(await isAccepted(company, company.apiKey, clock)).toBe(false);
    expect(await isAccepted(company, key, clock)).toBe(true);
  });

  it("revokes the old key at once on request", async () => {
    const company = await givenCompany();
    const clock = new TestClock();
    expect(await isAccepted(company, company.apiKey, clock)).toBe(true);
    const { key } = (await issue(company, clock, { overlapHours: 0 })).body;
    expect(await isAccepted(company, company.apiKey, clock)).toBe(false);
    expect(await isAccepted(company, key, clock)).toBe(true);
  });

  it("never extends the life of the old key", async () => {
    const company = await givenCompany();
    const clock = new TestClock();
    await issue(company, clock, { overlapHours: 0 });
    const ended = (await shown(company))[1];
    clock.advance(1);
    await issue(company, clock, { overlapHours: 168 });
    expect((await shown(company))[2]).toEqual(ended);
  });

  it("INVALID_STATE: cannot be issued next to two active keys unless they end at once", async () => {
    const company = await givenCompany();
    const clock = new TestClock();
    const second = (await issue(company, clock)).body;
    const before = await shown(company);
    await expectProblem(await issue(company, clock), { status: 409, code: "INVALID_STATE" });
    expect(await shown(company)).toEqual(before);

    await revoke(company, second.id, clock);
    const third = await issue(company, clock);
    expect(third.status).toBe(201);
    expect(await isAccepted(company, second.key, clock)).toBe(false);
    const fourth = await issue(company, clock, { overlapHours: 0 });
    expect(fourth.status).toBe(201);
    expect(await isAccepted(company, third.body.key, clock)).toBe(false);
    expect(await isAccepted(company, fourth.body.key, clock)).toBe(true);
  });

  it("is issued to one of two concurrent requests when one slot is free", async () => {
    const company = await givenCompany();
    const clock = new TestClock();
    const answers = await Promise.all([issue(company, clock), issue(company, clock)]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 409]));
    expect(await shown(company)).toHaveLength(2);
  });

  it("is issued once when D1's response is lost", async () => {
    const company = await givenCompany();
    const clock = new TestClock();
    const lost = injectFault({
      on: /insert into "api_keys"/,
      when: "after",
      error: CONNECTION_LOST,
    });
    const answer = await issue(company, clock, {}, withD1(env, lost.intercept));
    expect(lost.injections()).toBe(1);
    expect(answer.status).toBe(201);
    expect(await shown(company)).toHaveLength(2);
    expect(await isAccepted(company, answer.body.key, clock)).toBe(true);
  });

  it.each([-1, 169, 1.5, "24"])("VALIDATION_FAILED: overlapHours %s", async (overlapHours) => {
    const company = await sharedCompany();
    await expectProblem(await issue(company, new TestClock(), { overlapHours }), {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: ["overlapHours"],
    });
  });
});

describe("a revoked key", () => {
  it("stops working with the next request and keeps its revocation time", async () => {
    const company = await givenCompany();
    const clock = new TestClock();
    expect(await isAccepted(company, company.apiKey, clock)).toBe(true);
    const [{ id }] = (await shown(company)) as [any];
    const answer = await revoke(company, id, clock);
    expect(answer.status).toBe(200);
    await expectDocumented(`POST ${DOCUMENTED}/{keyId}/revoke`, answer);
    expect(answer.body).toMatchObject({ id, revokedAt: iso(clock.now()) });
    expect(await isAccepted(company, company.apiKey, clock)).toBe(false);
    clock.advance(1_000);
    expect((await revoke(company, id, clock)).body).toStrictEqual(answer.body);
  });

  it("does not affect the company's other key", async () => {
    const company = await givenCompany();
    const second = await issueKey(company);
    const [, first] = (await shown(company)) as [any, any];
    await revoke(company, first.id);
    expect(await isAccepted(company, company.apiKey, new TestClock())).toBe(false);
    expect(await isAccepted(company, second, new TestClock())).toBe(true);
  });

  it("NOT_FOUND: rejects another company's key and an unknown key", async () => {
    const [ours, theirs] = [await givenCompany(), await givenCompany()];
    const [{ id }] = (await shown(theirs)) as [any];
    await expectProblem(await revoke(ours, id), { status: 404, code: "NOT_FOUND" });
    await expectProblem(await revoke(ours, UNKNOWN), { status: 404, code: "NOT_FOUND" });
    expect(await isAccepted(theirs, theirs.apiKey, new TestClock())).toBe(true);
  });

  it.each(["x", "0", "-1", "1.5"])("VALIDATION_FAILED: the number %s", async (keyId) => {
    await expectProblem(await revoke(await sharedCompany(), keyId), {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: ["keyId"],
    });
  });
});

describe("the keys of an unknown company", () => {
  it.each([
    ["GET", keysPath({ id: UNKNOWN })],
    ["POST", keysPath({ id: UNKNOWN })],
    ["POST", `${keysPath({ id: UNKNOWN })}/1/revoke`],
  ])("NOT_FOUND: %s %s", async (method, path) => {
    await expectProblem(await callAsOperator(path, { method }), { status: 404, code: "NOT_FOUND" });
  });
});
