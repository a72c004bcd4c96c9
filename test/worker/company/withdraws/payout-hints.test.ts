import { runDurableObjectAlarm } from "cloudflare:test";
import { expect, it } from "vitest";
import { DueIndex } from "../../../../src/company/runtime/due-index.ts";
import { PayoutHints } from "../../../../src/company/withdraws/payout-hints.ts";
import { companyStub } from "../../../../src/company-client/stub.ts";
import { claim, drained, PAID, report, withdraw } from "../../../support/builders/commands.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { env, givenCompany } from "../../../support/builders/company.ts";
import { accountsOf, alarmOf, nextAlarmOf } from "../../../support/builders/ledger.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { rememberedHints, replaceInObject } from "../../../support/probes/object.ts";
import { runPayout } from "../../../support/builders/withdraw.ts";

/** Longer than a lost hint or a dead claimer is waited for. */
const OVERDUE_MS = 60_000;

async function givenHintedCompany() {
  const clock = new TestClock();
  const company = await givenCompany({ balance: 5_000, clock });
  const hints = rememberedHints();
  await replaceInObject(company, { hints });
  return { clock, company, hints };
}

it("a withdraw hints the queue at once, and not again while the hint is fresh", async () => {
  const { company, hints } = await givenHintedCompany();

  await withdraw(company);
  await drained(company);
  await drained(company);

  expect(hints.withdrawIds).toEqual([1]);
});

it("a sandbox company's payout waits for two seconds, in which it can be cancelled", async () => {
  const { clock, company, hints } = await givenHintedCompany();

  await withdraw(company, { sandbox: true });
  await withdraw(company, { sandbox: true, idempotencyKey: "wd_2" });
  await drained(company);
  expect(await alarmOf(company)).toBe(clock.now() + 2_000);
  clock.advance(1_999);
  await drained(company);
  expect(hints.withdrawIds).toEqual([]);
  const cancelled = await companyStub(env, company.id).cancelWithdraw(company.id, 1, null);
  expect(cancelled.kind).toBe("cancelled");

  clock.advance(1);
  await drained(company);
  expect(hints.withdrawIds).toEqual([2]);
});

it("a payout hint that the queue lost is given again by the alarm", async () => {
  const { clock, company, hints } = await givenHintedCompany();
  await withdraw(company);
  await drained(company);
  expect(await alarmOf(company)).toBeGreaterThan(clock.now());

  clock.advance(OVERDUE_MS);
  expect(await runDurableObjectAlarm(companyStub(env, company.id))).toBe(true);

  expect(hints.withdrawIds).toEqual([1, 1]);
});

it("a claimer that died is made good: the payout is hinted again and asked about", async () => {
  const { clock, company, hints } = await givenHintedCompany();
  await withdraw(company);
  await claim(company);
  await drained(company);

  clock.advance(OVERDUE_MS);
  await drained(company);
  expect(hints.withdrawIds.at(-1)).toBe(1);
  const bank = new FakeBank();
  await runPayout(company, 1, bank.registry());

  expect(bank.asked).toHaveLength(1);
  expect(await accountsOf(company)).toMatchObject({ available: 4_000, payout: 0 });
});

it("a payout without an answer is asked about less and less often, but never given up", async () => {
  const { clock, company, hints } = await givenHintedCompany();
  await withdraw(company);
  await claim(company);
  await drained(company);

  const waits: number[] = [];
  for (let answers = 0; answers < 14; answers++) {
    await report(company, { kind: "unknown" });
    const wait = ((await nextAlarmOf(company)) ?? 0) - clock.now();
    waits.push(wait);
    clock.advance(wait);
    const before = hints.withdrawIds.length;
    await drained(company);
    expect(hints.withdrawIds.slice(before)).toEqual([1]);
  }

  expect(waits.slice(0, 4)).toEqual([5_000, 10_000, 20_000, 40_000]);
  expect(waits.at(-1)).toBe(3_600_000);
});

it("a settled payout of the sandbox is never hinted again, and leaves no alarm", async () => {
  const { clock, company, hints } = await givenHintedCompany();
  await withdraw(company);
  await claim(company, 1, "sandbox");
  await report(company, PAID);
  const before = hints.withdrawIds.length;

  clock.advance(OVERDUE_MS);
  await drained(company);

  expect(hints.withdrawIds).toHaveLength(before);
  expect(await nextAlarmOf(company)).toBeNull();
});

it("a queue that takes no payout hint loses none: the alarm tries again", async () => {
  const { clock, company, hints } = await givenHintedCompany();
  const restore = await replaceInObject(company, {
    hints: { ...hints, payouts: () => Promise.reject(new Error("the queue is down")) },
  });
  await withdraw(company);
  await drained(company);
  expect(await alarmOf(company)).not.toBeNull();
  await restore();

  clock.advance(OVERDUE_MS);
  await runDurableObjectAlarm(companyStub(env, company.id));

  expect(hints.withdrawIds).toEqual([1]);
});

const NONE = new DueIndex({} as SqlStorage, { table: "", index: "", status: "" });

/** Promises that settle one after another in one turn; the longest way out of a hint is shorter. */
const TURN_MAX = 20;

it("a withdraw that is accepted in the very moment in which a hint ends is hinted as well", async () => {
  for (let later = 0; later < TURN_MAX; later++) {
    const hints = rememberedHints();
    const payoutHints = new PayoutHints({
      commit: (change) => change(0),
      hints: () => hints,
      companyId: () => 1,
      payouts: () => [],
      operations: NONE,
      rechecks: NONE,
    });
    const first = payoutHints.accepted(1);
    for (let step = 0; step < later; step++) await Promise.resolve();

    await Promise.all([first, payoutHints.accepted(2)]);

    expect(hints.withdrawIds).toEqual([1, 2]);
  }
});
