import { expect, it } from "vitest";
import { givenCompany } from "../../../../support/builders/companies/company.ts";
import { accountsOf, movementsOf } from "../../../../support/probes/ledger/ledger.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import {
  updateSettings,
  refund,
  resolveDispute,
  simulate,
} from "../../../../support/builders/operations/refund.ts";
import { givenPaid } from "../../../../support/builders/charges/transaction.ts";
import { requestWithdraw } from "../../../../support/builders/withdraws/withdraw.ts";
import { eventsOf } from "../../../../support/probes/webhooks/webhook-rows.ts";

it("a full refund returns everything to the payer and the transaction is REFUNDED", async () => {
  const company = await givenCompany({ balance: 1_000 });
  const { id } = await givenPaid(company, 2_500);

  const answer = await refund(company, id);

  expect(answer.status).toBe(200);
  expect(answer.body.data).toMatchObject({
    status: "REFUNDED",
    refundReason: "REQUESTED",
    refundedAmount: 2_500,
    refunds: [{ amount: 2_500, status: "DONE" }],
  });
  expect(await accountsOf(company)).toMatchObject({ available: 1_000, blocked: 0 });
  expect((await eventsOf(company)).map((event) => event.type)).toEqual([
    "transaction.paid",
    "transaction.paid",
    "transaction.refunded",
  ]);
});

it("partial refunds add up to at most the paid amount", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 2_500);

  const first = await refund(company, id, 1_000);
  const second = await refund(company, id, 1_000);
  const third = await refund(company, id, 501);
  const last = await refund(company, id, 500);

  expect(first.body.data).toMatchObject({ status: "PAID", refundedAmount: 1_000 });
  expect(second.body.data).toMatchObject({ status: "PAID", refundedAmount: 2_000 });
  await expectProblem(third, {
    status: 422,
    code: "REFUND_EXCEEDS_PAID",
    extensions: { refundableCents: 500 },
  });
  expect(last.body.data).toMatchObject({ status: "REFUNDED", refundedAmount: 2_500 });
  await expectProblem(await refund(company, id, 1), { status: 409, code: "INVALID_STATE" });
});

it("INSUFFICIENT_BALANCE: rejects a refund beyond the available balance", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 2_500);
  await requestWithdraw(company, { amount: 1_000 });

  await expectProblem(await refund(company, id), {
    status: 422,
    code: "INSUFFICIENT_BALANCE",
    extensions: { availableCents: 1_500, requiredCents: 2_500 },
  });
});

it("the same key returns the same refund as at first", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 2_500);

  const first = await refund(company, id, 1_000, { key: "re_1" });
  await refund(company, id, 500);
  const replay = await refund(company, id, 1_000, { key: "re_1" });

  expect(replay.status).toBe(200);
  expect(replay.headers.get("Idempotent-Replayed")).toBe("true");
  expect(replay.body).toEqual(first.body);
  await expectProblem(await refund(company, id, 999, { key: "re_1" }), {
    status: 409,
    code: "IDEMPOTENCY_KEY_REUSED",
  });
  expect(await accountsOf(company)).toMatchObject({ available: 1_000 });
});

it("a fee is not refunded", async () => {
  const company = await givenCompany({ balance: 1_000 });
  await updateSettings(company, { fees: { PIX: { basisPoints: 100, fixed: 30 } } });
  const { id } = await givenPaid(company, 10_000);
  expect(await accountsOf(company)).toMatchObject({ available: 10_870, fees: 130 });

  await refund(company, id);

  expect(await accountsOf(company)).toMatchObject({ available: 870, fees: 130, blocked: 0 });
});

it("a disputed payment is blocked, and a won dispute releases it", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 2_500);

  const disputed = await simulate(company, id, "dispute");
  expect(disputed.body.data).toMatchObject({
    status: "PAID",
    dispute: { status: "OPEN", amount: 2_500 },
  });
  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 2_500 });
  await expectProblem(await refund(company, id), { status: 409, code: "INVALID_STATE" });

  const won = await resolveDispute(company, id, "won");
  expect(won.body.data).toMatchObject({ status: "PAID", dispute: { status: "WON" } });
  expect(await accountsOf(company)).toMatchObject({ available: 2_500, blocked: 0 });
});

it("a chargeback beyond the balance becomes a debt, which the next credits repay first", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 2_500);
  await requestWithdraw(company, { amount: 2_000 });

  const taken = await simulate(company, id, "chargeback");
  expect(taken.body.data).toMatchObject({ status: "REFUNDED", refundReason: "CHARGEBACK" });
  expect(await accountsOf(company)).toMatchObject({ available: 0, debt: -2_000, payout: 2_000 });

  await givenPaid(company, 1_500);
  expect(await accountsOf(company)).toMatchObject({ available: 0, debt: -500 });
  await expectProblem(await requestWithdraw(company), {
    status: 422,
    code: "INSUFFICIENT_BALANCE",
    extensions: { availableCents: 0, requiredCents: 1_000 },
  });
  await givenPaid(company, 1_500);
  expect(await accountsOf(company)).toMatchObject({ available: 1_000, debt: 0 });
  expect((await movementsOf(company)).at(-1)).toEqual({
    type: "charge_paid",
    postings: { provider: -1_500, debt: 500, available: 1_000 },
  });
});
