import { expect, it } from "vitest";
import {
  claimPayout,
  reportPayout,
  withdraw,
} from "../../../support/builders/withdraws/withdraw-commands.ts";
import { waitUntilDrained, givenCompany } from "../../../support/builders/companies/company.ts";
import { decideInObject } from "../../../support/builders/operations/decide.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { accountsOf, nextAlarmOf } from "../../../support/probes/ledger/ledger.ts";
import { evict, replaceInObject } from "../../../support/faults/object.ts";
import { recordingNotifier } from "../../../support/fakes/recording-notifier.ts";
import { runPayout } from "../../../support/builders/withdraws/withdraw.ts";

/** When a claim that was never heard of again is looked after. */
const LEASE_OVER_MS = 40_000;
/** Until then nobody else may ask. */
const LEASE_MS = 35_000;
const FIRST_POLL_MS = 5_000;
const HOUR_MS = 3_600_000;

/** A withdraw that its bank was sent and has under way. */
async function givenProcessing() {
  const clock = new TestClock();
  const company = await givenCompany({ balance: 5_000, clock });
  const notifier = recordingNotifier();
  await replaceInObject(company, { notifier });
  await withdraw(company);
  const bank = new FakeBank();
  bank.onSendPayout = async ({ payoutId }) => {
    bank.payouts.set(payoutId, { kind: "processing" });
    return { kind: "processing" };
  };
  await runPayout(company, 1, bank.registry());
  await waitUntilDrained(company);
  notifier.withdrawIds.length = 0;
  return { clock, company, wakeUps: notifier, bank };
}

it("the payout is polled after five seconds, regardless of earlier background runs", async () => {
  const { clock, company, wakeUps, bank } = await givenProcessing();
  expect(await nextAlarmOf(company)).toBe(clock.now() + FIRST_POLL_MS);

  clock.advance(FIRST_POLL_MS - 1);
  await waitUntilDrained(company);
  expect(wakeUps.withdrawIds).toEqual([]);
  clock.advance(1);
  await waitUntilDrained(company);

  expect(wakeUps.withdrawIds).toEqual([1]);
  await runPayout(company, 1, bank.registry());
  expect([bank.sentPayouts.length, bank.payoutLookups.length]).toEqual([1, 1]);
});

it("an object that is evicted after the result keeps its poll time and never sends again", async () => {
  const { clock, company, bank } = await givenProcessing();
  await evict(company, { clock });
  const notifier = recordingNotifier();
  await replaceInObject(company, { notifier });
  expect(await nextAlarmOf(company)).toBe(clock.now() + FIRST_POLL_MS);

  clock.advance(FIRST_POLL_MS - 1);
  await waitUntilDrained(company);
  expect(notifier.withdrawIds).toEqual([]);
  clock.advance(1);
  await waitUntilDrained(company);
  expect(notifier.withdrawIds).toEqual([1]);
  bank.payouts.set(bank.sentPayouts[0]!, { kind: "paid", endToEndId: "E1" });
  await runPayout(company, 1, bank.registry());

  expect([bank.sentPayouts.length, bank.payoutLookups.length]).toEqual([1, 1]);
  expect(await accountsOf(company)).toMatchObject({ available: 4_000, payout: 0 });
});

it("a send without a report is looked up after its lease expires and not sent again", async () => {
  const { clock, company, wakeUps: notifier } = await givenProcessing();
  clock.advance(FIRST_POLL_MS);
  await claimPayout(company);
  await evict(company, { clock });
  await replaceInObject(company, { notifier });

  clock.advance(LEASE_MS - 1);
  expect(await claimPayout(company)).toEqual({ kind: "wait" });
  clock.advance(LEASE_OVER_MS - LEASE_MS);
  await waitUntilDrained(company);
  expect(notifier.withdrawIds).toEqual([]);
  clock.advance(1);
  await waitUntilDrained(company);

  expect(notifier.withdrawIds).toEqual([1]);
  expect((await claimPayout(company)).kind).toBe("query");
});

it("an object that is evicted after each result polls with growing waits", async () => {
  const { clock, company, bank } = await givenProcessing();
  const waits: number[] = [];
  let askedAt = clock.now();
  const end = clock.now() + 2 * HOUR_MS;
  while (clock.now() < end) {
    await evict(company, { clock });
    const notifier = recordingNotifier();
    await replaceInObject(company, { notifier });
    while (notifier.withdrawIds.length === 0) {
      clock.advance(FIRST_POLL_MS);
      await waitUntilDrained(company);
    }
    await runPayout(company, 1, bank.registry());
    waits.push(clock.now() - askedAt);
    askedAt = clock.now();
  }

  expect(bank.sentPayouts).toHaveLength(1);
  expect(bank.payoutLookups).toHaveLength(waits.length);
  expect(waits.slice(0, 4)).toEqual([5_000, 10_000, 20_000, 40_000]);
  expect(waits.length).toBeLessThan(13);
});

it("a result that arrives after the send's lease expired is stored", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ balance: 5_000, clock });
  await withdraw(company);
  await claimPayout(company);
  clock.advance(LEASE_OVER_MS - 1);

  await reportPayout(company, { kind: "processing" });
  await evict(company, { clock });
  await waitUntilDrained(company);

  expect(await nextAlarmOf(company)).toBe(clock.now() + FIRST_POLL_MS);
});

it("an operator may resolve a payout with a bank result, but not during a lookup", async () => {
  const { clock, company } = await givenProcessing();
  const report = { kind: "paid", endToEndId: null } as const;
  const decide = () => decideInObject(company, { kind: "payout", id: 1, report });
  clock.advance(FIRST_POLL_MS);
  await claimPayout(company);
  await evict(company, { clock });
  expect(await decide()).toMatchObject({ kind: "not_possible" });
  await reportPayout(company, { kind: "processing" });
  await evict(company, { clock });

  expect((await decide()).kind).toBe("decided");
  expect(await accountsOf(company)).toMatchObject({ available: 4_000, payout: 0 });
});
