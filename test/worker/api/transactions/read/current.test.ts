import { describe, expect, it } from "vitest";
import { createCard, NUMBERS } from "../../../../support/builders/charges/card.ts";
import { givenTransaction, pay } from "../../../../support/builders/charges/transaction.ts";
import { givenCompany, type TestCompany } from "../../../../support/builders/companies/company.ts";
import { sharedCompany } from "../../../../support/builders/companies/shared-company.ts";
import { call, type Answer } from "../../../../support/builders/requests/api.ts";
import { FULL_REQUEST } from "../../../../support/builders/requests/full-request.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { anyEndToEndId, anyTime } from "../../../../support/probes/http/matchers.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";

const NAME = "GET /api/v1/transactions/{id}";

const current = (company: TestCompany, id: string): Promise<Answer> =>
  call(`/api/v1/transactions/${id}`, { company });

it("a transaction is its creation answer with all that the request told", async () => {
  const company = await givenCompany();
  const returnUrl = "https://loja.example.com/fim";
  const created = await givenTransaction(company, { ...FULL_REQUEST, returnUrl });
  const answer = await current(company, created.id);
  expect(answer.status).toBe(200);
  expect(answer.body).toStrictEqual({
    data: {
      ...created,
      returnUrl,
      expiresAt: created.pix.expirationDate,
      customer: {
        externalRef: "crm-9",
        name: "Maria da Conceição",
        email: "maria@example.com",
        phone: "+5511987654321",
        document: { number: "52998224725", type: "CPF" },
      },
      shipping: FULL_REQUEST.shipping,
      items: FULL_REQUEST.items,
    },
  });
  await expectDocumented(NAME, answer);
});

it("a paid one says when, how much and by which payment; its id may be in upper case", async () => {
  const company = await givenCompany();
  const created = await givenTransaction(company, { amount: 1_000 });
  await pay(company, created.id, 900);
  const answer = await current(company, created.id.toUpperCase());
  expect(answer.body.data).toMatchObject({
    id: created.id,
    status: "PAID",
    paidAmount: 900,
    underpaid: true,
    paidAt: anyTime,
    endToEndId: anyEndToEndId,
    pix: created.pix,
    shipping: { fee: null, address: { street: "" } },
    items: [],
  });
  expect(answer.body.data).not.toHaveProperty("failureReason");
  await expectDocumented(NAME, answer);
});

describe("NOT_FOUND", () => {
  it.each(["1", "0f8fad5b-d9cb-469f-a165-70867728950e", "%00-", "'%20OR%201=1--"])(
    "rejects %s",
    async (id) => {
      const answer = await current(await sharedCompany(), id);
      await expectProblem(answer, { status: 404, code: "NOT_FOUND" });
    },
  );

  it("a wrong method on a path beside it is still a 405", async () => {
    const company = await sharedCompany();
    for (const path of ["create", "search"]) {
      const answer = await current(company, path);
      await expectProblem(answer, { status: 405, code: "METHOD_NOT_ALLOWED" });
      expect(answer.headers.get("Allow")).toContain("POST");
    }
  });
});

/** The reason in each view, and in the newest event. */
async function reasonsOf(company: TestCompany, id: string): Promise<unknown[]> {
  const paths = [
    `/api/v1/transactions/${id}`,
    `/api/Transaction/transactionByTransactionId/${id}`,
    "/api/Transaction/company/transactions",
    "/api/v1/transactions",
    `/api/checkout/status/${id}`,
    "/api/v1/events",
  ];
  const answers = await Promise.all(paths.map((path) => call(path, { company })));
  return answers.map(({ body }) => {
    const shown = body.data ?? body.res?.items[0] ?? body.items?.at(-1) ?? body;
    return (shown.data ?? shown).failureReason;
  });
}

describe("a transaction that failed says why in every view", () => {
  const REMOVED = {
    code: "REMOVED_BY_PROVIDER",
    message: "The provider ended the charge before it was paid.",
    retryable: true,
  };
  const DECLINED = {
    code: "CARD_DECLINED",
    message: "The card was declined by its issuer.",
    retryable: false,
  };

  it("by its provider", async () => {
    const company = await givenCompany();
    const { id } = await givenTransaction(company);
    await call(`/api/v1/sandbox/transactions/${id}/fail`, { company, method: "POST" });
    expect(await reasonsOf(company, id)).toEqual(Array.from({ length: 6 }, () => REMOVED));
  });

  it("by its card, as refusedReason does; the create's answer too, and its replay", async () => {
    const company = await givenCompany();
    const decline = () => createCard(company, { number: NUMBERS.declined }, {}, { key: "tx_1" });
    const [first, replay] = [await decline(), await decline()];
    expect(first.body.data).toMatchObject({ refusedReason: DECLINED, failureReason: DECLINED });
    const found = async (code: string) =>
      (await call(`/api/v1/transactions?failureCode=${code}`, { company })).body.items.length;
    expect([await found(DECLINED.code), await found("EXPIRED_CARD")]).toEqual([1, 0]);
    expect(replay.text).toBe(first.text);
    expect(await reasonsOf(company, first.body.data.id)).toEqual(
      Array.from({ length: 6 }, () => DECLINED),
    );
  });

  it("until money comes after all", async () => {
    const company = await givenCompany();
    const { id } = await givenTransaction(company);
    await call(`/api/v1/sandbox/transactions/${id}/fail`, { company, method: "POST" });
    await pay(company, id);
    expect((await current(company, id)).body.data).not.toHaveProperty("failureReason");
  });
});
