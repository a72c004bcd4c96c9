import { expect, it } from "vitest";
import { checkCompany } from "../../../../src/api/operator/audit/tasks.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { drained, end, settle } from "../../../support/builders/commands.ts";
import { env, givenCompany, takeMadeCompanies } from "../../../support/builders/company.ts";
import { changeCopy, check, reconcile } from "../../../support/probes/copies.ts";
import { withAccounts } from "../../../support/faults/faulty-env.ts";
import { outboxLength } from "../../../support/builders/ledger.ts";
import { downRecords, replaceInObject } from "../../../support/probes/object.ts";
import {
  answerOperation,
  askRefund,
  DAY_MS,
  givenSettled,
} from "../../../support/builders/object-operations.ts";
import { givenTransaction } from "../../../support/builders/transaction.ts";

/** A company of whose second charge D1 was told nothing, after so many attempts. */
async function givenBehind(attempts: number) {
  const company = await givenCompany();
  const told = await givenSettled(company, 500);
  const owed = await givenTransaction(company, { amount: 900 });
  const restore = await replaceInObject(company, downRecords());
  await end(company, owed, "failed");
  for (let attempt = 1; attempt < attempts; attempt++) await drained(company);
  const mend = async () => {
    await restore();
    await drained(company);
  };
  return { company, told, owed, mend };
}

it("that D1 is behind by four attempts is no violation yet, by five it is one until it is told", async () => {
  const { company, mend } = await givenBehind(4);
  expect((await check(company)).violations).toEqual([]);

  await drained(company);
  const behind = "I9 D1 is behind by 1 changes, tried 5 times";
  expect((await check(company)).violations).toEqual([behind]);
  expect((await check(company)).violations).toEqual([behind]);
  await mend();

  expect(await check(company)).toMatchObject({ companySequence: 2, violations: [] });
});

it("a reconciliation says that D1 is behind as well, after an attempt of its own", async () => {
  const { company, mend } = await givenBehind(4);

  const [step] = await reconcile(company, true);

  expect(step?.violations).toEqual(["I9 D1 is behind by 1 changes, tried 5 times"]);
  await mend();
  expect((await reconcile(company, false))[0]?.violations).toEqual([]);
});

it("what D1 is owed hides no other copy that differs", async () => {
  const { company, told, owed, mend } = await givenBehind(1);
  const paidAmount = (amount: number) =>
    changeCopy(
      company,
      `UPDATE transactions SET paid_amount = ? WHERE id = ? AND company_id = ?`,
      amount,
      told.id,
    );
  await changeCopy(
    company,
    `UPDATE transactions SET refunded_amount = 7 WHERE id = ? AND company_id = ?`,
    owed.id,
  );
  await paidAmount(1);
  const differs = `I9 D1 differs on transaction ${told.id}: paidAmount is 1 in D1 and ${told.amount} in the object`;

  expect((await check(company)).violations).toEqual([differs]);
  const [looked] = await reconcile(company, true);
  expect(looked).toMatchObject({ compared: 2, repaired: 1, violations: [differs] });

  expect((await check(company)).violations).toEqual([]);
  await mend();
});

it("an entry that D1 refuses is said, and copies it has nothing to do with are still compared", async () => {
  const company = await givenCompany();
  const good = await givenSettled(company, 500);
  const lost = await givenTransaction(company, { amount: 1_000 });
  await changeCopy(company, `DELETE FROM transactions WHERE id = ? AND company_id = ?`, lost.id);
  await settle(company, lost);
  await givenSettled(company, 2_000);
  for (let attempt = 0; attempt < 4; attempt++) await drained(company);
  await changeCopy(
    company,
    `UPDATE transactions SET paid_amount = 1 WHERE id = ? AND company_id = ?`,
    good.id,
  );

  expect(await outboxLength(company)).toBe(1);
  for (let time = 0; time < 2; time++) {
    expect((await check(company)).violations).toEqual([
      "I9 1 changes are set aside: D1 refuses them",
      `I9 D1 differs on transaction ${good.id}: paidAmount is 1 in D1 and 500 in the object`,
    ]);
  }
  // Nothing can tell D1 of a charge whose row it has lost.
  takeMadeCompanies();
});

it("a company that changes between every two reads is compared until it stands still", async () => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 1_000);
  let looks = 0;
  const busy = withAccounts(env, async (label, run) => {
    const answer = await run();
    if (label === "originals" && [2, 3].includes((looks += 1))) {
      await askRefund(company, transaction, { amount: 10 });
      await answerOperation(company, { kind: "done" }, looks - 1);
    }
    return answer;
  });

  const outcome = await checkCompany(busy, company.id, Date.now());

  expect(looks).toBe(4);
  expect(outcome.violations).toEqual([]);
});

it("one check walks over more movements and events than one step takes", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const inParts = (installments: number) => ({
    terms: { paymentMethod: "CREDIT_CARD" as const, installments, releaseDays: 1 },
    payment: { paidAt: clock.now() },
  });
  await givenSettled(company, 5_200, inParts(520));
  for (let day = 0; day < 120; day++) {
    clock.advance(DAY_MS);
    await drained(company);
  }
  clock.advance(400 * DAY_MS);
  await drained(company);

  const outcome = await check(company);

  expect(outcome).toMatchObject({ movement: 521, violations: [] });
  expect(outcome.companySequence).toBeGreaterThan(121);
});
