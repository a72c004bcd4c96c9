import { describe, expect, it } from "vitest";
import {
  CONNECTION_LOST,
  CRASH,
  injectFault,
  withD1,
} from "../../../../support/faults/faulty-env.ts";
import { env, givenCompany } from "../../../../support/builders/companies/company.ts";
import { callAsOperator } from "../../../../support/builders/companies/operator.ts";
import { createTransaction } from "../../../../support/builders/charges/transaction.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { call } from "../../../../support/builders/requests/api.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";

const COMPANIES = "/api/v1/operator/companies";
const ORDER = {
  name: "Loja d'Água",
  mode: "sandbox",
  document: "11.222.333/0001-81",
  pixKey: "11222333000181",
  pixKeyType: "CNPJ",
};
let counter = 0;
const newKey = () => `company-${(counter += 1)}`;

function create(body: object = ORDER, key: string | null = newKey(), environment = env) {
  const headers: Record<string, string> = key === null ? {} : { "Idempotency-Key": key };
  return callAsOperator("/companies", { body, headers, env: environment });
}

async function companiesOf(providerCompanyId: string): Promise<number> {
  const row = env.DB.prepare("SELECT count(*) AS n FROM companies WHERE provider_company_id = ?");
  return (await row.bind(providerCompanyId).first<number>("n")) ?? 0;
}

const merchantOf = ({ application, key }: any) => ({
  credentials: { "X-Client-Id": application.clientId, "X-API-Key": key },
});

