import { beforeAll, expect, it } from "vitest";
import { call } from "../../../../support/builders/requests/api.ts";
import {
  claimPayout,
  FAILED,
  PAID,
  reportPayout,
  withdraw,
} from "../../../../support/builders/withdraws/withdraw-commands.ts";
import { givenCompany, type TestCompany } from "../../../../support/builders/companies/company.ts";
import { contradictionsOf } from "../../../../support/probes/contradictions/contradictions.ts";
import {
  decide,
  givenContradiction,
  propose,
} from "../../../../support/builders/reconciliation/decisions.ts";
import { approve, decideByTwo } from "../../../../support/builders/operations/decide.ts";
import { LOCALES } from "../../../../../src/pages/shared/locale.ts";
import { refusalIn } from "../../../../../src/pages/shared/refusals/refusals.ts";
import { FakeBank } from "../../../../support/fakes/fake-bank.ts";
import { withAccounts } from "../../../../support/faults/faulty-env.ts";
import { env } from "../../../../support/builders/companies/env.ts";
import { accountsOf, movementsOf } from "../../../../support/probes/ledger/ledger.ts";
import { callAsOperator } from "../../../../support/builders/companies/operator.ts";
import { depsWithBank, REFUSED } from "../../../../support/builders/operations/operations.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import {
  givenSecondDatabase,
  moveTo,
  newIsolate,
  useShards,
} from "../../../../support/builders/companies/sharded.ts";
import {
  givenPaid,
  givenTransaction,
  pay,
} from "../../../../support/builders/charges/transaction.ts";
import { transactionsOf } from "../../../../support/probes/charges/transaction-rows.ts";
import {
  AMOUNT,
  callEnded,
  givenPaid as givenPaidCharge,
  PAYMENT_ID,
} from "../../../../support/builders/charges/paid-ends.ts";
import { settle } from "../../../../support/builders/charges/charge-commands.ts";
import { reportExternalRefund } from "../../../../support/builders/reconciliation/provider-reports.ts";
import { balanceOf } from "../../../../support/probes/ledger/balance.ts";

const REASON = "As the bank's statement shows.";
const CONFLICT = { status: 409, code: "INVALID_STATE" };

beforeAll(givenSecondDatabase);

/** A company with 50.00 whose withdraw of 20.00 failed, although the bank reports it as paid. */
async function givenContradictedPayout() {
  const company = await givenCompany({ balance: 5_000 });
  await withdraw(company, { idempotencyKey: "first", amount: 2_000 });
  await claimPayout(company);
  await reportPayout(company, FAILED);
  await reportPayout(company, PAID);
  return { company, id: `${company.id}-1` };
}

/** A charge that was paid twice: the second payment, of 9.00, is in suspense. */
async function givenUnexpectedPayment() {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 2_500);
  await pay(company, id, 900);
  const { body } = await callAsOperator(`/companies/${company.id}/suspense`);
  const [{ paymentId }] = body.items;
  const found = {
    finding: `payment_set_aside:${paymentId}`,
    kind: "payment_set_aside",
    object: `payment:${paymentId}`,
    amount: 900,
  } as const;
  return { company, paymentId, id: await givenContradiction(company, found) };
}

/** An unpaid charge of 9.00, and a payment of the same amount without a charge. */
async function givenForCharge(company: TestCompany) {
  const { id: transactionId } = await givenTransaction(company, { amount: 900 });
  const body = { amount: 900 };
  await call("/api/v1/sandbox/payments", { company, method: "POST", body });
  const { body: list } = await callAsOperator(`/companies/${company.id}/suspense`);
  const [{ paymentId }] = list.items;
  return { transactionId, paymentId, id: `${company.id}-1` };
}

it("a payout that turns out to be paid is booked as paid and its hold is released", async () => {
  const { company, id } = await givenContradictedPayout();
  expect(await balanceOf(company)).toMatchObject({ accBalance: 30, accBalanceHeld: 20 });

  expect((await decide(id, { action: "apply", reason: REASON })).status).toBe(200);

  expect(await accountsOf(company)).toMatchObject({
    available: 3_000,
    payout: 0,
    provider: -3_000,
  });
  expect(await balanceOf(company)).toMatchObject({ accBalance: 30, accBalanceHeld: 0 });
  expect(await contradictionsOf(company)).toMatchObject([{ status: "decided" }]);
});

