import { describe, expect, it } from "vitest";
import { givenCompany, MAIN_PIX_KEY } from "../../../support/builders/companies/company.ts";
import { expectNoSideEffects } from "../../../support/probes/ledger/footprint.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { anyTime } from "../../../support/probes/http/matchers.ts";
import { balanceOf } from "../../../support/probes/ledger/balance.ts";
import { requestWithdraw } from "../../../support/builders/withdraws/withdraw.ts";

const NO_APPROVAL = {
  approval: "none",
  approvalExpiresAt: null,
  decidedBy: null,
  decisionReason: null,
};

it("a full request returns 201 with every field of the contract", async () => {
  const company = await givenCompany({ balance: 10_000 });
  const answer = await requestWithdraw(
    company,
    {
      amount: 1_050,
      currency: "BRL",
      pixKey: "Maria@Example.com",
      pixKeyType: "EMAIL",
      description: "Repasse de março",
      metadata: { lote: 7, itens: ["a"] },
    },
    { key: "wd_1" },
  );
  expect(answer.status).toBe(201);
  expect(answer.headers.get("Content-Type")).toMatch(/^application\/json/);
  expect(answer.headers.has("Idempotent-Replayed")).toBe(false);
  expect(answer.body).toStrictEqual({
    id: 1,
    companyId: company.id,
    idempotencyKey: "wd_1",
    value: 10.5,
    fee: 0,
    returnedValue: 0,
    ...NO_APPROVAL,
    requestedBy: { kind: "application", id: company.clientId, name: "default" },
    pixKey: "maria@example.com",
    pixKeyType: "EMAIL",
    creditorDocument: "",
    description: "Repasse de março",
    currency: "BRL",
    enTransaction: "Awaiting",
    failureReason: null,
    metadata: '{"lote":7,"itens":["a"]}',
    endToEndId: null,
    paidAt: null,
    createdAt: anyTime,
    updatedAt: answer.body.createdAt,
  });
});

it("a request with only an amount goes to the registered main key", async () => {
  const company = await givenCompany({ balance: 10_000 });
  const { status, body } = await requestWithdraw(company, { amount: 1_000 }, { key: "wd_1" });
  expect(status).toBe(201);
  expect(body).toStrictEqual({
    id: 1,
    companyId: company.id,
    idempotencyKey: "wd_1",
    value: 10,
    fee: 0,
    returnedValue: 0,
    ...NO_APPROVAL,
    requestedBy: { kind: "application", id: company.clientId, name: "default" },
    pixKey: MAIN_PIX_KEY.value,
    pixKeyType: "CNPJ",
    creditorDocument: MAIN_PIX_KEY.value,
    description: "",
    currency: "BRL",
    enTransaction: "Awaiting",
    failureReason: null,
    metadata: null,
    endToEndId: null,
    paidAt: null,
    createdAt: anyTime,
    updatedAt: anyTime,
  });
});

it("the amount leaves the balance at once", async () => {
  const company = await givenCompany({ balance: 10_000 });
  await requestWithdraw(company, { amount: 1_234 });
  expect((await balanceOf(company)).accBalance).toBe(87.66);
});

it("ids are dense within the company", async () => {
  const [ours, theirs] = [
    await givenCompany({ balance: 5_000 }),
    await givenCompany({ balance: 5_000 }),
  ];
  const ids = [];
  for (const company of [ours, theirs, ours, theirs, ours]) {
    ids.push((await requestWithdraw(company)).body.id);
  }
  expect(ids).toEqual([1, 1, 2, 2, 3]);
});

it("VALIDATION_FAILED: rejects fields that only the service sets", async () => {
  const company = await givenCompany({ balance: 5_000 });
  const decided = {
    id: 99,
    status: "Paid",
    enTransaction: "Paid",
    companyId: 999,
    fee: -10,
    value: 1,
    creditorDocument: "1",
  };
  const answer = await expectNoSideEffects(company, () => requestWithdraw(company, decided));
  await expectProblem(answer, {
    status: 400,
    code: "VALIDATION_FAILED",
    fields: Object.keys(decided),
  });
});

describe("metadata", () => {
  it("that is a string is stored unchanged", async () => {
    const company = await givenCompany({ balance: 5_000 });
    const metadata = '{ "spaced" : 1 }';
    expect((await requestWithdraw(company, { metadata })).body.metadata).toBe(metadata);
  });
});

describe("a PIX key", () => {
  it.each([
    ["CPF", "529.982.247-25", "52998224725", "52998224725"],
    ["CNPJ", "11.222.333/0001-81", "11222333000181", "11222333000181"],
    ["EMAIL", "PIX@Example.COM", "pix@example.com", ""],
    ["PHONE", "+5511987654321", "+5511987654321", ""],
    ["PHONE", "11987654321", "+5511987654321", ""],
    ["EVP", "0F8FAD5B-D9CB-469F-A165-70867728950E", "0f8fad5b-d9cb-469f-a165-70867728950e", ""],
  ])("of type %s written %s is stored as %s", async (pixKeyType, pixKey, stored, document) => {
    const company = await givenCompany({ balance: 5_000 });
    const { status, body } = await requestWithdraw(company, { pixKey, pixKeyType });
    expect(status).toBe(201);
    expect(body).toMatchObject({ pixKey: stored, pixKeyType, creditorDocument: document });
  });

  it.each([
    ["529.982.247-25", "CPF"],
    ["11222333000181", "CNPJ"],
    ["a@example.com", "EMAIL"],
    ["+5511987654321", "PHONE"],
    ["0f8fad5b-d9cb-469f-a165-70867728950e", "EVP"],
  ])("written %s is inferred to be of type %s", async (pixKey, pixKeyType) => {
    const company = await givenCompany({ balance: 5_000 });
    expect((await requestWithdraw(company, { pixKey })).body.pixKeyType).toBe(pixKeyType);
  });

  it("of the request takes precedence over the registered one and needs none registered", async () => {
    const company = await givenCompany({ balance: 5_000, mainPixKey: null });
    const { status, body } = await requestWithdraw(company, { pixKey: "a@example.com" });
    expect(status).toBe(201);
    expect(body.pixKey).toBe("a@example.com");
  });

  it("that is null is absent, so the registered one is used", async () => {
    const company = await givenCompany({ balance: 5_000 });
    const { body } = await requestWithdraw(company, { pixKey: null, pixKeyType: null });
    expect(body.pixKey).toBe(MAIN_PIX_KEY.value);
  });

  it("VALIDATION_FAILED: is rejected when it is empty, even if one is registered", async () => {
    const company = await givenCompany({ balance: 5_000 });
    const answer = await expectNoSideEffects(company, () =>
      requestWithdraw(company, { pixKey: "" }),
    );
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: ["pixKey"] });
  });
});

it("the full balance may be withdrawn", async () => {
  const company = await givenCompany({ balance: 1_000 });
  expect((await requestWithdraw(company, { amount: 1_000 })).status).toBe(201);
  expect((await balanceOf(company)).accBalance).toBe(0);
});
