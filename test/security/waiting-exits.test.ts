import { describe, expect, it } from "vitest";
import { callsTo } from "../support/builders/companies/calls.ts";
import { startOfNextDay } from "../../src/domain/shared/business-day.ts";
import { givenPaid } from "../support/builders/charges/transaction.ts";
import {
  decide as decidePayment,
  newestUnexpected,
} from "../support/builders/charges/unexpected.ts";
import { givenApplication, limitRefunds } from "../support/builders/companies/application.ts";
import { givenCompany, type TestCompany } from "../support/builders/companies/company.ts";
import { TEST_CAUSE } from "../support/builders/operations/decide.ts";
import { depsWithBank, settleRefunds } from "../support/builders/operations/operations.ts";
import { refund } from "../support/builders/operations/refund.ts";
import {
  givenUnexpectedPayment,
  paymentOf,
  reportDispute,
  reportExternalRefund,
} from "../support/builders/reconciliation/provider-reports.ts";
import { call } from "../support/builders/requests/api.ts";
import {
  changeSettings,
  APPROVAL_MS,
  decide as decideOnWithdraw,
  givenPending,
} from "../support/builders/withdraws/approvals.ts";
import { TestClock } from "../support/fakes/clock.ts";
import { FakeBank } from "../support/fakes/fake-bank.ts";
import { expectProblem } from "../support/probes/http/problem.ts";
import { accountsOf } from "../support/probes/ledger/ledger.ts";

type Options = Parameters<typeof call>[1];

const decide = (company: TestCompany, id: string, decision: string, options: Options = {}) =>
  call(`/api/v1/refunds/${id}/${decision}`, { method: "POST", company, ...options });

/** A company whose every refund and return waits, and a second application of it. */
async function givenApprovals() {
  const company = await givenCompany();
  await changeSettings(company, { refundApprovalAbove: 0 });
  return { company, approver: await givenApplication(company) };
}

/** The return of an unexpected payment of R$ 9.00 waits. */
async function givenWaitingReturn() {
  const { company, approver } = await givenApprovals();
  const { paymentId } = await givenUnexpectedPayment(company, 900);
  expect((await decidePayment(company, paymentId, "return")).status).toBe(202);
  const [waiting] = (await call("/api/v1/refunds?approval=pending", { company })).body.items;
  return { company, approver, paymentId, refundId: waiting.id as string };
}