it("INVALID_STATE: a decision cannot be applied twice, nor without the bank's payment", async () => {
  const { company, id } = await givenContradictedPayout();
  await decide(id, { action: "apply", reason: REASON });
  const found = { kind: "payout_status", object: "withdraw:1", finding: "again:Paid" } as const;
  const again = await givenContradiction(company, found);
  await expectProblem(await decide(again, { action: "apply", reason: REASON }), CONFLICT);
  const failed = await givenContradiction(company, { ...found, finding: "again:Failed" });
  await expectProblem(await decide(failed, { action: "apply", reason: REASON }), CONFLICT);
  expect((await callAsOperator(`/contradictions/${failed}`)).body.status).toBe("open");
});

it("held money can be withdrawn after the contradiction is dismissed", async () => {
  const { company, id } = await givenContradictedPayout();
  await decide(id, { action: "dismiss", reason: REASON });
  expect((await withdraw(company, { idempotencyKey: "all", amount: 5_000 })).kind).toBe("accepted");
});

it("an unexpected payment is returned once two operators agree", async () => {
  const { company, paymentId, id } = await givenUnexpectedPayment();
  const bank = new FakeBank();
  const options = { deps: depsWithBank(bank) };
  const { body } = await propose(id, { action: "return", reason: REASON }, options);
  expect(bank.sentRefunds).toEqual([]);

  expect((await approve(body.data.id, options)).status).toBe(200);

  expect(bank.sentRefunds).toMatchObject([{ paymentId, amount: 900 }]);
  expect(await accountsOf(company)).toMatchObject({ available: 2_500, suspense: 0 });
});

it("an unexpected payment is credited to its charge once two operators agree", async () => {
  const company = await givenCompany();
  const { transactionId, id } = await givenForCharge(company);
  const body = { action: "credit", transactionId, reason: REASON };
  const proposed = await propose(id, body);
  expect(proposed.status).toBe(202);
  expect(await accountsOf(company)).toMatchObject({ suspense: 900 });

  expect((await approve(proposed.body.data.id)).status).toBe(200);

  expect(await accountsOf(company)).toMatchObject({ available: 900, suspense: 0 });
  expect(await transactionsOf(company)).toMatchObject([{ status: "paid" }]);
  expect((await approve(proposed.body.data.id)).status).toBe(200);
  expect(await accountsOf(company)).toMatchObject({ available: 900, suspense: 0 });
});

it("INVALID_STATE, NOT_FOUND: a payment cannot be credited to a paid charge or to another company", async () => {
  const company = await givenCompany();
  const { id } = await givenForCharge(company);
  const paid = await givenPaid(company, 900);
  const body = { action: "credit", transactionId: paid.id, reason: REASON };
  await expectProblem(await decide(id, body), CONFLICT);
  const foreign = await givenTransaction(await givenCompany());
  const missing = { status: 404, code: "NOT_FOUND" };
  await expectProblem(await propose(id, { ...body, transactionId: foreign.id }), missing);
  expect(await accountsOf(company)).toMatchObject({ suspense: 900 });
  expect((await callAsOperator(`/contradictions/${id}`)).body.status).toBe("open");
});

it("INVALID_STATE: a payment that is being returned cannot be credited", async () => {
  const company = await givenCompany();
  const { transactionId, paymentId, id } = await givenForCharge(company);
  const bank = new FakeBank();
  bank.onRefund = async () => ({ kind: "processing" });
  const path = `/companies/${company.id}/suspense/${paymentId}/return`;
  expect((await decideByTwo(path, {}, { deps: depsWithBank(bank) })).status).toBe(200);
  const body = { action: "credit", transactionId, reason: REASON };
  await expectProblem(await decide(id, body), CONFLICT);
  expect(await accountsOf(company)).toMatchObject({ suspense: 900 });
});

