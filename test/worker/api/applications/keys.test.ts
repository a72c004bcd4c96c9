import { describe, expect, it } from "vitest";
import { givenApplication } from "../../../support/builders/companies/application.ts";
import { issueKey } from "../../../support/builders/companies/credentials.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { call } from "../../../support/builders/requests/api.ts";
import {
  issueKeyOf,
  revokeKeyOf,
  shownKeys,
  statusesOf,
} from "../../../support/builders/requests/applications.ts";
import { CONNECTION_LOST, injectFault, withD1 } from "../../../support/faults/faulty-env.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { auditEntriesOf } from "../../../support/probes/database/audit-rows.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";

const DOCUMENTED = "/api/v1/applications/{id}/keys";
const INVALID_STATE = { status: 409, code: "INVALID_STATE" };
const NOT_FOUND = { status: 404, code: "NOT_FOUND" };
const HOUR_MS = 3_600_000;

const iso = (ms: number) => new Date(ms).toISOString();

async function isAccepted(
  { clientId }: TestCompany,
  key: string,
  clock = new TestClock(),
): Promise<boolean> {
  const headers = { "X-Client-Id": clientId, "X-API-Key": key };
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
    const expiresAt = iso(clock.now() + HOUR_MS);
    const answer = await issueKeyOf(
      company,
      company.clientId,
      { expiresAt },
      { deps: { platformClock: clock } },
    );
    expect(answer.status).toBe(201);
    await expectDocumented(`POST ${DOCUMENTED}`, answer);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    const { key, ...record } = answer.body.data;
    expect(key).toMatch(mode === "live" ? /^sk_live_[\w-]{43}$/ : /^sk_test_[\w-]{43}$/);
    expect(record).toStrictEqual({
      id: expect.any(Number),
      clientId: company.clientId,
      prefix: key.slice(0, 12),
      lastUsedAt: null,
      createdAt: iso(clock.now()),
      expiresAt,
      revokedAt: null,
    });
    const list = await call(`/api/v1/applications/${company.clientId}/keys`, { company });
    await expectDocumented(`GET ${DOCUMENTED}`, list);
    expect(list.body.items[0]).toStrictEqual(record);
    expect(list.text).not.toContain(key);
    expect(JSON.stringify(await auditEntriesOf(company.id))).not.toContain(key);
  });

  it("works next to the old one for a day, or as long as was asked, or alone", async () => {
    const company = await givenCompany();
    const clock = new TestClock();
    const deps = { platformClock: clock };
    const second = (await issueKeyOf(company, company.clientId, {}, { deps })).body.data.key;
    clock.advance(24 * HOUR_MS - 1);
    expect(await isAccepted(company, company.apiKey, clock)).toBe(true);
    clock.advance(1);
    expect(await isAccepted(company, company.apiKey, clock)).toBe(false);

    const headers = { "X-Client-Id": company.clientId, "X-API-Key": second };
    const bySecond = { headers, deps };
    const third = await issueKeyOf(company, company.clientId, { overlapHours: 1 }, bySecond);
    clock.advance(HOUR_MS - 1);
    expect(await isAccepted(company, second, clock)).toBe(true);
    const byThird = {
      headers: { ...headers, "X-API-Key": third.body.data.key },
      deps,
    };
    const fourth = await issueKeyOf(company, company.clientId, { overlapHours: 0 }, byThird);
    expect(await isAccepted(company, second, clock)).toBe(false);
    expect(await isAccepted(company, third.body.data.key, clock)).toBe(false);
    expect(await isAccepted(company, fourth.body.data.key, clock)).toBe(true);
  });

  it("ends with its own end", async () => {
    const company = await givenCompany();
    const clock = new TestClock();
    const body = { expiresAt: iso(clock.now() + HOUR_MS) };
    const { key } = (
      await issueKeyOf(company, company.clientId, body, { deps: { platformClock: clock } })
    ).body.data;
    clock.advance(HOUR_MS - 1);
    expect(await isAccepted(company, key, clock)).toBe(true);
    clock.advance(1);
    expect(await isAccepted(company, key, clock)).toBe(false);
  });

  it("INVALID_STATE: is not issued next to two active ones, nor two into one place", async () => {
    const company = await givenCompany();
    const clock = new TestClock();
    const issue = () =>
      issueKeyOf(company, company.clientId, {}, { deps: { platformClock: clock } });
    const answers = await Promise.all([issue(), issue()]);
    expect(statusesOf(answers)).toEqual([201, 409]);
    await expectProblem(await issue(), INVALID_STATE);
    expect(await shownKeys(company, company.clientId)).toHaveLength(2);
  });

  it("of one application ends no key of another one", async () => {
    const company = await givenCompany();
    const other = await givenApplication(company);
    await issueKeyOf(company, other.clientId, { overlapHours: 0 });
    expect(await isAccepted(other, other.apiKey)).toBe(false);
    expect(await isAccepted(company, company.apiKey)).toBe(true);
  });

  it.each([
    [{ overlapHours: -1 }, "overlapHours"],
    [{ overlapHours: 169 }, "overlapHours"],
    [{ overlapHours: 1.5 }, "overlapHours"],
    [{ expiresAt: "2020-01-01T00:00:00Z" }, "expiresAt"],
    [{ expiresAt: "tomorrow" }, "expiresAt"],
    [{ scopes: [] }, "scopes"],
  ])("VALIDATION_FAILED: %j", async (body, field) => {
    const company = await givenCompany();
    await expectProblem(await issueKeyOf(company, company.clientId, body), {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: [field],
    });
    expect(await shownKeys(company, company.clientId)).toHaveLength(1);
  });
});

