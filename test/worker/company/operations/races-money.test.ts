import { companyStub } from "../../../../src/company-client/stub.ts";
import { runDurableObjectAlarm } from "cloudflare:test";
import { expect, it } from "vitest";
import type { PayoutReport } from "../../../../src/company/withdraws/command-types.ts";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import {
  claimPayout,
  FAILED,
  PAID,
  reportPayout,
  withdraw,
} from "../../../support/builders/withdraws/withdraw-commands.ts";
import {
  waitUntilDrained,
  env,
  givenCompany,
} from "../../../support/builders/companies/company.ts";
import { cronDeps } from "../../../support/fakes/cron.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";
import {
  callAsOperator,
  givenOperator,
  type TestOperator,
} from "../../../support/builders/companies/operator.ts";
import { proposeOn } from "../../../support/builders/operations/decide.ts";
import {
  DAY_MS,
  dispute,
  freshEndToEndId,
  givenSettled,
  runOperation,
  settleCharge,
} from "../../../support/builders/operations/object-operations.ts";
import { operationsOf } from "../../../support/probes/charges/operation-rows.ts";
import { balanceChanges } from "../../../support/probes/ledger/balance-changes.ts";
import { race, RACE_ATTEMPTS, SHORT_RACE_ATTEMPTS } from "../../../support/faults/race.ts";
import { refund } from "../../../support/builders/operations/refund.ts";
import { runPayout } from "../../../support/builders/withdraws/withdraw.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

const AMOUNT = 1_000;
const BOLETO = { paymentMethod: "BOLETO", releaseDays: 1 } as const;

async function givenFundedCompany() {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const bank = new FakeBank();
  return { clock, company, bank, deps: cronDeps(clock, bank) };
}

it("one of a concurrent withdraw and refund for the same money is accepted", async () => {
  const { company, bank, deps } = await givenFundedCompany();
  const seen = new Set<boolean>();
  let withdraws = 0;
  for (const round of RACE_ATTEMPTS) {
    const transaction = await givenSettled(company, AMOUNT);
    const { answer, effect } = await balanceChanges(company, () =>
      race(
        company,
        round,
        () => withdraw(company, { amount: AMOUNT, idempotencyKey: `wd_${round}` }),
        () => refund(company, transaction.id, undefined, { deps }),
      ),
    );

    const [withdrawn, refunded] = answer;
    const accepted = withdrawn.kind === "accepted";
    expect(refunded.status).toBe(accepted ? 422 : 200);
    expect(effect).toEqual(
      accepted ? { available: -AMOUNT, payout: AMOUNT } : { available: -AMOUNT, provider: AMOUNT },
    );
    if (accepted) {
      expect(refunded.body.code).toBe("INSUFFICIENT_BALANCE");
      withdraws += 1;
      await claimPayout(company, withdraws);
      await reportPayout(company, PAID, withdraws);
    }
    expect(await accountsOf(company)).toMatchObject({ available: 0 });
    seen.add(accepted);
  }
  expect(seen.size).toBe(2);
  expect(bank.sentRefunds).toHaveLength(RACE_ATTEMPTS.length - withdraws);
});

it.each<[says: string, callback: PayoutReport]>([
  ["the same", PAID],
  ["otherwise", FAILED],
])("two consumers and a callback that reports %s book one end of a payout", async (_, callback) => {
  const { company, bank } = await givenFundedCompany();
  await givenSettled(company, AMOUNT * SHORT_RACE_ATTEMPTS.length);
  const object = callsTo(company.id);
  for (const round of SHORT_RACE_ATTEMPTS) {
    const id = round + 1;
    await withdraw(company, { amount: AMOUNT, idempotencyKey: `wd_${id}` });
    const consume = () => runPayout(company, id, bank.registry());
    const { effect } = await balanceChanges(company, () =>
      race(
        company,
        round,
        () => Promise.all([consume(), consume()]),
        () => reportPayout(company, callback, id),
      ),
    );

    expect(bank.sentPayouts).toHaveLength(id);
    const status = (await object.findWithdraw(id))?.status;
    if (callback.kind === "paid") expect(status).toBe("Paid");
    expect(effect).toEqual(
      status === "Paid"
        ? { payout: -AMOUNT, provider: AMOUNT }
        : { payout: -AMOUNT, available: AMOUNT },
    );
    await waitUntilDrained(company);
    const events = await eventsOf(company);
    expect(
      events.filter(({ objectId }) => objectId === `withdraw:${id}`).map(({ type }) => type),
    ).toEqual(["withdraw.processing", status === "Paid" ? "withdraw.paid" : "withdraw.failed"]);
  }
});

