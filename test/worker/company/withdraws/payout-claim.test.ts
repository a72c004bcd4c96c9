import { expect, it } from "vitest";
import { claim, PAID, report, withdraw } from "../../../support/builders/commands.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { givenCompany } from "../../../support/builders/company.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { accountsOf } from "../../../support/builders/ledger.ts";
import { runPayout } from "../../../support/builders/withdraw.ts";

/** A bank may take this long to answer, and a claim keeps others away for longer. */
const BANK_LIMIT_MS = 15_000;
/** Longer than any lease: whoever claimed before is dead. */
const CLAIMER_IS_DEAD_MS = 60_000;
/** Within a bank's time limit of 15 s for one answer. */
const SLOW_ANSWER_MS = 14_000;

async function givenWithdraw() {
  const clock = new TestClock();
  const company = await givenCompany({ balance: 5_000, clock });
  const accepted = await withdraw(company, { amount: 2_000 });
  const payoutId = accepted.kind === "accepted" ? accepted.withdraw.payoutId : "";
  return { clock, company, payoutId, bank: new FakeBank() };
}

it("a claim sends once, waits while it is leased, and asks once the lease is over", async () => {
  const { clock, company, payoutId } = await givenWithdraw();

  expect(await claim(company)).toMatchObject({
    kind: "send",
    order: { payoutId, amount: 2_000 },
  });
  expect(await claim(company)).toEqual({ kind: "wait" });
  clock.advance(BANK_LIMIT_MS);
  expect(await claim(company)).toEqual({ kind: "wait" });
  clock.advance(CLAIMER_IS_DEAD_MS);
  expect(await claim(company)).toMatchObject({ kind: "ask", order: { payoutId } });
  expect(await claim(company)).toEqual({ kind: "wait" });

  await report(company, PAID);
  clock.advance(CLAIMER_IS_DEAD_MS);
  expect(await claim(company)).toEqual({ kind: "settled" });
});

it("of claims that come at once one sends", async () => {
  const { company } = await givenWithdraw();

  const claims = await Promise.all(Array.from({ length: 6 }, () => claim(company)));

  expect(claims.filter((each) => each.kind === "send")).toHaveLength(1);
  expect(claims.filter((each) => each.kind === "wait")).toHaveLength(5);
});

it("two payouts that run at once pay once", async () => {
  const { company, payoutId, bank } = await givenWithdraw();
  const sending = Promise.withResolvers<void>();
  bank.onSend = async () => {
    await sending.promise;
    return { kind: "paid", endToEndId: "E1" };
  };

  const first = runPayout(company, 1, bank.registry());
  const second = runPayout(company, 1, bank.registry()).then(() => sending.resolve());
  await Promise.all([first, second]);
  await runPayout(company, 1, bank.registry());

  expect(bank.sent).toEqual([payoutId]);
  expect(bank.asked).toEqual([]);
  expect(await accountsOf(company)).toMatchObject({ available: 3_000, payout: 0 });
});

it("a payout whose answer did not come is asked about, not sent again", async () => {
  const { company, payoutId, bank } = await givenWithdraw();
  bank.onSend = async () => ({ kind: "unknown" });
  await runPayout(company, 1, bank.registry());
  bank.payouts.set(payoutId, { kind: "paid", endToEndId: "E1" });

  await runPayout(company, 1, bank.registry());

  expect(bank.sent).toEqual([payoutId]);
  expect(bank.asked).toEqual([payoutId]);
  expect(await accountsOf(company)).toMatchObject({ available: 3_000, payout: 0 });
});

it("a bank that throws has not said no", async () => {
  const { company, payoutId, bank } = await givenWithdraw();
  bank.onSend = async () => {
    throw new Error("connection reset");
  };
  bank.onAsk = async () => {
    throw new Error("connection reset");
  };

  await runPayout(company, 1, bank.registry());
  await runPayout(company, 1, bank.registry());

  expect(bank.sent).toEqual([payoutId]);
  expect(await accountsOf(company)).toMatchObject({ available: 3_000, payout: 2_000 });
});

it("an explicit not found sends again, under the same id, to a bank that is idempotent", async () => {
  const { clock, company, payoutId, bank } = await givenWithdraw();
  await claim(company);
  clock.advance(CLAIMER_IS_DEAD_MS);

  await runPayout(company, 1, bank.registry());

  expect(bank.asked).toEqual([payoutId]);
  expect(bank.sent).toEqual([payoutId]);
  expect(await accountsOf(company)).toMatchObject({ available: 3_000, payout: 0 });
});

it("a payout that is being sent again is not sent once more meanwhile", async () => {
  const { clock, company, bank } = await givenWithdraw();
  await claim(company);
  clock.advance(CLAIMER_IS_DEAD_MS);
  bank.onAsk = async () => {
    clock.advance(SLOW_ANSWER_MS);
    return { kind: "not_found" };
  };
  bank.onSend = async () => {
    bank.onSend = async () => ({ kind: "processing" });
    clock.advance(SLOW_ANSWER_MS);
    await runPayout(company, 1, bank.registry());
    return { kind: "paid", endToEndId: "E1" };
  };

  await runPayout(company, 1, bank.registry());

  expect(bank.asked).toHaveLength(1);
  expect(bank.sent).toHaveLength(1);
});

it("an explicit not found is not sent again to a bank that may pay twice", async () => {
  const { clock, company, payoutId, bank } = await givenWithdraw();
  bank.idempotentPayouts = false;
  await claim(company);
  clock.advance(CLAIMER_IS_DEAD_MS);

  await runPayout(company, 1, bank.registry());
  await runPayout(company, 1, bank.registry());

  expect(bank.asked).toEqual([payoutId, payoutId]);
  expect(bank.sent).toEqual([]);
  expect(await accountsOf(company)).toMatchObject({ available: 3_000, payout: 2_000 });
});

it("without a bank a payout waits and its money stays on the way", async () => {
  const { company, bank } = await givenWithdraw();

  await runPayout(company, 1, { ...bank.registry(), forPayout: () => null });

  expect((await claim(company)).kind).toBe("send");
  expect(await accountsOf(company)).toMatchObject({ available: 3_000, payout: 2_000 });
});
