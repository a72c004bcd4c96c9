import { describe, expect, it } from "vitest";
import { call } from "../../../../support/builders/requests/api.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import { givenCompany } from "../../../../support/builders/companies/company.ts";
import { FULL_REQUEST } from "../../../../support/builders/requests/full-request.ts";
import {
  anyBrCode,
  anySecureId,
  anyTime,
  anyUuid,
} from "../../../../support/probes/http/matchers.ts";
import {
  createTransaction,
  givenTransaction,
} from "../../../../support/builders/charges/transaction.ts";

it("a full request returns every field of the contract", async () => {
  const company = await givenCompany();
  const clock = new TestClock();
  const answer = await createTransaction(company, FULL_REQUEST, { deps: { platformClock: clock } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("Content-Type")).toMatch(/^application\/json/);
  expect(answer.headers.get("X-Trace-Id")).toMatch(/^[0-9a-f]{32}$/);
  expect(answer.headers.has("Idempotent-Replayed")).toBe(false);
  const now = new Date(clock.now()).toISOString();
  expect(answer.body).toStrictEqual({
    status: 200,
    message: expect.stringMatching(/\S/),
    data: {
      id: anyUuid,
      externalRef: "order-77",
      amount: 12_345,
      amountText: "R$ 123,45",
      paidAmount: null,
      underpaid: false,
      refundedAmount: 0,
      providerCompanyId: company.providerCompanyId,
      companyId: company.id,
      installments: 1,
      paymentMethod: "PIX",
      status: "WAITING_PAYMENT",
      postbackUrl: "https://loja.example.com/postback?origem=centavo",
      metadata: '{"pedido":77}',
      traceable: true,
      secureId: anySecureId,
      secureUrl: null,
      currency: "BRL",
      createdAt: now,
      updatedAt: now,
      ip: "203.0.113.7",
      endToEndId: null,
      externalNsu: null,
      pix: {
        qrcode: anyBrCode,
        url: null,
        expirationDate: new Date(clock.now() + 3 * 86_400_000).toISOString(),
      },
    },
  });
});

it("a request with only amount and payment method returns the defaults", async () => {
  const company = await givenCompany();
  const clock = new TestClock();
  const { status, body } = await createTransaction(company, {}, { deps: { platformClock: clock } });
  expect(status).toBe(200);
  expect(body).toStrictEqual({
    status: 200,
    message: expect.stringMatching(/\S/),
    data: {
      id: anyUuid,
      externalRef: "",
      amount: 2_500,
      amountText: "R$ 25,00",
      paidAmount: null,
      underpaid: false,
      refundedAmount: 0,
      providerCompanyId: company.providerCompanyId,
      companyId: company.id,
      installments: 1,
      paymentMethod: "PIX",
      status: "WAITING_PAYMENT",
      postbackUrl: "",
      metadata: null,
      traceable: false,
      secureId: anySecureId,
      secureUrl: null,
      currency: "BRL",
      createdAt: anyTime,
      updatedAt: anyTime,
      endToEndId: null,
      externalNsu: null,
      pix: {
        qrcode: anyBrCode,
        url: null,
        expirationDate: new Date(clock.now() + 86_400_000).toISOString(),
      },
    },
  });
});

it("an unpaid transaction has no paidAt", async () => {
  const company = await givenCompany();
  const { body } = await createTransaction(company, FULL_REQUEST);
  expect(body.data).not.toHaveProperty("paidAt");
  expect(body.data).toMatchObject({ paidAmount: null, underpaid: false });
});

it("the id is a UUID of version 8 that contains the company's number", async () => {
  const company = await givenCompany();
  const { body } = await createTransaction(company);
  expect(body.data.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-/);
  expect(Number.parseInt(body.data.id.slice(-6), 16)).toBe(company.id);
});

it("the BR Code contains the amount and ends with its CRC", async () => {
  const company = await givenCompany();
  const { body } = await createTransaction(company, { amount: 123 });
  expect(body.data.pix.qrcode).toContain("54041.23");
  expect(body.data.pix.qrcode).toContain("5802BR");
});

describe("externalRef", () => {
  it("is the request's own rather than the customer's", async () => {
    const company = await givenCompany();
    const data = await givenTransaction(company, {
      externalRef: "order",
      customer: { externalRef: "crm" },
    });
    expect(data.externalRef).toBe("order");
  });

  it("is the customer's when the request has none", async () => {
    const company = await givenCompany();
    const data = await givenTransaction(company, { customer: { externalRef: "crm" } });
    expect(data.externalRef).toBe("crm");
  });
});

describe("metadata", () => {
  it("stores a string unchanged", async () => {
    const company = await givenCompany();
    const metadata = ' { "spaced": "José 🎉" } ';
    expect((await givenTransaction(company, { metadata })).metadata).toBe(metadata);
  });

  it("stores an object as a JSON string", async () => {
    const company = await givenCompany();
    const metadata = { pedido: 77, itens: [1, { a: null }], vazio: {} };
    const data = await givenTransaction(company, { metadata });
    expect(data.metadata).toBe(JSON.stringify(metadata));
  });

  it("stores a member called __proto__", async () => {
    const company = await givenCompany();
    const metadata = JSON.parse('{"__proto__":{"polluted":true},"a":1}') as object;
    const data = await givenTransaction(company, { metadata });
    expect(data.metadata).toBe('{"__proto__":{"polluted":true},"a":1}');
  });
});

it("an empty postbackUrl means none", async () => {
  const company = await givenCompany();
  expect((await givenTransaction(company, { postbackUrl: "" })).postbackUrl).toBe("");
});

it("an IPv6 address of the payer is stored", async () => {
  const company = await givenCompany();
  expect((await givenTransaction(company, { ip: "2001:db8::1" })).ip).toBe("2001:db8::1");
});

it("an empty ip means none", async () => {
  const company = await givenCompany();
  expect(await givenTransaction(company, { ip: "" })).not.toHaveProperty("ip");
});

it("items that do not add up to the amount are accepted", async () => {
  const company = await givenCompany();
  const items = [{ title: "Caro", unitPrice: 999_999, quantity: 3 }];
  expect((await createTransaction(company, { amount: 100, items })).status).toBe(200);
});

it("fields that only the service sets are ignored in a request", async () => {
  const company = await givenCompany();
  const data = await givenTransaction(company, {
    id: "00000000-0000-8000-8000-000000000001",
    status: "PAID",
    companyId: 999,
    paidAt: "2020-01-01T00:00:00.000Z",
    refundedAmount: 5,
    secureId: "mine",
    unknown: { deep: [1] },
  });
  expect(data.status).toBe("WAITING_PAYMENT");
  expect(data.companyId).toBe(company.id);
  expect(data.refundedAmount).toBe(0);
  expect(data.id).not.toBe("00000000-0000-8000-8000-000000000001");
  expect(data).not.toHaveProperty("paidAt");
  expect(data).not.toHaveProperty("unknown");
});

it("a masked document is stored without its mask, and an alphanumeric CNPJ in upper case", async () => {
  const company = await givenCompany();
  const documents = ["529.982.247-25", "11.222.333/0001-81", "12.abc.345/01de-35"];
  for (const number of documents)
    await givenTransaction(company, { customer: { document: { number } } });
  const list = await call("/api/Transaction/company/transactions?sort=createdAt_asc", { company });
  expect(
    list.body.res.items.map((item: any) => [item.lead.documentType, item.lead.documentNumber]),
  ).toEqual([
    ["CPF", "52998224725"],
    ["CNPJ", "11222333000181"],
    ["CNPJ", "12ABC34501DE35"],
  ]);
});

it("the amount may be the smallest and the largest of the contract", async () => {
  const company = await givenCompany();
  expect((await givenTransaction(company, { amount: 1 })).amount).toBe(1);
  expect((await givenTransaction(company, { amount: 999_999_999_999 })).amount).toBe(
    999_999_999_999,
  );
});