it("two sweeps and a callback look up the payout of a crashed consumer once", async () => {
  const { clock, company, bank } = await givenFundedCompany();
  await givenSettled(company, AMOUNT * SHORT_RACE_ATTEMPTS.length);
  for (const round of SHORT_RACE_ATTEMPTS) {
    const id = round + 1;
    await withdraw(company, { amount: AMOUNT, idempotencyKey: `wd_${id}` });
    await claimPayout(company, id);
    clock.advance(60_000);
    const sweep = () => runPayout(company, id, bank.registry());
    const { effect } = await balanceChanges(company, () =>
      race(
        company,
        round,
        () => Promise.all([sweep(), sweep()]),
        () => reportPayout(company, PAID, id),
      ),
    );

    expect(effect).toEqual({ payout: -AMOUNT, provider: AMOUNT });
    expect(new Set(bank.sentPayouts).size).toBe(bank.sentPayouts.length);
    expect(new Set(bank.payoutLookups).size).toBe(bank.payoutLookups.length);
  }
});

it("a dispute that is reported won and lost concurrently is lost in any order", async () => {
  const { company } = await givenFundedCompany();
  const seen = new Set<string>();
  for (const round of SHORT_RACE_ATTEMPTS) {
    const transaction = await givenSettled(company, AMOUNT);
    await dispute(company, transaction);
    const { answer, effect } = await balanceChanges(company, () =>
      race(
        company,
        round,
        () => dispute(company, transaction, { status: "WON" }),
        () => dispute(company, transaction, { status: "LOST" }),
      ),
    );

    const [won, lost] = answer;
    expect([won.kind, lost.kind].sort()).toEqual(["contradiction", "recorded"]);
    expect(effect).toEqual({ blocked: -AMOUNT, provider: AMOUNT });
    seen.add(won.kind);
  }
  expect(seen.size).toBe(2);
});

it("a withdraw at the due moment includes the credit, before or after the alarm", async () => {
  const { clock, company } = await givenFundedCompany();
  for (const round of SHORT_RACE_ATTEMPTS) {
    const payment = { paidAt: clock.now() };
    await givenSettled(company, AMOUNT, { terms: BOLETO, payment });
    clock.advance(DAY_MS);
    const { answer, effect } = await balanceChanges(company, () =>
      race(
        company,
        round,
        () => withdraw(company, { amount: AMOUNT, idempotencyKey: `wd_${round}` }),
        () => runDurableObjectAlarm(companyStub(env, company.id)),
      ),
    );

    expect(answer[0].kind).toBe("accepted");
    expect(effect).toEqual({ awaiting: -AMOUNT, payout: AMOUNT });
  }
  await waitUntilDrained(company);
  const released = (await eventsOf(company)).filter(({ type }) => type === "balance.released");
  expect(released.map(({ sequence }) => sequence)).toEqual(
    SHORT_RACE_ATTEMPTS.map((round) => round + 1),
  );
});

it("a return that two operators approve concurrently is sent once", async () => {
  const { company, bank, deps } = await givenFundedCompany();
  const [left, right] = [
    await givenOperator("finance", { deps }),
    await givenOperator("finance", { deps }),
  ];
  // The proposer made both of them, so they approve nothing of his for a day.
  await env.DB.prepare("UPDATE operators SET given = NULL, given_at = NULL").run();
  const transaction = await givenSettled(company, AMOUNT);
  const paymentIds = RACE_ATTEMPTS.map(() => freshEndToEndId());
  for (const [round, paymentId] of paymentIds.entries()) {
    await settleCharge(company, transaction, { payment: { paymentId, amount: 700 } });
    const path = `/companies/${company.id}/suspense/${paymentId}/return`;
    const proposed = await proposeOn(path, {}, { deps });
    const approveAs = (operator: TestOperator) => () =>
      call(`/api/v1/operator/proposals/${proposed.body.data.id}/approve`, {
        body: { reason: "I have read it too." },
        company: operator,
        deps,
      });
    const { answer, effect } = await balanceChanges(company, () =>
      race(company, round, approveAs(left), approveAs(right)),
    );

    expect(answer.map(({ status }) => String(status)).toSorted()).toEqual(["200", "409"]);
    expect(bank.sentRefunds).toHaveLength(round + 1);
    expect(effect).toEqual({ suspense: -700, provider: 700 });
  }
  const { items } = (await callAsOperator(`/companies/${company.id}/suspense?limit=100`)).body;
  const statuses = new Map<string, string>();
  for (const { paymentId, returnStatus } of items) statuses.set(paymentId, returnStatus);
  expect(paymentIds.map((id) => statuses.get(id))).toEqual(paymentIds.map(() => "DONE"));
});

it("an orphaned refund that two consumers find is looked up and sent once", async () => {
  const { clock, company, bank } = await givenFundedCompany();
  for (const round of SHORT_RACE_ATTEMPTS) {
    const { id } = await givenSettled(company, AMOUNT);
    bank.onRefund = async () => ({ kind: "unknown" });
    await refund(company, id, undefined, { deps: cronDeps(clock, bank) });
    bank.onFindRefund = async () => ({ kind: "done" });
    const consume = () => runOperation(company, bank, clock, { id: round + 1 });
    const { effect } = await balanceChanges(company, () => race(company, round, consume, consume));

    expect(effect).toEqual({ blocked: -AMOUNT, provider: AMOUNT });
    expect(bank.refundLookups).toHaveLength(round + 1);
    expect(bank.sentRefunds).toHaveLength(round + 1);
  }
  expect((await operationsOf(company)).every(({ status }) => status === "DONE")).toBe(true);
});
