import { expect, it } from "vitest";
import { TEST_CAUSE } from "../../../support/builders/operations/decide.ts";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import {
  claimPayout,
  PAID,
  reportPayout,
  withdraw,
} from "../../../support/builders/withdraws/withdraw-commands.ts";
import { waitUntilDrained, givenCompany } from "../../../support/builders/companies/company.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";
import { evict, replaceInObject } from "../../../support/faults/object.ts";
import { recordingNotifier } from "../../../support/fakes/recording-notifier.ts";
import {
  requestRefund,
  CLAIM_EXPIRED_MS,
  DAY_MS,
  givenSettled,
} from "../../../support/builders/operations/object-operations.ts";
import { audit, auditAll } from "../../../support/probes/ledger/audit.ts";
import { tamper } from "../../../support/faults/tamper.ts";
import { requestWithdraw, runPayout } from "../../../support/builders/withdraws/withdraw.ts";
import { LEDGER_SQL } from "../../../support/faults/ledger-sql.ts";

const CORRUPT_LEDGER = LEDGER_SQL.setType(1, "chargeback");
const REPAIR_LEDGER = LEDGER_SQL.setType(1, "charge_paid");

/** A company whose ledger was found broken while a withdraw was accepted and not yet sent. */
async function givenFrozenByAudit() {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const transaction = await givenSettled(company, 5_000);
  await withdraw(company, { amount: 2_000 });
  await waitUntilDrained(company);
  await tamper(company, CORRUPT_LEDGER);
  expect((await audit(company)).violations).not.toEqual([]);
  return { clock, company, transaction, bank: new FakeBank(), object: callsTo(company.id) };
}

it("a corrupt ledger stops withdraws and refunds, while payments and releases continue", async () => {
  const { clock, company, transaction, object } = await givenFrozenByAudit();
  const terms = { paymentMethod: "BOLETO", releaseDays: 1 } as const;
  await givenSettled(company, 700, { terms, payment: { paidAt: clock.now() } });
  clock.advance(DAY_MS);
  await waitUntilDrained(company);
  expect(await accountsOf(company)).toMatchObject({ available: 3_700, awaiting: 0 });
  expect((await requestRefund(company, transaction, { amount: 500 })).kind).toBe("frozen");

  const refused = await requestWithdraw(company, { amount: 1_000 });
  expect([refused.status, refused.body.code]).toEqual([422, "COMPANY_FROZEN"]);
  expect(await accountsOf(company)).toMatchObject({ available: 3_700, payout: 2_000 });
  expect((await object.balances()).balances.frozen).toBe(true);

  await tamper(company, REPAIR_LEDGER);
});

it("a withdraw accepted before the freeze waits and is sent after the thaw", async () => {
  const { clock, company, bank, object } = await givenFrozenByAudit();
  for (let minute = 0; minute < 3; minute++) {
    await runPayout(company, 1, bank.registry());
    clock.advance(60_000);
  }
  expect(await claimPayout(company)).toEqual({ kind: "frozen" });
  expect(bank.sentPayouts).toEqual([]);
  expect((await object.findWithdraw(1))?.status).toBe("Awaiting");
  expect(await accountsOf(company)).toMatchObject({ available: 3_000, payout: 2_000 });

  await tamper(company, REPAIR_LEDGER);
  expect((await auditAll(company)).violations).toEqual([]);
  expect(await claimPayout(company)).toEqual({ kind: "frozen" });
  const notifier = recordingNotifier();
  await replaceInObject(company, { notifier });
  await waitUntilDrained(company);
  expect(notifier.withdrawIds).toEqual([]);
  await object.setFrozen({ companyId: company.id, change: false, cause: TEST_CAUSE });
  await waitUntilDrained(company);
  expect(notifier.withdrawIds).toEqual([1]);
  await runPayout(company, 1, bank.registry());

  expect(bank.sentPayouts).toHaveLength(1);
  expect(await accountsOf(company)).toMatchObject({ available: 3_000, payout: 0 });
});

/** A payout whose claimer died before it was sent, and whose company was frozen then. */
async function givenClaimedAndFrozen() {
  const clock = new TestClock();
  const company = await givenCompany({ balance: 5_000, clock });
  await withdraw(company, { amount: 2_000 });
  await claimPayout(company);
  const object = callsTo(company.id);
  await object.setFrozen({ companyId: company.id, change: true, cause: TEST_CAUSE });
  clock.advance(CLAIM_EXPIRED_MS);
  return { clock, company, bank: new FakeBank(), object };
}

