import { expect, it } from "vitest";
import { systemClock } from "../../../../src/domain/shared/clock.ts";
import { withdrawCommand } from "../../../support/builders/withdraws/withdraw-commands.ts";
import {
  configureObject,
  givenCompany,
  inAccount,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";
import { requestWithdraw } from "../../../support/builders/withdraws/withdraw.ts";

const CRASHED = "Error: died at the end of the commit";

/** Withdraws that reach the object in one turn, by what became of each. */
function withdrawConcurrently(company: TestCompany, amounts: number[]): Promise<string[]> {
  return inAccount(company.id, async (account) => {
    const outcomes = await Promise.allSettled(
      amounts.map((amount) =>
        account.requestWithdraw(
          withdrawCommand(company, { amount, idempotencyKey: `wd_${amount}` }),
        ),
      ),
    );
    return outcomes.map((each) =>
      each.status === "fulfilled" ? each.value.kind : String(each.reason),
    );
  });
}

/** The object's next commit of this number, from 1, ends with a fault. */
function inCommit(
  company: TestCompany,
  number: number,
  fault: (state: DurableObjectState) => void,
): Promise<void> {
  let commits = 0;
  return inAccount(company.id, (_, state) => {
    const commit = state.storage.transactionSync.bind(state.storage);
    state.storage.transactionSync = (change) =>
      commit(() => {
        commits += 1;
        const mine = commits;
        const answer = change();
        if (mine === number) fault(state);
        return answer;
      });
  });
}

it("concurrent withdraws are decided one after the other", async () => {
  const company = await givenCompany({ balance: 3_000 });
  expect(await withdrawConcurrently(company, [1_000, 2_500, 1_500, 1_000, 1_500])).toEqual([
    "accepted",
    "insufficient_balance",
    "accepted",
    "replayed",
    "replayed",
  ]);
  expect(await accountsOf(company)).toMatchObject({ available: 500, payout: 2_500 });
});

it.each([1, 2, 3])(
  "the failing %s. of three withdraws does not affect the others",
  async (number) => {
    const company = await givenCompany({ balance: 5_000 });
    const amounts = [1_000, 1_100, 1_200];
    await inCommit(company, number, () => {
      throw new Error("died at the end of the commit");
    });
    const expected = amounts.map((_, index) => (index === number - 1 ? CRASHED : "accepted"));
    expect(await withdrawConcurrently(company, amounts)).toEqual(expected);
    const others = expected.map((outcome) => (outcome === CRASHED ? "accepted" : "replayed"));
    expect(await withdrawConcurrently(company, amounts)).toEqual(others);
    expect(await accountsOf(company)).toMatchObject({ available: 1_700, payout: 3_300 });
  },
);

it("a crash in a shared tick commits none of its withdraws, and each runs once afterwards", async () => {
  const company = await givenCompany({ balance: 10_000 });
  const amounts = [1_000, 1_100, 1_200, 1_300];
  const ask = () =>
    Promise.all(
      amounts.map((amount) => requestWithdraw(company, { amount }, { key: `wd_${amount}` })),
    );
  await inCommit(company, amounts.length, (state) => state.abort("died in the turn"));
  expect((await ask()).map(({ status }) => status)).toEqual([500, 500, 500, 500]);

  await configureObject(company.id, { clock: systemClock });
  const again = await ask();
  expect(again.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  expect(again.filter(({ headers }) => headers.has("Idempotent-Replayed"))).toEqual([]);
  expect(await accountsOf(company)).toMatchObject({ available: 5_400, payout: 4_600 });
});

it("more withdraws than one tick takes all run once", async () => {
  const company = await givenCompany({ balance: 1_000_000 });
  const amounts = Array.from({ length: 150 }, (_, index) => 1_000 + index);
  expect(await withdrawConcurrently(company, amounts)).toEqual(amounts.map(() => "accepted"));
  const payout = amounts.reduce((sum, amount) => sum + amount, 0);
  expect(await accountsOf(company)).toMatchObject({ available: 1_000_000 - payout, payout });
});
