import { describe, expect, it } from "vitest";
import type { RefundOutcome } from "../../../../../src/providers/provider.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import { settle } from "../../../../support/builders/charges/charge-commands.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { FakeBank } from "../../../../support/fakes/fake-bank.ts";
import { injectFault, withAccounts } from "../../../../support/faults/faulty-env.ts";
import { expectNoSideEffects } from "../../../../support/probes/ledger/footprint.ts";
import { accountsOf } from "../../../../support/probes/ledger/ledger.ts";
import {
  depsWithBank,
  settleRefunds,
  resumeOperation,
  REFUSED,
} from "../../../../support/builders/operations/operations.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { updateSettings, cancel, refund } from "../../../../support/builders/operations/refund.ts";
import { anyUuid } from "../../../../support/probes/http/matchers.ts";
import {
  givenPaid,
  givenTransaction,
  pay,
} from "../../../../support/builders/charges/transaction.ts";
import { balanceOf } from "../../../../support/probes/ledger/balance.ts";
import { eventsOf } from "../../../../support/probes/webhooks/webhook-rows.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const FIRST_TRACE = "0af7651916cd43dd8448eb211c80319c";

/** A paid transaction of 25.00 whose bank responds to each refund with `outcome`. */
async function givenPaidAt(outcome: RefundOutcome | Error, balance = 0) {
  const company = await givenCompany({ balance });
  const transaction = await givenPaid(company, 2_500);
  const bank = new FakeBank();
  bank.onRefund = async () => {
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
  return { company, bank, id: transaction.id as string, deps: depsWithBank(bank) };
}

const typesOf = async (company: TestCompany) =>
  (await eventsOf(company)).map((event) => event.type);

describe("a bank that does not respond to a refund", () => {
  it.each<[string, RefundOutcome | Error]>([
    ["gives no response", { kind: "unknown" }],
    ["reports the refund as processing", { kind: "processing" }],
    ["throws an error", new Error("socket hang up")],
  ])("leads to a 202, a hold on the money and no event when it %s", async (_how, outcome) => {
    const { company, id, deps, bank } = await givenPaidAt(outcome);

    const answer = await refund(company, id, 1_000, { deps });

    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ status: 202, message: expect.stringMatching(/\S/) });
    expect(answer.body.data).toMatchObject({
      status: "PAID",
      refundedAmount: 0,
      refunds: [{ id: anyUuid, amount: 1_000, status: "PENDING" }],
    });
    expect(bank.sentRefunds).toHaveLength(1);
    expect(await accountsOf(company)).toMatchObject({ available: 1_500, blocked: 1_000 });
    expect(await typesOf(company)).toEqual(["transaction.paid"]);
    expect(await balanceOf(company)).toMatchObject({ accBalance: 15, accBalanceCredit: 25 });
  });

  it("gets the same id on every attempt and no second request for a known id", async () => {
    const { company, id, deps, bank } = await givenPaidAt({ kind: "unknown" });
    await refund(company, id, 1_000, { deps, key: "re_1" });
    await refund(company, id, 1_000, { deps, key: "re_1" });
    await resumeOperation(company, bank);
    expect(bank.sentRefunds).toEqual([
      {
        refundId: expect.stringMatching(/^[0-9a-f]{32}$/),
        chargeId: id.replaceAll("-", ""),
        paymentId: expect.stringMatching(/^E/),
        amount: 1_000,
      },
    ]);
  });

  it("leads to a 202 that the key keeps after the refund is done", async () => {
    const { company, id, deps, bank } = await givenPaidAt({ kind: "unknown" });
    const first = await refund(company, id, 1_000, { deps, key: "re_1" });
    settleRefunds(bank, { kind: "done" });
    await resumeOperation(company, bank);

    expect(await accountsOf(company)).toMatchObject({ available: 1_500, blocked: 0 });
    const replay = await expectNoSideEffects(company, () =>
      refund(company, id, 1_000, { deps, key: "re_1" }),
    );

    expect(replay.status).toBe(202);
    expect(replay.headers.get("Idempotent-Replayed")).toBe("true");
    expect(replay.body).toEqual(first.body);
    const events = await eventsOf(company);
    expect(events.map((event) => event.type)).toEqual([
      "transaction.paid",
      "transaction.partially_refunded",
    ]);
    expect(events[1]?.body.data).toMatchObject({
      refundedAmount: 1_000,
      refunds: [{ id: first.body.data.refunds[0].id, status: "DONE" }],
    });
  });

  it("and rejects later returns the money without a refund event", async () => {
    const { company, id, deps, bank } = await givenPaidAt({ kind: "unknown" });
    await refund(company, id, undefined, { deps });
    settleRefunds(bank, REFUSED);
    await resumeOperation(company, bank);

    expect(await accountsOf(company)).toMatchObject({ available: 2_500, blocked: 0 });
    expect(await typesOf(company)).toEqual(["transaction.paid"]);
    const { status, body } = await refund(company, id, 1);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      status: "PAID",
      refunds: [
        { amount: 2_500, status: "FAILED" },
        { amount: 1, status: "DONE" },
      ],
    });
  });

  it("REFUND_EXCEEDS_PAID: a pending refund cannot be refunded again", async () => {
    const { company, id, deps } = await givenPaidAt({ kind: "processing" }, 10_000);
    await refund(company, id, 2_000, { deps });
    for (const [amount, refundable] of [
      [501, 500],
      [2_500, 500],
    ] as const) {
      await expectProblem(await refund(company, id, amount, { deps }), {
        status: 422,
        code: "REFUND_EXCEEDS_PAID",
        extensions: { refundableCents: refundable },
      });
    }
    await refund(company, id, undefined, { deps });
    await expectProblem(await refund(company, id, undefined, { deps }), {
      status: 422,
      code: "REFUND_EXCEEDS_PAID",
      extensions: { refundableCents: 0 },
    });
    expect(await accountsOf(company)).toMatchObject({ available: 10_000, blocked: 2_500 });
  });
});

