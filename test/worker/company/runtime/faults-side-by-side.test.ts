import { expect, it } from "vitest";
import { TestClock } from "../../../support/fakes/clock.ts";
import { drained } from "../../../support/builders/commands.ts";
import { companyStub } from "../../../../src/company-client/stub.ts";
import { env, givenCompany } from "../../../support/builders/company.ts";
import { changeCopy, check, deleteCopy, reconcile } from "../../../support/probes/copies.ts";
import { LEDGER_SQL } from "../../../support/probes/ledger-rows.ts";
import { accountsOf } from "../../../support/builders/ledger.ts";
import {
  answerOperation,
  askRefund,
  DAY_MS,
  givenSettled,
} from "../../../support/builders/object-operations.ts";
import { auditAll, tamper } from "../../../support/faults/tamper.ts";

it("an event that is missing beside a copy that differs is one finding, however often it is looked at", async () => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 5_000);
  await askRefund(company, transaction, { amount: 400 });
  await answerOperation(company, { kind: "done" });
  const undo = await deleteCopy(company, "events", "company_sequence = 1");
  await changeCopy(company, "UPDATE transactions SET refunded_amount = 0 WHERE company_id = ?");

  for (let time = 0; time < 3; time++) {
    expect(await check(company)).toMatchObject({
      companySequence: 2,
      missingEvents: [1],
      suspects: { transactionIds: [transaction.id], withdrawIds: [] },
    });
  }
  await reconcile(company, true);

  expect(await check(company)).toMatchObject({
    missingEvents: [1],
    suspects: { transactionIds: [], withdrawIds: [] },
    violations: ["I8 event 1 is missing"],
  });
  await undo();
  expect((await check(company)).violations).toEqual([]);
});

it("a charge that is faulty hides no broken ledger behind it", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const terms = { paymentMethod: "CREDIT_CARD", installments: 600, releaseDays: 1 } as const;
  await givenSettled(company, 6_000, { terms, payment: { paidAt: clock.now() } });
  clock.advance(601 * DAY_MS);
  await drained(company);
  await tamper(
    company,
    "UPDATE payments SET amount = amount + 1",
    LEDGER_SQL.scalePostings(550, "* 2"),
  );

  const { violations } = await check(company);

  expect(violations).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^I2 movement 550 /),
      expect.stringMatching(/^I6 transaction .* is paid by another amount$/),
    ]),
  );
  expect(await companyStub(env, company.id).isFrozen()).toBe(true);
  await tamper(
    company,
    "UPDATE payments SET amount = amount - 1",
    LEDGER_SQL.scalePostings(550, "/ 2"),
  );
  expect((await check(company)).violations).toEqual([]);
});

it("a credit whose row is lost is found by a reconciliation", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const terms = { paymentMethod: "BOLETO", releaseDays: 1 } as const;
  await givenSettled(company, 700, { terms, payment: { paidAt: clock.now() } });
  await tamper(company, "CREATE TABLE kept AS SELECT * FROM releases", "DELETE FROM releases");

  expect((await auditAll(company, true)).violations).toEqual([
    "I4 awaiting is not the sum of its credits",
    expect.stringMatching(/^I4 the day .* is not the sum of its credits$/),
    expect.stringMatching(/^I1 transaction .* awaits other releases than its movements say$/),
  ]);
  await tamper(company, "INSERT INTO releases SELECT * FROM kept", "DROP TABLE kept");
  expect((await auditAll(company, true)).violations).toEqual([]);
});

it("a refused refund is booked while a release of another charge cannot be", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const transaction = await givenSettled(company, 5_000);
  await askRefund(company, transaction, { amount: 400 });
  const terms = { paymentMethod: "BOLETO", releaseDays: 1 } as const;
  await givenSettled(company, 700, { terms, payment: { paidAt: clock.now() } });
  await tamper(company, LEDGER_SQL.addToBalance("awaiting", -700));
  clock.advance(2 * DAY_MS);

  const answer = await answerOperation(company, { kind: "failed", reason: "no" });

  expect(answer).toMatchObject({ kind: "recorded", reply: { outcome: "FAILED" } });
  expect(await accountsOf(company)).toMatchObject({ available: 5_000, blocked: 0 });
  await tamper(company, LEDGER_SQL.addBackSince(3, "awaiting", 700));
});
