import { expect, it } from "vitest";
import { companyStub } from "../../../../src/company-client/stub.ts";
import { claim, drained, report, withdraw } from "../../../support/builders/commands.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { env, givenCompany } from "../../../support/builders/company.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { accountsOf, nextAlarmOf } from "../../../support/builders/ledger.ts";
import { evict, rememberedHints, replaceInObject } from "../../../support/probes/object.ts";
import { runPayout } from "../../../support/builders/withdraw.ts";

/** When a claim that was never heard of again is looked after. */
const LEASE_OVER_MS = 40_000;
/** Until then nobody else may ask. */
const LEASE_MS = 35_000;
const FIRST_ASK_MS = 5_000;
const HOUR_MS = 3_600_000;

/** A withdraw that its bank was sent and has under way. */
async function givenProcessing() {
  const clock = new TestClock();
  const company = await givenCompany({ balance: 5_000, clock });
  const hints = rememberedHints();
  await replaceInObject(company, { hints });
  await withdraw(company);
  const bank = new FakeBank();
  bank.onSend = async ({ payoutId }) => {
    bank.payouts.set(payoutId, { kind: "processing" });
    return { kind: "processing" };
  };
  await runPayout(company, 1, bank.registry());
  await drained(company);
  hints.withdrawIds.length = 0;
  return { clock, company, hints, bank };
}

it("it is asked five seconds later, whoever knocks at the object before", async () => {
  const { clock, company, hints, bank } = await givenProcessing();
  expect(await nextAlarmOf(company)).toBe(clock.now() + FIRST_ASK_MS);

  clock.advance(FIRST_ASK_MS - 1);
  await drained(company);
  expect(hints.withdrawIds).toEqual([]);
  clock.advance(1);
  await drained(company);

  expect(hints.withdrawIds).toEqual([1]);
  await runPayout(company, 1, bank.registry());
  expect([bank.sent.length, bank.asked.length]).toEqual([1, 1]);
});

it("an object that is evicted after the answer asks when it would have asked, and never sends again", async () => {
  const { clock, company, bank } = await givenProcessing();
  await evict(company, { clock });
  const hints = rememberedHints();
  await replaceInObject(company, { hints });
  expect(await nextAlarmOf(company)).toBe(clock.now() + FIRST_ASK_MS);

  clock.advance(FIRST_ASK_MS - 1);
  await drained(company);
  expect(hints.withdrawIds).toEqual([]);
  clock.advance(1);
  await drained(company);
  expect(hints.withdrawIds).toEqual([1]);
  bank.payouts.set(bank.sent[0]!, { kind: "paid", endToEndId: "E1" });
  await runPayout(company, 1, bank.registry());

  expect([bank.sent.length, bank.asked.length]).toEqual([1, 1]);
  expect(await accountsOf(company)).toMatchObject({ available: 4_000, payout: 0 });
});

it("a send that nobody reported is looked after once its lease is over, and not sent again", async () => {
  const { clock, company, hints } = await givenProcessing();
  clock.advance(FIRST_ASK_MS);
  await claim(company);
  await evict(company, { clock });
  await replaceInObject(company, { hints });

  clock.advance(LEASE_MS - 1);
  expect(await claim(company)).toEqual({ kind: "wait" });
  clock.advance(LEASE_OVER_MS - LEASE_MS);
  await drained(company);
  expect(hints.withdrawIds).toEqual([]);
  clock.advance(1);
  await drained(company);

  expect(hints.withdrawIds).toEqual([1]);
  expect((await claim(company)).kind).toBe("ask");
});

it("an object that is evicted after each answer asks less and less often", async () => {
  const { clock, company, bank } = await givenProcessing();
  const waits: number[] = [];
  let askedAt = clock.now();
  const end = clock.now() + 2 * HOUR_MS;
  while (clock.now() < end) {
    await evict(company, { clock });
    const hints = rememberedHints();
    await replaceInObject(company, { hints });
    while (hints.withdrawIds.length === 0) {
      clock.advance(FIRST_ASK_MS);
      await drained(company);
    }
    await runPayout(company, 1, bank.registry());
    waits.push(clock.now() - askedAt);
    askedAt = clock.now();
  }

  expect(bank.sent).toHaveLength(1);
  expect(bank.asked).toHaveLength(waits.length);
  expect(waits.slice(0, 4)).toEqual([5_000, 10_000, 20_000, 40_000]);
  expect(waits.length).toBeLessThan(13);
});

it("an answer that comes after the send's lease is over is written", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ balance: 5_000, clock });
  await withdraw(company);
  await claim(company);
  clock.advance(LEASE_OVER_MS - 1);

  await report(company, { kind: "processing" });
  await evict(company, { clock });
  await drained(company);

  expect(await nextAlarmOf(company)).toBe(clock.now() + FIRST_ASK_MS);
});

it("an operator may decide what its bank has answered, and not what is just asked", async () => {
  const { clock, company } = await givenProcessing();
  const decide = () =>
    companyStub(env, company.id).decidePayout(company.id, 1, { kind: "paid", endToEndId: null });
  clock.advance(FIRST_ASK_MS);
  await claim(company);
  await evict(company, { clock });
  expect(await decide()).toEqual({ kind: "under_way" });
  await report(company, { kind: "processing" });
  await evict(company, { clock });

  expect((await decide()).kind).toBe("recorded");
  expect(await accountsOf(company)).toMatchObject({ available: 4_000, payout: 0 });
});
