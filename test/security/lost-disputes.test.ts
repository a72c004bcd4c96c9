import { expect, it } from "vitest";
import { EXITS } from "../../src/domain/exits/exits.ts";
import { callsTo } from "../support/builders/companies/calls.ts";
import { givenPaid } from "../support/builders/charges/transaction.ts";
import { givenCompany } from "../support/builders/companies/company.ts";
import { TEST_CAUSE } from "../support/builders/operations/decide.ts";
import { resolveDispute, simulate } from "../support/builders/operations/refund.ts";
import { requestWithdraw } from "../support/builders/withdraws/withdraw.ts";
import { accountsOf } from "../support/probes/ledger/ledger.ts";

it("nobody asks for a lost dispute: it has no route and no console action", () => {
  expect(EXITS.lostDispute).toMatchObject({ asker: ["nobody"], routes: [], actions: [] });
});

it("a lost dispute of a frozen company is still booked: the bank has the money", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 2_500);
  const object = callsTo(company.id);
  await object.setFrozen({ companyId: company.id, change: true, cause: TEST_CAUSE });
  await simulate(company, id, "dispute");
  await resolveDispute(company, id, "lost");
  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 0 });
  await object.setFrozen({ companyId: company.id, change: false, cause: TEST_CAUSE });
});

it("disputed money does not leave by a withdraw meanwhile", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 2_500);
  await simulate(company, id, "dispute");
  const { status, body } = await requestWithdraw(company, { amount: 2_500 });
  expect([status, body.code]).toEqual([422, "INSUFFICIENT_BALANCE"]);
  await resolveDispute(company, id, "won");
  expect((await requestWithdraw(company, { amount: 2_500 })).status).toBe(201);
});
