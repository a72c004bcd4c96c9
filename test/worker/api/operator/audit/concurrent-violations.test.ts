import { expect, it } from "vitest";
import { TestClock } from "../../../../support/fakes/clock.ts";
import { waitUntilDrained, givenCompany } from "../../../../support/builders/companies/company.ts";
import { callsTo } from "../../../../support/builders/companies/calls.ts";
import { changeProjection, deleteProjection } from "../../../../support/faults/projection.ts";
import { runCheck, reconcile } from "../../../../support/probes/database/projection-checks.ts";
import { LEDGER_SQL } from "../../../../support/faults/ledger-sql.ts";
import { accountsOf } from "../../../../support/probes/ledger/ledger.ts";
import {
  reportOperation,
  requestRefund,
  DAY_MS,
  givenSettled,
} from "../../../../support/builders/operations/object-operations.ts";
import { auditAll } from "../../../../support/probes/ledger/audit.ts";
import { tamper } from "../../../../support/faults/tamper.ts";

it("a missing event and a differing projection are one finding in repeated checks", async () => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 5_000);
  await requestRefund(company, transaction, { amount: 400 });
  await reportOperation(company, { kind: "done" });
  const undo = await deleteProjection(company, "events", "company_sequence = 1");
  await changeProjection(
    company,
    "UPDATE transactions SET refunded_amount = 0, version = 9 WHERE company_id = ?",
  );

  for (let time = 0; time < 3; time++) {
    expect(await runCheck(company)).toMatchObject({
      companySequence: 2,
      missingEvents: [1],
      suspects: { transactionIds: [transaction.id], withdrawIds: [] },
    });
  }
  await reconcile(company, true);

  expect(await runCheck(company)).toMatchObject({
    missingEvents: [1],
    suspects: { transactionIds: [], withdrawIds: [] },
    violations: ["I8 event 1 is missing"],
  });
  await undo();
  expect((await runCheck(company)).violations).toEqual([]);
});

it("a faulty charge does not hide a corrupt ledger behind it", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const terms = { paymentMethod: "CREDIT_CARD", installments: 600, releaseDays: 1 } as const;
  await givenSettled(company, 6_000, { terms, payment: { paidAt: clock.now() } });
  clock.advance(601 * DAY_MS);
  await waitUntilDrained(company);
  await tamper(
    company,
    "UPDATE payments SET amount = amount + 1",
    LEDGER_SQL.scalePostings(550, "* 2"),
  );

  const { violations } = await runCheck(company);

  expect(violations).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^I2 movement 550 /),
      expect.stringMatching(/^I6 transaction .* has a paid amount that differs from its credits$/),
    ]),
  );
  expect(await callsTo(company.id).isFrozen()).toBe(true);
  await tamper(
    company,
    "UPDATE payments SET amount = amount - 1",
    LEDGER_SQL.scalePostings(550, "/ 2"),
  );
  expect((await runCheck(company)).violations).toEqual([]);
});

it("a reconciliation finds a credit whose row is lost", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const terms = { paymentMethod: "BOLETO", releaseDays: 1 } as const;
  await givenSettled(company, 700, { terms, payment: { paidAt: clock.now() } });
  await tamper(company, "CREATE TABLE kept AS SELECT * FROM releases", "DELETE FROM releases");

  expect((await auditAll(company, true)).violations).toEqual([
    "I4 awaiting is not the sum of its credits",
    expect.stringMatching(/^I4 the day .* is not the sum of its credits$/),
    expect.stringMatching(
      /^I1 transaction .* has pending releases that differ from its movements$/,
    ),
  ]);
  await tamper(company, "INSERT INTO releases SELECT * FROM kept", "DROP TABLE kept");
  expect((await auditAll(company, true)).violations).toEqual([]);
});

it("a rejected refund is booked while a release of another charge fails", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const transaction = await givenSettled(company, 5_000);
  await requestRefund(company, transaction, { amount: 400 });
  const terms = { paymentMethod: "BOLETO", releaseDays: 1 } as const;
  await givenSettled(company, 700, { terms, payment: { paidAt: clock.now() } });
  await tamper(company, LEDGER_SQL.addToBalance("awaiting", -700));
  clock.advance(2 * DAY_MS);

  const answer = await reportOperation(company, { kind: "failed", reason: "no" });

  expect(answer).toMatchObject({ kind: "recorded", reply: { outcome: "FAILED" } });
  expect(await accountsOf(company)).toMatchObject({ available: 5_000, blocked: 0 });
  await tamper(company, LEDGER_SQL.addBackSince(3, "awaiting", 700));
});
