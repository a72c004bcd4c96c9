import { describe, expect, it } from "vitest";
import { STATIC_CODES_MAX } from "../../../../../src/api/pix/static-codes/repository.ts";
import { parseBrCode } from "../../../../../src/methods/pix/br-code-parser.ts";
import { call, type Answer } from "../../../../support/builders/requests/api.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { sharedCompany } from "../../../../support/builders/companies/shared-company.ts";
import {
  refund,
  resolveDispute,
  simulate,
} from "../../../../support/builders/operations/refund.ts";
import { pay as payTransaction } from "../../../../support/builders/charges/transaction.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { anyEndToEndId, anyTime } from "../../../../support/probes/http/matchers.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { accountsOf } from "../../../../support/probes/ledger/ledger.ts";
import { expectNoSideEffects } from "../../../../support/probes/ledger/footprint.ts";
import { eventsOf } from "../../../../support/probes/webhooks/webhook-rows.ts";

const PATH = "/api/v1/pix/static-codes";

const create = (company: TestCompany, body: object = {}, key?: string): Promise<Answer> =>
  call(PATH, {
    company,
    body,
    ...(key === undefined ? {} : { headers: { "Idempotency-Key": key } }),
  });
const givenCode = async (company: TestCompany, body: object = {}) =>
  (await create(company, body)).body.data;
const pay = (company: TestCompany, id: string, body: object = {}): Promise<Answer> =>
  call(`/api/v1/sandbox/pix/static-codes/${id}/pay`, { company, body });

describe("a static code", () => {
  it("is a BR Code to the key with its txid, and is shown, listed and replayed as it was made", async () => {
    const company = await givenCompany();

    const answer = await create(company, { amount: 50_000, description: "Bar do João" }, "code_1");

    expect(answer.status).toBe(201);
    const { data } = answer.body;
    expect(data).toStrictEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      qrcode: expect.any(String),
      txid: expect.stringMatching(/^[0-9a-z]{25}$/),
      description: "Bar do João",
      amount: 50_000,
      createdAt: anyTime,
      deletedAt: null,
    });
    expect(parseBrCode(data.qrcode)).toMatchObject({
      valid: true,
      content: {
        kind: "static",
        key: "00000000-0000-4000-8000-000000000000",
        amount: 50_000,
        txid: data.txid,
        description: "Bar do Joao",
        reusable: true,
      },
    });
    await expectDocumented(`POST ${PATH}`, answer);
    const other = await givenCode(company);
    expect(other).toMatchObject({ amount: null, description: "" });
    const replayed = await create(
      company,
      { amount: 50_000, description: "Bar do João" },
      "code_1",
    );
    expect(replayed.body).toEqual(answer.body);
    expect(replayed.headers.get("Idempotent-Replayed")).toBe("true");
    await expectProblem(await create(company, { amount: 1 }, "code_1"), {
      status: 409,
      code: "IDEMPOTENCY_KEY_REUSED",
    });
    const shown = await call(`${PATH}/${data.id.toUpperCase()}`, { company });
    expect(shown.body).toEqual({ data });
    await expectDocumented(`GET ${PATH}/{id}`, shown);
    const first = await call(`${PATH}?limit=1`, { company });
    expect(first.body).toEqual({ items: [other], after: "2", hasMore: true });
    await expectDocumented(`GET ${PATH}`, first);
    const second = await call(`${PATH}?limit=1&after=2`, { company });
    expect(second.body).toEqual({ items: [data], after: "1", hasMore: false });
  });

  it("two requests with one key at once make one code", async () => {
    const company = await givenCompany();
    const answers = await Promise.all([1, 2].map(() => create(company, {}, "code_1")));
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
  });

  it("is made up to the most codes of a company", async () => {
    const company = await givenCompany();
    const { id } = await givenCode(company);
    await env.DB.prepare("UPDATE static_codes SET number = ? WHERE company_id = ?")
      .bind(STATIC_CODES_MAX, company.id)
      .run();
    await expectProblem(await create(company), { status: 409, code: "INVALID_STATE" });
    expect((await pay(company, id, { amount: 100 })).status).toBe(200);
  });

  it("is another company's: it is not found", async () => {
    const { id } = await givenCode(await givenCompany());
    const company = await sharedCompany();
    for (const answer of [
      await call(`${PATH}/${id}`, { company }),
      await call(`${PATH}/${id}`, { company, method: "DELETE" }),
      await call(`${PATH}/not-an-id`, { company }),
    ]) {
      await expectProblem(answer, { status: 404, code: "NOT_FOUND" });
    }
  });

  it("PROVIDER_NOT_CONFIGURED: a live company without a PSP has no key", async () => {
    const company = await givenCompany({ mode: "live" });
    await expectProblem(await create(company), { status: 422, code: "PROVIDER_NOT_CONFIGURED" });
  });
});

