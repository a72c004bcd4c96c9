import { describe, expect, it } from "vitest";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import { claimPayout } from "../../../support/builders/withdraws/withdraw-commands.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { env, givenCompany } from "../../../support/builders/companies/company.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { CRASH, injectFault, withAccounts } from "../../../support/faults/faulty-env.ts";
import { accountsOf, movementsOf } from "../../../support/probes/ledger/ledger.ts";
import { processPayout } from "../../../../src/api/withdraws/tasks.ts";
import { requestWithdraw, runPayout } from "../../../support/builders/withdraws/withdraw.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

/** Longer than any lease. */
const CLAIMER_IS_DEAD_MS = 60_000;
/** How long a send without a response may still reach its bank. */
const TEN_MINUTES_MS = 10 * 60_000;

async function givenAccepted() {
  const clock = new TestClock();
  const company = await givenCompany({ balance: 5_000, clock });
  const { body } = await requestWithdraw(company, { amount: 2_000 });
  const found = await callsTo(company.id).findWithdraw(body.id);
  return { clock, company, bank: new FakeBank(), payoutId: found?.payoutId };
}

it("a withdraw whose response was lost is replayed by its key", async () => {
  const company = await givenCompany({ balance: 5_000 });
  const lost = injectFault({ on: /^requestWithdraw$/, when: "after" });

  const first = await requestWithdraw(
    company,
    { amount: 2_000 },
    { key: "wd_1", env: withAccounts(env, lost.intercept) },
  );
  expect(first.status).toBe(500);
  expect(lost.injections()).toBe(1);
  const again = await requestWithdraw(company, { amount: 2_000 }, { key: "wd_1" });

  expect(again.status).toBe(201);
  expect(again.headers.get("Idempotent-Replayed")).toBe("true");
  expect(again.body).toMatchObject({ id: 1, value: 20, enTransaction: "Awaiting" });
  expect(await accountsOf(company)).toMatchObject({ available: 3_000, payout: 2_000 });
});

it("a payout that was claimed but not sent is looked up by its id and sent under the same id", async () => {
  const { clock, company, bank, payoutId } = await givenAccepted();
  await claimPayout(company);

  await runPayout(company, 1, bank.registry());
  expect(bank.sentPayouts).toEqual([]);
  clock.advance(CLAIMER_IS_DEAD_MS);
  await runPayout(company, 1, bank.registry());

  expect(bank.payoutLookups).toEqual([payoutId]);
  expect(bank.sentPayouts).toEqual([payoutId]);
  expect(await accountsOf(company)).toMatchObject({ available: 3_000, payout: 0 });
});

it("a payout whose report was lost is looked up and paid once", async () => {
  const { clock, company, bank, payoutId } = await givenAccepted();
  const lost = injectFault({ on: /^recordPayout$/, when: "before" });
  await expect(
    processPayout(withAccounts(env, lost.intercept), bank.registry(), company.id, 1),
  ).rejects.toThrow(CRASH);
  expect(bank.sentPayouts).toEqual([payoutId]);
  expect(await accountsOf(company)).toMatchObject({ payout: 2_000 });

  clock.advance(CLAIMER_IS_DEAD_MS);
  await runPayout(company, 1, bank.registry());

  expect(bank.sentPayouts).toEqual([payoutId]);
  expect(bank.payoutLookups).toEqual([payoutId]);
  expect(await accountsOf(company)).toMatchObject({ available: 3_000, payout: 0 });
});

it("a payout whose consumer crashed before its ack is booked once", async () => {
  const { clock, company, bank, payoutId } = await givenAccepted();
  const lost = injectFault({ on: /^recordPayout$/, when: "after" });
  await expect(
    processPayout(withAccounts(env, lost.intercept), bank.registry(), company.id, 1),
  ).rejects.toThrow(CRASH);

  clock.advance(CLAIMER_IS_DEAD_MS);
  await runPayout(company, 1, bank.registry());

  expect(bank.sentPayouts).toEqual([payoutId]);
  expect((await movementsOf(company)).map((movement) => movement.type)).toEqual([
    "charge_paid",
    "withdraw_requested",
    "withdraw_paid",
  ]);
  expect((await eventsOf(company)).map((event) => event.type)).toEqual([
    "transaction.paid",
    "withdraw.processing",
    "withdraw.paid",
  ]);
});

async function givenRefusedRepeat() {
  const given = await givenAccepted();
  const { company, clock, bank } = given;
  bank.onSendPayout = async () => ({ kind: "unknown" });
  bank.onFindPayout = async () => ({ kind: "not_found" });
  await runPayout(company, 1, bank.registry());
  bank.onSendPayout = async () => ({ kind: "failed", reason: "the id is in use" });
  clock.advance(CLAIMER_IS_DEAD_MS);
  await runPayout(company, 1, bank.registry());
  expect(bank.sentPayouts).toHaveLength(2);
  expect(await accountsOf(company)).toMatchObject({ available: 3_000, payout: 2_000 });
  return given;
}

describe("a payout without a first response whose repeat is rejected", () => {
  it("is paid when the first request succeeds after all", async () => {
    const { company, clock, bank } = await givenRefusedRepeat();
    bank.onFindPayout = async () => ({ kind: "paid", endToEndId: null });
    clock.advance(CLAIMER_IS_DEAD_MS);
    await runPayout(company, 1, bank.registry());
    expect(await accountsOf(company)).toMatchObject({ available: 3_000, payout: 0 });
  });

  it("has failed once the first request can no longer succeed", async () => {
    const { company, clock, bank } = await givenRefusedRepeat();
    clock.advance(TEN_MINUTES_MS);
    await runPayout(company, 1, bank.registry());
    expect(await accountsOf(company)).toMatchObject({ available: 5_000, payout: 0 });
  });
});
