import { expect, it } from "vitest";
import { checkCompany } from "../../../../../src/api/operator/audit/tasks.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import {
  waitUntilDrained,
  env,
  givenCompany,
  takeCreatedCompanies,
} from "../../../../support/builders/companies/company.ts";
import { endCharge, settle } from "../../../../support/builders/charges/charge-commands.ts";
import { changeProjection } from "../../../../support/faults/projection.ts";
import { runCheck, reconcile } from "../../../../support/probes/database/projection-checks.ts";
import { withAccounts } from "../../../../support/faults/faulty-env.ts";
import { outboxLength } from "../../../../support/probes/ledger/ledger.ts";
import { unavailableProjection, replaceInObject } from "../../../../support/faults/object.ts";
import {
  reportOperation,
  requestRefund,
  DAY_MS,
  givenSettled,
} from "../../../../support/builders/operations/object-operations.ts";
import { givenTransaction } from "../../../../support/builders/charges/transaction.ts";

/** A company whose second charge is not in D1 after this many attempts. */
async function givenLaggingProjection(attempts: number) {
  const company = await givenCompany();
  const told = await givenSettled(company, 500);
  const owed = await givenTransaction(company, { amount: 900 });
  const restore = await replaceInObject(company, unavailableProjection());
  await endCharge(company, owed, "failed");
  for (let attempt = 1; attempt < attempts; attempt++) await waitUntilDrained(company);
  const mend = async () => {
    await restore();
    await waitUntilDrained(company);
  };
  return { company, told, owed, mend };
}

it("a projection that lags by four attempts is no violation, by five it is one until it is written", async () => {
  const { company, mend } = await givenLaggingProjection(4);
  expect((await runCheck(company)).violations).toEqual([]);

  await waitUntilDrained(company);
  const behind = "I9 D1 is behind by 1 changes, tried 5 times";
  expect((await runCheck(company)).violations).toEqual([behind]);
  expect((await runCheck(company)).violations).toEqual([behind]);
  await mend();

  expect(await runCheck(company)).toMatchObject({ companySequence: 2, violations: [] });
});

it("a reconciliation reports a lagging projection after an attempt of its own", async () => {
  const { company, mend } = await givenLaggingProjection(4);

  const [step] = await reconcile(company, true);

  expect(step?.violations).toEqual(["I9 D1 is behind by 1 changes, tried 5 times"]);
  await mend();
  expect((await reconcile(company, false))[0]?.violations).toEqual([]);
});

it("a backlog for D1 does not hide a difference in other rows", async () => {
  const { company, told, owed, mend } = await givenLaggingProjection(1);
  const paidAmount = (amount: number) =>
    changeProjection(
      company,
      `UPDATE transactions SET paid_amount = ? WHERE id = ? AND company_id = ?`,
      amount,
      told.id,
    );
  await changeProjection(
    company,
    `UPDATE transactions SET refunded_amount = 7 WHERE id = ? AND company_id = ?`,
    owed.id,
  );
  await paidAmount(1);
  const differs = `D1 differs on transaction ${told.id}: paidAmount is 1 in D1 and ${told.amount} in the object`;

  expect((await reconcile(company, false))[0]).toMatchObject({
    compared: 2,
    violations: [`I9 ${differs}`],
  });
  expect(await runCheck(company)).toMatchObject({ violations: [], mended: [differs] });
  await mend();
});

it("an entry that D1 rejects is reported, and unrelated rows are still compared", async () => {
  const company = await givenCompany();
  const good = await givenSettled(company, 500);
  const lost = await givenTransaction(company, { amount: 1_000 });
  await changeProjection(
    company,
    `DELETE FROM transactions WHERE id = ? AND company_id = ?`,
    lost.id,
  );
  await settle(company, lost);
  await givenSettled(company, 2_000);
  for (let attempt = 0; attempt < 4; attempt++) await waitUntilDrained(company);
  await changeProjection(
    company,
    `UPDATE transactions SET paid_amount = 1 WHERE id = ? AND company_id = ?`,
    good.id,
  );

  expect(await outboxLength(company)).toBe(1);
  for (let time = 0; time < 2; time++) {
    expect(await runCheck(company)).toMatchObject({
      violations: ["I9 1 changes are rejected: D1 refuses them"],
      mended: [`D1 differs on transaction ${good.id}: paidAmount is 1 in D1 and 500 in the object`],
    });
  }
  // A projection cannot recreate a charge's lost row.
  takeCreatedCompanies();
});

it("a company that changes between reads is compared once it stops changing", async () => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 1_000);
  // The round over all copies is not due again.
  await runCheck(company);
  await requestRefund(company, transaction, { amount: 5 });
  await reportOperation(company, { kind: "done" });
  let looks = 0;
  const busy = withAccounts(env, async (label, run) => {
    const answer = await run();
    if (label === "snapshot" && [2, 3].includes((looks += 1))) {
      await requestRefund(company, transaction, { amount: 10 });
      await reportOperation(company, { kind: "done" }, looks);
    }
    return answer;
  });

  const outcome = await checkCompany(busy, company.id, Date.now());

  expect(looks).toBe(4);
  expect(outcome.violations).toEqual([]);
});

it("one check covers more movements and events than one step reads", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const inParts = (installments: number) => ({
    terms: { paymentMethod: "CREDIT_CARD" as const, installments, releaseDays: 1 },
    payment: { paidAt: clock.now() },
  });
  await givenSettled(company, 5_200, inParts(520));
  for (let day = 0; day < 120; day++) {
    clock.advance(DAY_MS);
    await waitUntilDrained(company);
  }
  clock.advance(400 * DAY_MS);
  await waitUntilDrained(company);

  const outcome = await runCheck(company);

  expect(outcome).toMatchObject({ movement: 521, violations: [] });
  expect(outcome.companySequence).toBeGreaterThan(121);
});
