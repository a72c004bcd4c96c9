import { describe, expect, it } from "vitest";
import { call } from "../../../support/builders/requests/api.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { expectNoSideEffects } from "../../../support/probes/ledger/footprint.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { updateSettings, cancel, refund } from "../../../support/builders/operations/refund.ts";
import { givenPaid, givenTransaction, pay } from "../../../support/builders/charges/transaction.ts";
import { balanceOf } from "../../../support/probes/ledger/balance.ts";
import { requestWithdraw, runPayout } from "../../../support/builders/withdraws/withdraw.ts";

const DAY_MS = 86_400_000;
const DRY_RUN = { "X-Dry-Run": "true" };

describe("the fee of a method", () => {
  it("is fixed when the charge is created", async () => {
    const company = await givenCompany();
    const { id: free } = await givenTransaction(company, { amount: 10_000 });
    await updateSettings(company, { fees: { PIX: { basisPoints: 100, fixed: 30 } } });
    const { id: dear } = await givenTransaction(company, { amount: 10_000 });
    await updateSettings(company, { fees: { PIX: { basisPoints: 0, fixed: 0 } } });

    await pay(company, free);
    expect(await accountsOf(company)).toMatchObject({ available: 10_000 });
    await pay(company, dear);
    expect(await accountsOf(company)).toMatchObject({ available: 19_870, fees: 130 });
    await givenPaid(company, 10_000);
    expect(await accountsOf(company)).toMatchObject({ available: 29_870, fees: 130 });
  });

  it("applies to the paid amount, rounded half up, and never exceeds it", async () => {
    const company = await givenCompany();
    await updateSettings(company, { fees: { PIX: { basisPoints: 50, fixed: 0 } } });
    const { id } = await givenTransaction(company, { amount: 10_000 });
    await pay(company, id, 300);
    expect(await accountsOf(company)).toMatchObject({ available: 298, fees: 2 });
    await updateSettings(company, { fees: { PIX: { fixed: 500 } } });
    await givenPaid(company, 100);
    expect(await accountsOf(company)).toMatchObject({ available: 298, fees: 102 });
  });

  it("of another method does not touch PIX", async () => {
    const company = await givenCompany();
    await updateSettings(company, { fees: { BOLETO: { fixed: 100 }, WITHDRAW: { fixed: 100 } } });
    await givenPaid(company, 2_500);
    expect(await accountsOf(company)).toMatchObject({ available: 2_500 });
  });
});

describe("the release days of a method", () => {
  it("are fixed when the charge is created", async () => {
    const clock = new TestClock();
    const company = await givenCompany({ clock });
    const { id: early } = await givenTransaction(company, { amount: 1_000 });
    await updateSettings(company, { releaseDays: { PIX: 3 } });
    const { id: late } = await givenTransaction(company, { amount: 2_500 });
    await updateSettings(company, { releaseDays: { PIX: 0 } });
    await pay(company, early);
    const paid = await pay(company, late);

    expect(await accountsOf(company)).toMatchObject({ available: 1_000, awaiting: 2_500 });
    clock.advance(Date.parse(paid.body.data.paidAt) + 3 * DAY_MS - clock.now() - 1);
    expect(await balanceOf(company)).toMatchObject({
      accBalance: 10,
      accBalanceCreditAwaiting: 25,
    });
    clock.advance(1);
    expect(await balanceOf(company)).toMatchObject({ accBalance: 35, accBalanceCreditAwaiting: 0 });
  });
});

