import { expect, it } from "vitest";
import type { CalledAccount } from "../../../support/builders/companies/calls.ts";
import { compose } from "../../../../src/company/compose.ts";
import { call } from "../../../support/builders/requests/api.ts";
import {
  claimPayout,
  FAILED,
  PAID,
  reportPayout,
  withdraw,
  withdrawCommand,
} from "../../../support/builders/withdraws/withdraw-commands.ts";
import {
  givenCompany,
  inAccount,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { costInObject } from "../../../support/probes/database/cost.ts";
import { contradictionsOf } from "../../../support/probes/contradictions/contradictions.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { tamper } from "../../../support/faults/tamper.ts";
import { balanceOf } from "../../../support/probes/ledger/balance.ts";
import { requestWithdraw } from "../../../support/builders/withdraws/withdraw.ts";

/** A company with 50.00, of which 20.00 are held: a withdraw was refused, and paid, its bank says. */
async function givenHeldMoney(balance = 5_000) {
  const company = await givenCompany({ balance });
  await withdraw(company, { idempotencyKey: "first", amount: 2_000 });
  await claimPayout(company);
  await reportPayout(company, FAILED);
  await reportPayout(company, PAID);
  return company;
}

/** What a decision does to the row; the decision itself is the operator's. */
function decide(company: TestCompany): Promise<void> {
  return tamper(company, "UPDATE contradictions SET status = 'decided'");
}

it("money that may have been paid out twice cannot be withdrawn, the rest can", async () => {
  const company = await givenHeldMoney();

  expect(await withdraw(company, { idempotencyKey: "all", amount: 5_000 })).toEqual({
    kind: "insufficient_balance",
    available: 3_000,
    held: 2_000,
    required: 5_000,
  });
  expect((await withdraw(company, { idempotencyKey: "rest", amount: 3_000 })).kind).toBe(
    "accepted",
  );
  expect(await withdraw(company, { idempotencyKey: "more", amount: 1 })).toMatchObject({
    kind: "insufficient_balance",
    available: 0,
    held: 2_000,
  });
});

it("held money can be withdrawn after an operator's decision", async () => {
  const company = await givenHeldMoney();

  await decide(company);

  expect((await withdraw(company, { idempotencyKey: "all", amount: 5_000 })).kind).toBe("accepted");
});

it("a hold may exceed the balance without a negative withdrawable amount", async () => {
  const company = await givenHeldMoney(2_000);
  await decide(company);
  await withdraw(company, { idempotencyKey: "gone", amount: 1_500 });
  await tamper(company, "UPDATE contradictions SET status = 'proposed'");

  expect(await withdraw(company, { idempotencyKey: "more", amount: 1 })).toMatchObject({
    kind: "insufficient_balance",
    available: 0,
    held: 500,
  });
  expect(await balanceOf(company)).toMatchObject({ accBalance: 0, accBalanceHeld: 5 });
});

it("the merchant sees the withdrawable amount and the reason for the hold", async () => {
  const company = await givenHeldMoney();

  await expectProblem(await requestWithdraw(company, { amount: 5_000 }), {
    status: 422,
    code: "INSUFFICIENT_BALANCE",
    extensions: { availableCents: 3_000, heldCents: 2_000, requiredCents: 5_000 },
  });
  const dry = await requestWithdraw(
    company,
    { amount: 5_000 },
    { headers: { "X-Dry-Run": "true" } },
  );
  expect(dry.body).toMatchObject({ accepted: false, balanceBefore: 30, balanceAfter: 30 });
  expect(await balanceOf(company)).toMatchObject({
    accBalance: 30,
    accBalanceHeld: 20,
    accBalanceCredit: 50,
  });
});

it("a rejection without a hold does not mention holds", async () => {
  const company = await givenCompany({ balance: 1_000 });

  const { body } = await requestWithdraw(company, { amount: 1_001 });

  expect(body).toMatchObject({
    code: "INSUFFICIENT_BALANCE",
    availableCents: 1_000,
    requiredCents: 1_001,
  });
  expect(body).not.toHaveProperty("heldCents");
});

/** Rows that the checks of a withdraw read. */
async function read(company: TestCompany): Promise<number> {
  const run = (account: CalledAccount) =>
    account.previewWithdraw(withdrawCommand(company, { idempotencyKey: "asked" }));
  await inAccount(company.id, run);
  return (await costInObject(company, run)).read;
}

it("a withdraw reads no extra row without holds and one row per hold", async () => {
  const [nothing, decided, held] = [
    await givenHeldMoney(),
    await givenHeldMoney(),
    await givenHeldMoney(),
  ];
  await tamper(nothing, "DELETE FROM contradictions");
  await decide(decided);

  expect(await read(decided)).toBe(await read(nothing));
  expect((await read(held)) - (await read(nothing))).toBeLessThanOrEqual(2);
});

it("a decision that a payout was paid takes its money again and announces it as Paid", async () => {
  const company = await givenHeldMoney();

  expect(await applyPaid(company)).toBe(true);

  await decide(company);
  const { body } = await call("/api/Withdraw/1", { company });
  expect(body).toMatchObject({ enTransaction: "Paid", endToEndId: expect.any(String) });
  expect(await balanceOf(company)).toMatchObject({ accBalance: 30, accBalanceDebt: 0 });
  const last = await lastEventOf(company);
  expect(last).toMatchObject({ type: "withdraw.paid", previousStatus: "Failed" });
  expect(await reportPayout(company, PAID)).toMatchObject({ kind: "recorded" });
  expect(await contradictionsOf(company)).toHaveLength(1);
  expect(await applyPaid(company)).toBe(false);
});

it("a shortfall becomes the company's debt", async () => {
  const company = await givenHeldMoney();
  await decide(company);
  await withdraw(company, {
    idempotencyKey: "again",
    amount: 4_500,
    fee: { basisPoints: 0, fixed: 100 },
  });

  await applyPaid(company);

  expect(await balanceOf(company)).toMatchObject({ accBalance: 0, accBalanceDebt: 16 });
});

it.each(["Awaiting", "Processing", "Paid"])(
  "the decision is rejected for a payout that is %s",
  async (status) => {
    const company = await givenCompany({ balance: 5_000 });
    await withdraw(company);
    if (status !== "Awaiting") await claimPayout(company);
    if (status === "Paid") await reportPayout(company, PAID);

    expect(await applyPaid(company)).toBe(false);
  },
);

/** The operator's decision as its commit makes it. */
function applyPaid(company: TestCompany): Promise<boolean> {
  return inAccount(company.id, async (account, { storage }) => {
    const applied = storage.transactionSync(() =>
      compose(storage.sql).payouts.applyContradiction(1, "paid", Date.now()),
    );
    await account.runNow();
    return applied;
  });
}

async function lastEventOf(company: TestCompany) {
  const { body } = await call("/api/v1/events", { company });
  const newest = body.items.at(-1);
  return { type: newest.type, previousStatus: newest.data.previousStatus };
}
