import { expect, it } from "vitest";
import { call } from "../../../../support/builders/requests/api.ts";
import { claimPayout, withdraw } from "../../../../support/builders/withdraws/withdraw-commands.ts";
import {
  waitUntilDrained,
  givenCompany,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { endCharge } from "../../../../support/builders/charges/charge-commands.ts";
import { changeProjection, deleteProjection } from "../../../../support/faults/projection.ts";
import { runCheck, reconcile } from "../../../../support/probes/database/projection-checks.ts";
import { unavailableProjection, replaceInObject } from "../../../../support/faults/object.ts";
import { OPERATOR_CREDENTIALS } from "../../../../support/builders/companies/operator.ts";
import { givenSettled } from "../../../../support/builders/operations/object-operations.ts";
import { givenTransaction } from "../../../../support/builders/charges/transaction.ts";

const MANY = 105;

/** More withdraws in progress than one step compares. */
async function givenWithdraws(): Promise<TestCompany> {
  const company = await givenCompany();
  await givenSettled(company, MANY * 10);
  for (let number = 1; number <= MANY; number++) {
    await withdraw(company, { amount: 10, idempotencyKey: `wd_${number}` });
    await claimPayout(company, number);
  }
  await waitUntilDrained(company);
  return company;
}

it("a reconciliation compares all projections in bounded steps and repairs each difference", async () => {
  const company = await givenWithdraws();
  await changeProjection(
    company,
    "UPDATE withdraws SET status = 'Paid' WHERE id IN (1, 103) AND company_id = ?",
  );
  await deleteProjection(company, "withdraws", "id = 104");
  const status = 'status is "Paid" in D1 and "Processing" in the object';
  const wrong = [
    `I9 D1 differs on withdraw 1: ${status}`,
    `I9 D1 differs on withdraw 103: ${status}`,
    "I9 D1 differs on withdraw 104: it is not there",
  ];

  const looked = await reconcile(company, false);
  expect(looked.map(({ compared, copiesDone }) => [compared, copiesDone])).toEqual([
    [101, false],
    [5, true],
  ]);
  expect(looked.flatMap(({ violations }) => violations)).toEqual(wrong);
  const repaired = await reconcile(company, true);
  expect(repaired.map(({ repaired: count }) => count)).toEqual([1, 2]);

  const after = await reconcile(company, false);
  expect(after.flatMap(({ violations }) => violations)).toEqual([]);
});

it("a projection ahead of its object is a violation, and a repair overwrites it", async () => {
  const company = await givenCompany();
  const { id } = await givenSettled(company, 1_000);
  await withdraw(company, { amount: 500 });
  await claimPayout(company);
  await waitUntilDrained(company);
  await changeProjection(
    company,
    `UPDATE transactions SET version = 9, refunded_amount = 1
     WHERE id = ? AND company_id = ?`,
    id,
  );
  await changeProjection(
    company,
    "UPDATE withdraws SET version = 9, status = 'Paid' WHERE id = 1 AND company_id = ?",
  );
  const violations = [
    `I9 D1 differs on transaction ${id}: version is 9 in D1 and 1 in the object, ` +
      "refundedAmount is 1 in D1 and 0 in the object",
    'I9 D1 differs on withdraw 1: status is "Paid" in D1 and "Processing" in the object, ' +
      "version is 9 in D1 and 2 in the object",
  ];

  expect((await runCheck(company)).violations).toEqual(violations);
  expect((await reconcile(company, true))[0]).toMatchObject({ repaired: 2, violations });

  expect((await reconcile(company, false))[0]).toMatchObject({ repaired: 0, violations: [] });
  expect((await runCheck(company)).violations).toEqual([]);
});

it("an object with a backlog is drained before it is compared", async () => {
  const company = await givenCompany();
  const transaction = await givenTransaction(company);
  const restore = await replaceInObject(company, unavailableProjection());
  await endCharge(company, transaction, "failed");
  await restore();

  expect((await reconcile(company, false))[0]).toMatchObject({ compared: 1, violations: [] });
});

it("a lagging projection is no violation while D1 is down", async () => {
  const company = await givenCompany();
  const transaction = await givenTransaction(company);
  const restore = await replaceInObject(company, unavailableProjection());
  await endCharge(company, transaction, "failed");

  expect((await reconcile(company, true))[0]).toMatchObject({ compared: 1, violations: [] });
  await restore();
});

it("the operator's route repairs, and a merchant cannot use it", async () => {
  const company = await givenCompany();
  const { id } = await givenSettled(company, 1_000);
  await changeProjection(
    company,
    `UPDATE transactions SET status = 'failed' WHERE id = ? AND company_id = ?`,
    id,
  );
  const path = `/api/v1/operator/companies/${company.id}/reconcile`;

  expect((await call(path, { method: "POST", company })).status).toBeGreaterThanOrEqual(401);
  const looked = await call(path, { method: "POST", headers: OPERATOR_CREDENTIALS });
  expect(looked.body).toMatchObject({
    violations: [
      `I9 D1 differs on transaction ${id}: status is "failed" in D1 and "paid" in the object`,
    ],
  });
  const repaired = await call(path, { headers: OPERATOR_CREDENTIALS, body: { repair: true } });

  expect(repaired.body).toMatchObject({ repaired: 1, ledgerDone: true, copiesDone: true });
});