describe("a request that crashed before the bank's response", () => {
  it("is looked up once, and its key then returns the result", async () => {
    const clock = new TestClock();
    const company = await givenCompany({ clock });
    const { id } = await givenPaid(company, 2_500);
    const bank = new FakeBank();
    const options = { deps: depsWithBank(bank, clock), key: "re_1" };
    const death = injectFault({ on: /recordOperation/, when: "before" });
    const died = await refund(company, id, 1_000, {
      ...options,
      env: withAccounts(env, death.intercept),
    });
    await expectProblem(died, { status: 500, code: "INTERNAL_ERROR" });
    await expectProblem(await refund(company, id, 1_000, options), {
      status: 409,
      code: "IDEMPOTENCY_IN_PROGRESS",
      retryAfter: true,
    });
    expect(await accountsOf(company)).toMatchObject({ available: 1_500, blocked: 1_000 });

    clock.advance(MINUTE_MS);
    await resumeOperation(company, bank);

    expect(await accountsOf(company)).toMatchObject({ available: 1_500, blocked: 0 });
    expect(bank.sentRefunds).toHaveLength(1);
    const replay = await expectNoSideEffects(company, () => refund(company, id, 1_000, options));
    expect(replay.status).toBe(200);
    expect(replay.headers.get("Idempotent-Replayed")).toBe("true");
    expect(replay.body.data).toMatchObject({
      refundedAmount: 1_000,
      refunds: [{ status: "DONE" }],
    });
  });

  it("is not sent again to a bank without idempotent refunds", async () => {
    const { company, id, deps, bank } = await givenPaidAt({ kind: "unknown" });
    bank.idempotentRefunds = false;
    bank.onFindRefund = async () => ({ kind: "not_found" });
    await refund(company, id, 1_000, { deps });
    await resumeOperation(company, bank);
    await resumeOperation(company, bank);
    expect(bank.sentRefunds).toHaveLength(1);
    expect(bank.refundLookups).toHaveLength(2);
    expect(await accountsOf(company)).toMatchObject({ available: 1_500, blocked: 1_000 });
  });

  it("is sent to a bank without idempotent refunds whose adapter knows that it never was", async () => {
    const { company, id, deps, bank } = await givenPaidAt({ kind: "processing" });
    bank.idempotentRefunds = false;
    bank.onFindRefund = async () => ({ kind: "not_found", neverSent: true });
    await refund(company, id, 1_000, { deps });
    bank.onRefund = async () => ({ kind: "done" });
    await resumeOperation(company, bank);
    expect(bank.sentRefunds).toHaveLength(2);
    expect(await accountsOf(company)).toMatchObject({ available: 1_500, blocked: 0 });
  });

  it("is sent again under the same id to a bank that does not know it", async () => {
    const { company, id, deps, bank } = await givenPaidAt({ kind: "unknown" });
    bank.onFindRefund = async () => ({ kind: "not_found" });
    await refund(company, id, 1_000, { deps });
    bank.onRefund = async () => ({ kind: "done" });
    await resumeOperation(company, bank);
    const [first, second] = bank.sentRefunds;
    expect(second).toEqual(first);
    expect(await accountsOf(company)).toMatchObject({ available: 1_500, blocked: 0 });
  });
});

it("NOT_SUPPORTED_BY_PROVIDER: no money is held for a refund that the account cannot make", async () => {
  const { company, id, deps, bank } = await givenPaidAt({ kind: "done" });
  bank.refundMethods = ["BOLETO"];
  const answer = await expectNoSideEffects(company, () => refund(company, id, 1_000, { deps }));
  await expectProblem(answer, { status: 422, code: "NOT_SUPPORTED_BY_PROVIDER" });
});

it("PROVIDER_DISCONNECTED: rejects a company whose provider is disconnected, and no money moves", async () => {
  const live = await givenCompany({ mode: "live" });
  const deps = depsWithBank(new FakeBank());
  const transaction = await givenTransaction(live, { amount: 2_500 }, { deps });
  await settle(live, transaction);
  const { id: waiting } = await givenTransaction(live, { amount: 2_500 }, { deps });
  for (const act of [() => refund(live, transaction.id), () => cancel(live, waiting)]) {
    const answer = await expectNoSideEffects(live, act);
    await expectProblem(answer, { status: 422, code: "PROVIDER_DISCONNECTED" });
  }
  expect((await refund(live, transaction.id, undefined, { deps })).status).toBe(200);
});

