import { describe, expect, it } from "vitest";
import { SCOPES } from "../../../../src/domain/shared/company.ts";
import { givenApplication } from "../../../support/builders/companies/application.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { sharedCompany } from "../../../support/builders/companies/shared-company.ts";
import { call } from "../../../support/builders/requests/api.ts";
import {
  issueKeyOf,
  makeApplication,
  patchApplication,
  removeApplication,
  shownApplications,
  shownKeys,
  statusesOf,
} from "../../../support/builders/requests/applications.ts";
import { CONNECTION_LOST, injectFault, withD1 } from "../../../support/faults/faulty-env.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { auditEntriesOf } from "../../../support/probes/database/audit-rows.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";

const PATH = "/api/v1/applications";
const NOT_FOUND = { status: 404, code: "NOT_FOUND" };
const iso = (ms: number) => new Date(ms).toISOString();

/** A new application with a key, as a company whose calls are that application's. */
async function givenMade(company: TestCompany, body: object = {}): Promise<TestCompany> {
  const { clientId } = (await makeApplication(company, body)).body.data;
  const { key } = (await issueKeyOf(company, clientId)).body.data;
  return {
    ...company,
    clientId,
    apiKey: key,
    credentials: { "X-Client-Id": clientId, "X-API-Key": key },
  };
}

const readsBalance = (application: TestCompany) =>
  call(`/api/Balance/balance/${application.id}?currency=BRL`, { company: application });

async function addMany(company: TestCompany, count: number): Promise<void> {
  await env.DB.batch(
    Array.from({ length: count }, (_, index) =>
      env.DB.prepare(
        `INSERT INTO applications (client_id, company_id, name, scopes, created_at)
         VALUES (?, ?, 'Many', 'balance:read', 0)`,
      ).bind(`app_many_${company.id}_${index}`, company.id),
    ),
  );
}

describe("a new application", () => {
  it("has what was asked for, in canonical form, and is in the list", async () => {
    const company = await givenCompany();
    const clock = new TestClock();
    const until = iso(clock.now() + 86_400_000);
    const body = {
      name: " ERP ",
      scopes: ["withdraws:write", "balance:read", "balance:read"],
      networks: ["203.0.113.77/24", "2001:DB8::1/32"],
      expiresAt: until,
      spendingLimits: {
        dailyLimit: 50_000,
        pixKeys: ["529.982.247-25", "Maria@Example.com"],
        until,
      },
    };
    const answer = await makeApplication(company, body, { deps: { platformClock: clock } });
    expect(answer.status).toBe(201);
    await expectDocumented(`POST ${PATH}`, answer);
    const { clientId } = answer.body.data;
    expect(clientId).toMatch(/^app_[\w-]{22}$/);
    const limits = { dailyLimit: 50_000, pixKeys: ["52998224725", "maria@example.com"], until };
    expect(answer.body.data).toStrictEqual({
      id: clientId,
      clientId,
      name: "ERP",
      scopes: ["withdraws:write", "balance:read"],
      networks: ["203.0.113.0/24", "2001:db8::/32"],
      expiresAt: until,
      spendingLimits: limits,
      mandate: limits,
      refundDailyLimit: null,
      pending: [],
      createdAt: iso(clock.now()),
    });
    const list = await call(PATH, { company });
    await expectDocumented(`GET ${PATH}`, list);
    expect(list.body).toMatchObject({ after: null, hasMore: false });
    expect(list.body.items).toContainEqual(answer.body.data);
    expect(list.body.items).toHaveLength(2);
  });

  it("has no key, and its first key opens what its scopes name and nothing else", async () => {
    const company = await givenCompany();
    const made = await givenMade(company);
    expect(await shownKeys(company, made.clientId)).toHaveLength(1);
    expect((await readsBalance(made)).status).toBe(200);
    const refused = await call("/api/v1/transactions", { company: made });
    await expectProblem(refused, { status: 403, code: "FORBIDDEN" });
  });

  it.each([
    ["a name", { name: "" }, "name"],
    ["a name of blanks", { name: "  " }, "name"],
    ["a scope", { scopes: [] }, "scopes"],
    ["a scope that exists", { scopes: ["admin"] }, "scopes.0"],
    ["a list of scopes", { scopes: "balance:read" }, "scopes"],
    ["a network", { networks: [] }, "networks"],
    ["a network with a prefix", { networks: ["203.0.113.7"] }, "networks.0"],
    [
      "at most twenty networks",
      { networks: Array.from({ length: 21 }, (_, part) => `10.${part}.0.0/16`) },
      "networks",
    ],
    ["an end in the future", { expiresAt: "2020-01-01T00:00:00Z" }, "expiresAt"],
    ["an end with an offset", { expiresAt: "2030-01-01T00:00:00" }, "expiresAt"],
    ["a limit in its spending limits", { spendingLimits: {} }, "spendingLimits"],
    [
      "centavos in its spending limits",
      { spendingLimits: { dailyLimit: 1.5 } },
      "spendingLimits.dailyLimit",
    ],
    [
      "a PIX key in its spending limits",
      { spendingLimits: { pixKeys: ["x"] } },
      "spendingLimits.pixKeys.0",
    ],
    [
      "a PIX key of one kind",
      { spendingLimits: { pixKeys: ["51998259765"] } },
      "spendingLimits.pixKeys.0",
    ],
    ["known fields", { clientId: "app_mine" }, "clientId"],
  ])("VALIDATION_FAILED: needs %s", async (_, body, field) => {
    const answer = await makeApplication(await sharedCompany(), body);
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: [field] });
  });

  it("INVALID_STATE: is refused next to fifty, and made after one was deleted", async () => {
    const company = await givenCompany();
    await addMany(company, 48);
    const answers = await Promise.all([makeApplication(company, {}), makeApplication(company, {})]);
    expect(statusesOf(answers)).toEqual([201, 409]);
    await expectProblem(await makeApplication(company, {}), {
      status: 409,
      code: "INVALID_STATE",
    });
    expect(await shownApplications(company)).toHaveLength(50);
    await removeApplication(company, `app_many_${company.id}_0`);
    expect((await makeApplication(company, {})).status).toBe(201);
  });
});