describe("the withdraw fee", () => {
  it("is in the 201 record, in reais, and leaves the balance with the amount", async () => {
    const company = await givenCompany({ balance: 10_000 });
    await updateSettings(company, { fees: { WITHDRAW: { basisPoints: 150, fixed: 250 } } });

    const { status, body } = await requestWithdraw(company, { amount: 5_033 });

    expect(status).toBe(201);
    expect(body).toMatchObject({ value: 50.33, fee: 3.25 });
    expect(await accountsOf(company)).toMatchObject({ available: 4_642, payout: 5_033, fees: 325 });
    expect((await balanceOf(company)).accBalance).toBe(46.42);
  });

  it("is part of the dry run, which takes no money", async () => {
    const company = await givenCompany({ balance: 10_000 });
    await updateSettings(company, { fees: { WITHDRAW: { fixed: 150 } } });
    const dry = await expectNoSideEffects(company, () =>
      requestWithdraw(company, { amount: 2_000 }, { headers: DRY_RUN }),
    );
    expect(dry.body).toMatchObject({
      accepted: true,
      value: 20,
      fee: 1.5,
      balanceBefore: 100,
      balanceAfter: 78.5,
    });
  });

  it("INSUFFICIENT_BALANCE: must be covered to the centavo", async () => {
    const company = await givenCompany({ balance: 2_150 });
    await updateSettings(company, { fees: { WITHDRAW: { fixed: 150 } } });
    const answer = await expectNoSideEffects(company, () =>
      requestWithdraw(company, { amount: 2_001 }),
    );
    await expectProblem(answer, {
      status: 422,
      code: "INSUFFICIENT_BALANCE",
      extensions: { availableCents: 2_150, requiredCents: 2_151 },
    });
    const dry = await requestWithdraw(company, { amount: 2_001 }, { headers: DRY_RUN });
    expect(dry.body).toMatchObject({ accepted: false, balanceAfter: 21.5 });
    expect((await requestWithdraw(company, { amount: 2_000 })).status).toBe(201);
    expect((await balanceOf(company)).accBalance).toBe(0);
  });

  it("never exceeds the withdraw, and is refunded with a failed one", async () => {
    const company = await givenCompany({ balance: 5_000 });
    await updateSettings(company, { fees: { WITHDRAW: { basisPoints: 10_000, fixed: 999 } } });
    const { body } = await requestWithdraw(company, { amount: 1_099 });
    expect(body.fee).toBe(10.99);
    await runPayout(company, body.id);
    expect(await accountsOf(company)).toMatchObject({ available: 5_000, payout: 0, fees: 0 });
  });

  it("of an accepted withdraw does not change later", async () => {
    const company = await givenCompany({ balance: 5_000 });
    await updateSettings(company, { fees: { WITHDRAW: { fixed: 100 } } });
    const first = await requestWithdraw(company, {}, { key: "wd_fee" });
    await updateSettings(company, { fees: { WITHDRAW: { fixed: 900 } } });
    const replay = await requestWithdraw(company, {}, { key: "wd_fee" });
    expect(replay.body).toEqual(first.body);
    expect((await call("/api/Withdraw/1", { company })).body.fee).toBe(1);
  });
});

describe("the minimum withdraw", () => {
  it("WITHDRAW_BELOW_MINIMUM: names the field and keeps the key free", async () => {
    const company = await givenCompany({ balance: 10_000 });
    await updateSettings(company, { minimumWithdraw: 3_000 });
    const answer = await expectNoSideEffects(company, () =>
      requestWithdraw(company, { amount: 2_999 }, { key: "wd_min" }),
    );
    await expectProblem(answer, {
      status: 400,
      code: "WITHDRAW_BELOW_MINIMUM",
      fields: ["amount"],
    });
    const dry = await requestWithdraw(company, { amount: 2_999 }, { headers: DRY_RUN });
    expect(dry.body.accepted).toBe(false);
    expect(dry.body.checks.find((check: any) => !check.passed)).toMatchObject({
      check: "minimum",
      code: "WITHDRAW_BELOW_MINIMUM",
    });
    expect((await requestWithdraw(company, { amount: 3_000 }, { key: "wd_min" })).status).toBe(201);
  });

  it("raised later does not change the response of a used key", async () => {
    const company = await givenCompany({ balance: 10_000 });
    const first = await requestWithdraw(company, {}, { key: "wd_old" });
    await updateSettings(company, { minimumWithdraw: 3_000, frozen: true });
    const replay = await requestWithdraw(company, {}, { key: "wd_old" });
    expect(replay.status).toBe(201);
    expect(replay.headers.get("Idempotent-Replayed")).toBe("true");
    expect(replay.body).toEqual(first.body);
  });
});

