import { describe, expect, it } from "vitest";
import { call, type Answer, type Call } from "../../../../support/builders/requests/api.ts";
import { givenCompany, type TestCompany } from "../../../../support/builders/companies/company.ts";
import { expectNoSideEffects } from "../../../../support/probes/ledger/footprint.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { UNNAMED_PAYER, anyTime, anyEndToEndId } from "../../../../support/probes/http/matchers.ts";
import { givenTransaction, pay } from "../../../../support/builders/charges/transaction.ts";
import { balanceOf } from "../../../../support/probes/ledger/balance.ts";

const postAction = (company: TestCompany, id: string, name: string): Promise<Answer> =>
  call(`/api/v1/sandbox/transactions/${id}/${name}`, { method: "POST", company });

/** A transaction's status in each view. */
async function statusesOf(company: TestCompany, id: string): Promise<string[]> {
  const [detail, list, search, checkout] = await Promise.all([
    call(`/api/Transaction/transactionByTransactionId/${id}`, { company }),
    call("/api/Transaction/company/transactions", { company }),
    call(`/api/v1/transactions?ids=${id}`, { company }),
    call(`/api/checkout/status/${id}`),
  ]);
  return [
    detail.body.enStatusTransaction,
    list.body.res.items[0].status,
    search.body.items[0].status,
    checkout.body.status,
  ];
}

it("a pending transaction is Awaiting in the detail and PENDING elsewhere", async () => {
  const company = await givenCompany();
  const { id, status } = await givenTransaction(company);
  expect(status).toBe("WAITING_PAYMENT");
  expect(await statusesOf(company, id)).toEqual(["Awaiting", "PENDING", "PENDING", "PENDING"]);
});

it("a paid transaction is PAID in every view and shows time, amount and end-to-end id", async () => {
  const company = await givenCompany();
  const created = await givenTransaction(company, { amount: 2_599 });
  const paid = await pay(company, created.id);
  expect(paid.status).toBe(200);
  expect(paid.body).toStrictEqual({
    status: 200,
    message: expect.stringMatching(/\S/),
    data: {
      ...created,
      status: "PAID",
      updatedAt: anyTime,
      paidAt: anyTime,
      paidAmount: 2_599,
      endToEndId: anyEndToEndId,
      ...UNNAMED_PAYER,
    },
  });
  expect(await statusesOf(company, created.id)).toEqual(["Paid", "PAID", "PAID", "PAID"]);
  expect((await balanceOf(company)).accBalance).toBe(25.99);
});

const REMOVED = {
  code: "REMOVED_BY_PROVIDER",
  message: "The provider ended the charge before it was paid.",
  retryable: true,
};

it("a failed transaction is FAILED in every view", async () => {
  const company = await givenCompany();
  const created = await givenTransaction(company);
  const failed = await postAction(company, created.id, "fail");
  expect(failed.status).toBe(200);
  expect(failed.body.data).toStrictEqual({
    ...created,
    status: "FAILED",
    failureReason: REMOVED,
    updatedAt: anyTime,
  });
  expect(await statusesOf(company, created.id)).toEqual(["Failed", "FAILED", "FAILED", "FAILED"]);
});

it("an expired transaction is CANCELLED with reason EXPIRED", async () => {
  const company = await givenCompany();
  const created = await givenTransaction(company);
  const expired = await postAction(company, created.id, "expire");
  expect(expired.status).toBe(200);
  expect(expired.body.data).toStrictEqual({
    ...created,
    status: "CANCELLED",
    cancelReason: "EXPIRED",
    updatedAt: anyTime,
  });
  expect(await statusesOf(company, created.id)).toEqual([
    "Cancelled",
    "CANCELLED",
    "CANCELLED",
    "CANCELLED",
  ]);
});

it.each(["fail", "expire"])("a payment after %s is credited", async (end) => {
  const company = await givenCompany();
  const created = await givenTransaction(company, { amount: 1_000 });
  await postAction(company, created.id, end);
  const { body } = await pay(company, created.id);
  expect(body.data).toStrictEqual({
    ...created,
    status: "PAID",
    updatedAt: anyTime,
    paidAt: anyTime,
    paidAmount: 1_000,
    endToEndId: anyEndToEndId,
    ...UNNAMED_PAYER,
  });
  expect(await statusesOf(company, created.id)).toEqual(["Paid", "PAID", "PAID", "PAID"]);
  expect((await balanceOf(company)).accBalance).toBe(10);
});

describe("a payment", () => {
  it("of another amount is credited with that amount", async () => {
    const company = await givenCompany();
    const { id } = await givenTransaction(company, { amount: 1_000 });
    const { body } = await pay(company, id, 1_234);
    expect(body.data).toMatchObject({ status: "PAID", amount: 1_000, paidAmount: 1_234 });
    expect((await balanceOf(company)).accBalance).toBe(12.34);
  });

  it("that is reported twice changes neither the transaction nor the balance", async () => {
    const company = await givenCompany();
    const { id } = await givenTransaction(company, { amount: 1_000 });
    const first = await pay(company, id);
    const second = await pay(company, id, 700);
    expect(second.status).toBe(200);
    expect(second.body.data).toEqual(first.body.data);
    expect((await balanceOf(company)).accBalance).toBe(10);
  });

  it.each<[string, Call]>([
    ["no body and no Content-Type", {}],
    ["no body but its Content-Type", { headers: { "Content-Type": "application/json" } }],
    ["an empty body", { rawBody: "" }],
    ["a body of blanks", { rawBody: "  " }],
    ["no body and the Content-Type of another", { headers: { "Content-Type": "text/plain" } }],
    ["an empty object", { body: {} }],
  ])("of the transaction's amount is made with %s", async (_what, options) => {
    const company = await givenCompany();
    const { id } = await givenTransaction(company);
    const { status, body } = await pay(company, id, undefined, options);
    expect(status).toBe(200);
    expect(body.data.paidAmount).toBe(2_500);
  });

  it.each([true, 1.5, "x", {}, [], 0, -1, 1_000_000_000_000])(
    "VALIDATION_FAILED: rejects amount %j",
    async (amount) => {
      const company = await givenCompany();
      const { id } = await givenTransaction(company);
      const answer = await expectNoSideEffects(company, () => pay(company, id, amount as number));
      await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: ["amount"] });
    },
  );
});

describe("INVALID_STATE", () => {
  it.each([
    ["fail", ["pay"]],
    ["expire", ["pay"]],
    ["fail", ["expire"]],
    ["expire", ["fail"]],
  ] as const)("rejects %s after %s", async (last, before) => {
    const company = await givenCompany();
    const { id } = await givenTransaction(company);
    for (const name of before) await postAction(company, id, name);
    const answer = await expectNoSideEffects(company, () => postAction(company, id, last));
    await expectProblem(answer, { status: 409, code: "INVALID_STATE" });
  });

  it("does not apply to a repeat of the same transition", async () => {
    const company = await givenCompany();
    for (const name of ["fail", "expire"]) {
      const { id } = await givenTransaction(company);
      const first = await postAction(company, id, name);
      const again = await expectNoSideEffects(company, () => postAction(company, id, name));
      expect(again.status).toBe(200);
      expect(again.body.data).toEqual(first.body.data);
    }
  });
});

it.each(["pay", "fail", "expire"])(
  "NOT_FOUND: rejects %s of an unknown transaction",
  async (name) => {
    const company = await givenCompany();
    await expectProblem(await postAction(company, "nothing", name), {
      status: 404,
      code: "NOT_FOUND",
    });
  },
);
