import { runDurableObjectAlarm } from "cloudflare:test";
import { expect, it } from "vitest";
import { DueIndex } from "../../../../src/company/storage/due-index.ts";
import { PayoutNotifier } from "../../../../src/company/withdraws/payout-notifier.ts";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import { companyStub } from "../../../../src/company-client/stub.ts";
import {
  claimPayout,
  PAID,
  reportPayout,
  withdraw,
} from "../../../support/builders/withdraws/withdraw-commands.ts";
import {
  waitUntilDrained,
  env,
  givenCompany,
} from "../../../support/builders/companies/company.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { accountsOf, alarmOf, nextAlarmOf } from "../../../support/probes/ledger/ledger.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { recordingNotifier } from "../../../support/fakes/recording-notifier.ts";
import { replaceInObject } from "../../../support/faults/object.ts";
import { runPayout } from "../../../support/builders/withdraws/withdraw.ts";

/** Longer than the wait for a lost message or a crashed claimer. */
const OVERDUE_MS = 60_000;

async function givenCompanyWithQueue() {
  const clock = new TestClock();
  // An hour ahead, so that no alarm fires by itself, however slow the machine is.
  clock.advance(3_600_000);
  const company = await givenCompany({ balance: 5_000, clock });
  const notifier = recordingNotifier();
  await replaceInObject(company, { notifier });
  return { clock, company, wakeUps: notifier };
}

it("a withdraw enqueues its payout at once, and not again while the message is recent", async () => {
  const { company, wakeUps } = await givenCompanyWithQueue();

  await withdraw(company);
  await waitUntilDrained(company);
  await waitUntilDrained(company);

  expect(wakeUps.withdrawIds).toEqual([1]);
});

it("a sandbox company's payout waits for two seconds, so that it can be cancelled", async () => {
  const { clock, company, wakeUps } = await givenCompanyWithQueue();

  await withdraw(company, { sandbox: true });
  await withdraw(company, { sandbox: true, idempotencyKey: "wd_2" });
  await waitUntilDrained(company);
  expect(await alarmOf(company)).toBe(clock.now() + 2_000);
  clock.advance(1_999);
  await waitUntilDrained(company);
  expect(wakeUps.withdrawIds).toEqual([]);
  const cancelled = await callsTo(company.id).cancelWithdraw({
    companyId: company.id,
    id: 1,
    key: null,
  });
  expect(cancelled.kind).toBe("cancelled");

  clock.advance(1);
  await waitUntilDrained(company);
  expect(wakeUps.withdrawIds).toEqual([2]);
});

it("the alarm repeats a payout message that the queue lost", async () => {
  const { clock, company, wakeUps } = await givenCompanyWithQueue();
  await withdraw(company);
  await waitUntilDrained(company);
  expect(await alarmOf(company)).toBeGreaterThan(clock.now());

  clock.advance(OVERDUE_MS);
  expect(await runDurableObjectAlarm(companyStub(env, company.id))).toBe(true);

  expect(wakeUps.withdrawIds).toEqual([1, 1]);
});

it("a payout of a crashed claimer is enqueued again and looked up", async () => {
  const { clock, company, wakeUps } = await givenCompanyWithQueue();
  await withdraw(company);
  await claimPayout(company);
  await waitUntilDrained(company);

  clock.advance(OVERDUE_MS);
  await waitUntilDrained(company);
  expect(wakeUps.withdrawIds.at(-1)).toBe(1);
  const bank = new FakeBank();
  await runPayout(company, 1, bank.registry());

  expect(bank.payoutLookups).toHaveLength(1);
  expect(await accountsOf(company)).toMatchObject({ available: 4_000, payout: 0 });
});

it("a payout without a result is polled with growing waits, without an end", async () => {
  const { clock, company, wakeUps } = await givenCompanyWithQueue();
  await withdraw(company);
  await claimPayout(company);
  await waitUntilDrained(company);

  const waits: number[] = [];
  for (let answers = 0; answers < 14; answers++) {
    await reportPayout(company, { kind: "unknown" });
    const wait = ((await nextAlarmOf(company)) ?? 0) - clock.now();
    waits.push(wait);
    clock.advance(wait);
    const before = wakeUps.withdrawIds.length;
    await waitUntilDrained(company);
    expect(wakeUps.withdrawIds.slice(before)).toEqual([1]);
  }

  expect(waits.slice(0, 4)).toEqual([5_000, 10_000, 20_000, 40_000]);
  expect(waits.at(-1)).toBe(3_600_000);
});

it("a settled sandbox payout is not enqueued again and leaves no alarm", async () => {
  const { clock, company, wakeUps } = await givenCompanyWithQueue();
  await withdraw(company);
  await claimPayout(company, 1, "sandbox");
  await reportPayout(company, PAID);
  const before = wakeUps.withdrawIds.length;

  clock.advance(OVERDUE_MS);
  await waitUntilDrained(company);

  expect(wakeUps.withdrawIds).toHaveLength(before);
  expect(await nextAlarmOf(company)).toBeNull();
});

it("the alarm retries payout messages that the queue rejects", async () => {
  const { clock, company, wakeUps } = await givenCompanyWithQueue();
  const restore = await replaceInObject(company, {
    notifier: { ...wakeUps, notifyPayouts: () => Promise.reject(new Error("the queue is down")) },
  });
  await withdraw(company);
  await waitUntilDrained(company);
  expect(await alarmOf(company)).not.toBeNull();
  await restore();

  clock.advance(OVERDUE_MS);
  await runDurableObjectAlarm(companyStub(env, company.id));

  expect(wakeUps.withdrawIds).toEqual([1]);
});

const NONE = new DueIndex({} as SqlStorage, { table: "", index: "", status: "" });

/** Promises that settle one after another in one turn; the longest way out of a hint is shorter. */
const TURN_MAX = 20;

it("a withdraw that is accepted at the end of an enqueue is enqueued as well", async () => {
  for (let later = 0; later < TURN_MAX; later++) {
    const wakeUps = recordingNotifier();
    const payoutHints = new PayoutNotifier({
      commit: (change) => change(0),
      notifier: () => wakeUps,
      companyId: () => 1,
      payouts: () => [],
      operations: NONE,
      rechecks: NONE,
      subscriptions: NONE,
    });
    const first = payoutHints.notifyAccepted(1);
    for (let step = 0; step < later; step++) await Promise.resolve();

    await Promise.all([first, payoutHints.notifyAccepted(2)]);

    expect(wakeUps.withdrawIds).toEqual([1, 2]);
  }
});
