import { describe, expect, it } from "vitest";
import { MERCHANT_DEFAULTS } from "../../../../../src/domain/charges/transaction.ts";
import { call } from "../../../../support/builders/requests/api.ts";
import { givenCompany } from "../../../../support/builders/companies/company.ts";
import { expectNoSideEffects } from "../../../../support/probes/ledger/footprint.ts";
import { FULL_REQUEST } from "../../../../support/builders/requests/full-request.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { createCard } from "../../../../support/builders/charges/card.ts";
import { createTransaction, pay } from "../../../../support/builders/charges/transaction.ts";
import { withOlderCreateHash } from "../../../../support/faults/older-request-hash.ts";
import { requestWithdraw } from "../../../../support/builders/withdraws/withdraw.ts";

const KEY = "tx_key-1.a:b";

describe("the same key and request", () => {
  it("returns the first response and has no second effect", async () => {
    const company = await givenCompany();
    const first = await createTransaction(company, FULL_REQUEST, { key: KEY });
    const again = await expectNoSideEffects(company, () =>
      createTransaction(company, FULL_REQUEST, { key: KEY }),
    );
    expect(again.status).toBe(first.status);
    expect(again.text).toBe(first.text);
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    expect(first.headers.has("Idempotent-Replayed")).toBe(false);
  });

  it.each(["pay", "fail", "expire"])("returns the original response after %s", async (move) => {
    const company = await givenCompany();
    const first = await createTransaction(company, {}, { key: KEY });
    const path = `/api/v1/sandbox/transactions/${first.body.data.id}/${move}`;
    expect((await call(path, { method: "POST", company })).status).toBe(200);
    const again = await createTransaction(company, {}, { key: KEY });
    expect(again.text).toBe(first.text);
    expect(again.body.data.status).toBe("WAITING_PAYMENT");
  });

  it("is the same for any order of members", async () => {
    const company = await givenCompany();
    const send = (rawBody: string) =>
      call("/api/v1/transactions/create", {
        company,
        rawBody,
        headers: { "Idempotency-Key": KEY },
      });
    const first = await send(
      '{"amount":100,"paymentMethod":"PIX","customer":{"name":"A","phone":"1"},"metadata":{"a":1,"b":2}}',
    );
    const again = await send(
      ' {"metadata" : {"b":2,"a":1}, "customer":{"phone":"1","name":"A"}, "paymentMethod":"PIX", "amount":100} ',
    );
    expect(first.status).toBe(200);
    expect(again.text).toBe(first.text);
  });

  it("is the same with unknown fields", async () => {
    const company = await givenCompany();
    const first = await createTransaction(company, {}, { key: KEY });
    const again = await createTransaction(company, { sentAt: 1 }, { key: KEY });
    expect(again.text).toBe(first.text);
  });

  it("is the same with defaults and nulls spelt out, in either order", async () => {
    const company = await givenCompany();
    const spelt = {
      currency: "BRL",
      installments: 1,
      externalRef: "",
      customer: { id: "", name: "", email: "", document: { number: "" }, phone: null },
      shipping: { address: {} },
      items: [],
      pix: { expiresInDays: 1 },
      boleto: { expiresInDays: 3, instructions: "", interest: { value: 0 } },
      card: null,
      postbackUrl: "",
      metadata: null,
      traceable: false,
      ip: "",
    };
    const bare = await createTransaction(company, {}, { key: KEY });
    expect((await createTransaction(company, spelt, { key: KEY })).text).toBe(bare.text);
    const full = await createTransaction(company, spelt, { key: "tx_2" });
    const again = await createTransaction(company, {}, { key: "tx_2" });
    expect([again.text, again.headers.get("Idempotent-Replayed")]).toEqual([full.text, "true"]);
  });

  it.each(Object.entries(MERCHANT_DEFAULTS))(
    "is the same with the merchant's %s at its default",
    async (name, value) => {
      const company = await givenCompany();
      const bare = await createTransaction(company, {}, { key: KEY });
      const again = await createTransaction(company, { [name]: value }, { key: KEY });
      expect([again.text, again.headers.get("Idempotent-Replayed")]).toEqual([bare.text, "true"]);
    },
  );

  it("is the same for a card with its defaults spelt out", async () => {
    const company = await givenCompany();
    const first = await createCard(company, {}, {}, { key: KEY });
    const card = { capture: true, statementDescriptor: "", token: null };
    const again = await createCard(company, card, { installments: 1 }, { key: KEY });
    expect([again.text, again.headers.get("Idempotent-Replayed")]).toEqual([first.text, "true"]);
  });

  it("is found under the hash of a version that kept defaults", async () => {
    const company = await givenCompany();
    const sent = { amount: 2_500, paymentMethod: "PIX", currency: "BRL" };
    const first = await createTransaction(company, sent, { key: KEY });
    await withOlderCreateHash(company, sent);
    expect((await createTransaction(company, sent, { key: KEY })).text).toBe(first.text);
    const other = await createTransaction(company, { amount: 1 }, { key: KEY });
    await expectProblem(other, { status: 409, code: "IDEMPOTENCY_KEY_REUSED" });
  });

  it("is the same with the key in quotes", async () => {
    const company = await givenCompany();
    const bare = await createTransaction(company, {}, { key: KEY });
    const quoted = await createTransaction(company, {}, { key: `"${KEY}"` });
    expect(quoted.text).toBe(bare.text);
    expect(quoted.headers.get("Idempotent-Replayed")).toBe("true");
  });
});

