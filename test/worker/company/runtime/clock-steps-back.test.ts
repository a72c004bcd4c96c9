import { expect, it } from "vitest";
import { withdrawCommand } from "../../../support/builders/withdraws/withdraw-commands.ts";
import { givenCompany, inAccount } from "../../../support/builders/companies/company.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";

/** The first millisecond of a day in São Paulo. */
const MIDNIGHT = Date.UTC(2027, 0, 15, 3);

it("a failed payout is booked although the clock went back across midnight", async () => {
  const company = await givenCompany({ balance: 10_000 });
  const answers = await inAccount(company.id, async (account) => {
    const ask = async (at: number, amount: number) => {
      account.platformClock = { now: () => at };
      return account.requestWithdraw(
        withdrawCommand(company, { amount, idempotencyKey: `wd_${amount}` }),
      );
    };
    const asked = [
      await ask(MIDNIGHT - 500, 3_000),
      await ask(MIDNIGHT + 50, 1_000),
      await ask(MIDNIGHT - 10, 1_100),
    ];
    account.platformClock = { now: () => MIDNIGHT + 5_000 };
    await account.claimPayout({ companyId: company.id, id: 1, account: "first" });
    const failed = await account.recordPayout({
      companyId: company.id,
      id: 1,
      report: { kind: "failed", reason: "no" },
    });
    return { asked, failed };
  });
  expect(answers.asked).toMatchObject([
    { withdraw: { createdAt: MIDNIGHT - 500 } },
    { withdraw: { createdAt: MIDNIGHT + 50 } },
    { withdraw: { createdAt: MIDNIGHT + 50, updatedAt: MIDNIGHT + 50 } },
  ]);
  expect(answers.failed.kind).toBe("recorded");
  expect(await accountsOf(company)).toMatchObject({ payout: 2_100 });
});