describe("REFUND_REFUSED", () => {
  it("returns the money, and the key keeps the response with its trace id", async () => {
    const { company, id, deps, bank } = await givenPaidAt(REFUSED);
    const options = { deps, key: "re_1" };

    const first = await refund(company, id, 1_000, {
      ...options,
      headers: { traceparent: `00-${FIRST_TRACE}-b7ad6b7169203331-01` },
    });

    await expectProblem(first, { status: 422, code: "REFUND_REFUSED" });
    expect(first.body.traceId).toBe(FIRST_TRACE);
    expect(await accountsOf(company)).toMatchObject({ available: 2_500, blocked: 0 });
    bank.onRefund = async () => ({ kind: "done" });
    const replay = await expectNoSideEffects(company, () => refund(company, id, 1_000, options));
    await expectProblem(replay, { status: 422, code: "REFUND_REFUSED", replayed: true });
    expect(replay.headers.get("Idempotent-Replayed")).toBe("true");
    expect(replay.body).toEqual(first.body);
    expect(bank.sentRefunds).toHaveLength(1);
    expect(await typesOf(company)).toEqual(["transaction.paid"]);
  });

  it("keeps the transaction paid and shows the failed refund", async () => {
    const { company, id, deps } = await givenPaidAt(REFUSED);
    await refund(company, id, 1_000, { deps });
    const { body } = await refund(company, id, 2_500);
    expect(body.data).toMatchObject({
      status: "REFUNDED",
      refundedAmount: 2_500,
      refunds: [
        { amount: 1_000, status: "FAILED" },
        { amount: 2_500, status: "DONE" },
      ],
    });
  });

  it("allows another attempt with another key", async () => {
    const { company, id, deps } = await givenPaidAt(REFUSED);
    await refund(company, id, 1_000, { deps, key: "re_1" });
    const again = await refund(company, id, 1_000, { key: "re_2" });
    expect(again.status).toBe(200);
    expect(again.body.data.refundedAmount).toBe(1_000);
  });
});

async function givenAwaiting() {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  await updateSettings(company, { releaseDays: { PIX: 2 } });
  const bank = new FakeBank();
  const deps = depsWithBank(bank, clock);
  const { id } = await givenTransaction(company, { amount: 2_500 });
  await pay(company, id);
  return { clock, company, bank, id: id as string, deps };
}

describe("a refund of unreleased credit", () => {
  it("takes this credit first, although nothing is available", async () => {
    const { company, id, deps } = await givenAwaiting();
    expect(await accountsOf(company)).toMatchObject({ awaiting: 2_500 });
    const { status } = await refund(company, id, 1_000, { deps });
    expect(status).toBe(200);
    expect(await accountsOf(company)).toMatchObject({ awaiting: 1_500, blocked: 0 });
    expect(await balanceOf(company)).toMatchObject({
      enBalanceStatus: "Pending",
      accBalance: 0,
      accBalanceCreditAwaiting: 15,
    });
  });

  it("never takes another transaction's credit", async () => {
    const { company, id, deps } = await givenAwaiting();
    await updateSettings(company, { fees: { PIX: { fixed: 400 } } });
    const { id: second } = await givenTransaction(company, { amount: 1_000 });
    await pay(company, second);
    await expectProblem(await refund(company, second, undefined, { deps }), {
      status: 422,
      code: "INSUFFICIENT_BALANCE",
      extensions: { availableCents: 600, requiredCents: 1_000 },
    });
    expect((await refund(company, id, undefined, { deps })).status).toBe(200);
  });

  it("restores the credit when it is rejected, also after its release day", async () => {
    const { clock, company, bank, id, deps } = await givenAwaiting();
    bank.onRefund = async () => ({ kind: "unknown" });
    await refund(company, id, 1_000, { deps });
    clock.advance(3 * DAY_MS);
    expect(await balanceOf(company)).toMatchObject({ accBalance: 15, accBalanceCredit: 25 });

    settleRefunds(bank, REFUSED);
    await resumeOperation(company, bank);

    expect(await balanceOf(company)).toMatchObject({
      enBalanceStatus: "Released",
      accBalance: 25,
      accBalanceCredit: 25,
      accBalanceCreditAwaiting: 0,
    });
  });
});

it("INSUFFICIENT_BALANCE: rejects a refund when the fee took the whole amount", async () => {
  const company = await givenCompany();
  await updateSettings(company, { fees: { PIX: { basisPoints: 10_000, fixed: 50 } } });
  const { id } = await givenPaid(company, 2_500);
  expect(await accountsOf(company)).toMatchObject({ fees: 2_500 });
  await expectProblem(await refund(company, id, 1), {
    status: 422,
    code: "INSUFFICIENT_BALANCE",
    extensions: { availableCents: 0, requiredCents: 1 },
  });
});