it("a payout that was claimed but not sent is looked up while frozen and sent after the thaw", async () => {
  const { clock, company, bank, object } = await givenClaimedAndFrozen();

  for (let time = 1; time <= 2; time++) {
    await runPayout(company, 1, bank.registry());
    expect([bank.payoutLookups.length, bank.sentPayouts.length]).toEqual([time, 0]);
    clock.advance(CLAIM_EXPIRED_MS);
  }
  expect((await object.findWithdraw(1))?.status).toBe("Processing");
  await object.setFrozen({ companyId: company.id, change: false, cause: TEST_CAUSE });
  await runPayout(company, 1, bank.registry());

  expect(bank.sentPayouts).toHaveLength(1);
  expect(await accountsOf(company)).toMatchObject({ available: 3_000, payout: 0 });
});

it("a payout that the bank made before the freeze is booked while the company is frozen", async () => {
  const { company, bank, object } = await givenClaimedAndFrozen();
  const { payoutId } = (await object.findWithdraw(1))!;
  bank.payouts.set(payoutId, PAID);

  await runPayout(company, 1, bank.registry());

  expect(bank.sentPayouts).toEqual([]);
  expect((await object.findWithdraw(1))?.status).toBe("Paid");
});

it("a waiting withdraw is enqueued only after its company thaws", async () => {
  const { clock, company, object } = await givenFrozenByAudit();
  const notifier = recordingNotifier();
  await replaceInObject(company, { notifier });
  await claimPayout(company);

  clock.advance(DAY_MS);
  await object.runNow();
  expect(notifier.withdrawIds).toEqual([]);
  await tamper(company, REPAIR_LEDGER);
  await object.setFrozen({ companyId: company.id, change: false, cause: TEST_CAUSE });
  await object.runNow();

  expect(notifier.withdrawIds).toEqual([1]);
});

it("a waiting withdraw can be cancelled and its money is released", async () => {
  const { company, bank, object } = await givenFrozenByAudit();
  await claimPayout(company);

  expect((await object.cancelWithdraw({ companyId: company.id, id: 1, key: null })).kind).toBe(
    "cancelled",
  );
  await tamper(company, REPAIR_LEDGER);
  await object.setFrozen({ companyId: company.id, change: false, cause: TEST_CAUSE });
  await runPayout(company, 1, bank.registry());

  expect(bank.sentPayouts).toEqual([]);
  expect(await accountsOf(company)).toMatchObject({ available: 5_000, payout: 0 });
});

it("the freeze survives an eviction of the object", async () => {
  const { clock, company, object } = await givenFrozenByAudit();

  await evict(company, { clock });

  expect(await object.isFrozen()).toBe(true);
  expect(await claimPayout(company)).toEqual({ kind: "frozen" });
  await tamper(company, REPAIR_LEDGER);
});

it("a company that is thawed with a corrupt ledger is frozen by the next audit", async () => {
  const { company, object } = await givenFrozenByAudit();
  await object.setFrozen({ companyId: company.id, change: false, cause: TEST_CAUSE });
  expect(await object.isFrozen()).toBe(false);

  await audit(company);

  expect(await object.isFrozen()).toBe(true);
  expect(await withdraw(company, { idempotencyKey: "wd_2" })).toEqual({ kind: "frozen" });
  await tamper(company, REPAIR_LEDGER);
});

it("a key that was used before the freeze still returns its withdraw", async () => {
  const { company } = await givenFrozenByAudit();

  expect(await withdraw(company, { amount: 2_000 })).toMatchObject({
    kind: "replayed",
    withdraw: { id: 1, status: "Awaiting" },
  });
  await tamper(company, REPAIR_LEDGER);
});

it("the result of a payout that was sent before the freeze is booked", async () => {
  const company = await givenCompany();
  await givenSettled(company, 5_000);
  await withdraw(company, { amount: 2_000 });
  await claimPayout(company);
  await callsTo(company.id).setFrozen({ companyId: company.id, change: true, cause: TEST_CAUSE });

  await reportPayout(company, PAID);

  expect(await accountsOf(company)).toMatchObject({ available: 3_000, payout: 0 });
});
