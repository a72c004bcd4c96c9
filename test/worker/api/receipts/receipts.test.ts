import { describe, expect, it } from "vitest";
import { createApp } from "../../../../src/app.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { givenPaid, givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { call, type Answer } from "../../../support/builders/requests/api.ts";
import { refund } from "../../../support/builders/operations/refund.ts";
import { requestWithdraw, runPayout } from "../../../support/builders/withdraws/withdraw.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";

const VERIFY = "/receipts/verify";
const NAME_OF = {
  payment: "GET /api/v1/transactions/{id}/receipt",
  withdraw: "GET /api/v1/withdraws/{id}/receipt",
};
const CUSTOMER = {
  name: "Maria da Silva",
  document: { number: "12345678909", type: "CPF" },
};
const SIGNATURE = {
  algorithm: "Ed25519",
  keyId: expect.any(String),
  publicKey: expect.any(String),
  signedAt: expect.any(String),
  value: expect.any(String),
};

async function givenPayment(company: TestCompany): Promise<string> {
  const { id } = await givenTransaction(company, { amount: 123_456, customer: CUSTOMER });
  await call(`/api/v1/sandbox/transactions/${id}/pay`, { method: "POST", company });
  return id;
}

async function givenPaidWithdraw(company: TestCompany): Promise<number> {
  const { body } = await requestWithdraw(company, {
    amount: 2_000,
    pixKey: "maria@example.com",
    description: "Repasse",
  });
  await runPayout(company, body.id);
  return body.id;
}

const receiptOf = (company: TestCompany, path: string) => call(`${path}/receipt`, { company });

async function pdfOf(company: TestCompany, path: string): Promise<Uint8Array<ArrayBuffer>> {
  const headers = { ...company.credentials, Accept: "application/pdf" };
  const request = new Request(`https://localhost${path}/receipt`, { headers });
  const response = await createApp().fetch(request, env);
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toBe("application/pdf");
  return new Uint8Array(await response.arrayBuffer());
}

const verify = (receipt: unknown): Promise<Answer> => call(VERIFY, { body: receipt });
const verdictOf = async (rawBody: string) => (await call(VERIFY, { rawBody })).body;
const verifyPdf = (pdf: Uint8Array<ArrayBuffer>): Promise<Answer> =>
  call(VERIFY, { rawBody: pdf, headers: { "Content-Type": "application/pdf" } });

describe("the receipt of a payment", () => {
  it("says who paid how much, with the document masked", async () => {
    const company = await givenCompany();
    const id = await givenPayment(company);
    const answer = await receiptOf(company, `/api/v1/transactions/${id}`);
    expect(answer.status).toBe(200);
    await expectDocumented(NAME_OF.payment, answer);
    expect(answer.body).toStrictEqual({
      type: "payment",
      company: { id: company.id, name: expect.any(String) },
      transactionId: id,
      status: "PAID",
      amount: 123_456,
      paidAmount: 123_456,
      refundedAmount: 0,
      currency: "BRL",
      paymentMethod: "PIX",
      paidAt: expect.any(String),
      endToEndId: expect.stringMatching(/^E\d{8}/),
      payer: expect.objectContaining({
        name: "Maria da Silva",
        documentMasked: "***.456.789-**",
      }),
      signature: SIGNATURE,
    });
    expect(answer.text).not.toContain("12345678909");
  });

  it("says what was refunded since", async () => {
    const company = await givenCompany({ balance: 10_000 });
    const { id } = await givenPaid(company, 2_500);
    expect((await refund(company, id, 500)).status).toBe(200);
    const { body } = await receiptOf(company, `/api/v1/transactions/${id}`);
    expect(body).toMatchObject({ paidAmount: 2_500, refundedAmount: 500, status: "PAID" });
  });

  it("is refused before the payment, and of another company's transaction not found", async () => {
    const company = await givenCompany();
    const { id } = await givenTransaction(company);
    await expectProblem(await receiptOf(company, `/api/v1/transactions/${id}`), {
      status: 409,
      code: "INVALID_STATE",
    });
    const other = await givenCompany();
    const foreign = await receiptOf(other, `/api/v1/transactions/${id}`);
    expect([403, 404]).toContain(foreign.status);
    expect(foreign.text).not.toContain('"signature"');
  });
});

