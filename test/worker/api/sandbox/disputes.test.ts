import { describe, expect, it } from "vitest";
import { call, type Call } from "../../../support/builders/requests/api.ts";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectNoSideEffects } from "../../../support/probes/ledger/footprint.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { refund, resolveDispute, simulate } from "../../../support/builders/operations/refund.ts";
import { anyTime } from "../../../support/probes/http/matchers.ts";
import { chargesInState } from "../../../support/builders/charges/charges-in-state.ts";
import { givenPaid, givenTransaction, pay } from "../../../support/builders/charges/transaction.ts";
import { balanceOf } from "../../../support/probes/ledger/balance.ts";
import { requestWithdraw } from "../../../support/builders/withdraws/withdraw.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

const ACTIONS = ["dispute", "chargeback"] as const;

async function givenDisputed(amount = 2_500, balance = 0) {
  const company = await givenCompany({ balance });
  const { id } = await givenPaid(company, amount);
  const { body } = await simulate(company, id, "dispute");
  return { company, id: id as string, disputed: body.data };
}

const sendResolve = (company: TestCompany, id: string, options: Call) =>
  call(`/api/v1/sandbox/transactions/${id}/dispute/resolve`, {
    ...options,
    method: "POST",
    company,
  });

const lastEventOf = async (company: TestCompany) => (await eventsOf(company)).at(-1)!;

/** Leads a transaction to each status without a disputable payment. */
const UNDISPUTABLE = chargesInState(
  "waiting",
  "cancelled",
  "failed",
  "refunded",
  "charged back",
  "disputed",
  "lost to a dispute",
);

describe("a dispute", () => {
  it("blocks the payment and is visible in every view", async () => {
    const { company, id, disputed } = await givenDisputed();

    expect(disputed).toMatchObject({
      id,
      status: "PAID",
      refundedAmount: 0,
      dispute: {
        id: expect.stringMatching(/\S/),
        amount: 2_500,
        status: "OPEN",
        createdAt: anyTime,
      },
    });
    expect(disputed).not.toHaveProperty("refundReason");
    const event = await lastEventOf(company);
    expect(event.body).toStrictEqual({
      type: "transaction.disputed",
      timestamp: disputed.updatedAt,
      sequence: 2,
      data: { ...disputed, previousStatus: "PAID" },
    });
    expect(await balanceOf(company)).toMatchObject({
      enBalanceStatus: "Released",
      accBalance: 0,
      accBalanceCredit: 25,
      accBalanceDebt: 0,
    });
    await expectProblem(await requestWithdraw(company), {
      status: 422,
      code: "INSUFFICIENT_BALANCE",
      extensions: { availableCents: 0, requiredCents: 1_000 },
    });
  });

  it("covers the remaining amount after partial refunds", async () => {
    const company = await givenCompany();
    const { id } = await givenPaid(company, 2_500);
    await refund(company, id, 600);
    await refund(company, id, 400);

    const { body } = await simulate(company, id, "dispute");
    expect(body.data.dispute.amount).toBe(1_500);
    expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 1_500 });

    const lost = await resolveDispute(company, id, "lost");
    expect(lost.body.data).toMatchObject({
      status: "REFUNDED",
      refundReason: "MED",
      refundedAmount: 2_500,
      dispute: { amount: 1_500, status: "LOST" },
      refunds: [{ amount: 600 }, { amount: 400 }],
    });
    expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 0, provider: 0 });
  });

  it("that is lost refunds the transaction because of MED", async () => {
    const { company, id, disputed } = await givenDisputed();

    const lost = await resolveDispute(company, id, "lost");

    expect(lost.status).toBe(200);
    expect(lost.body.data).toEqual({
      ...disputed,
      status: "REFUNDED",
      refundReason: "MED",
      refundedAmount: 2_500,
      updatedAt: anyTime,
      dispute: { ...disputed.dispute, status: "LOST" },
    });
    const event = await lastEventOf(company);
    expect(event.body).toMatchObject({ type: "transaction.refunded", sequence: 3 });
    expect(event.body.data).toEqual({ ...lost.body.data, previousStatus: "PAID" });
    expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 0 });
  });

  it("that is won gives the money back and says that it is available", async () => {
    const { company, id, disputed } = await givenDisputed();

    const won = await resolveDispute(company, id, "won");

    expect(won.body.data).toEqual({
      ...disputed,
      updatedAt: anyTime,
      dispute: { ...disputed.dispute, status: "WON" },
    });
    const event = await lastEventOf(company);
    expect(event.body).toMatchObject({
      type: "balance.released",
      data: {
        accBalance: 25,
        releasedCents: 2_500,
        releases: [{ transactionId: id, amountCents: 2_500 }],
      },
    });
    const refunded = await refund(company, id);
    expect(refunded.body.data).toMatchObject({ status: "REFUNDED", refundReason: "REQUESTED" });
  });

  it("may be opened again after a won dispute", async () => {
    const { company, id, disputed } = await givenDisputed();
    await resolveDispute(company, id, "won");
    const second = await simulate(company, id, "dispute");
    expect(second.status).toBe(200);
    expect(second.body.data.dispute).toMatchObject({ amount: 2_500, status: "OPEN" });
    expect(second.body.data.dispute.id).not.toBe(disputed.dispute.id);
    await resolveDispute(company, id, "lost");
    expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 0, provider: 0 });
  });

  it("blocks only the available money, and the rest of a lost dispute is debt", async () => {
    const company = await givenCompany();
    const { id } = await givenPaid(company, 2_500);
    await requestWithdraw(company, { amount: 2_000 });

    const disputed = await simulate(company, id, "dispute");
    expect(disputed.body.data.dispute.amount).toBe(2_500);
    expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 500 });
    await resolveDispute(company, id, "lost");

    expect(await balanceOf(company)).toMatchObject({
      accBalance: 0,
      accBalanceCredit: 0,
      accBalanceDebt: 20,
    });
  });

  it("returns only the blocked money when it is won", async () => {
    const company = await givenCompany();
    const { id } = await givenPaid(company, 2_500);
    await requestWithdraw(company, { amount: 2_000 });
    await simulate(company, id, "dispute");
    await resolveDispute(company, id, "won");
    expect(await balanceOf(company)).toMatchObject({ accBalance: 5, accBalanceDebt: 0 });
    await givenPaid(company, 1_000);
    expect(await accountsOf(company)).toMatchObject({ available: 1_500, blocked: 0 });
  });
});

