import { expect, it } from "vitest";
import {
  waitUntilDrained,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";
import { unavailableProjection, replaceInObject } from "../../../support/faults/object.ts";
import { simulate } from "../../../support/builders/operations/refund.ts";
import { givenPaid, givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { transactionsOf } from "../../../support/probes/charges/transaction-rows.ts";

// The object committed, but could not tell D1 before the request was answered: its drain failed.
// What happened must not be answered as refused; a success or a 503 would be true, a 409 is not.

async function simulatedBeforeDrain(
  company: TestCompany,
  transactionId: string,
  what: Parameters<typeof simulate>[2],
) {
  const restore = await replaceInObject(company, unavailableProjection());
  const answer = await simulate(company, transactionId, what);
  await restore();
  await waitUntilDrained(company);
  return answer;
}

it.each([
  ["fail", "failed"],
  ["expire", "cancelled"],
] as const)(
  "a charge that had %s is not rejected because of an outdated projection",
  async (what, status) => {
    const company = await givenCompany();
    const { id } = await givenTransaction(company);
    const answer = await simulatedBeforeDrain(company, id, what);
    expect(await transactionsOf(company)).toMatchObject([{ status }]);
    expect([200, 503]).toContain(answer.status);
  },
);

it("a chargeback that took the money is not rejected because of an outdated projection", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 2_500);
  const answer = await simulatedBeforeDrain(company, id, "chargeback");
  expect(await accountsOf(company)).toMatchObject({ available: 0, provider: 0 });
  expect([200, 503]).toContain(answer.status);
});

it("a dispute that blocked the money is not rejected because of an outdated projection", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 2_500);
  const answer = await simulatedBeforeDrain(company, id, "dispute");
  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 2_500 });
  expect([200, 503]).toContain(answer.status);
});
