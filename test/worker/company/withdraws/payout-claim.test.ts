import { expect, it } from "vitest";
import {
  claimPayout,
  PAID,
  reportPayout,
  withdraw,
} from "../../../support/builders/withdraws/withdraw-commands.ts";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";
import { runPayout } from "../../../support/builders/withdraws/withdraw.ts";

/** A bank may take this long to answer, and a claim keeps others away for longer. */
const BANK_LIMIT_MS = 15_000;
/** Longer than any lease: an earlier claim has expired. */
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

it("a claim sends once, waits during its lease and looks the payout up after the lease", async () => {
  const { clock, company, payoutId } = await givenWithdraw();

  expect(await claimPayout(company)).toMatchObject({
    kind: "send",
    order: { payoutId, amount: 2_000 },
  });
  expect(await claimPayout(company)).toEqual({ kind: "wait" });
  clock.advance(BANK_LIMIT_MS);
  expect(await claimPayout(company)).toEqual({ kind: "wait" });
  clock.advance(CLAIMER_IS_DEAD_MS);
  expect(await claimPayout(company)).toMatchObject({ kind: "query", order: { payoutId } });
  expect(await claimPayout(company)).toEqual({ kind: "wait" });

  await reportPayout(company, PAID);
  clock.advance(CLAIMER_IS_DEAD_MS);
  expect(await claimPayout(company)).toEqual({ kind: "settled" });
});

it("an account that was read before the credentials were replaced sends nothing", async () => {
  const { company } = await givenWithdraw();
  const calls = callsTo(company.id);
  const claimAt = (credentialsVersion: number) =>
    calls.claimPayout({ companyId: company.id, id: 1, account: "first", credentialsVersion });
  await calls.invalidateCredentials(8);

  expect(await claimAt(7)).toEqual({ kind: "wait" });
  expect(await calls.findWithdraw(1)).toMatchObject({ status: "Awaiting" });

  expect((await claimAt(8)).kind).toBe("send");
});

it("one of several concurrent claims sends", async () => {
  const { company } = await givenWithdraw();

  const claims = await Promise.all(Array.from({ length: 6 }, () => claimPayout(company)));

  expect(claims.filter((each) => each.kind === "send")).toHaveLength(1);
  expect(claims.filter((each) => each.kind === "wait")).toHaveLength(5);
});

it("two concurrent runs of a payout pay once", async () => {
  const { company, payoutId, bank } = await givenWithdraw();
  const sending = Promise.withResolvers<void>();
  bank.onSendPayout = async () => {
    await sending.promise;
    return { kind: "paid", endToEndId: "E1" };
  };

  const first = runPayout(company, 1, bank.registry());
  const second = runPayout(company, 1, bank.registry()).then(() => sending.resolve());
  await Promise.all([first, second]);
  await runPayout(company, 1, bank.registry());

  expect(bank.sentPayouts).toEqual([payoutId]);
  expect(bank.payoutLookups).toEqual([]);
  expect(await accountsOf(company)).toMatchObject({ available: 3_000, payout: 0 });
});

it("a payout without a result is looked up and not sent again", async () => {
  const { company, payoutId, bank } = await givenWithdraw();
  bank.onSendPayout = async () => ({ kind: "unknown" });
  await runPayout(company, 1, bank.registry());
  bank.payouts.set(payoutId, { kind: "paid", endToEndId: "E1" });

  await runPayout(company, 1, bank.registry());

  expect(bank.sentPayouts).toEqual([payoutId]);
  expect(bank.payoutLookups).toEqual([payoutId]);
  expect(await accountsOf(company)).toMatchObject({ available: 3_000, payout: 0 });
});

it("a bank error is not a rejection", async () => {
  const { company, payoutId, bank } = await givenWithdraw();
  bank.onSendPayout = async () => {
    throw new Error("connection reset");
  };
  bank.onFindPayout = async () => {
    throw new Error("connection reset");
  };

  await runPayout(company, 1, bank.registry());
  await runPayout(company, 1, bank.registry());

  expect(bank.sentPayouts).toEqual([payoutId]);
  expect(await accountsOf(company)).toMatchObject({ available: 3_000, payout: 2_000 });
});

it("a payout that is not found at an idempotent bank is sent again under the same id", async () => {
  const { clock, company, payoutId, bank } = await givenWithdraw();
  await claimPayout(company);
  clock.advance(CLAIMER_IS_DEAD_MS);

  await runPayout(company, 1, bank.registry());

  expect(bank.payoutLookups).toEqual([payoutId]);
  expect(bank.sentPayouts).toEqual([payoutId]);
  expect(await accountsOf(company)).toMatchObject({ available: 3_000, payout: 0 });
});

it("a payout that is being sent again is not sent a third time", async () => {
  const { clock, company, bank } = await givenWithdraw();
  await claimPayout(company);
  clock.advance(CLAIMER_IS_DEAD_MS);
  bank.onFindPayout = async () => {
    clock.advance(SLOW_ANSWER_MS);
    return { kind: "not_found" };
  };
  bank.onSendPayout = async () => {
    bank.onSendPayout = async () => ({ kind: "processing" });
    clock.advance(SLOW_ANSWER_MS);
    await runPayout(company, 1, bank.registry());
    return { kind: "paid", endToEndId: "E1" };
  };

  await runPayout(company, 1, bank.registry());

  expect(bank.payoutLookups).toHaveLength(1);
  expect(bank.sentPayouts).toHaveLength(1);
});

it("a payout that is not found at a bank without idempotency is not sent again", async () => {
  const { clock, company, payoutId, bank } = await givenWithdraw();
  bank.idempotentPayouts = false;
  await claimPayout(company);
  clock.advance(CLAIMER_IS_DEAD_MS);

  await runPayout(company, 1, bank.registry());
  await runPayout(company, 1, bank.registry());

  expect(bank.payoutLookups).toEqual([payoutId, payoutId]);
  expect(bank.sentPayouts).toEqual([]);
  expect(await accountsOf(company)).toMatchObject({ available: 3_000, payout: 2_000 });
});

it("a payout without a bank waits and its money stays in flight", async () => {
  const { company, bank } = await givenWithdraw();

  await runPayout(company, 1, { ...bank.registry(), forPayout: () => null });

  expect((await claimPayout(company)).kind).toBe("send");
  expect(await accountsOf(company)).toMatchObject({ available: 3_000, payout: 2_000 });
});