describe("IDEMPOTENCY_KEY_REUSED", () => {
  it.each([
    ["another amount", { amount: 2_501 }],
    ["one field more", { traceable: true }],
    ["other metadata than none", { metadata: "" }],
    ["other items", { items: [{ title: "Cupom", unitPrice: 0, quantity: 1, tangible: false }] }],
    ["another payer", { customer: { name: "Maria" } }],
    ["a longer expiry than the default", { pix: { expiresInDays: 2 } }],
  ])("%s", async (_what, change) => {
    const company = await givenCompany();
    await createTransaction(company, {}, { key: KEY });
    const answer = await expectNoSideEffects(company, () =>
      createTransaction(company, change, { key: KEY }),
    );
    await expectProblem(answer, { status: 409, code: "IDEMPOTENCY_KEY_REUSED" });
    expect(answer.headers.has("Idempotent-Replayed")).toBe(false);
  });

  it("does not change the first response", async () => {
    const company = await givenCompany();
    const first = await createTransaction(company, {}, { key: KEY });
    await createTransaction(company, { amount: 1 }, { key: KEY });
    expect((await createTransaction(company, {}, { key: KEY })).text).toBe(first.text);
  });
});

describe("a key", () => {
  it("of one company is free in another", async () => {
    const [ours, theirs] = [await givenCompany(), await givenCompany()];
    const mine = await createTransaction(ours, {}, { key: KEY });
    const other = await createTransaction(theirs, { amount: 1 }, { key: KEY });
    expect(other.status).toBe(200);
    expect(other.headers.has("Idempotent-Replayed")).toBe(false);
    expect(other.body.data.id).not.toBe(mine.body.data.id);
  });

  it("of a create is free for a withdraw", async () => {
    const company = await givenCompany({ balance: 5_000 });
    await createTransaction(company, {}, { key: KEY });
    const withdraw = await requestWithdraw(company, {}, { key: KEY });
    expect(withdraw.status).toBe(201);
    expect(withdraw.headers.has("Idempotent-Replayed")).toBe(false);
  });

  it("is free after a request that was rejected without any effect", async () => {
    const company = await givenCompany();
    const refused = [
      await createTransaction(company, { amount: 0 }, { key: KEY }),
      await createTransaction(company, { installments: 2 }, { key: KEY }),
      await createTransaction(company, {}, { key: KEY, headers: { "X-API-Key": "wrong" } }),
      await createTransaction(company, {}, { key: KEY, headers: { Accept: "text/html" } }),
    ];
    expect(refused.map((answer) => answer.status)).toEqual([400, 422, 401, 406]);
    const accepted = await createTransaction(company, { amount: 4_321 }, { key: KEY });
    expect(accepted.status).toBe(200);
    expect(accepted.headers.has("Idempotent-Replayed")).toBe(false);
    expect(accepted.body.data.amount).toBe(4_321);
  });

  it("is optional, and requests without it are independent", async () => {
    const company = await givenCompany();
    const [one, two] = [await createTransaction(company), await createTransaction(company)];
    expect(one.body.data.id).not.toBe(two.body.data.id);
  });

  it("that was omitted can be used later", async () => {
    const company = await givenCompany();
    const without = await createTransaction(company);
    const withKey = await createTransaction(company, {}, { key: KEY });
    expect(withKey.body.data.id).not.toBe(without.body.data.id);
  });
});

it("a hundred concurrent requests with one key make one transaction and get one response", async () => {
  const company = await givenCompany();
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => createTransaction(company, { amount: 999 }, { key: KEY })),
  );
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
  expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
  const firsts = answers.filter((answer) => !answer.headers.has("Idempotent-Replayed"));
  expect(firsts).toHaveLength(1);
  const list = await call("/api/Transaction/company/transactions", { company });
  expect(list.body.res.totalItems).toBe(1);
  await pay(company, answers[0]!.body.data.id);
});

it("a hundred concurrent requests without a key make a hundred transactions with dense ids", async () => {
  const company = await givenCompany();
  await Promise.all(Array.from({ length: 100 }, () => createTransaction(company)));
  const list = await call("/api/Transaction/company/transactions?pageSize=100", { company });
  expect(list.body.res.items.map((item: any) => item.id)).toEqual(
    Array.from({ length: 100 }, (_, index) => 100 - index),
  );
});
