import { expect, it } from "vitest";
import type { CalledAccount } from "../../../support/builders/companies/calls.ts";
import { endToEndId, settle, termsOf } from "../../../support/builders/charges/charge-commands.ts";
import { withdrawCommand } from "../../../support/builders/withdraws/withdraw-commands.ts";
import {
  givenCompany,
  inAccount,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import {
  alarmOf,
  dumpObject,
  movementsOf,
  nextAlarmOf,
} from "../../../support/probes/ledger/ledger.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import {
  failNextCommit,
  unavailableProjection,
  replaceInObject,
} from "../../../support/faults/object.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";

/** Runs a call that must fail, inside the object: a rejection must not cross its RPC. */
function failing(
  company: TestCompany,
  run: (account: CalledAccount) => Promise<unknown>,
): Promise<string> {
  return inAccount(company.id, async (account) => {
    try {
      return `answered ${JSON.stringify(await run(account))}`;
    } catch (error) {
      return String(error);
    }
  });
}

const PAYMENT = { paymentId: endToEndId(1), method: "PIX" as const, amount: 900, paidAt: 1 };

it("a failed commit leaves nothing behind", async () => {
  const company = await givenCompany({ balance: 2_500 });
  const transaction = await givenTransaction(company);
  const before = await dumpObject(company);

  const tooMuch = { ...PAYMENT, amount: Number.MAX_SAFE_INTEGER };
  const outcome = await failing(company, (account) =>
    account.settlePayment({
      companyId: company.id,
      terms: termsOf(transaction),
      payment: tooMuch,
    }),
  );

  expect(outcome).toContain("assertion failed: balance of");
  expect(await dumpObject(company)).toBe(before);
});

it("an alarm of a failed commit is dropped, and a later change sets it again", async () => {
  // An hour ahead, so that the alarm does not fire before it is looked at.
  const clock = new TestClock();
  clock.advance(3_600_000);
  const company = await givenCompany({ balance: 2_500, clock });
  const before = await dumpObject(company);
  expect(await nextAlarmOf(company)).toBeNull();

  await failNextCommit(company);
  const outcome = await failing(company, (account) =>
    account.requestWithdraw(withdrawCommand(company)),
  );
  expect(outcome).toContain("died at the end of the commit");
  expect(await dumpObject(company)).toBe(before);
  expect(await alarmOf(company)).toBeNull();

  const restore = await replaceInObject(company, unavailableProjection());
  await inAccount(company.id, (account) => account.requestWithdraw(withdrawCommand(company)));
  expect(await alarmOf(company)).toBeGreaterThanOrEqual(clock.now());
  await restore();
});

it("an object rejects the commands of another company", async () => {
  const company = await givenCompany({ balance: 2_500 });
  const before = await movementsOf(company);

  const outcome = await failing(company, (account) =>
    account.requestWithdraw({ ...withdrawCommand(company), companyId: company.id + 1 }),
  );

  expect(outcome).toContain("an object serves one company");
  expect(await movementsOf(company)).toEqual(before);
});

it("an object continues after a failed commit", async () => {
  const company = await givenCompany();
  const transaction = await givenTransaction(company, { amount: 900 });
  await failNextCommit(company);
  await failing(company, (account) =>
    account.settlePayment({
      companyId: company.id,
      terms: termsOf(transaction),
      payment: PAYMENT,
    }),
  );

  expect(await settle(company, transaction)).toEqual({ kind: "credited" });
  expect(await movementsOf(company)).toHaveLength(1);
});
