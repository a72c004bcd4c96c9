import { expect, it } from "vitest";
import type { CompanyAccount } from "../../../../src/company/account.ts";
import { partsOf } from "../../../../src/company/compose.ts";
import { call } from "../../../support/builders/api.ts";
import {
  claim,
  FAILED,
  PAID,
  report,
  withdraw,
  withdrawCommand,
} from "../../../support/builders/commands.ts";
import { givenCompany, inAccount, type TestCompany } from "../../../support/builders/company.ts";
import { costInObject } from "../../../support/probes/cost.ts";
import { contradictionsOf } from "../../../support/builders/contradictions.ts";
import { expectProblem } from "../../../support/probes/problem.ts";
import { tamper } from "../../../support/faults/tamper.ts";
import { balanceOf, requestWithdraw } from "../../../support/builders/withdraw.ts";

/** A company with 50.00, of which 20.00 are held: a withdraw was refused, and paid, its bank says. */
async function givenHeld(balance = 5_000) {
  const company = await givenCompany({ balance });
  await withdraw(company, { idempotencyKey: "first", amount: 2_000 });
  await claim(company);
  await report(company, FAILED);
  await report(company, PAID);
  return company;
}

/** What a decision does to the row; the decision itself is the operator's. */
function decide(company: TestCompany): Promise<void> {
  return tamper(company, "UPDATE contradictions SET status = 'decided'");
}

it("what may have left twice cannot be withdrawn again, and the rest can", async () => {
  const company = await givenHeld();

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

it("it can be withdrawn once a person has decided", async () => {
  const company = await givenHeld();

  await decide(company);

  expect((await withdraw(company, { idempotencyKey: "all", amount: 5_000 })).kind).toBe("accepted");
});

it("more than there is can be held, and nothing is below zero then", async () => {
  const company = await givenHeld(2_000);
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

it("the merchant is told what may be withdrawn, and why not the rest", async () => {
  const company = await givenHeld();

  await expectProblem(await requestWithdraw(company, { amount: 5_000 }), {
    status: 422,
    code: "INSUFFICIENT_BALANCE",
    extensions: { available: 3_000, held: 2_000, required: 5_000 },
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

it("a refusal where nothing is held does not speak of it", async () => {
  const company = await givenCompany({ balance: 1_000 });

  const { body } = await requestWithdraw(company, { amount: 1_001 });

  expect(body).toMatchObject({ code: "INSUFFICIENT_BALANCE", available: 1_000, required: 1_001 });
  expect(body).not.toHaveProperty("held");
});

/** Rows that the checks of a withdraw read. */
async function read(company: TestCompany): Promise<number> {
  const run = (account: CompanyAccount) =>
    account.previewWithdraw(withdrawCommand(company, { idempotencyKey: "asked" }));
  await inAccount(company.id, run);
  return (await costInObject(company, run)).read;
}

it("a withdraw reads no row more for what is held where nothing is, and one for each thing that is", async () => {
  const [nothing, decided, held] = [await givenHeld(), await givenHeld(), await givenHeld()];
  await tamper(nothing, "DELETE FROM contradictions");
  await decide(decided);

  expect(await read(decided)).toBe(await read(nothing));
  expect((await read(held)) - (await read(nothing))).toBeLessThanOrEqual(2);
});

it("a decision that it was paid takes its money again, and announces it as Paid", async () => {
  const company = await givenHeld();

  expect(await applyPaid(company)).toBe(true);

  await decide(company);
  const { body } = await call("/api/Withdraw/1", { company });
  expect(body).toMatchObject({ enTransaction: "Paid", endToEndId: expect.any(String) });
  expect(await balanceOf(company)).toMatchObject({ accBalance: 30, accBalanceDebt: 0 });
  const last = await lastEventOf(company);
  expect(last).toMatchObject({ type: "withdraw.paid", previousStatus: "Failed" });
  expect(await report(company, PAID)).toMatchObject({ kind: "recorded" });
  expect(await contradictionsOf(company)).toHaveLength(1);
  expect(await applyPaid(company)).toBe(false);
});

it("what the company no longer has of it is its debt", async () => {
  const company = await givenHeld();
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
  "no such decision is taken of one that is %s",
  async (status) => {
    const company = await givenCompany({ balance: 5_000 });
    await withdraw(company);
    if (status !== "Awaiting") await claim(company);
    if (status === "Paid") await report(company, PAID);

    expect(await applyPaid(company)).toBe(false);
  },
);

/** The operator's decision as its commit makes it. */
function applyPaid(company: TestCompany): Promise<boolean> {
  return inAccount(company.id, async (account, { storage }) => {
    const applied = storage.transactionSync(() =>
      partsOf(storage.sql).payouts.applyContradiction(1, "paid", Date.now()),
    );
    await account.tick();
    return applied;
  });
}

async function lastEventOf(company: TestCompany) {
  const { body } = await call("/api/v1/events", { company });
  const newest = body.items.at(-1);
  return { type: newest.type, previousStatus: newest.data.previousStatus };
}