describe("a new company", () => {
  it("has the next number, credentials that work, and the duplicate guard", async () => {
    const clock = new TestClock();
    const { id: before } = await givenCompany();
    const created = await callAsOperator("/companies", {
      body: ORDER,
      deps: { platformClock: clock },
    });
    expect(created.status).toBe(201);
    await expectDocumented(`POST ${COMPANIES}`, created);
    expect(created.headers.get("Cache-Control")).toBe("no-store");
    const { application, key, webhookSecret, ...company } = created.body.data;
    expect(company).toStrictEqual({
      id: before + 1,
      name: "Loja d'Água",
      mode: "sandbox",
      providerCompanyId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      document: "11222333000181",
      pixKey: "11222333000181",
      pixKeyType: "CNPJ",
      database: "DB",
      createdAt: new Date(clock.now()).toISOString(),
      closedAt: null,
    });
    expect(key).toMatch(/^sk_test_[\w-]{43}$/);
    expect(webhookSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const shown = await callAsOperator(`/companies/${company.id}`);
    await expectDocumented(`GET ${COMPANIES}/{companyId}`, shown);
    expect(shown.body.data).toStrictEqual(company);

    const merchant = merchantOf(created.body.data);
    const settings = await call("/api/v1/company/settings", { company: merchant });
    expect(settings.body).toMatchObject({ duplicateWithdrawGuard: true });
    const charge = await call("/api/v1/transactions/create", {
      company: merchant,
      body: { amount: 1_000, paymentMethod: "PIX" },
    });
    expect(charge.status).toBe(200);
    const stored = await env.DB.batch([
      env.DB.prepare("SELECT * FROM companies WHERE id = ?").bind(company.id),
      env.DB.prepare("SELECT * FROM api_keys WHERE company_id = ?").bind(company.id),
      env.DB.prepare("SELECT * FROM audit_entries WHERE company_id IN (0, ?)").bind(company.id),
    ]);
    for (const { results } of stored) {
      expect(JSON.stringify(results)).not.toContain(key);
      expect(JSON.stringify(results)).not.toContain(webhookSecret);
    }
    expect(JSON.stringify(stored[2]?.results)).not.toContain("11222333000181");
    expect(application.clientId).toMatch(/^app_[0-9a-f]{32}$/);
  });

  it("that is live has a live key and no sandbox", async () => {
    const { body } = await create({ name: "Loja", mode: "live" });
    expect(body.data.key).toMatch(/^sk_live_/);
    expect(body.data).toMatchObject({ document: "", pixKey: null, pixKeyType: null });
    const sandbox = await call("/api/v1/sandbox/settings", { company: merchantOf(body.data) });
    await expectProblem(sandbox, { status: 403, code: "FORBIDDEN" });
  });

  it.each([
    ["no name", { ...ORDER, name: undefined }, ["name"]],
    ["a blank name", { ...ORDER, name: "  " }, ["name"]],
    ["no mode", { ...ORDER, mode: undefined }, ["mode"]],
    ["a mode that does not exist", { ...ORDER, mode: "test" }, ["mode"]],
    ["a wrong document", { ...ORDER, document: "11222333000182" }, ["document"]],
    ["a PIX key of another type", { ...ORDER, pixKey: "a@b.com", pixKeyType: "CPF" }, ["pixKey"]],
    [
      "a key that may be a CPF or a phone",
      { name: "Loja", mode: "live", pixKey: "11987654321" },
      ["pixKeyType"],
    ],
    ["a type without a key", { name: "Loja", mode: "live", pixKeyType: "CPF" }, ["pixKey"]],
    ["a database that is not bound", { ...ORDER, database: "DB_9" }, ["database"]],
    ["a number of its own", { ...ORDER, id: 7 }, ["id"]],
  ])("VALIDATION_FAILED: %s", async (_case, body, fields) => {
    const { id: before } = await givenCompany();
    const refused = await create(body);
    await expectProblem(refused, { status: 400, code: "VALIDATION_FAILED", fields });
    expect((await givenCompany()).id).toBe(before + 1);
  });
});

describe("a repeated request", () => {
  it("makes no second company and shows no secret again", async () => {
    const key = newKey();
    const first = await create(ORDER, key);
    const again = await create(ORDER, key);
    expect(again.status).toBe(201);
    await expectDocumented(`POST ${COMPANIES}`, again);
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    expect(again.body.data).toStrictEqual({ ...first.body.data, key: null, webhookSecret: null });
    const other = await create({ ...ORDER, name: "Outra" }, key);
    await expectProblem(other, { status: 409, code: "IDEMPOTENCY_KEY_REUSED" });
  });

  it("with another key or none makes another company", async () => {
    const made = [
      await create(),
      await create(),
      await create(ORDER, null),
      await create(ORDER, null),
    ];
    const ids = made.map(({ body }) => body.data.id);
    expect(new Set(ids).size).toBe(4);
  });

  it("ten at once make one company with one working key", async () => {
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(ORDER, key)));
    for (const { status } of answers) expect([201, 409]).toContain(status);
    const made = answers.filter(({ status, body }) => status === 201 && body.data.key !== null);
    expect(made).toHaveLength(1);
    const { data } = made[0]!.body;
    expect(await companiesOf(data.providerCompanyId)).toBe(1);
    const settings = await call("/api/v1/company/settings", { company: merchantOf(data) });
    expect(settings.status).toBe(200);
    const keys = await callAsOperator(`/companies/${data.id}/keys`);
    expect(keys.body.items).toHaveLength(1);
  });

  it.each([
    ["the number was taken", /insert into "audit_entries"/],
    ["the audit trail had it", /insert into "companies"/],
  ])("finishes a company that a crash left after %s", async (_case, on) => {
    const key = newKey();
    const crash = injectFault({ on, when: "before", error: CRASH });
    const crashed = await create(ORDER, key, withD1(env, crash.intercept));
    expect(crashed.status).toBe(500);
    const done = await create(ORDER, key);
    expect(done.status).toBe(201);
    expect(done.body.data.key).not.toBeNull();
    const { id } = await givenCompany();
    expect(id).toBe(done.body.data.id + 1);
  });

  it.each([
    ["the claim", /insert into "company_creations"/],
    ["the company", /insert into "companies"/],
  ])("is not needed when D1's answer to %s is lost", async (_case, on) => {
    const lost = injectFault({ on, when: "after", error: CONNECTION_LOST });
    const created = await create(ORDER, newKey(), withD1(env, lost.intercept));
    expect(lost.injections()).toBe(1);
    const { data } = created.body;
    expect(await companiesOf(data.providerCompanyId)).toBe(1);
    const settings = await call("/api/v1/company/settings", { company: merchantOf(data) });
    expect(settings.status).toBe(200);
  });
});

it("companies made at once have different numbers", async () => {
  const { id: before } = await givenCompany();
  const made = await Promise.all(Array.from({ length: 8 }, () => create(ORDER, null)));
  const ids = made.map(({ body }) => body.data.id).toSorted((left, right) => left - right);
  expect(ids).toEqual(Array.from({ length: 8 }, (_, index) => before + 1 + index));
  const known = await createTransaction({
    ...(await givenCompany()),
    ...merchantOf(made[3]!.body.data),
  });
  expect(known.status).toBe(200);
});