it.each([
  [{ amount: 0 }, ["amount"]],
  [{ amount: "500", description: 7 }, ["amount", "description"]],
  [{ description: "x".repeat(73) }, ["description"]],
  [{ amout: 1 }, ["amout"]],
])("VALIDATION_FAILED: %j", async (body, fields) => {
  const company = await sharedCompany();
  const answer = await expectNoSideEffects(company, () => create(company, body));
  await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields });
});

describe("a payment of a static code", () => {
  it("becomes a paid transaction with its event, each one of its own", async () => {
    const company = await givenCompany();
    const code = await givenCode(company, { description: "Bar" });

    const answer = await pay(company, code.id, { amount: 1_500, payer: { name: "Ana Souza" } });

    expect(answer.status).toBe(200);
    const { data } = answer.body;
    expect(data).toMatchObject({
      status: "PAID",
      amount: 1_500,
      paidAmount: 1_500,
      underpaid: false,
      staticCodeId: code.id,
      endToEndId: anyEndToEndId,
      payer: { name: "Ana Souza", documentMasked: null, ispb: "00000000" },
      payerMatch: "unknown",
      externalRef: "",
    });
    await expectDocumented("POST /api/v1/sandbox/pix/static-codes/{id}/pay", answer);
    await pay(company, code.id, { amount: 1_500 });
    const events = await eventsOf(company);
    expect(events.map(({ type }) => type)).toEqual(["transaction.paid", "transaction.paid"]);
    expect(await accountsOf(company)).toMatchObject({ available: 3_000 });
    const list = await call("/api/v1/transactions?status=PAID", { company });
    expect(list.body.items).toHaveLength(2);
    expect((await call("/api/v1/transactions?status=PENDING", { company })).body.items).toEqual([]);
  });

  it("of another amount than the code's is a transaction of what was asked, underpaid", async () => {
    const company = await givenCompany();
    const code = await givenCode(company, { amount: 2_000 });
    expect((await pay(company, code.id)).body.data).toMatchObject({
      amount: 2_000,
      paidAmount: 2_000,
    });
    expect((await pay(company, code.id, { amount: 1_999 })).body.data).toMatchObject({
      status: "PAID",
      amount: 2_000,
      paidAmount: 1_999,
      underpaid: true,
    });
  });

  it("needs an amount where the code has none", async () => {
    const company = await givenCompany();
    const { id } = await givenCode(company);
    const problem = { status: 400, code: "VALIDATION_FAILED" as const, fields: ["amount"] };
    await expectProblem(await pay(company, id), problem);
  });

  it("comes after its deletion too, which is safe to repeat", async () => {
    const company = await givenCompany();
    const { id } = await givenCode(company);
    const remove = () => call(`${PATH}/${id}`, { company, method: "DELETE" });

    const deleted = await remove();

    expect(deleted.body.data).toMatchObject({ id, deletedAt: anyTime });
    await expectDocumented(`DELETE ${PATH}/{id}`, deleted);
    expect((await remove()).body).toEqual(deleted.body);
    expect((await pay(company, id, { amount: 100 })).body.data).toMatchObject({ status: "PAID" });
  });

  it("can be refunded and disputed, and cannot be paid again", async () => {
    const company = await givenCompany();
    const code = await givenCode(company);
    const { id } = (await pay(company, code.id, { amount: 1_000 })).body.data;
    await expectProblem(await payTransaction(company, id), { status: 409, code: "INVALID_STATE" });
    expect((await refund(company, id, 400)).body.data).toMatchObject({
      refundedAmount: 400,
    });
    expect((await simulate(company, id, "dispute")).body.data.dispute).toMatchObject({
      amount: 600,
      status: "OPEN",
    });
    const lost = await resolveDispute(company, id, "lost");
    expect(lost.body.data).toMatchObject({ status: "REFUNDED", refundedAmount: 1_000 });
    expect(await accountsOf(company)).toMatchObject({ available: 0, provider: 0 });
  });
});
