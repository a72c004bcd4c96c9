import { expect, it } from "vitest";
import { TEST_CAUSE } from "../../../support/builders/operations/decide.ts";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import {
  claimPayout,
  PAID,
  reportPayout,
  withdraw,
  withdrawCommand,
} from "../../../support/builders/withdraws/withdraw-commands.ts";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";

const FEE = { basisPoints: 0, fixed: 1 };

async function paidOut(company: TestCompany): Promise<void> {
  await claimPayout(company);
  await reportPayout(company, PAID);
}

it("a withdraw of the minimum is accepted, and one centavo less is rejected", async () => {
  const company = await givenCompany({ balance: 5_000 });
  const refused = await withdraw(company, { amount: 999, minimum: 1_000 });
  expect(refused).toEqual({ kind: "below_minimum", minimum: 1_000 });
  expect(await withdraw(company, { amount: 1_000, minimum: 1_000 })).toMatchObject({
    kind: "accepted",
  });
  await paidOut(company);
});

it("a withdraw needs its fee in addition to its amount, and the whole balance may be withdrawn", async () => {
  const company = await givenCompany({ balance: 5_000 });
  expect(await withdraw(company, { amount: 5_000, fee: FEE })).toMatchObject({
    kind: "insufficient_balance",
    available: 5_000,
    required: 5_001,
  });
  expect(await withdraw(company, { amount: 4_999, fee: FEE })).toMatchObject({ kind: "accepted" });
  await paidOut(company);
});

it("errors of a withdraw are reported in the order of the checks", async () => {
  const company = await givenCompany({ balance: 5_000 });
  const object = callsTo(company.id);
  await object.setFrozen({ companyId: company.id, change: true, cause: TEST_CAUSE });
  const wish = { amount: 9_000, minimum: 10_000, pixKey: null };
  const { dailyLimit: _limit, ...policy } = withdrawCommand(company).policy;
  const command = withdrawCommand(company, { ...wish, policy: { ...policy, dailyLimit: 1 } });
  const answer = await object.previewWithdraw(command);
  if (answer.kind !== "preview") throw new Error(`it was ${answer.kind}`);
  expect(answer.preview.refusals.map(({ kind }) => kind)).toEqual([
    "below_minimum",
    "frozen",
    "no_pix_key",
    "daily_limit_exceeded",
    "insufficient_balance",
  ]);
  await object.setFrozen({ companyId: company.id, change: false, cause: TEST_CAUSE });
});