describe("a chargeback", () => {
  it("takes the payment at once and refunds the transaction", async () => {
    const company = await givenCompany({ balance: 1_000 });
    const paid = await givenPaid(company, 2_500);

    const taken = await simulate(company, paid.id, "chargeback");

    expect(taken.status).toBe(200);
    expect(taken.body.data).toEqual({
      ...paid,
      status: "REFUNDED",
      refundReason: "CHARGEBACK",
      refundedAmount: 2_500,
      updatedAt: anyTime,
    });
    const event = await lastEventOf(company);
    expect(event.body).toMatchObject({ type: "transaction.refunded", sequence: 2 });
    expect(event.body.data).toEqual({ ...taken.body.data, previousStatus: "PAID" });
    expect(await balanceOf(company)).toMatchObject({ accBalance: 10, accBalanceDebt: 0 });
  });

  it("takes the remaining amount after partial refunds", async () => {
    const company = await givenCompany();
    const { id } = await givenPaid(company, 2_500);
    await refund(company, id, 2_499);
    const { body } = await simulate(company, id, "chargeback");
    expect(body.data).toMatchObject({
      status: "REFUNDED",
      refundReason: "CHARGEBACK",
      refundedAmount: 2_500,
    });
    expect(await accountsOf(company)).toMatchObject({ available: 0, provider: 0 });
  });

  it("takes the payment even after a won dispute", async () => {
    const { company, id } = await givenDisputed();
    await resolveDispute(company, id, "won");
    const { status, body } = await simulate(company, id, "chargeback");
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      status: "REFUNDED",
      refundReason: "CHARGEBACK",
      dispute: { status: "WON" },
    });
  });
});