describe("an approval", () => {
  it("is the last word while the bank has not answered: nobody refuses what may have been sent", async () => {
    const { company, approver } = await givenApprovals();
    const { id } = await givenPaid(company, 2_500);
    const asked = await refund(company, id, 1_500);
    const refundId = asked.body.data.refunds[0].id;
    const bank = new FakeBank();
    bank.onRefund = async () => ({ kind: "unknown" });
    const options = { deps: depsWithBank(bank) };
    await decide(approver, refundId, "approve", options);
    const later = await decide(approver, refundId, "refuse", options);
    expect([later.status, later.body.code]).toEqual([409, "INVALID_STATE"]);
    expect(await accountsOf(company)).toMatchObject({ available: 1_000, blocked: 1_500 });
    settleRefunds(bank, { kind: "done" });
  });

  it("under a key that was used for another decision is refused", async () => {
    const { company, approver } = await givenApprovals();
    const { id } = await givenPaid(company, 2_500);
    const refundIds: string[] = [];
    for (const amount of [100, 200])
      refundIds.push((await refund(company, id, amount)).body.data.refunds.at(-1).id);
    const options = { headers: { "Idempotency-Key": "decision-1" } };
    const [first, second] = [refundIds[0]!, refundIds[1]!];
    expect((await decide(approver, first, "approve", options)).status).toBe(200);
    const other = await decide(approver, second, "approve", options);
    expect([other.status, other.body.code]).toEqual([409, "IDEMPOTENCY_KEY_REUSED"]);
    expect(await accountsOf(company)).toMatchObject({ available: 2_200, blocked: 200 });
  });

  it("counts for the approver's own limit of the day", async () => {
    const { company, approver } = await givenApprovals();
    const { id } = await givenPaid(company, 2_500);
    await refund(company, id, 1_000);
    const { refunds } = (await refund(company, id, 1_000)).body.data;
    await limitRefunds(approver, 1_999);
    expect((await decide(approver, refunds[0].id, "approve")).status).toBe(200);
    const { status, body } = await decide(approver, refunds[1].id, "approve");
    expect([status, body.code, body.usedCents]).toEqual([422, "REFUND_LIMIT_EXCEEDED", 1_000]);
  });

  it("is not refused by who asked", async () => {
    const { company } = await givenApprovals();
    const { id } = await givenPaid(company, 2_500);
    const { refunds } = (await refund(company, id, 1_000)).body.data;
    const { status, body } = await decide(company, refunds[0].id, "refuse");
    expect([status, body.code]).toEqual([403, "FORBIDDEN"]);
  });

  it("comes too late after 72 hours, also before the object has noticed", async () => {
    const clock = new TestClock();
    const company = await givenCompany({ clock });
    await changeSettings(company, { refundApprovalAbove: 0 });
    const approver = await givenApplication(company);
    const { id } = await givenPaid(company, 2_500);
    const deps = { platformClock: clock };
    const { refunds } = (await refund(company, id, 1_000, { deps })).body.data;
    clock.advance(APPROVAL_MS);
    const { status, body } = await decide(approver, refunds[0].id, "approve", { deps });
    expect([status, body.code]).toEqual([409, "INVALID_STATE"]);
    expect(await accountsOf(company)).toMatchObject({ available: 2_500, blocked: 0 });
  });

  it("of a withdraw is refused while the company is frozen, and takes effect after that", async () => {
    const { company, approver, withdraw } = await givenPending();
    const object = callsTo(company.id);
    await object.setFrozen({ companyId: company.id, change: true, cause: TEST_CAUSE });
    const answer = await decideOnWithdraw(approver, "approve", withdraw.id);
    await expectProblem(answer, { status: 422, code: "COMPANY_FROZEN" });
    await object.setFrozen({ companyId: company.id, change: false, cause: TEST_CAUSE });
    const { body } = await decideOnWithdraw(approver, "approve", withdraw.id);
    expect(body.data).toMatchObject({ enTransaction: "Awaiting", approval: "approved" });
  });

  it("of a refund is refused once the bank sent part of the payment back", async () => {
    const { company, approver } = await givenApprovals();
    const { id } = await givenPaid(company, 2_500);
    const asked = await refund(company, id, 1_500);
    const paymentId = await paymentOf(company, id);
    await reportExternalRefund(company, paymentId, { amount: 1_200 });
    const answer = await decide(approver, asked.body.data.refunds[0].id, "approve");
    expect([answer.status, answer.body.code]).toEqual([409, "INVALID_STATE"]);
  });

  it("of a refund is refused while another one that was approved may take what the bank left", async () => {
    const { company, approver } = await givenApprovals();
    const { id } = await givenPaid(company, 2_500);
    await refund(company, id, 1_000);
    const asked = await refund(company, id, 1_000);
    expect((await refund(company, id, 501)).body.code).toBe("REFUND_EXCEEDS_PAID");
    const [first, second] = asked.body.data.refunds.map((each: { id: string }) => each.id);
    await reportExternalRefund(company, await paymentOf(company, id), { amount: 1_000 });
    const bank = new FakeBank();
    bank.onRefund = async () => ({ kind: "unknown" });
    const options = { deps: depsWithBank(bank) };
    expect((await decide(approver, first, "approve", options)).status).toBe(200);
    const answer = await decide(approver, second, "approve", options);
    expect([answer.status, answer.body.code]).toEqual([409, "INVALID_STATE"]);
    expect(bank.sentRefunds).toHaveLength(1);
    settleRefunds(bank, { kind: "done" });
  });

  it("of a return is refused once the payer's bank disputes the payment", async () => {
    const { company, approver, paymentId, refundId } = await givenWaitingReturn();
    await reportDispute(company, paymentId, { amount: 900 });
    const answer = await decide(approver, refundId, "approve");
    expect([answer.status, answer.body.code]).toEqual([409, "INVALID_STATE"]);
    expect(await accountsOf(company)).toMatchObject({ suspense: 900 });
  });

  it("of a return is refused once the payer's bank took the money", async () => {
    const { company, approver, paymentId, refundId } = await givenWaitingReturn();
    await reportDispute(company, paymentId, { amount: 500, status: "LOST" });
    const answer = await decide(approver, refundId, "approve");
    expect([answer.status, answer.body.code]).toEqual([409, "INVALID_STATE"]);
    expect(await accountsOf(company)).toMatchObject({ suspense: 400 });
    expect((await newestUnexpected(company)).status).not.toBe("returned");
  });
});

it("a clock that steps back over midnight begins no day's limit again", async () => {
  const clock = new TestClock();
  clock.advance(startOfNextDay(clock.now()) - clock.now() + 60_000);
  const company = await givenCompany({ clock });
  const { id } = await givenPaid(company, 10_000);
  await changeSettings(company, { refundDailyLimit: 1_000 });
  const options = { deps: { platformClock: clock } };
  expect((await refund(company, id, 1_000, options)).status).toBe(200);
  clock.advance(-120_000);
  expect((await refund(company, id, 1, options)).body.code).toBe("REFUND_LIMIT_EXCEEDED");
});
