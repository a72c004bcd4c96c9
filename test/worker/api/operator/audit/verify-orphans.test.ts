import { expect, it } from "vitest";
import { TestClock } from "../../../../support/fakes/clock.ts";
import { claimPayout, withdraw } from "../../../../support/builders/withdraws/withdraw-commands.ts";
import {
  waitUntilDrained,
  env,
  givenCompany,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { settle } from "../../../../support/builders/charges/charge-commands.ts";
import { changeProjection, deleteProjection } from "../../../../support/faults/projection.ts";
import { runCheck, reconcile } from "../../../../support/probes/database/projection-checks.ts";
import { cronDeps, runCron } from "../../../../support/fakes/cron.ts";
import { FakeBank } from "../../../../support/fakes/fake-bank.ts";
import { unavailableProjection, replaceInObject } from "../../../../support/faults/object.ts";
import {
  DAY_MS,
  freshEndToEndId,
  givenSettled,
} from "../../../../support/builders/operations/object-operations.ts";
import { givenTransaction } from "../../../../support/builders/charges/transaction.ts";

async function violationsOf(company: TestCompany, repair = false): Promise<string[]> {
  return (await reconcile(company, repair)).flatMap(({ violations }) => violations);
}

/** A payment, and a withdraw that was claimed: two events. */
async function givenHistory() {
  const company = await givenCompany();
  const { id } = await givenSettled(company, 1_000);
  await withdraw(company, { amount: 500 });
  await claimPayout(company);
  await waitUntilDrained(company);
  return { company, id };
}

it("a charge that is paid only in D1 is found, and no repair makes it paid", async () => {
  const { company } = await givenHistory();
  const ghost = await givenTransaction(company, { amount: 777 });
  const set = (change: string) =>
    changeProjection(
      company,
      `UPDATE transactions SET ${change} WHERE id = ? AND company_id = ?`,
      ghost.id,
    );
  await set("version = 1, status = 'paid', paid_amount = 777, paid_at = 1");
  const found = [`I9 D1 says that transaction ${ghost.id} has moved, which it has not`];

  expect(await violationsOf(company)).toEqual(found);
  expect(await violationsOf(company, true)).toEqual(found);
  await set("version = 0, status = 'waiting_payment', paid_amount = 0, paid_at = NULL");

  expect(await violationsOf(company)).toEqual([]);
});

it("an unpaid charge is unknown to the object and no violation", async () => {
  const { company } = await givenHistory();
  await givenTransaction(company);

  expect(await violationsOf(company)).toEqual([]);
});

it("a charge that is missing in D1 is reported, and no repair recreates it", async () => {
  const { company, id } = await givenHistory();
  const undo = await deleteProjection(company, "transactions", `id = '${id}'`);

  expect(await violationsOf(company)).toEqual([`I9 transaction ${id} is not in D1`]);
  const [step] = await reconcile(company, true);
  expect(step).toMatchObject({ repaired: 0, violations: [`I9 transaction ${id} is not in D1`] });
  await undo();

  expect(await violationsOf(company)).toEqual([]);
});

it("withdraws that exist only in D1 are counted", async () => {
  const { company } = await givenHistory();
  await changeProjection(
    company,
    `INSERT INTO withdraws SELECT company_id, 77, 'another payout', amount, fee, currency, pix_key,
       pix_key_type, creditor_document, status, version, end_to_end_id, failure_reason, created_at,
       updated_at, returned_amount, failure_code FROM withdraws WHERE id = 1 AND company_id = ?`,
  );

  expect(await violationsOf(company, true)).toEqual([
    "I9 D1 has a withdraw 77 that was never made",
  ]);
  await changeProjection(company, "DELETE FROM withdraws WHERE id = 77 AND company_id = ?");

  expect(await violationsOf(company)).toEqual([]);
});

it("an event that D1 lost after its check is missing in the count", async () => {
  const { company } = await givenHistory();
  expect(await runCheck(company)).toMatchObject({ companySequence: 2, violations: [] });
  const undo = await deleteProjection(company, "events", "company_sequence = 1");
  expect((await runCheck(company)).violations).toEqual([]);

  expect(await violationsOf(company)).toEqual(["I8 events 1 to 1 are missing"]);
  await undo();

  expect(await violationsOf(company)).toEqual([]);
});

it("an extra event is found in the count", async () => {
  const { company } = await givenHistory();
  await changeProjection(
    company,
    `INSERT INTO events (company_id, company_sequence, type, object_id, sequence, created_at, body)
     SELECT company_id, 99, type, object_id, 99, created_at, body FROM events
     WHERE company_sequence = 1 AND company_id = ?`,
  );

  expect(await violationsOf(company)).toEqual([
    "I8 events 3 to 98 are missing",
    "I8 D1 has events beyond 2",
  ]);
  await changeProjection(
    company,
    "DELETE FROM events WHERE company_sequence = 99 AND company_id = ?",
  );
});

it("rows that are still in the outbox are not counted as missing", async () => {
  const { company } = await givenHistory();
  const restore = await replaceInObject(company, unavailableProjection());
  await settle(company, await givenTransaction(company, { amount: 100 }), {
    paymentId: freshEndToEndId(),
  });

  expect(await violationsOf(company)).toEqual([]);
  await restore();
});

it("D1's rows are read to the end, also when D1 has more of them than the object", async () => {
  const { company } = await givenHistory();
  for (let batch = 0; batch < 11; batch++) {
    await Promise.all(Array.from({ length: 10 }, () => givenTransaction(company)));
  }
  await changeProjection(
    company,
    "UPDATE transactions SET version = 1 WHERE seq = 111 AND company_id = ?",
  );

  const steps = await reconcile(company, false);

  expect(
    steps.map(({ compared, copiesDone, afterSeq }) => [compared, copiesDone, afterSeq]),
  ).toEqual([
    [2, false, 100],
    [0, true, 111],
  ]);
  expect(steps.flatMap(({ violations }) => violations)).toEqual([
    expect.stringMatching(/^I9 D1 says that transaction .* has moved, which it has not$/),
  ]);
  await changeProjection(
    company,
    "UPDATE transactions SET version = 0 WHERE seq = 111 AND company_id = ?",
  );
});

it("a finished charge with a repaired projection is no longer swept", async () => {
  const clock = new TestClock();
  const company = await givenCompany();
  const { id } = await givenSettled(company, 1_000);
  await changeProjection(
    company,
    `UPDATE transactions SET status = 'waiting_payment', next_sweep_at = created_at
     WHERE id = ? AND company_id = ?`,
    id,
  );

  expect((await reconcile(company, true))[0]).toMatchObject({ repaired: 1 });

  const row = await env.DB.prepare(
    `SELECT status, next_sweep_at AS nextSweepAt FROM transactions WHERE id = ?`,
  )
    .bind(id)
    .first();
  expect(row).toEqual({ status: "paid", nextSweepAt: null });
  const bank = new FakeBank();
  clock.advance(4 * DAY_MS);
  await runCron(cronDeps(clock, bank));
  expect(bank.chargeLookups).not.toContain(id.replaceAll("-", ""));
});
