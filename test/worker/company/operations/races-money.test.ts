import { runDurableObjectAlarm } from "cloudflare:test";
import { expect, it } from "vitest";
import type { PayoutReport } from "../../../../src/company/commands.ts";
import { companyStub } from "../../../../src/company-client/stub.ts";
import { call } from "../../../support/builders/api.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import {
  claim,
  drained,
  FAILED,
  PAID,
  report,
  withdraw,
} from "../../../support/builders/commands.ts";
import { env, givenCompany } from "../../../support/builders/company.ts";
import { cronDeps } from "../../../support/fakes/cron.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { accountsOf } from "../../../support/builders/ledger.ts";
import { OPERATOR_CREDENTIALS } from "../../../support/builders/operator.ts";
import {
  DAY_MS,
  dispute,
  freshEndToEndId,
  givenSettled,
  operationsOf,
  runOperation,
  settleOn,
} from "../../../support/builders/object-operations.ts";
import { effectOf, race, ROUNDS } from "../../../support/faults/race.ts";
import { refund } from "../../../support/builders/refund.ts";
import { runPayout } from "../../../support/builders/withdraw.ts";
import { eventsOf } from "../../../support/probes/webhook-rows.ts";

const AMOUNT = 1_000;
const BOLETO = { paymentMethod: "BOLETO", releaseDays: 1 } as const;

async function givenArena() {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const bank = new FakeBank();
  return { clock, company, bank, deps: cronDeps(clock, bank) };
}

it("of a withdraw and a refund for which there is money once, one is accepted", async () => {
  const { company, bank, deps } = await givenArena();
  const seen = new Set<boolean>();
  let withdraws = 0;
  for (const round of ROUNDS) {
    const transaction = await givenSettled(company, AMOUNT);
    const { answer, effect } = await effectOf(company, () =>
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
      await claim(company, withdraws);
      await report(company, PAID, withdraws);
    }
    expect(await accountsOf(company)).toMatchObject({ available: 0 });
    seen.add(accepted);
  }
  expect(seen.size).toBe(2);
  expect(bank.sentRefunds).toHaveLength(ROUNDS.length - withdraws);
});

it.each<[says: string, callback: PayoutReport]>([
  ["the same", PAID],
  ["otherwise", FAILED],
])("two consumers and a callback that says %s book one end of a payout", async (_, callback) => {
  const { company, bank } = await givenArena();
  await givenSettled(company, AMOUNT * ROUNDS.length);
  const stub = companyStub(env, company.id);
  for (const round of ROUNDS) {
    const id = round + 1;
    await withdraw(company, { amount: AMOUNT, idempotencyKey: `wd_${id}` });
    const consume = () => runPayout(company, id, bank.registry());
    const { effect } = await effectOf(company, () =>
      race(
        company,
        round,
        () => Promise.all([consume(), consume()]),
        () => report(company, callback, id),
      ),
    );

    expect(bank.sent).toHaveLength(id);
    const status = (await stub.findWithdraw(id))?.status;
    if (callback.kind === "paid") expect(status).toBe("Paid");
    expect(effect).toEqual(
      status === "Paid"
        ? { payout: -AMOUNT, provider: AMOUNT }
        : { payout: -AMOUNT, available: AMOUNT },
    );
    await drained(company);
    const events = await eventsOf(company);
    expect(
      events.filter(({ objectId }) => objectId === `withdraw:${id}`).map(({ type }) => type),
    ).toEqual(["withdraw.processing", status === "Paid" ? "withdraw.paid" : "withdraw.failed"]);
  }
});

it("a payout whose consumer died is asked about once by two sweeps and a callback at once", async () => {
  const { clock, company, bank } = await givenArena();
  await givenSettled(company, AMOUNT * ROUNDS.length);
  for (const round of ROUNDS) {
    const id = round + 1;
    await withdraw(company, { amount: AMOUNT, idempotencyKey: `wd_${id}` });
    await claim(company, id);
    clock.advance(60_000);
    const sweep = () => runPayout(company, id, bank.registry());
    const { effect } = await effectOf(company, () =>
      race(
        company,
        round,
        () => Promise.all([sweep(), sweep()]),
        () => report(company, PAID, id),
      ),
    );

    expect(effect).toEqual({ payout: -AMOUNT, provider: AMOUNT });
    expect(new Set(bank.sent).size).toBe(bank.sent.length);
    expect(new Set(bank.asked).size).toBe(bank.asked.length);
  }
});

it("a dispute reported won and lost at once is lost in any order, for the bank has taken the money", async () => {
  const { company } = await givenArena();
  const seen = new Set<string>();
  for (const round of ROUNDS) {
    const transaction = await givenSettled(company, AMOUNT);
    await dispute(company, transaction);
    const { answer, effect } = await effectOf(company, () =>
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

it("a withdraw at the due moment has the credit, whether or not the alarm came first", async () => {
  const { clock, company } = await givenArena();
  const stub = companyStub(env, company.id);
  for (const round of ROUNDS) {
    const payment = { paidAt: clock.now() };
    await givenSettled(company, AMOUNT, { terms: BOLETO, payment });
    clock.advance(DAY_MS);
    const { answer, effect } = await effectOf(company, () =>
      race(
        company,
        round,
        () => withdraw(company, { amount: AMOUNT, idempotencyKey: `wd_${round}` }),
        () => runDurableObjectAlarm(stub),
      ),
    );

    expect(answer[0].kind).toBe("accepted");
    expect(effect).toEqual({ awaiting: -AMOUNT, payout: AMOUNT });
  }
  await drained(company);
  const released = (await eventsOf(company)).filter(({ type }) => type === "balance.released");
  expect(released.map(({ sequence }) => sequence)).toEqual(ROUNDS.map((round) => round + 1));
});

it("a suspended payment that two operators return at once goes back once", async () => {
  const { company, bank, deps } = await givenArena();
  const transaction = await givenSettled(company, AMOUNT);
  for (const round of ROUNDS) {
    const paymentId = freshEndToEndId();
    await settleOn(company, transaction, { payment: { paymentId, amount: 700 } });
    const operator = () =>
      call(`/api/v1/operator/companies/${company.id}/suspense/${paymentId}/return`, {
        method: "POST",
        headers: OPERATOR_CREDENTIALS,
        deps,
      });
    const { answer, effect } = await effectOf(company, () =>
      race(company, round, operator, operator),
    );

    const statuses = answer.map(({ status }) => status);
    expect(statuses).toContain(200);
    expect(statuses.every((status) => status === 200 || status === 202)).toBe(true);
    expect((await operator()).body.returnStatus).toBe("DONE");
    expect(bank.sentRefunds).toHaveLength(round + 1);
    expect(effect).toEqual({ suspense: -700, provider: 700 });
  }
});

it("a refund that two consumers find orphaned at once is asked about and sent once", async () => {
  const { clock, company, bank } = await givenArena();
  for (const round of ROUNDS) {
    const { id } = await givenSettled(company, AMOUNT);
    bank.onRefund = async () => ({ kind: "unknown" });
    await refund(company, id, undefined, { deps: cronDeps(clock, bank) });
    bank.onAskRefund = async () => ({ kind: "done" });
    const consume = () => runOperation(company, bank, clock, { id: round + 1 });
    const { effect } = await effectOf(company, () => race(company, round, consume, consume));

    expect(effect).toEqual({ blocked: -AMOUNT, provider: AMOUNT });
    expect(bank.askedRefunds).toHaveLength(round + 1);
    expect(bank.sentRefunds).toHaveLength(round + 1);
  }
  expect((await operationsOf(company)).every(({ status }) => status === "DONE")).toBe(true);
});
