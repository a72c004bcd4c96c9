import { expect, it } from "vitest";
import { TestClock } from "../../../support/fakes/clock.ts";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import { accountsOf, movementsOf } from "../../../support/probes/ledger/ledger.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import {
  updateSettings,
  refund,
  resolveDispute,
  simulate,
} from "../../../support/builders/operations/refund.ts";
import { givenPaid, givenTransaction, pay } from "../../../support/builders/charges/transaction.ts";
import { balanceOf } from "../../../support/probes/ledger/balance.ts";
import { requestWithdraw } from "../../../support/builders/withdraws/withdraw.ts";
import { call } from "../../../support/builders/requests/api.ts";

const DAY_MS = 86_400_000;

/** A company that owes 20.00: a chargeback took a payment of 25.00 after a withdraw of 20.00. */
async function givenDebt(clock?: TestClock): Promise<TestCompany> {
  const company = await givenCompany(clock === undefined ? {} : { clock });
  const { id } = await givenPaid(company, 2_500);
  await requestWithdraw(company, { amount: 2_000 });
  await simulate(company, id, "chargeback");
  return company;
}

it("a debt is shown in reais, next to an available balance of zero", async () => {
  const company = await givenDebt();
  expect(await balanceOf(company)).toMatchObject({
    enBalanceStatus: "Released",
    accBalance: 0,
    accBalanceCredit: 0,
    accBalanceCreditAwaiting: 0,
    accBalanceDebt: 20,
  });
});

it("INSUFFICIENT_BALANCE: no withdraw is possible with a debt", async () => {
  const company = await givenDebt();
  for (const credit of [1_000, 999]) {
    await givenPaid(company, credit);
    await expectProblem(await requestWithdraw(company), {
      status: 422,
      code: "INSUFFICIENT_BALANCE",
      extensions: { availableCents: 0, requiredCents: 1_000 },
    });
  }
  expect(await balanceOf(company)).toMatchObject({ accBalance: 0, accBalanceDebt: 0.01 });
  await givenPaid(company, 1_001);
  expect(await balanceOf(company)).toMatchObject({ accBalance: 10, accBalanceDebt: 0 });
  expect((await requestWithdraw(company)).status).toBe(201);
});

it("a returned withdraw repays the debt first", async () => {
  const company = await givenDebt();
  const failed = await call("/api/v1/sandbox/withdraws/1/fail", { method: "POST", company });
  expect(failed.body.enTransaction).toBe("Failed");
  expect(await accountsOf(company)).toMatchObject({ available: 0, debt: 0, payout: 0 });
  expect((await movementsOf(company)).at(-1)).toEqual({
    type: "withdraw_failed",
    postings: { payout: -2_000, debt: 2_000 },
  });
});

it("a credit repays the debt after its fee", async () => {
  const company = await givenDebt();
  await updateSettings(company, { fees: { PIX: { basisPoints: 1_000, fixed: 50 } } });
  await givenPaid(company, 1_000);
  expect(await accountsOf(company)).toMatchObject({ available: 0, debt: -1_150, fees: 150 });
});

it("unreleased credit repays the debt only at its release", async () => {
  const clock = new TestClock();
  const company = await givenDebt(clock);
  await updateSettings(company, { releaseDays: { PIX: 1 } });
  await givenPaid(company, 2_500);
  expect(await balanceOf(company)).toMatchObject({
    enBalanceStatus: "Pending",
    accBalance: 0,
    accBalanceCreditAwaiting: 25,
    accBalanceDebt: 20,
  });

  clock.advance(DAY_MS + 60_000);

  expect(await balanceOf(company)).toMatchObject({
    enBalanceStatus: "Released",
    accBalance: 5,
    accBalanceCreditAwaiting: 0,
    accBalanceDebt: 0,
  });
});

it("a won dispute repays the debt with its blocked money", async () => {
  const company = await givenCompany();
  const { id: disputed } = await givenPaid(company, 1_000);
  await simulate(company, disputed, "dispute");
  const { id: taken } = await givenPaid(company, 2_500);
  await requestWithdraw(company, { amount: 2_000 });
  await simulate(company, taken, "chargeback");
  expect(await accountsOf(company)).toMatchObject({ available: 0, debt: -2_000, blocked: 1_000 });

  await resolveDispute(company, disputed, "won");

  expect(await accountsOf(company)).toMatchObject({ available: 0, debt: -1_000, blocked: 0 });
});

it("INSUFFICIENT_BALANCE: a refund cannot be paid from a debt", async () => {
  const company = await givenDebt();
  const { id } = await givenPaid(company, 1_500);
  await expectProblem(await refund(company, id, 1), {
    status: 422,
    code: "INSUFFICIENT_BALANCE",
    extensions: { availableCents: 0, requiredCents: 1 },
  });
});

it("a chargeback during a debt increases it by the full amount", async () => {
  const company = await givenDebt();
  const { id } = await givenTransaction(company, { amount: 1_500 });
  await pay(company, id);
  expect(await balanceOf(company)).toMatchObject({ accBalanceDebt: 5 });
  const { body } = await simulate(company, id, "chargeback");
  expect(body.data).toMatchObject({ status: "REFUNDED", refundedAmount: 1_500 });
  expect(await balanceOf(company)).toMatchObject({ accBalance: 0, accBalanceDebt: 20 });
});

it("the fee also becomes debt when a chargeback takes the full payment", async () => {
  const company = await givenCompany();
  await updateSettings(company, { fees: { PIX: { basisPoints: 500, fixed: 100 } } });
  const { id } = await givenPaid(company, 10_000);
  await simulate(company, id, "chargeback");
  expect(await accountsOf(company)).toMatchObject({ available: 0, fees: 600, debt: -600 });
  expect((await balanceOf(company)).accBalanceDebt).toBe(6);
});
