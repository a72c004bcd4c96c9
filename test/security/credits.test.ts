import { expect, it } from "vitest";
import { SCOPES } from "../../src/domain/shared/company.ts";
import {
  decide,
  newestUnexpected,
  setRules,
  UNEXPECTED,
} from "../support/builders/charges/unexpected.ts";
import { givenApplication } from "../support/builders/companies/application.ts";
import { givenCompany } from "../support/builders/companies/company.ts";
import { requestWithdraw } from "../support/builders/withdraws/withdraw.ts";
import { changeSettings } from "../support/builders/withdraws/approvals.ts";
import { expectProblem } from "../support/probes/http/problem.ts";
import { accountsOf } from "../support/probes/ledger/ledger.ts";

/** A company with a kept payment of R$ 9.00. Key, requester, freeze and step-up are tested with returns. */
async function givenKept() {
  const company = await givenCompany({ balance: 1_000 });
  await setRules(company, { NO_CHARGE: "keep" });
  await UNEXPECTED.NO_CHARGE(company);
  const { id } = await newestUnexpected(company);
  return { company, id: id as string };
}

it("a credit needs the scope payments:write", async () => {
  const { company, id } = await givenKept();
  const scopes = SCOPES.filter((scope) => scope !== "payments:write");
  const other = await givenApplication(company, { scopes });
  await expectProblem(await decide(other, id, "credit"), { status: 403, code: "FORBIDDEN" });
  expect(await accountsOf(company)).toMatchObject({ available: 1_000, suspense: 900 });
});

it("a payment is credited once, whoever asks how often", async () => {
  const { company, id } = await givenKept();
  const other = await givenApplication(company);
  await Promise.all([
    decide(company, id, "credit", { key: "one" }),
    decide(company, id, "credit", { key: "one" }),
    decide(other, id, "credit", { key: "two" }),
  ]);
  expect(await accountsOf(company)).toMatchObject({ available: 1_900, suspense: 0 });
});

it("what was credited leaves only through the guards of a withdraw", async () => {
  const { company, id } = await givenKept();
  await changeSettings(company, { withdrawApprovalAbove: 1_000 });
  await decide(company, id, "credit");
  const { body } = await requestWithdraw(company, { amount: 1_900 });
  expect(body.approval).toBe("pending");
});
