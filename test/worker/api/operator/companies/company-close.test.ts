import { describe, expect, it } from "vitest";
import { call } from "../../../../support/builders/requests/api.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { freshIsolate } from "../../../../support/builders/companies/isolate.ts";
import { CRASH, injectFault, withD1 } from "../../../../support/faults/faulty-env.ts";
import { callAsOperator } from "../../../../support/builders/companies/operator.ts";
import { deliverCallbacks, givenPsp } from "../../../../support/builders/providers/psp.ts";
import {
  createTransaction,
  givenPaid,
  givenTransaction,
  pay,
} from "../../../../support/builders/charges/transaction.ts";
import { requestWithdraw } from "../../../../support/builders/withdraws/withdraw.ts";
import { accountsOf } from "../../../../support/probes/ledger/ledger.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";

const CLOSE = "POST /api/v1/operator/companies/{companyId}/close";
const REASON = { reason: "The contract has ended." };

const close = ({ id }: TestCompany, environment = env, body: object = REASON) =>
  callAsOperator(`/companies/${id}/close`, { body, env: environment });
const reopen = ({ id }: TestCompany) =>
  callAsOperator(`/companies/${id}/reopen`, { body: { reason: "The contract goes on." } });
const statusFor = async (company: TestCompany) =>
  (await call("/api/v1/webhooks/endpoint", { company })).status;
const cancel = (company: TestCompany, id: string, options = {}) =>
  call(`/api/v1/transactions/${id}/cancel`, { ...options, company, method: "POST" });

describe("a closed company", () => {
  it("has no valid credentials from the next request on, also in isolates that knew them", async () => {
    const company = await givenCompany();
    const deps = freshIsolate();
    const known = () => call("/api/v1/webhooks/endpoint", { company, deps });
    expect((await known()).status).toBe(200);
    const closed = await close(company);
    expect(closed.status).toBe(200);
    await expectDocumented(CLOSE, closed);
    expect(closed.body.data.closedAt).toMatch(/^\d{4}-/);
    await expectProblem(await known(), { status: 401, code: "INVALID_CREDENTIALS" });
    const create = await call("/api/v1/transactions/create", {
      company,
      deps,
      body: { amount: 1_000, paymentMethod: "PIX" },
    });
    await expectProblem(create, { status: 401, code: "INVALID_CREDENTIALS" });
    await expectProblem(await requestWithdraw(company, {}), {
      status: 401,
      code: "INVALID_CREDENTIALS",
    });
  });

  it("is closed once, with the reason in the audit trail", async () => {
    const company = await givenCompany();
    const [first, second] = [await close(company), await close(company)];
    expect(second.body).toEqual(first.body);
    const { body } = await callAsOperator(`/audit?companyId=${company.id}`);
    expect(body.items).toMatchObject([
      { action: "company.close", target: `company:${company.id}`, reason: REASON.reason },
    ]);
  });

  it("works as before when it is opened again", async () => {
    const company = await givenCompany();
    await close(company);
    const opened = await reopen(company);
    expect(opened.status).toBe(200);
    await expectDocumented(CLOSE.replace("close", "reopen"), opened);
    expect(opened.body.data.closedAt).toBeNull();
    await givenPaid(company, 1_000);
    expect((await requestWithdraw(company, {})).status).toBe(201);
    expect((await reopen(company)).body).toEqual(opened.body);
  });

  it("books the money that its PSP reports late: of a charge and in suspense", async () => {
    const world = await givenPsp();
    const { company, options, psp } = world;
    const { id } = (await createTransaction(company, {}, options)).body.data;
    expect((await cancel(company, id, options)).status).toBe(200);
    const closed = await callAsOperator(`/companies/${company.id}/close`, {
      ...options,
      body: REASON,
    });
    expect(closed.status, closed.text).toBe(200);
    psp.pay(id.replaceAll("-", ""));
    await deliverCallbacks(world);
    psp.pay(id.replaceAll("-", ""));
    await deliverCallbacks(world);
    expect(await accountsOf(company)).toMatchObject({ available: 2_500, suspense: 2_500 });
    expect(await statusFor(company)).toBe(401);
    const { body } = await callAsOperator(`/companies/${company.id}/suspense`);
    expect(body.items).toMatchObject([{ transactionId: id, amount: 2_500 }]);
  });
});

