import { expect, it, onTestFinished, vi } from "vitest";
import { TestClock } from "../../../support/fakes/clock.ts";
import { claim, drained, withdraw } from "../../../support/builders/commands.ts";
import { givenCompany } from "../../../support/builders/company.ts";
import { contradictionsOf, toldOperators } from "../../../support/builders/contradictions.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { accountsOf } from "../../../support/builders/ledger.ts";
import { leaveAtRest, rememberedHints, replaceInObject } from "../../../support/probes/object.ts";
import { runPayout } from "../../../support/builders/withdraw.ts";

const CLAIMER_IS_DEAD_MS = 60_000;
const HOUR_MS = 3_600_000;

/** A withdraw of 20.00 of 50.00, and two banks: the company's present one, and the one before. */
async function givenTwoBanks() {
  const clock = new TestClock();
  const company = await givenCompany({ balance: 5_000, clock });
  onTestFinished(() => leaveAtRest(company.id));
  const hints = rememberedHints();
  await replaceInObject(company, { hints });
  await withdraw(company, { amount: 2_000 });
  await drained(company);
  const [present, former] = [new FakeBank(), new FakeBank()];
  const registry = {
    ...present.registry(),
    ofAccount: async (_company: unknown, account: string) => ({ present, former })[account] ?? null,
  };
  return { clock, company, hints, present, former, registry };
}

it("a payout is asked about at the account that sent it, though the company has another one now", async () => {
  const { clock, company, present, former, registry } = await givenTwoBanks();
  const order = await claim(company, 1, "former");
  if (order.kind === "send") {
    former.payouts.set(order.order.payoutId, { kind: "paid", endToEndId: "E1" });
  }
  clock.advance(CLAIMER_IS_DEAD_MS);

  await runPayout(company, 1, registry);

  expect([former.asked.length, present.asked.length, present.sent.length]).toEqual([1, 0, 0]);
  expect(await accountsOf(company)).toMatchObject({ available: 3_000, payout: 0 });
});

it("one that the account that sent it does not know is sent there again, and by nobody else", async () => {
  const { clock, company, present, former, registry } = await givenTwoBanks();
  await claim(company, 1, "former");
  clock.advance(CLAIMER_IS_DEAD_MS);

  await runPayout(company, 1, registry);

  expect([former.sent.length, present.sent.length]).toEqual([1, 0]);
  expect(await accountsOf(company)).toMatchObject({ available: 3_000, payout: 0 });
});

it("one whose account is no longer connected is never sent by another, is shown to a person and tried again", async () => {
  const { clock, company, hints, present, registry } = await givenTwoBanks();
  const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => errors.mockRestore());
  await claim(company, 1, "forgotten");
  clock.advance(CLAIMER_IS_DEAD_MS);
  await runPayout(company, 1, registry);

  expect([present.asked.length, present.sent.length]).toEqual([0, 0]);
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
  expect(await toldOperators(company)).toEqual(["contradiction.opened"]);
  hints.withdrawIds.length = 0;
  clock.advance(HOUR_MS);
  await drained(company);
  expect(hints.withdrawIds).toEqual([1]);
  await runPayout(company, 1, registry);
  expect(await contradictionsOf(company)).toHaveLength(1);
});

it("one that nobody can send is shown to a person, tried less and less often, and sent once somebody can", async () => {
  const { clock, company, hints, present, registry } = await givenTwoBanks();
  const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => errors.mockRestore());
  const nobody = { ...registry, forPayout: () => null };
  let tries = 0;
  for (let minute = 0; minute < 240; minute++) {
    clock.advance(60_000);
    hints.withdrawIds.length = 0;
    await drained(company);
    for (const id of hints.withdrawIds) {
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

  expect(present.sent).toHaveLength(1);
  expect(await accountsOf(company)).toMatchObject({ available: 3_000, payout: 0 });
});