describe("a repeated request for an application", () => {
  const headers = { "Idempotency-Key": "app_erp" };

  it("makes no second one and gets the first answer, whatever has changed since", async () => {
    const company = await givenCompany();
    const first = await makeApplication(company, {}, { headers });
    const { clientId } = first.body.data;
    await patchApplication(company, clientId, { name: "Renamed" });
    const again = await makeApplication(company, {}, { headers });
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    expect(again).toMatchObject({ status: 201, text: first.text });
    await removeApplication(company, clientId);
    expect((await makeApplication(company, {}, { headers })).text).toBe(first.text);
    expect(await shownApplications(company)).toHaveLength(1);
  });

  it("IDEMPOTENCY_KEY_REUSED: is refused with another body", async () => {
    const company = await givenCompany();
    await makeApplication(company, {}, { headers });
    await expectProblem(await makeApplication(company, { name: "CRM" }, { headers }), {
      status: 409,
      code: "IDEMPOTENCY_KEY_REUSED",
    });
    expect((await shownApplications(company)).map(({ name }) => name)).not.toContain("CRM");
  });

  it("makes one application when both run at once, and one for each company", async () => {
    const [company, other] = [await givenCompany(), await givenCompany()];
    const answers = await Promise.all([
      makeApplication(company, {}, { headers }),
      makeApplication(company, {}, { headers }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[0].body.data.id).toBe(answers[1].body.data.id);
    expect((await makeApplication(other, {}, { headers })).body.data.id).not.toBe(
      answers[0].body.data.id,
    );
    expect(await shownApplications(company)).toHaveLength(2);
  });

  it("is not needed when D1's response is lost", async () => {
    const company = await givenCompany();
    const lost = injectFault({
      on: /insert into "applications"/,
      when: "after",
      error: CONNECTION_LOST,
    });
    const answer = await makeApplication(company, {}, { env: withD1(env, lost.intercept) });
    expect(lost.injections()).toBe(1);
    expect(answer.status).toBe(201);
    expect(await shownApplications(company)).toHaveLength(2);
  });
});

describe("a changed application", () => {
  it("keeps what is not sent, loses limits by null, and obeys from the next request on", async () => {
    const company = await givenCompany();
    const made = await givenMade(company);
    expect((await readsBalance(made)).status).toBe(200);
    const networks = ["203.0.113.0/24"];
    const closed = await patchApplication(company, made.clientId, { networks });
    await expectDocumented(`PATCH ${PATH}/{id}`, closed);
    expect(closed.body.data).toMatchObject({ name: "ERP", networks, pending: [] });
    expect((await readsBalance(made)).status).toBe(401);
    const opened = await patchApplication(company, made.clientId, { networks: null });
    expect(opened.status).toBe(202);
    expect((await readsBalance(made)).status).toBe(401);
    await patchApplication(company, made.clientId, { scopes: ["transactions:read"] });
    expect((await shownApplications(company)).find(({ id }) => id === made.clientId)).toMatchObject(
      {
        name: "ERP",
        scopes: ["transactions:read"],
        networks,
        pending: [{ field: "networks", from: networks, to: null }],
      },
    );
  });

  it("stays as it was without fields, and is changed once when D1's response is lost", async () => {
    const company = await givenCompany();
    const { clientId } = (await makeApplication(company, {})).body.data;
    const same = await patchApplication(company, clientId, {});
    expect(same).toMatchObject({ status: 200, body: { data: { name: "ERP" } } });
    const lost = injectFault({
      on: /update "applications"/,
      when: "after",
      error: CONNECTION_LOST,
    });
    const answer = await patchApplication(
      company,
      clientId,
      { name: "CRM" },
      { env: withD1(env, lost.intercept) },
    );
    expect(lost.injections()).toBe(1);
    expect(answer).toMatchObject({ status: 200, body: { data: { name: "CRM" } } });
  });
});

describe("a deleted application", () => {
  it("is refused from the next request on, everywhere, and is gone with its keys", async () => {
    const company = await givenCompany();
    const made = await givenMade(company);
    expect((await readsBalance(made)).status).toBe(200);
    const answer = await removeApplication(company, made.clientId);
    expect(answer).toMatchObject({ status: 200, body: { data: { id: made.clientId } } });
    await expectDocumented(`DELETE ${PATH}/{id}`, answer);
    expect((await readsBalance(made)).status).toBe(401);
    expect(await shownApplications(company)).toHaveLength(1);
    await expectProblem(await removeApplication(company, made.clientId), NOT_FOUND);
    await expectProblem(await patchApplication(company, made.clientId, { name: "x" }), NOT_FOUND);
    await expectProblem(await issueKeyOf(company, made.clientId), NOT_FOUND);
    const keys = await env.DB.prepare("SELECT count(*) AS keys FROM api_keys WHERE client_id = ?")
      .bind(made.clientId)
      .first("keys");
    expect(keys).toBe(0);
  });

  it("leaves at most fifty rows, so that reads and storage do not grow with their number", async () => {
    const company = await givenCompany();
    const { meta } = await env.DB.prepare(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 300)
       INSERT INTO applications (client_id, company_id, name, scopes, created_at, deleted_at)
       SELECT 'app_old_' || ? || '_' || n, ?, 'Old', '', 0, n FROM numbers`,
    )
      .bind(company.id, company.id)
      .run();
    expect(meta.changes).toBeGreaterThanOrEqual(300);
    await makeApplication(company, {});
    const { results } = await env.DB.prepare(
      "SELECT deleted_at AS at FROM applications WHERE company_id = ? AND deleted_at > 0",
    )
      .bind(company.id)
      .all<{ at: number }>();
    expect(results.map(({ at }) => at).toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 50 }, (_, index) => 251 + index),
    );
  });
});

describe("the applications of another company", () => {
  it("NOT_FOUND: cannot be seen, changed, deleted or given keys", async () => {
    const [ours, theirs] = [await givenCompany(), await givenCompany()];
    const { clientId } = await givenApplication(theirs, { scopes: ["balance:read"] });
    for (const answer of [
      await patchApplication(ours, clientId, { name: "x" }),
      await removeApplication(ours, clientId),
      await issueKeyOf(ours, clientId),
      await call(`${PATH}/${clientId}/keys`, { company: ours }),
      await patchApplication(ours, "app_unknown", { name: "x" }),
    ]) {
      await expectProblem(answer, NOT_FOUND);
    }
    expect((await call(PATH, { company: ours })).text).not.toContain(clientId);
    expect(await shownKeys(theirs, clientId)).toHaveLength(1);
  });
});

describe("the list of applications", () => {
  it("goes on after the last one of a page", async () => {
    const company = await givenCompany();
    await addMany(company, 4);
    const ids: string[] = [];
    let after: string | null = "";
    for (let pages = 0; after !== null; pages++) {
      expect(pages).toBeLessThan(3);
      const { body }: { body: any } = await call(`${PATH}?limit=2&after=${after}`, { company });
      expect(body.hasMore).toBe(body.after !== null);
      ids.push(...body.items.map(({ id }: { id: string }) => id));
      ({ after } = body);
    }
    expect(ids).toEqual((await shownApplications(company)).map(({ id }) => id));
    expect(ids).toHaveLength(5);
  });
});

describe("the audit trail", () => {
  it("has each change before it is done, with PIX keys masked, and each refusal", async () => {
    const company = await givenCompany();
    const body = {
      scopes: ["withdraws:write"],
      spendingLimits: { pixKeys: ["529.982.247-25", "maria@example.com"] },
    };
    const { clientId } = (await makeApplication(company, body)).body.data;
    await patchApplication(company, clientId, { name: "CRM" });
    await removeApplication(company, company.clientId);
    await removeApplication(company, clientId);
    const entries = await auditEntriesOf(company.id);
    const settings = {
      scopes: "withdraws:write",
      networks: null,
      expiresAt: null,
      spendingLimits: {
        dailyLimit: null,
        pixKeys: ["***.982.247-**", "m***@example.com"],
        until: null,
      },
      refundDailyLimit: null,
    };
    expect(
      entries.map(({ action, target, before, after }) => ({ action, target, before, after })),
    ).toEqual([
      {
        action: "application.create",
        target: `application:${clientId}`,
        before: null,
        after: { name: "ERP", ...settings },
      },
      {
        action: "application.change",
        target: `application:${clientId}`,
        before: { name: "ERP", ...settings },
        after: { name: "CRM" },
      },
      expect.objectContaining({ action: "application.delete", after: null }),
      expect.objectContaining({
        action: "application.delete.refused",
        target: `application:${company.clientId}`,
      }),
      expect.objectContaining({ action: "application.delete", after: null }),
    ]);
    expect(entries[0]!.actor).toMatchObject({ kind: "application", id: company.clientId });
  });
});

it("the company's first application has every scope", async () => {
  const company = await givenCompany();
  expect(await shownApplications(company)).toMatchObject([
    { id: company.clientId, scopes: SCOPES, networks: null, expiresAt: null, spendingLimits: null },
  ]);
});
