import { describe, expect, it } from "vitest";
import { call } from "../../../../support/builders/requests/api.ts";
import { givenCompany, type TestCompany } from "../../../../support/builders/companies/company.ts";
import { FULL_REQUEST } from "../../../../support/builders/requests/full-request.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { anyTimeWithOffset } from "../../../../support/probes/http/matchers.ts";
import { givenTransaction } from "../../../../support/builders/charges/transaction.ts";

const detail = (company: TestCompany, id: string) =>
  call(`/api/Transaction/transactionByTransactionId/${id}`, { company });

it("the detail of a full request has every field of the contract", async () => {
  const company = await givenCompany();
  const created = await givenTransaction(company, FULL_REQUEST);
  const answer = await detail(company, created.id);
  expect(answer.status).toBe(200);
  expect(answer.body).toStrictEqual({
    id: 1,
    leadId: 1,
    lead: {
      id: 1,
      name: "Maria da Conceição",
      email: "maria@example.com",
      phone: "+5511987654321",
      document: "52998224725",
      address: FULL_REQUEST.shipping.address,
    },
    companyId: company.id,
    enSubIntegration: "Sandbox",
    value: 12_345,
    paidAmount: null,
    underpaid: false,
    transactionId: created.id,
    gatewayPostbackUrl: FULL_REQUEST.postbackUrl,
    enStatusTransaction: "Awaiting",
    enPaymentSystem: "Pix",
    updateDate: anyTimeWithOffset,
    createdAt: created.createdAt,
    items: FULL_REQUEST.items,
  });
  expect(new Date(answer.body.updateDate).toISOString()).toBe(created.updatedAt);
});

it("the detail of a minimal request has empty strings for absent fields", async () => {
  const company = await givenCompany();
  const created = await givenTransaction(company);
  expect((await detail(company, created.id)).body).toStrictEqual({
    id: 1,
    leadId: 1,
    lead: {
      id: 1,
      name: "",
      email: "",
      phone: "",
      document: "",
      address: {
        street: "",
        streetNumber: "",
        complement: "",
        zipCode: "",
        neighborhood: "",
        city: "",
        state: "",
        country: "",
      },
    },
    companyId: company.id,
    enSubIntegration: "Sandbox",
    value: 2_500,
    paidAmount: null,
    underpaid: false,
    transactionId: created.id,
    gatewayPostbackUrl: "",
    enStatusTransaction: "Awaiting",
    enPaymentSystem: "Pix",
    updateDate: anyTimeWithOffset,
    createdAt: created.createdAt,
    items: [],
  });
});

it("the id may be in upper case", async () => {
  const company = await givenCompany();
  const { id } = await givenTransaction(company);
  expect((await detail(company, id.toUpperCase())).body.transactionId).toBe(id);
});

it.each([
  ["text", "not-an-id"],
  ["a UUID of another layout", "0f8fad5b-d9cb-469f-a165-70867728950e"],
  ["a number", "1"],
  ["NUL", "%00"],
  ["a broken escape", "%ff%"],
  ["a quote", "'%20OR%201=1--"],
])("NOT_FOUND: rejects %s", async (_what, id) => {
  const company = await givenCompany();
  await expectProblem(await detail(company, id), { status: 404, code: "NOT_FOUND" });
});

it("NOT_FOUND: rejects a valid id of this company that was never issued", async () => {
  const company = await givenCompany();
  const { id } = await givenTransaction(company);
  const other = `${id.slice(0, 24)}ffffff${id.slice(-6)}`;
  await expectProblem(await detail(company, other), { status: 404, code: "NOT_FOUND" });
});

const listed = async (company: TestCompany) =>
  (await call("/api/Transaction/company/transactions?sort=createdAt_asc", { company })).body.res
    .items;

describe("a payer", () => {
  const document = { number: "529.982.247-25", type: "CPF" };

  it("with the same document is the same payer, but each transaction keeps its own name of it", async () => {
    const company = await givenCompany();
    const first = await givenTransaction(company, {
      customer: { name: "Maria Solteira", email: "a@example.com", document },
      shipping: { address: { street: "Rua Velha", city: "Recife" } },
    });
    const second = await givenTransaction(company, {
      customer: { id: "c-2", name: "Maria Casada", document: { number: "52998224725" } },
      shipping: { address: { street: "Rua Nova" } },
    });
    const [one, two] = [await detail(company, first.id), await detail(company, second.id)];
    expect([one.body.leadId, two.body.leadId]).toEqual([1, 1]);
    expect([one.body.lead.id, two.body.lead.id]).toEqual([1, 1]);
    expect(one.body.lead).toMatchObject({ name: "Maria Solteira", email: "a@example.com" });
    expect(one.body.lead.address).toMatchObject({ street: "Rua Velha", city: "Recife" });
    expect(two.body.lead).toMatchObject({ name: "Maria Casada", email: "" });
    expect(two.body.lead.address).toMatchObject({ street: "Rua Nova", city: "" });
    const items = await listed(company);
    expect(items[1].leadId).toBe(items[0].leadId);
    expect(items.map((item: any) => item.lead.name)).toEqual(["Maria Solteira", "Maria Casada"]);
    expect(items.map((item: any) => item.lead.street)).toEqual(["Rua Velha", "Rua Nova"]);
  });

  it("without a document is identified by customer.id", async () => {
    const company = await givenCompany();
    for (const id of ["a", "b", "a"]) await givenTransaction(company, { customer: { id } });
    const leads = (await listed(company)).map((item: any) => item.leadId);
    expect(leads[2]).toBe(leads[0]);
    expect(leads[1]).not.toBe(leads[0]);
  });

  it("without document and id is a new payer each time, with dense numbers", async () => {
    const company = await givenCompany();
    const customer = { name: "Maria", email: "maria@example.com" };
    const ids = [];
    for (let count = 0; count < 3; count++)
      ids.push((await givenTransaction(company, { customer })).id);
    const leadIds = [];
    for (const id of ids) leadIds.push((await detail(company, id)).body.leadId);
    expect(leadIds).toEqual([1, 2, 3]);
  });

  it("of one company is unknown to every other company", async () => {
    const [ours, theirs] = [await givenCompany(), await givenCompany()];
    const customer = { name: "Maria", document };
    await givenTransaction(ours, { customer });
    await givenTransaction(theirs, { customer });
    const [[mine], [other]] = [await listed(ours), await listed(theirs)];
    expect(mine.leadId).not.toBe(other.leadId);
  });
});
