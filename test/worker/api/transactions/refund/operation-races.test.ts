import { describe, expect, it } from "vitest";
import { MAX_AMOUNT_CENTS } from "../../../../../src/domain/shared/money.ts";
import { call } from "../../../../support/builders/requests/api.ts";
import { givenCompany } from "../../../../support/builders/companies/company.ts";
import { FakeBank } from "../../../../support/fakes/fake-bank.ts";
import { accountsOf } from "../../../../support/probes/ledger/ledger.ts";
import {
  depsWithBank,
  settleRefunds,
  resumeOperation,
  REFUSED,
} from "../../../../support/builders/operations/operations.ts";
import {
  updateSettings,
  cancel,
  refund,
  resolveDispute,
  simulate,
} from "../../../../support/builders/operations/refund.ts";
import {
  givenPaid,
  givenTransaction,
  pay,
} from "../../../../support/builders/charges/transaction.ts";
import { balanceOf } from "../../../../support/probes/ledger/balance.ts";
import { requestWithdraw } from "../../../../support/builders/withdraws/withdraw.ts";

const TIMES = 5;

describe("concurrent operations count the money once", () => {
  it("a payment and a cancel: the charge is PAID in the end", async () => {
    const company = await givenCompany();
    for (let round = 1; round <= TIMES; round++) {
      const { id } = await givenTransaction(company, { amount: 1_000 });
      const [, cancelled] = await Promise.all([pay(company, id), cancel(company, id)]);
      expect([200, 409]).toContain(cancelled.status);
      const { body } = await call(`/api/checkout/status/${id}`);
      expect(body.status).toBe("PAID");
      expect(await accountsOf(company)).toMatchObject({ available: round * 1_000 });
    }
  });

  it("a refund and a withdraw of the same money: one of them succeeds", async () => {
    for (let round = 0; round < TIMES; round++) {
      const company = await givenCompany();
      const { id } = await givenPaid(company, 1_000);
      const [refunded, withdrawn] = await Promise.all([
        refund(company, id),
        requestWithdraw(company),
      ]);
      expect([refunded.status, withdrawn.status]).toEqual(
        refunded.status === 200 ? [200, 422] : [422, 201],
      );
      expect(await accountsOf(company)).toMatchObject({ available: 0 });
    }
  });

  it("a refund and a lost dispute: the payer gets the money once", async () => {
    for (let round = 0; round < TIMES; round++) {
      const company = await givenCompany();
      const { id } = await givenPaid(company, 1_000);
      const [refunded, disputed] = await Promise.all([
        refund(company, id),
        simulate(company, id, "dispute"),
      ]);
      expect(refunded.status === 200 || disputed.status === 200).toBe(true);
      if (disputed.status === 200) await resolveDispute(company, id, "lost");
      expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 0, provider: 0 });
      expect((await call(`/api/checkout/status/${id}`)).body.status).toBe("REFUNDED");
    }
  });
});

async function givenBoth() {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 2_500);
  const bank = new FakeBank();
  bank.onRefund = async () => ({ kind: "unknown" });
  await refund(company, id, undefined, { deps: depsWithBank(bank) });
  const taken = await simulate(company, id, "chargeback");
  expect(taken.body.data).toMatchObject({
    status: "REFUNDED",
    refundReason: "CHARGEBACK",
    refundedAmount: 2_500,
    refunds: [{ amount: 2_500, status: "PENDING" }],
  });
  expect(await balanceOf(company)).toMatchObject({ accBalance: 0, accBalanceDebt: 25 });
  return { company, bank };
}

describe("a chargeback during a pending refund", () => {
  it("that is rejected repays the chargeback's debt", async () => {
    const { company, bank } = await givenBoth();
    settleRefunds(bank, REFUSED);
    await resumeOperation(company, bank);
    expect(await balanceOf(company)).toMatchObject({ accBalance: 0, accBalanceDebt: 0 });
    expect(await accountsOf(company)).toMatchObject({ blocked: 0, provider: 0 });
  });

  it("that succeeds pays out twice, and the company owes the difference", async () => {
    const { company, bank } = await givenBoth();
    settleRefunds(bank, { kind: "done" });
    await resumeOperation(company, bank);
    expect(await balanceOf(company)).toMatchObject({ accBalance: 0, accBalanceDebt: 25 });
    expect(await accountsOf(company)).toMatchObject({ blocked: 0, provider: 2_500 });
  });
});

it("the largest amount is paid, charged, refunded and taken back to the centavo", async () => {
  const company = await givenCompany();
  await updateSettings(company, { fees: { PIX: { basisPoints: 9_999, fixed: 1 } } });
  const { id } = await givenPaid(company, MAX_AMOUNT_CENTS);
  expect(await accountsOf(company)).toMatchObject({ available: 99_999_999, fees: 999_900_000_000 });
  expect((await balanceOf(company)).accBalance).toBe(999_999.99);
  expect((await refund(company, id, 99_999_999)).status).toBe(200);
  const { body } = await simulate(company, id, "chargeback");
  expect(body.data).toMatchObject({ status: "REFUNDED", refundedAmount: MAX_AMOUNT_CENTS });
  expect(await balanceOf(company)).toMatchObject({ accBalance: 0, accBalanceDebt: 9_999_000_000 });
});
