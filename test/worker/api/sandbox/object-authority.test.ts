import { expect, it } from "vitest";
import { call, type Call } from "../../../support/builders/requests/api.ts";
import {
  waitUntilDrained,
  env,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { withAccounts, withD1, type Interceptor } from "../../../support/faults/faulty-env.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";
import { unavailableProjection, replaceInObject } from "../../../support/faults/object.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { race, RACE_ATTEMPTS } from "../../../support/faults/race.ts";
import {
  updateSettings,
  cancel,
  refund,
  resolveDispute,
  simulate,
} from "../../../support/builders/operations/refund.ts";
import { givenPaid, givenTransaction, pay } from "../../../support/builders/charges/transaction.ts";
import { requestWithdraw } from "../../../support/builders/withdraws/withdraw.ts";

/** Runs `run` while the object cannot write to D1. */
async function whileProjectionLags(company: TestCompany, run: () => Promise<void>): Promise<void> {
  const restore = await replaceInObject(company, unavailableProjection());
  await run();
  await restore();
  await waitUntilDrained(company);
}

it("a transition of a payment returns its real state, although the projection lags", async () => {
  const company = await givenCompany();
  const { id } = await givenTransaction(company, { amount: 2_500 });
  await whileProjectionLags(company, async () => {
    const answers = [
      await pay(company, id),
      await simulate(company, id, "dispute"),
      await resolveDispute(company, id, "won"),
      await simulate(company, id, "dispute"),
      await resolveDispute(company, id, "lost"),
    ];
    expect(answers.map(({ status, body }) => [status, body.data?.status])).toEqual([
      [200, "PAID"],
      [200, "PAID"],
      [200, "PAID"],
      [200, "PAID"],
      [200, "REFUNDED"],
    ]);
    expect(answers[1]?.body.data.dispute).toMatchObject({ status: "OPEN", amount: 2_500 });
    expect(answers[2]?.body.data.dispute).toMatchObject({ status: "WON" });
    expect(answers[4]?.body.data).toMatchObject({ refundReason: "MED", refundedAmount: 2_500 });
  });
  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 0, provider: 0 });
});

it("a chargeback after a concurrent full refund is a 409", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 2_500);
  const meanwhile: Interceptor = async (label, run) => {
    if (label.includes('insert into "sandbox_disputes"')) await refund(company, id);
    return run();
  };

  const path = `/api/v1/sandbox/transactions/${id}/chargeback`;
  const answer = await call(path, { method: "POST", company, env: withD1(env, meanwhile) });

  await expectProblem(answer, { status: 409, code: "INVALID_STATE" });
  expect(await accountsOf(company)).toEqual({ available: 0, blocked: 0, provider: 0 });
});

it("a booked chargeback is not a 409 because of a lagging projection", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 2_500);
  await whileProjectionLags(company, async () => {
    const { status, body } = await simulate(company, id, "chargeback");
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ status: "REFUNDED", refundReason: "CHARGEBACK" });
    const again = await simulate(company, id, "chargeback");
    await expectProblem(again, { status: 409, code: "INVALID_STATE" });
    const resolved = await resolveDispute(company, id, "won");
    await expectProblem(resolved, { status: 409, code: "INVALID_STATE" });
  });
});

it.each([
  ["fail", "FAILED", "expire"],
  ["expire", "CANCELLED", "fail"],
] as const)(
  "%s is returned as %s on every repeat, and %s is rejected",
  async (move, word, other) => {
    const company = await givenCompany();
    const { id } = await givenTransaction(company);
    await whileProjectionLags(company, async () => {
      for (let time = 0; time < 2; time++) {
        const { status, body } = await simulate(company, id, move);
        expect([status, body.data?.status]).toEqual([200, word]);
      }
      const answer = await simulate(company, id, other);
      await expectProblem(answer, { status: 409, code: "INVALID_STATE" });
    });
  },
);

const simulateBank = (company: TestCompany, move: string, options: Call = {}) =>
  call(`/api/v1/sandbox/withdraws/1/${move}`, { ...options, method: "POST", company });

const isKnownToBank = async (company: TestCompany) => {
  const row = await env.DB.prepare(
    `SELECT s.status FROM sandbox_payouts s JOIN withdraws w ON w.payout_id = s.payout_id
     WHERE w.company_id = ?`,
  )
    .bind(company.id)
    .first<string>("status");
  return row;
};

it.each(["pay", "fail"])(
  "INVALID_STATE: %s of a frozen company's withdraw is rejected before it reaches the bank",
  async (move) => {
    const company = await givenCompany({ balance: 5_000 });
    await requestWithdraw(company);
    await updateSettings(company, { frozen: true });

    await expectProblem(await simulateBank(company, move), { status: 409, code: "INVALID_STATE" });

    expect(await isKnownToBank(company)).toBeNull();
    const cancelled = await call("/api/Withdraw/1/cancel", { method: "POST", company });
    expect([cancelled.status, cancelled.body.enTransaction]).toEqual([200, "Cancelled"]);
    expect(await accountsOf(company)).toMatchObject({ available: 5_000, payout: 0 });
  },
);

it.each(["pay", "fail"])(
  "INVALID_STATE: %s of a cancelled withdraw is rejected before it reaches the bank",
  async (move) => {
    const company = await givenCompany({ balance: 5_000 });
    await requestWithdraw(company);
    await call("/api/Withdraw/1/cancel", { method: "POST", company });

    await expectProblem(await simulateBank(company, move), { status: 409, code: "INVALID_STATE" });

    expect(await isKnownToBank(company)).toBeNull();
  },
);

it("INVALID_STATE: pay of a withdraw that is cancelled before its claim is rejected before it reaches the bank", async () => {
  const company = await givenCompany({ balance: 5_000 });
  await requestWithdraw(company);
  const late = withAccounts(env, async (label, run) => {
    if (label === "claimPayout") {
      await call("/api/Withdraw/1/cancel", { method: "POST", company });
    }
    return run();
  });

  await expectProblem(await simulateBank(company, "pay", { env: late }), {
    status: 409,
    code: "INVALID_STATE",
  });

  expect(await isKnownToBank(company)).toBeNull();
});

it("a withdraw that races its cancel is either cancelled or paid", async () => {
  for (const round of RACE_ATTEMPTS) {
    const company = await givenCompany({ balance: 5_000 });
    await requestWithdraw(company);

    const [paid, cancelled] = await race(
      company,
      round,
      () => simulateBank(company, "pay"),
      () => call("/api/Withdraw/1/cancel", { method: "POST", company }),
    );

    const won = paid.status === 200;
    expect([paid.status, cancelled.status]).toEqual(won ? [200, 409] : [409, 200]);
    const available = won ? 4_000 : 5_000;
    expect(await accountsOf(company)).toMatchObject({ available, payout: 0 });
  }
});

it("a cancelled charge becomes PAID by a later payment, also with a lagging projection", async () => {
  const company = await givenCompany();
  const { id } = await givenTransaction(company, { amount: 2_500 });
  await whileProjectionLags(company, async () => {
    expect((await cancel(company, id)).status).toBe(200);
    expect((await pay(company, id)).body.data.status).toBe("PAID");
  });
});
