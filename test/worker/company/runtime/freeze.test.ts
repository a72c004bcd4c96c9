import { expect, it } from "vitest";
import { companyStub } from "../../../../src/company-client/stub.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { claim, drained, PAID, report, withdraw } from "../../../support/builders/commands.ts";
import { env, givenCompany } from "../../../support/builders/company.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { accountsOf } from "../../../support/builders/ledger.ts";
import { evict, rememberedHints, replaceInObject } from "../../../support/probes/object.ts";
import {
  answerOperation,
  askRefund,
  CLAIMER_IS_DEAD_MS,
  DAY_MS,
  givenSettled,
} from "../../../support/builders/object-operations.ts";
import { audit, auditAll, tamper } from "../../../support/faults/tamper.ts";
import { requestWithdraw, runPayout } from "../../../support/builders/withdraw.ts";
import { LEDGER_SQL } from "../../../support/probes/ledger-rows.ts";

const BROKEN = LEDGER_SQL.setType(1, "chargeback");
const MENDED = LEDGER_SQL.setType(1, "charge_paid");

/** A company whose ledger was found broken while a withdraw was accepted and not yet sent. */
async function givenFrozenByAudit() {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const transaction = await givenSettled(company, 5_000);
  await withdraw(company, { amount: 2_000 });
  await drained(company);
  await tamper(company, BROKEN);
  expect((await audit(company)).violations).not.toEqual([]);
  return { clock, company, transaction, bank: new FakeBank(), stub: companyStub(env, company.id) };
}

it("a broken ledger stops withdraws, and money that comes is still credited, released and refunded", async () => {
  const { clock, company, transaction, stub } = await givenFrozenByAudit();
  const terms = { paymentMethod: "BOLETO", releaseDays: 1 } as const;
  await givenSettled(company, 700, { terms, payment: { paidAt: clock.now() } });
  clock.advance(DAY_MS);
  await drained(company);
  expect(await accountsOf(company)).toMatchObject({ available: 3_700, awaiting: 0 });
  expect((await askRefund(company, transaction, { amount: 500 })).kind).toBe("send");
  await answerOperation(company, { kind: "done" });

  const refused = await requestWithdraw(company, { amount: 1_000 });
  expect([refused.status, refused.body.code]).toEqual([422, "COMPANY_FROZEN"]);
  expect(await accountsOf(company)).toMatchObject({ available: 3_200, payout: 2_000 });
  expect((await stub.balances()).balances.frozen).toBe(true);

  await tamper(company, MENDED);
});

it("a withdraw accepted before the freeze is held, and sent once the company thaws", async () => {
  const { clock, company, bank, stub } = await givenFrozenByAudit();
  for (let minute = 0; minute < 3; minute++) {
    await runPayout(company, 1, bank.registry());
    clock.advance(60_000);
  }
  expect(await claim(company)).toEqual({ kind: "held" });
  expect(bank.sent).toEqual([]);
  expect((await stub.findWithdraw(1))?.status).toBe("Awaiting");
  expect(await accountsOf(company)).toMatchObject({ available: 3_000, payout: 2_000 });

  await tamper(company, MENDED);
  expect((await auditAll(company)).violations).toEqual([]);
  expect(await claim(company)).toEqual({ kind: "held" });
  const hints = rememberedHints();
  await replaceInObject(company, { hints });
  await drained(company);
  expect(hints.withdrawIds).toEqual([]);
  await stub.setFrozen(company.id, false);
  await drained(company);
  expect(hints.withdrawIds).toEqual([1]);
  await runPayout(company, 1, bank.registry());

  expect(bank.sent).toHaveLength(1);
  expect(await accountsOf(company)).toMatchObject({ available: 3_000, payout: 0 });
});

