import { describe, expect, it } from "vitest";
import { call } from "../../support/builders/requests/api.ts";
import { env, givenCompany, type TestCompany } from "../../support/builders/companies/company.ts";
import { callAsOperator, givenOperator } from "../../support/builders/companies/operator.ts";
import { CRASH, injectFault, withD1 } from "../../support/faults/faulty-env.ts";
import { expectDocumented } from "../../support/probes/http/documented.ts";
import { expectProblem } from "../../support/probes/http/problem.ts";
import { verifyAuditTrail } from "../../../tools/lib/audit-verdict.ts";

const SETTINGS = "/api/v1/company/settings";
const ADDRESS = { "CF-Connecting-IP": "203.0.113.7" };

const change = (
  company: TestCompany,
  body: object = { withdrawDailyLimit: 5_000 },
  environment = env,
) => call(SETTINGS, { company, method: "PUT", body, headers: ADDRESS, env: environment });
const trail = (company: TestCompany, query = "?limit=100") =>
  call(`/api/v1/audit${query}`, { company });
const gatewayTrail = async () => {
  const items: any[] = [];
  for (let after = "0"; ;) {
    const { body } = await callAsOperator(`/audit?limit=100&after=${after}`);
    items.push(...body.items);
    if (!body.hasMore) return items;
    after = body.after;
  }
};

