import { describe, expect, it } from "vitest";
import { call, type Answer } from "../../../support/builders/requests/api.ts";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { givenPaid, givenTransaction, pay } from "../../../support/builders/charges/transaction.ts";
import { balanceOf } from "../../../support/probes/ledger/balance.ts";
import { requestWithdraw } from "../../../support/builders/withdraws/withdraw.ts";
import { sharedCompany } from "../../../support/builders/companies/shared-company.ts";

const read = (company: TestCompany, path: string): Promise<Answer> =>
  call(`/api/Balance/balance/${path}`, { company });

it("a new company has a BRL balance", async () => {
  const company = await givenCompany();
  const answer = await read(company, `${company.id}?currency=BRL`);
  expect(answer.status).toBe(200);
  expect(answer.body).toStrictEqual({
    id: expect.any(Number),
    companyId: company.id,
    currency: "BRL",
    enBalanceStatus: "Released",
    accBalance: 0,
    accBalanceHeld: 0,
    accBalanceCredit: 0,
    accBalanceCreditAwaiting: 0,
    accBalanceBlocked: 0,
    accBalanceDebt: 0,
    ledgerSequence: 0,
    ledgerAnchor: null,
    ledgerHash: "0".repeat(64),
  });
  expect(Number.isInteger(answer.body.id)).toBe(true);
});

it("the own balance is in centavos and needs no company id", async () => {
  const company = await givenCompany({ balance: 123_456 });
  const { status, body } = await call("/api/v1/balance?currency=BRL", { company });
  expect([status, body.data]).toEqual([
    200,
    {
      companyId: company.id,
      currency: "BRL",
      availableCents: 123_456,
      heldCents: 0,
      awaitingCents: 0,
      blockedCents: 0,
      owedCents: 0,
      ledgerSequence: expect.any(Number),
      ledgerHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
  ]);
  const unnamed = await call("/api/v1/balance", { company });
  expect([unnamed.status, unnamed.body]).toEqual([status, body]);
  const other = await call("/api/v1/balance?currency=USD", { company });
  await expectProblem(other, { status: 404, code: "NOT_FOUND" });
});

it("the amounts of a balance are reais as JSON numbers, to the centavo", async () => {
  const company = await givenCompany({ balance: 123_456_789 });
  const { text } = await read(company, `${company.id}?currency=BRL`);
  expect(text).toContain('"accBalance":1234567.89');
  expect(text).toContain('"accBalanceCredit":1234567.89');
  expect(text).toContain('"accBalanceCreditAwaiting":0');
});

it("the balance follows charges, payments and withdraws", async () => {
  const company = await givenCompany();
  const seen = [];
  const { id } = await givenTransaction(company, { amount: 1_999 });
  seen.push((await balanceOf(company)).accBalance);
  await pay(company, id);
  seen.push((await balanceOf(company)).accBalance);
  await givenPaid(company, 1);
  seen.push((await balanceOf(company)).accBalance);
  await requestWithdraw(company, { amount: 1_005 });
  const last = await balanceOf(company);
  seen.push(last.accBalance);
  expect(seen).toEqual([0, 19.99, 20, 9.95]);
  expect(last.accBalanceCredit).toBe(9.95);
});

it.each(["USD", "EUR", "XXX"])("NOT_FOUND: there is no balance in %s", async (currency) => {
  const company = await sharedCompany();
  await expectProblem(await read(company, `${company.id}?currency=${currency}`), {
    status: 404,
    code: "NOT_FOUND",
  });
});

describe("VALIDATION_FAILED", () => {
  it.each(["", "?currency=", "?currency=brl", "?currency=BR", "?currency=BRLL", "?currency=B%00L"])(
    "rejects currency in %j",
    async (query) => {
      const company = await sharedCompany();
      await expectProblem(await read(company, `${company.id}${query}`), {
        status: 400,
        code: "VALIDATION_FAILED",
        fields: ["currency"],
      });
    },
  );

  it("rejects a currency that is sent twice", async () => {
    const company = await sharedCompany();
    await expectProblem(await read(company, `${company.id}?currency=BRL&currency=BRL`), {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: ["currency"],
    });
  });

  it.each(["abc", "1.5", "1e3", "0x1", "%201", "1a", "null"])(
    "rejects company %s, which is not an integer",
    async (id) => {
      const company = await sharedCompany();
      await expectProblem(await read(company, `${id}?currency=BRL`), {
        status: 400,
        code: "VALIDATION_FAILED",
        fields: ["companyId"],
      });
    },
  );
});

it("FORBIDDEN: rejects another company's balance, whether or not that company exists", async () => {
  const [ours, theirs] = [await givenCompany(), await givenCompany({ balance: 9_999 })];
  for (const id of [theirs.id, 0, 999_999, 999_999_999_999_999]) {
    const answer = await read(ours, `${id}?currency=BRL`);
    await expectProblem(answer, { status: 403, code: "FORBIDDEN" });
    expect(answer.text).not.toContain("99.99");
  }
});