/** A payout whose claimer died before it was sent, and whose company was frozen then. */
async function givenClaimedAndFrozen() {
  const clock = new TestClock();
  const company = await givenCompany({ balance: 5_000, clock });
  await withdraw(company, { amount: 2_000 });
  await claim(company);
  const stub = companyStub(env, company.id);
  await stub.setFrozen(company.id, true);
  clock.advance(CLAIMER_IS_DEAD_MS);
  return { clock, company, bank: new FakeBank(), stub };
}

it("a payout that was claimed but never sent is asked about while frozen, and sent once the company thaws", async () => {
  const { clock, company, bank, stub } = await givenClaimedAndFrozen();

  for (let time = 1; time <= 2; time++) {
    await runPayout(company, 1, bank.registry());
    expect([bank.asked.length, bank.sent.length]).toEqual([time, 0]);
    clock.advance(CLAIMER_IS_DEAD_MS);
  }
  expect((await stub.findWithdraw(1))?.status).toBe("Processing");
  await stub.setFrozen(company.id, false);
  await runPayout(company, 1, bank.registry());

  expect(bank.sent).toHaveLength(1);
  expect(await accountsOf(company)).toMatchObject({ available: 3_000, payout: 0 });
});

it("a payout that the bank did before the freeze is booked while the company is frozen", async () => {
  const { company, bank, stub } = await givenClaimedAndFrozen();
  const { payoutId } = (await stub.findWithdraw(1))!;
  bank.payouts.set(payoutId, PAID);

  await runPayout(company, 1, bank.registry());

  expect(bank.sent).toEqual([]);
  expect((await stub.findWithdraw(1))?.status).toBe("Paid");
});

it("a held withdraw is not hinted while its company is frozen, and is once it thaws", async () => {
  const { clock, company, stub } = await givenFrozenByAudit();
  const hints = rememberedHints();
  await replaceInObject(company, { hints });
  await claim(company);

  clock.advance(DAY_MS);
  await stub.tick();
  expect(hints.withdrawIds).toEqual([]);
  await tamper(company, MENDED);
  await stub.setFrozen(company.id, false);
  await stub.tick();

  expect(hints.withdrawIds).toEqual([1]);
});

it("a held withdraw may be cancelled, and its money comes back", async () => {
  const { company, bank, stub } = await givenFrozenByAudit();
  await claim(company);

  expect((await stub.cancelWithdraw(company.id, 1, null)).kind).toBe("cancelled");
  await tamper(company, MENDED);
  await stub.setFrozen(company.id, false);
  await runPayout(company, 1, bank.registry());

  expect(bank.sent).toEqual([]);
  expect(await accountsOf(company)).toMatchObject({ available: 5_000, payout: 0 });
});

it("the freeze outlives the object's memory", async () => {
  const { clock, company, stub } = await givenFrozenByAudit();

  await evict(company, { clock });

  expect(await stub.isFrozen()).toBe(true);
  expect(await claim(company)).toEqual({ kind: "held" });
  await tamper(company, MENDED);
});

it("a company thawed while its ledger is still broken is frozen by the next audit", async () => {
  const { company, stub } = await givenFrozenByAudit();
  await stub.setFrozen(company.id, false);
  expect(await stub.isFrozen()).toBe(false);

  await audit(company);

  expect(await stub.isFrozen()).toBe(true);
  expect(await withdraw(company, { idempotencyKey: "wd_2" })).toEqual({ kind: "frozen" });
  await tamper(company, MENDED);
});

it("a key that was used before the freeze still answers its withdraw", async () => {
  const { company } = await givenFrozenByAudit();

  expect(await withdraw(company, { amount: 2_000 })).toMatchObject({
    kind: "replayed",
    withdraw: { id: 1, status: "Awaiting" },
  });
  await tamper(company, MENDED);
});

it("the answer of a payout that was sent before the freeze is booked", async () => {
  const company = await givenCompany();
  await givenSettled(company, 5_000);
  await withdraw(company, { amount: 2_000 });
  await claim(company);
  await companyStub(env, company.id).setFrozen(company.id, true);

  await report(company, PAID);

  expect(await accountsOf(company)).toMatchObject({ available: 3_000, payout: 0 });
});
