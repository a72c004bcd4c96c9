import { expect, it, onTestFinished, vi } from "vitest";
import { TestClock } from "../../../support/fakes/clock.ts";
import { claimPayout, withdraw } from "../../../support/builders/withdraws/withdraw-commands.ts";
import {
  waitUntilDrained,
  givenCompany,
  clearBacklog,
} from "../../../support/builders/companies/company.ts";
import {
  contradictionsOf,
  operatorEventTypesOf,
} from "../../../support/probes/contradictions/contradictions.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";
import { recordingNotifier } from "../../../support/fakes/recording-notifier.ts";
import { replaceInObject } from "../../../support/faults/object.ts";
import { runPayout } from "../../../support/builders/withdraws/withdraw.ts";

const CLAIMER_IS_DEAD_MS = 60_000;
const HOUR_MS = 3_600_000;

/** A withdraw of 20.00 of 50.00, and two banks: the company's present one, and the one before. */
async function givenTwoBanks() {
  const clock = new TestClock();
  const company = await givenCompany({ balance: 5_000, clock });
  onTestFinished(() => clearBacklog(company.id));
  const notifier = recordingNotifier();
  await replaceInObject(company, { notifier });
  await withdraw(company, { amount: 2_000 });
  await waitUntilDrained(company);
  const [present, former] = [new FakeBank(), new FakeBank()];
  const registry = {
    ...present.registry(),
    ofAccount: async (_company: unknown, account: string) => ({ present, former })[account] ?? null,
  };
  return { clock, company, wakeUps: notifier, present, former, registry };
}

it("a payout is looked up at the account that sent it after the company switched accounts", async () => {
  const { clock, company, present, former, registry } = await givenTwoBanks();
  const order = await claimPayout(company, 1, "former");
  if (order.kind === "send") {
    former.payouts.set(order.order.payoutId, { kind: "paid", endToEndId: "E1" });
  }
  clock.advance(CLAIMER_IS_DEAD_MS);

  await runPayout(company, 1, registry);

  expect([
    former.payoutLookups.length,
    present.payoutLookups.length,
    present.sentPayouts.length,
  ]).toEqual([1, 0, 0]);
  expect(await accountsOf(company)).toMatchObject({ available: 3_000, payout: 0 });
});

it("a payout that its account does not know is sent there again and nowhere else", async () => {
  const { clock, company, present, former, registry } = await givenTwoBanks();
  await claimPayout(company, 1, "former");
  clock.advance(CLAIMER_IS_DEAD_MS);

  await runPayout(company, 1, registry);

  expect([former.sentPayouts.length, present.sentPayouts.length]).toEqual([1, 0]);
  expect(await accountsOf(company)).toMatchObject({ available: 3_000, payout: 0 });
});

it("a payout whose account is disconnected is sent by no other account, shown to an operator and retried", async () => {
  const { clock, company, wakeUps, present, registry } = await givenTwoBanks();
  const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => errors.mockRestore());
  await claimPayout(company, 1, "forgotten");
  clock.advance(CLAIMER_IS_DEAD_MS);
  await runPayout(company, 1, registry);

  expect([present.payoutLookups.length, present.sentPayouts.length]).toEqual([0, 0]);
  expect(await contradictionsOf(company)).toEqual([
    {
      finding: "payout_status:withdraw:1:unreachable",
      kind: "payout_status",
      object: "withdraw:1",
      amount: 2_000,
      held: 0,
      status: "open",
    },
  ]);
  expect(await operatorEventTypesOf(company)).toEqual(["contradiction.opened"]);
  wakeUps.withdrawIds.length = 0;
  clock.advance(HOUR_MS);
  await waitUntilDrained(company);
  expect(wakeUps.withdrawIds).toEqual([1]);
  await runPayout(company, 1, registry);
  expect(await contradictionsOf(company)).toHaveLength(1);
});

it("a payout that no account can send is shown to an operator, retried with growing waits and sent once possible", async () => {
  const { clock, company, wakeUps, present, registry } = await givenTwoBanks();
  const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => errors.mockRestore());
  const nobody = { ...registry, forPayout: () => null };
  let tries = 0;
  for (let minute = 0; minute < 240; minute++) {
    clock.advance(60_000);
    wakeUps.withdrawIds.length = 0;
    await waitUntilDrained(company);
    for (const id of wakeUps.withdrawIds) {
      tries += 1;
      await runPayout(company, id, nobody);
    }
  }
  expect(tries).toBeGreaterThan(5);
  expect(tries).toBeLessThan(20);
  expect(await contradictionsOf(company)).toMatchObject([
    { finding: "payout_status:withdraw:1:unreachable", held: 0 },
  ]);
  expect(await accountsOf(company)).toMatchObject({ available: 3_000, payout: 2_000 });

  await runPayout(company, 1, registry);

  expect(present.sentPayouts).toHaveLength(1);
  expect(await accountsOf(company)).toMatchObject({ available: 3_000, payout: 0 });
});
