import { expect, it } from "vitest";
import { givenCompany } from "../../support/builders/companies/company.ts";
import { givenPaid } from "../../support/builders/charges/transaction.ts";
import { balanceOf } from "../../support/probes/ledger/balance.ts";
import { requestWithdraw, runPayout } from "../../support/builders/withdraws/withdraw.ts";
import { call } from "../../support/builders/requests/api.ts";

it("a company charges, is paid and withdraws", async () => {
  const company = await givenCompany();
  await givenPaid(company, 5_000);
  expect((await balanceOf(company)).accBalance).toBe(50);
  const withdraw = await requestWithdraw(company, { amount: 2_000 });
  expect(withdraw.status).toBe(201);
  await runPayout(company, withdraw.body.id);
  const after = await call(`/api/Withdraw/${withdraw.body.id}`, { company });
  expect(after.body.enTransaction).toBe("Paid");
  expect((await balanceOf(company)).accBalance).toBe(30);
});
