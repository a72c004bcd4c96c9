import { expect, it } from "vitest";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import {
  givenCompany,
  inAccount,
  takeCreatedCompanies,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { runCheck, reconcile } from "../../../support/probes/database/projection-checks.ts";
import { changeProjection } from "../../../support/faults/projection.ts";
import { rehashMovements, LEDGER_SQL } from "../../../support/faults/ledger-sql.ts";
import { givenSettled } from "../../../support/builders/operations/object-operations.ts";
import { audit, auditAll } from "../../../support/probes/ledger/audit.ts";
import { backUpLedger, tamper, withoutTriggers } from "../../../support/faults/tamper.ts";

/** Three payments, one movement each. */
async function givenPayments(): Promise<TestCompany> {
  const company = await givenCompany();
  for (const amount of [1_000, 2_000, 3_000]) await givenSettled(company, amount);
  return company;
}

/** Another past for movement 1, with every hash after it computed again. */
async function rewriteHistory(company: TestCompany): Promise<void> {
  await tamper(company, LEDGER_SQL.setType(1, "dispute_won"));
  await inAccount(company.id, (_, { storage: { sql } }) => {
    withoutTriggers(sql, () => rehashMovements(sql));
  });
}

const REWRITTEN = "I1 movement 3 has changed since it was verified";

it("a history that is rewritten with matching hashes is found by each pass, also from the start", async () => {
  const company = await givenPayments();
  expect((await runCheck(company)).violations).toEqual([]);
  const undo = await backUpLedger(company);
  await rewriteHistory(company);

  for (let time = 0; time < 2; time++) {
    expect((await runCheck(company)).violations).toEqual([REWRITTEN]);
    const [step] = await reconcile(company, true);
    expect(step).toMatchObject({ movement: 0, violations: [REWRITTEN] });
  }
  expect(await callsTo(company.id).isFrozen()).toBe(true);
  await undo();

  expect((await reconcile(company, false))[0]).toMatchObject({ movement: 3, violations: [] });
  expect((await runCheck(company)).violations).toEqual([]);
});

it("a rewritten history is found also after later movements", async () => {
  const company = await givenPayments();
  await auditAll(company);
  await rewriteHistory(company);
  // Its hash is of what it follows: as sound as its rewritten past.
  await givenSettled(company, 4_000);

  expect(await audit(company)).toEqual({ movement: 3, done: true, violations: [REWRITTEN] });
  takeCreatedCompanies();
});

it("a reconciliation from the start and the cron's pass do not affect each other", async () => {
  const company = await givenPayments();
  const cron = () => audit(company);
  expect(await cron()).toEqual({ movement: 3, done: true, violations: [] });
  await givenSettled(company, 4_000);

  expect(await audit(company, true)).toEqual({ movement: 4, done: true, violations: [] });
  const anchors = await anchorsOf(company);
  expect(anchors).toEqual([
    ["cron", 3],
    ["reconcile", 4],
  ]);
  expect(await cron()).toEqual({ movement: 4, done: true, violations: [] });

  expect(await anchorsOf(company)).toEqual([
    ["cron", 4],
    ["reconcile", 4],
  ]);
});

it("each pass finds a mismatch with the other pass's watermark", async () => {
  const company = await givenPayments();
  await audit(company, true);
  const undo = await backUpLedger(company);
  await rewriteHistory(company);

  expect((await audit(company)).violations).toEqual([REWRITTEN]);
  await undo();

  expect(await audit(company)).toEqual({ movement: 3, done: true, violations: [] });
});

it("a charge that does not match its money is reported in every pass until it is repaired", async () => {
  const company = await givenCompany();
  const { id } = await givenSettled(company, 2_500);
  const set = async (amount: number) => {
    const change = `SET refunded_amount = ${amount}`;
    await tamper(company, `UPDATE charges ${change} WHERE transaction_id = '${id}'`);
    await changeProjection(company, `UPDATE transactions ${change} WHERE company_id = ?`);
  };
  await set(700);

  for (let time = 0; time < 3; time++) {
    expect(await runCheck(company)).toMatchObject({
      movement: 1,
      violations: [`I6 transaction ${id} has a refunded amount that differs from its refunds`],
    });
  }
  await set(0);

  expect(await runCheck(company)).toMatchObject({ movement: 1, violations: [] });
});

function anchorsOf(company: TestCompany): Promise<[string, number][]> {
  return inAccount(company.id, (_, { storage }) =>
    storage.sql
      .exec<{ walk: string; movement: number }>("SELECT walk, movement FROM audits ORDER BY walk")
      .toArray()
      .map(({ walk, movement }) => [walk, movement]),
  );
}