describe("a repeated request for a key", () => {
  const headers = { "Idempotency-Key": "key_1" };

  it("IDEMPOTENCY_KEY_REUSED: issues no second key, ends no other, and names the first", async () => {
    const company = await givenCompany();
    const first = (await issueKeyOf(company, company.clientId, {}, { headers })).body.data;
    const before = await shownKeys(company, company.clientId);
    for (const body of [{}, { overlapHours: 0 }]) {
      const again = await issueKeyOf(company, company.clientId, body, { headers });
      await expectProblem(again, { status: 409, code: "IDEMPOTENCY_KEY_REUSED" });
      expect(again.body.detail).toContain(`the key ${first.id} (${first.prefix}`);
    }
    expect(await shownKeys(company, company.clientId)).toEqual(before);
  });

  it("issues one key when both run at once, and one for each application", async () => {
    const company = await givenCompany();
    const other = await givenApplication(company);
    const answers = await Promise.all(
      Array.from({ length: 2 }, () => issueKeyOf(company, company.clientId, {}, { headers })),
    );
    expect(statusesOf(answers)).toEqual([201, 409]);
    expect((await issueKeyOf(company, other.clientId, {}, { headers })).status).toBe(201);
  });

  it("is not needed when D1's response is lost", async () => {
    const company = await givenCompany();
    const lost = injectFault({
      on: /insert into "api_keys"/,
      when: "after",
      error: CONNECTION_LOST,
    });
    const environment = withD1(env, lost.intercept);
    const answer = await issueKeyOf(company, company.clientId, {}, { headers, env: environment });
    expect(lost.injections()).toBe(1);
    expect(answer.status).toBe(201);
    expect(await isAccepted(company, answer.body.data.key)).toBe(true);
    expect(await shownKeys(company, company.clientId)).toHaveLength(2);
  });
});

describe("a revoked key", () => {
  it("stops with the next request, keeps its time, and leaves other keys alone", async () => {
    const company = await givenCompany();
    const second = await issueKey(company);
    const [{ id }] = (await shownKeys(company, company.clientId)) as [any];
    expect(await isAccepted(company, second)).toBe(true);
    const answer = await revokeKeyOf(company, company.clientId, id);
    await expectDocumented(`DELETE ${DOCUMENTED}/{keyId}`, answer);
    expect(answer).toMatchObject({ status: 200, body: { data: { id } } });
    expect(await isAccepted(company, second)).toBe(false);
    expect(await isAccepted(company, company.apiKey)).toBe(true);
    const [revoked] = await shownKeys(company, company.clientId);
    expect((await revokeKeyOf(company, company.clientId, id)).body.data).toEqual(revoked);
    expect(await shownKeys(company, company.clientId)).toContainEqual(revoked);
  });

  it("NOT_FOUND: is not another application's or company's", async () => {
    const [company, theirs] = [await givenCompany(), await givenCompany()];
    const other = await givenApplication(company);
    const [[ofOther], [ofTheirs]] = [
      await shownKeys(company, other.clientId),
      await shownKeys(theirs, theirs.clientId),
    ];
    for (const id of [ofOther.id, ofTheirs.id, 99_999_999]) {
      await expectProblem(await revokeKeyOf(company, company.clientId, id), NOT_FOUND);
    }
    expect(await isAccepted(other, other.apiKey)).toBe(true);
    expect(await isAccepted(theirs, theirs.apiKey)).toBe(true);
  });

  it.each(["x", "0", "-1"])("VALIDATION_FAILED: the number %s", async (keyId) => {
    const company = await givenCompany();
    await expectProblem(await revokeKeyOf(company, company.clientId, keyId), {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: ["keyId"],
    });
  });
});

describe("many rotations", () => {
  it("leave the newest twenty keys and those that are active, so that authentication reads no more", async () => {
    const company = await givenCompany();
    await env.DB.prepare(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 300)
       INSERT INTO api_keys (company_id, client_id, key_hash, created_at, expires_at)
       SELECT ?, ?, 'old' || ? || '_' || n, 0, n FROM numbers`,
    )
      .bind(company.id, company.clientId, company.id)
      .run();
    const { key } = (await issueKeyOf(company, company.clientId)).body.data;
    const rows = await shownKeys(company, company.clientId);
    expect(rows).toHaveLength(21);
    expect(rows.filter(({ expiresAt }) => expiresAt !== null && expiresAt < "1971")).toHaveLength(
      19,
    );
    expect(await isAccepted(company, key)).toBe(true);
    expect(await isAccepted(company, company.apiKey)).toBe(true);
  });

  it("are read page by page", async () => {
    const company = await givenCompany();
    for (let keys = 0; keys < 4; keys++) await issueKey(company, { revokedAt: 1 });
    const path = `/api/v1/applications/${company.clientId}/keys`;
    const first = (await call(`${path}?limit=3`, { company })).body;
    expect(first).toMatchObject({ hasMore: true, after: String(first.items[2].id) });
    const second = (await call(`${path}?limit=3&after=${first.after}`, { company })).body;
    expect(second).toMatchObject({ hasMore: false, after: null });
    expect([...first.items, ...second.items]).toEqual(await shownKeys(company, company.clientId));
  });
});

it("the audit trail names the application, the key's first characters and the revoked key", async () => {
  const company = await givenCompany();
  const issued = (await issueKeyOf(company, company.clientId)).body.data;
  await revokeKeyOf(company, company.clientId, issued.id);
  expect(await auditEntriesOf(company.id)).toMatchObject([
    {
      action: "key.issue",
      target: `application:${company.clientId}`,
      after: { prefix: issued.prefix, overlapHours: 24, expiresAt: null },
    },
    { action: "key.revoke", target: `application:${company.clientId} key:${issued.id}` },
  ]);
});