describe("INVALID_STATE: a company is not closed", () => {
  it.each([
    ["with an open charge", (company: TestCompany) => givenTransaction(company)],
    ["with money", (company: TestCompany) => givenPaid(company, 1_000)],
    [
      "with an open withdraw",
      async (company: TestCompany) => {
        await givenPaid(company, 1_000);
        await requestWithdraw(company, { amount: 1_000 });
      },
    ],
    [
      "with a payment in suspense",
      async (company: TestCompany) => {
        const { id } = await givenTransaction(company, { amount: 1_000 });
        await cancel(company, id);
        await pay(company, id, 1_000);
        await call(`/api/v1/transactions/${id}/refund`, {
          company,
          method: "POST",
          headers: { "Idempotency-Key": crypto.randomUUID() },
        });
        await pay(company, id, 1_000);
      },
    ],
    [
      "with an open dispute",
      async (company: TestCompany) => {
        const { id } = await givenPaid(company, 1_000);
        await call(`/api/v1/sandbox/transactions/${id}/dispute`, { company, method: "POST" });
      },
    ],
    [
      "in debt",
      async (company: TestCompany) => {
        const { id } = await givenPaid(company, 1_000);
        const { body } = await requestWithdraw(company, { amount: 1_000 });
        await call(`/api/v1/sandbox/withdraws/${body.id}/pay`, { company, method: "POST" });
        await call(`/api/v1/sandbox/transactions/${id}/chargeback`, { company, method: "POST" });
      },
    ],
  ])("%s", async (_case, use) => {
    const company = await givenCompany();
    await use(company);
    const trail = async () => (await callAsOperator(`/audit?companyId=${company.id}`)).body.items;
    const before = await trail();
    const refused = await close(company);
    await expectProblem(refused, { status: 409, code: "INVALID_STATE" });
    expect(refused.body.detail).toMatch(/^The company has /);
    expect(await statusFor(company)).toBe(200);
    const news = (await trail()).slice(before.length);
    expect(news.map((entry: any) => [entry.action, entry.reason])).toEqual([
      ["company.close", REASON.reason],
      ["company.close.refused", "INVALID_STATE"],
    ]);
  });

  it("when a charge arrives between the object's check and D1's", async () => {
    const company = await givenCompany();
    let raced = false;
    const slow = withD1(env, async (label, run) => {
      if (/update "companies" set "closed_at"/.test(label) && !raced) {
        raced = true;
        await givenTransaction(company);
      }
      return run();
    });
    await expectProblem(await close(company, slow), { status: 409, code: "INVALID_STATE" });
    expect(raced).toBe(true);
    expect(await statusFor(company)).toBe(200);
  });

  it("without a reason", async () => {
    const company = await givenCompany();
    for (const body of [{}, { reason: " " }]) {
      await expectProblem(await close(company, env, body), {
        status: 400,
        code: "VALIDATION_FAILED",
        fields: ["reason"],
      });
    }
    expect(await statusFor(company)).toBe(200);
  });
});

it("a close that a crash stopped half-way leaves a company that works, and is repeated", async () => {
  const company = await givenCompany();
  const crash = injectFault({ on: /"closed_at" = /, when: "before", error: CRASH });
  expect((await close(company, withD1(env, crash.intercept))).status).toBe(500);
  await givenPaid(company, 1_000);
  await requestWithdraw(company, { amount: 1_000 });
  expect(await statusFor(company)).toBe(200);
  const empty = await givenCompany();
  const again = injectFault({ on: /"closed_at" = /, when: "after", error: CRASH });
  expect((await close(empty, withD1(env, again.intercept))).status).toBe(500);
  expect((await close(empty)).status).toBe(200);
  expect(await statusFor(empty)).toBe(401);
});