describe("INVALID_STATE", () => {
  for (const move of ACTIONS) {
    it.each(UNDISPUTABLE)(`rejects ${move} of a transaction that is %s`, async (_state, given) => {
      const company = await givenCompany({ balance: 5_000 });
      const id = await given(company);
      const answer = await expectNoSideEffects(company, () => simulate(company, id, move));
      await expectProblem(answer, { status: 409, code: "INVALID_STATE" });
    });
  }

  it.each(["won", "lost"] as const)(
    "a dispute that was %s cannot be resolved again",
    async (first) => {
      const { company, id } = await givenDisputed(2_500, 5_000);
      await resolveDispute(company, id, first);
      for (const outcome of ["won", "lost"] as const) {
        const answer = await expectNoSideEffects(company, () =>
          resolveDispute(company, id, outcome),
        );
        await expectProblem(answer, { status: 409, code: "INVALID_STATE" });
      }
    },
  );

  it("a transaction without a dispute cannot be resolved", async () => {
    const company = await givenCompany();
    const { id: waiting } = await givenTransaction(company);
    const { id: paid } = await givenPaid(company, 2_500);
    const { id: chargedBack } = await givenPaid(company, 2_500);
    await simulate(company, chargedBack, "chargeback");
    for (const id of [waiting, paid, chargedBack]) {
      const answer = await expectNoSideEffects(company, () => resolveDispute(company, id, "won"));
      await expectProblem(answer, { status: 409, code: "INVALID_STATE" });
    }
  });
});

describe("the outcome of a dispute", () => {
  it.each(["WON", "draw", "", null, 1, true, ["won"], {}])(
    "VALIDATION_FAILED: %j is not an outcome",
    async (outcome) => {
      const { company, id } = await givenDisputed();
      const answer = await expectNoSideEffects(company, () =>
        sendResolve(company, id, { body: { outcome } }),
      );
      await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: ["outcome"] });
    },
  );

  it("must be sent", async () => {
    const { company, id } = await givenDisputed();
    await expectProblem(await sendResolve(company, id, { body: {} }), {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: ["outcome"],
    });
    await expectProblem(await sendResolve(company, id, {}), {
      status: 415,
      code: "UNSUPPORTED_MEDIA_TYPE",
    });
  });
});

describe("an unauthorised simulation", () => {
  it.each(["nothing", "0f8fad5b-d9cb-469f-a165-70867728950e"])("NOT_FOUND: %s", async (id) => {
    const company = await givenCompany();
    for (const answer of [
      await simulate(company, id, "dispute"),
      await simulate(company, id, "chargeback"),
      await resolveDispute(company, id, "won"),
    ]) {
      await expectProblem(answer, { status: 404, code: "NOT_FOUND" });
    }
  });

  it("FORBIDDEN: rejects another company and a live company", async () => {
    const { company, id } = await givenDisputed();
    const stranger = await givenCompany();
    const live = await givenCompany({ mode: "live" });
    for (const caller of [stranger, live]) {
      for (const act of [
        () => simulate(caller, id, "dispute"),
        () => simulate(caller, id, "chargeback"),
        () => resolveDispute(caller, id, "lost"),
      ]) {
        const answer = await expectNoSideEffects(company, act);
        await expectProblem(answer, { status: 403, code: "FORBIDDEN" });
      }
    }
  });
});

it("a second payment of a charge is not part of its dispute", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 2_500);
  await pay(company, id, 900);
  const { body } = await simulate(company, id, "dispute");
  expect(body.data.dispute.amount).toBe(2_500);
  await resolveDispute(company, id, "lost");
  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 0, suspense: 900 });
});

it("the responses match the OpenAPI document", async () => {
  const { company, id } = await givenDisputed();
  const name = "POST /api/v1/sandbox/transactions/{id}";
  await expectDocumented(`${name}/dispute/resolve`, await resolveDispute(company, id, "won"));
  await expectDocumented(`${name}/dispute`, await simulate(company, id, "dispute"));
  await expectDocumented(`${name}/dispute`, await simulate(company, id, "dispute"));
  await expectDocumented(`${name}/dispute/resolve`, await resolveDispute(company, id, "lost"));
  const { id: other } = await givenPaid(company, 100);
  await expectDocumented(`${name}/chargeback`, await simulate(company, other, "chargeback"));
});