describe("an application's action", () => {
  it("is in its company's trail with actor, key, address, trace, before and after", async () => {
    const company = await givenCompany();
    const changed = await change(company);
    expect(changed.status).toBe(200);
    const answer = await trail(company);
    expect(answer.status).toBe(200);
    await expectDocumented("GET /api/v1/audit", answer);
    expect(answer.body).toStrictEqual({
      items: [
        {
          companyId: company.id,
          sequence: 1,
          at: expect.stringMatching(/^\d{4}-.*Z$/),
          actor: { kind: "application", id: company.clientId, name: "default" },
          keyPrefix: company.apiKey.slice(0, 12),
          action: "settings.change",
          target: `company:${company.id}`,
          before: expect.objectContaining({ withdrawDailyLimit: null }),
          after: { withdrawDailyLimit: 5_000 },
          reason: null,
          address: "203.0.113.7",
          traceId: changed.headers.get("X-Trace-Id"),
          hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      ],
      after: null,
      hasMore: false,
    });
    expect(answer.text).not.toContain(company.apiKey);
  });

  it("is not in the gateway's trail, nor in another company's", async () => {
    const [company, other] = [await givenCompany(), await givenCompany()];
    await change(company);
    expect((await trail(other)).body.items).toEqual([]);
    const targets = (await gatewayTrail()).map((entry) => entry.actor.id);
    expect(targets).not.toContain(company.clientId);
  });

  it("leaves no query of a webhook's URL and no secret", async () => {
    const company = await givenCompany();
    const url = "https://loja.example.com/webhooks?token=very-secret";
    await call("/api/v1/webhooks/endpoint", { company, method: "PUT", body: { url } });
    await call("/api/v1/webhooks/secret/rotate", { company, method: "POST" });
    const { body, text } = await trail(company);
    expect(body.items.map((entry: any) => [entry.action, entry.after])).toEqual([
      ["endpoint.change", { url: "https://loja.example.com/webhooks" }],
      ["webhook_secret.rotate", { overlapHours: 24 }],
    ]);
    expect(text).not.toMatch(/very-secret|whsec_/);
  });

  it("that froze a sandbox company says so", async () => {
    const company = await givenCompany();
    for (const frozen of [true, true, false]) {
      await call("/api/v1/sandbox/settings", { company, method: "PUT", body: { frozen } });
    }
    const { body } = await trail(company);
    expect(body.items.map((entry: any) => entry.action)).toEqual([
      "company.freeze",
      "terms.change",
      "company.unfreeze",
    ]);
  });
});

describe("an operator's action", () => {
  it("is in both trails, and only the gateway's has the operator's address", async () => {
    const company = await givenCompany();
    const admin = await givenOperator("admin");
    const frozen = await call(`/api/v1/operator/companies/${company.id}/terms`, {
      company: admin,
      method: "PUT",
      body: { frozen: true, reason: "A court order." },
      headers: ADDRESS,
    });
    expect(frozen.status).toBe(200);
    const actor = { kind: "operator", id: admin.clientId, name: "Operator admin" };
    const common = { actor, keyPrefix: admin.key.slice(0, 16), action: "company.freeze" };
    const [own] = (await trail(company)).body.items;
    const target = `company:${company.id}`;
    expect(own).toMatchObject({ ...common, target, reason: "A court order.", address: null });
    const theirs = (await gatewayTrail()).at(-1);
    expect(theirs).toMatchObject({ ...common, companyId: 0, target, address: "203.0.113.7" });
  });

  it("that approves his own proposal is followed by the refusal", async () => {
    const company = await givenCompany();
    const frozen = { body: { reason: "A key was stolen." } };
    await callAsOperator(`/companies/${company.id}/freeze`, frozen);
    const path = `/companies/${company.id}/freeze`;
    const proposed = await callAsOperator(path, { method: "DELETE" });
    expect(proposed.status).toBe(202);
    const own = await callAsOperator(`/proposals/${proposed.body.data.id}/approve`, {
      body: { reason: "I have read it." },
    });
    await expectProblem(own, { status: 409, code: "INVALID_STATE" });
    const { body } = await trail(company);
    const target = `company:${company.id}`;
    expect(body.items.slice(-2)).toMatchObject([
      { action: "company.unfreeze", target, after: { approvalReason: "I have read it." } },
      { action: "company.unfreeze.refused", target, reason: "INVALID_STATE" },
    ]);
    expect((await gatewayTrail()).at(-1)).toMatchObject({ action: "company.unfreeze.refused" });
  });

  it("that is refused is followed by the refusal", async () => {
    const company = await givenCompany();
    await callAsOperator(`/companies/${company.id}/withdraws/7/decide`, {
      body: { outcome: "failed", reason: "The bank says so." },
    });
    const { body } = await trail(company);
    expect(body.items).toMatchObject([
      {
        action: "proposal.create",
        target: "withdraw:7",
        after: { decides: "payout.decide", outcome: "failed" },
        reason: "The bank says so.",
      },
      { action: "proposal.create.refused", target: "withdraw:7", reason: "NOT_FOUND" },
    ]);
    const entry = (await gatewayTrail()).at(-1);
    expect(entry.target).toBe(`company:${company.id} withdraw:7`);
  });
});

describe("the pages of a trail", () => {
  it("show every entry once, oldest first, and verify together", async () => {
    const company = await givenCompany();
    for (let made = 0; made < 5; made++) await change(company, { withdrawDailyLimit: made });
    const items: any[] = [];
    for (let after = "0"; ;) {
      const { body } = await trail(company, `?limit=2&after=${after}`);
      items.push(...body.items);
      expect(body.hasMore).toBe(body.after !== null);
      if (!body.hasMore) break;
      after = body.after;
    }
    expect(items.map((entry) => entry.after.withdrawDailyLimit)).toEqual([0, 1, 2, 3, 4]);
    expect(verifyAuditTrail(items).error).toBeNull();
    const asOperator = await callAsOperator(`/audit?companyId=${company.id}&limit=100`);
    await expectDocumented("GET /api/v1/operator/audit", asOperator);
    expect(asOperator.body.items).toEqual(items);
    expect(verifyAuditTrail(await gatewayTrail()).error).toBeNull();
  });

  it.each(["after=-1", "after=x", "limit=0", "limit=101"])("refuse %s", async (query) => {
    const answer = await trail(await givenCompany(), `?${query}`);
    const fields = [query.split("=")[0]!];
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields });
  });
});

describe("when the trail cannot be written", () => {
  const ENTRY = /insert into "audit_entries"/;

  it("STORAGE_UNAVAILABLE: the action is not done", async () => {
    const company = await givenCompany();
    const fault = injectFault({
      on: ENTRY,
      when: "before",
      error: "D1_ERROR: no answer",
      times: 9,
    });
    const answer = await change(company, undefined, withD1(env, fault.intercept));
    await expectProblem(answer, { status: 503, code: "STORAGE_UNAVAILABLE", retryAfter: true });
    const { body } = await call(SETTINGS, { company });
    expect(body.withdrawDailyLimit).toBeNull();
    expect((await change(company)).status).toBe(200);
  });

  it("a crash between the entry and the action leaves the entry, and a repeat does the action", async () => {
    const company = await givenCompany();
    const crash = injectFault({ on: /update "companies"/, when: "before", error: CRASH });
    expect((await change(company, undefined, withD1(env, crash.intercept))).status).toBe(500);
    expect((await call(SETTINGS, { company })).body.withdrawDailyLimit).toBeNull();
    expect((await trail(company)).body.items).toHaveLength(1);
    expect((await change(company)).status).toBe(200);
    expect((await trail(company)).body.items).toHaveLength(2);
  });
});