describe("the receipt of a withdraw", () => {
  it("says to which key it went, masked, and when", async () => {
    const company = await givenCompany({ balance: 10_000 });
    const id = await givenPaidWithdraw(company);
    const answer = await receiptOf(company, `/api/v1/withdraws/${id}`);
    await expectDocumented(NAME_OF.withdraw, answer);
    expect(answer.body).toStrictEqual({
      type: "withdraw",
      company: { id: company.id, name: expect.any(String) },
      withdrawId: id,
      status: "Paid",
      amount: 2_000,
      fee: 0,
      returnedAmount: 0,
      currency: "BRL",
      pixKeyMasked: "m***@example.com",
      pixKeyType: "EMAIL",
      creditorDocumentMasked: "",
      description: "Repasse",
      paidAt: expect.any(String),
      endToEndId: expect.any(String),
      signature: SIGNATURE,
    });
    const record = (await call(`/api/Withdraw/${id}`, { company })).body;
    expect(answer.body.paidAt).toBe(record.paidAt);
  });

  it("is refused while it is not paid", async () => {
    const company = await givenCompany({ balance: 10_000 });
    const { body } = await requestWithdraw(company, { amount: 1_998 });
    await expectProblem(await receiptOf(company, `/api/v1/withdraws/${body.id}`), {
      status: 409,
      code: "INVALID_STATE",
    });
  });
});

describe("the check of a receipt", () => {
  it("knows a genuine one, by anybody, and tells nothing but who signed it when", async () => {
    const company = await givenCompany();
    const id = await givenPayment(company);
    const { body } = await receiptOf(company, `/api/v1/transactions/${id}`);
    const verdict = await verify(body);
    expect(verdict.body).toStrictEqual({
      genuine: true,
      companyId: company.id,
      signedAt: body.signature.signedAt,
    });
    await expectDocumented("POST /receipts/verify", verdict);
  });

  it("knows a forged one", async () => {
    const company = await givenCompany();
    const other = await givenCompany();
    const id = await givenPayment(company);
    const { body } = await receiptOf(company, `/api/v1/transactions/${id}`);
    const { signature: _signature, ...unsigned } = body;
    const forgeries: unknown[] = [
      { ...body, paidAmount: 999_999 },
      { ...body, note: "added" },
      { ...body, company: { ...body.company, id: other.id } },
      { ...body, company: { ...body.company, id: 99_999_999 } },
      { ...body, type: "dossier" },
      { ...body, signature: { ...body.signature, signedAt: "2020-01-01T00:00:00.000Z" } },
      unsigned,
      {},
    ];
    for (const forgery of forgeries) {
      expect((await verify(forgery)).body).toStrictEqual({ genuine: false });
    }
  });

  it("knows one that names a member twice, of which a reader may see the first", async () => {
    const company = await givenCompany();
    const id = await givenPayment(company);
    const { text } = await receiptOf(company, `/api/v1/transactions/${id}`);
    const escaped = text.replace('"type"', String.raw`"\u0074ype"`);
    for (const same of [text, JSON.stringify(JSON.parse(text), null, 2), escaped]) {
      expect(await verdictOf(same)).toMatchObject({ genuine: true });
    }
    for (const twice of ['{"paidAmount":999999,', String.raw`{"paid\u0041mount":999999,`]) {
      expect(await verdictOf(text.replace("{", twice))).toStrictEqual({ genuine: false });
    }
    const within = text.replace('"payer":{', '"payer":{"name":"Ana \\":",');
    expect(await verdictOf(within)).toStrictEqual({ genuine: false });
  });

  it("knows a PDF by each of its bytes", async () => {
    const company = await givenCompany({ balance: 10_000 });
    const payment = await pdfOf(company, `/api/v1/transactions/${await givenPayment(company)}`);
    const withdraw = await pdfOf(company, `/api/v1/withdraws/${await givenPaidWithdraw(company)}`);
    for (const pdf of [payment, withdraw]) {
      expect(new TextDecoder().decode(pdf.slice(0, 5))).toBe("%PDF-");
      expect((await verifyPdf(pdf)).body).toMatchObject({ genuine: true, companyId: company.id });
      for (const at of [9, pdf.length >> 1, pdf.length - 40]) {
        const changed = pdf.slice();
        changed[at] = (changed[at] ?? 0) ^ 1;
        expect((await verifyPdf(changed)).body).toStrictEqual({ genuine: false });
      }
      const longer = new Uint8Array([...pdf.slice(0, 100), 10, ...pdf.slice(100)]);
      expect((await verifyPdf(longer)).body).toStrictEqual({ genuine: false });
    }
    const swapped = new Uint8Array([...payment.slice(0, -700), ...withdraw.slice(-700)]);
    expect((await verifyPdf(swapped)).body).toStrictEqual({ genuine: false });
  });

  it("refuses what is neither JSON nor a PDF", async () => {
    const text = await call(VERIFY, { rawBody: "x", headers: { "Content-Type": "text/plain" } });
    await expectProblem(text, { status: 415, code: "UNSUPPORTED_MEDIA_TYPE" });
    await expectProblem(await call(VERIFY, { rawBody: "{" }), {
      status: 400,
      code: "MALFORMED_JSON",
    });
    const large = "x".repeat(512 * 1024 + 1);
    await expectProblem(await call(VERIFY, { rawBody: large }), {
      status: 413,
      code: "BODY_TOO_LARGE",
    });
  });
});