describe("a frozen company", () => {
  it("COMPANY_FROZEN: cannot withdraw, and its balance is Blocked", async () => {
    const company = await givenCompany({ balance: 5_000 });
    await updateSettings(company, { frozen: true });
    const answer = await expectNoSideEffects(company, () =>
      requestWithdraw(company, {}, { key: "wd_frozen" }),
    );
    await expectProblem(answer, { status: 422, code: "COMPANY_FROZEN" });
    expect(await balanceOf(company)).toMatchObject({ enBalanceStatus: "Blocked", accBalance: 50 });
    const dry = await requestWithdraw(company, {}, { headers: DRY_RUN });
    expect(dry.body.checks.filter((check: any) => !check.passed)).toMatchObject([
      { check: "company", code: "COMPANY_FROZEN" },
    ]);

    await updateSettings(company, { frozen: false });

    expect((await balanceOf(company)).enBalanceStatus).toBe("Released");
    const thawed = await requestWithdraw(company, {}, { key: "wd_frozen" });
    expect(thawed.status).toBe(201);
    expect(thawed.headers.has("Idempotent-Replayed")).toBe(false);
  });

  it("COMPANY_FROZEN: is reported before errors of key and balance, after field errors", async () => {
    const company = await givenCompany({ mainPixKey: null });
    await updateSettings(company, { frozen: true });
    await expectProblem(await requestWithdraw(company, { amount: 5_000 }), {
      status: 422,
      code: "COMPANY_FROZEN",
    });
    await expectProblem(await requestWithdraw(company, { amount: 0 }), {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: ["amount"],
    });
  });

  it("can still charge, be paid and cancel", async () => {
    const company = await givenCompany();
    await updateSettings(company, { frozen: true });
    await givenPaid(company, 2_500);
    const { id: waiting } = await givenTransaction(company);
    expect((await cancel(company, waiting)).status).toBe(200);
    expect(await balanceOf(company)).toMatchObject({ enBalanceStatus: "Blocked", accBalance: 25 });
  });

  it("COMPANY_FROZEN: cannot refund until it is thawed", async () => {
    const company = await givenCompany();
    const { id } = await givenPaid(company, 2_500);
    await updateSettings(company, { frozen: true });
    const ask = () => refund(company, id, 500, { key: "refund_frozen" });
    const answer = await expectNoSideEffects(company, ask);
    await expectProblem(answer, { status: 422, code: "COMPANY_FROZEN" });
    expect(await balanceOf(company)).toMatchObject({ enBalanceStatus: "Blocked", accBalance: 25 });

    await updateSettings(company, { frozen: false });

    const thawed = await ask();
    expect(thawed.headers.has("Idempotent-Replayed")).toBe(false);
    expect(thawed.body.data).toMatchObject({ status: "PAID", refundedAmount: 500 });
    expect(await balanceOf(company)).toMatchObject({ enBalanceStatus: "Released", accBalance: 20 });
  });

  it("sends no accepted withdraw until it is thawed", async () => {
    const company = await givenCompany({ balance: 5_000 });
    const { body } = await requestWithdraw(company);
    await updateSettings(company, { frozen: true });
    await runPayout(company, body.id);
    const held = await call(`/api/Withdraw/${body.id}`, { company });
    expect(held.body.enTransaction).toBe("Awaiting");

    await updateSettings(company, { frozen: false });
    await runPayout(company, body.id);

    const sent = await call(`/api/Withdraw/${body.id}`, { company });
    expect(sent.body.enTransaction).toBe("Paid");
  });

  it("can cancel an accepted withdraw", async () => {
    const company = await givenCompany({ balance: 5_000 });
    const { body } = await requestWithdraw(company);
    await updateSettings(company, { frozen: true });
    const taken = await call(`/api/Withdraw/${body.id}/cancel`, { method: "POST", company });
    expect(taken.body.enTransaction).toBe("Cancelled");
    expect(await balanceOf(company)).toMatchObject({ enBalanceStatus: "Blocked", accBalance: 50 });
  });
});