it("a return whose response was lost is not sent twice", async () => {
  const { company, id } = await givenUnexpectedPayment();
  const bank = new FakeBank();
  let calls = 0;
  const losing = withAccounts(env, async (label, run) => {
    const answer = await run();
    if (label !== "decideByOperators") return answer;
    calls += 1;
    if (calls === 1) throw Object.assign(new Error("lost"), { retryable: true });
    return answer;
  });
  const options = { deps: depsWithBank(bank), env: losing };
  const answer = await decide(id, { action: "return", reason: REASON }, options);
  expect([calls, answer.status, answer.body.data.status]).toEqual([2, 200, "approved"]);
  expect(bank.sentRefunds).toHaveLength(1);
  const movements = await movementsOf(company);
  expect(movements.filter(({ type }) => type === "suspense_returned").length).toBeLessThan(2);
});

it("the list covers all shards, including companies that are being migrated", async () => {
  const one = await givenCompany();
  const other = await givenCompany();
  const isolate = newIsolate();
  await useShards(one, isolate);
  await useShards(other, isolate);
  const ids = [await givenContradiction(one), await givenContradiction(other)];
  const listed = async () => {
    const options = { env: newIsolate() };
    const items: string[] = [];
    let from = "";
    while (true) {
      const { body } = await callAsOperator(
        `/contradictions?limit=100&status=open${from}`,
        options,
      );
      items.push(...body.items.map((item: { id: string }) => item.id));
      if (!body.hasMore) return items.filter((id) => ids.includes(id));
      from = `&after=${body.after}`;
    }
  };
  expect(await listed()).toEqual(ids);
  await moveTo(isolate, one, "DB_2", async () => expect(await listed()).toEqual(ids));
  expect(await listed()).toEqual(ids);
  await decide(ids[0]!, { action: "dismiss", reason: REASON }, { env: isolate });
  expect(await listed()).toEqual([ids[1]]);
});

it("a return that the bank refuses leaves the payment in suspense", async () => {
  const { company, id } = await givenUnexpectedPayment();
  const bank = new FakeBank();
  bank.onRefund = async () => REFUSED;
  await decide(id, { action: "return", reason: REASON }, { deps: depsWithBank(bank) });
  expect(await accountsOf(company)).toMatchObject({ suspense: 900 });
  const { body } = await callAsOperator(`/companies/${company.id}/suspense`);
  expect(body.items).toMatchObject([{ returnStatus: "FAILED" }]);
});

it("INVALID_STATE: what went back of a payment since is not given back, and the answer says how much is", async () => {
  const { company, charge } = await givenPaidCharge();
  await callEnded(company, charge);
  await decide(`${company.id}-1`, { action: "correct", amount: -AMOUNT, reason: REASON });
  await reportExternalRefund(company, PAYMENT_ID, { amount: 1_000 });
  await settle(company, charge);

  const beyond = { action: "correct", amount: 1_501, reason: REASON } as const;
  const answer = await decide(`${company.id}-2`, beyond);

  await expectProblem(answer, { ...CONFLICT, extensions: { limitCents: 1_500 } });
  expect(answer.body).toMatchObject({ reason: "beyond_givable" });
  const locale = LOCALES["pt-BR"];
  expect(refusalIn(locale, answer.body).detail).toContain(locale.money(1_500));
});

it("INVALID_STATE: where nothing may be given back no amount is offered", async () => {
  const { company, charge } = await givenPaidCharge();
  await callEnded(company, charge);

  const answer = await decide(`${company.id}-1`, { action: "correct", amount: 1, reason: REASON });

  await expectProblem(answer, CONFLICT);
  expect(answer.body).toMatchObject({ reason: "nothing_givable" });
  expect(answer.body).not.toHaveProperty("limitCents");
  for (const locale of [LOCALES["pt-BR"], LOCALES.en])
    expect(refusalIn(locale, answer.body).detail).not.toContain(locale.money(0));
});
