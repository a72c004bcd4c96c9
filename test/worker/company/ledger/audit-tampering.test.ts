import { expect, it } from "vitest";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import {
  waitUntilDrained,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { endCharge } from "../../../support/builders/charges/charge-commands.ts";
import { withdraw } from "../../../support/builders/withdraws/withdraw-commands.ts";
import { givenSettled } from "../../../support/builders/operations/object-operations.ts";
import { evict } from "../../../support/faults/object.ts";
import { LEDGER_SQL } from "../../../support/faults/ledger-sql.ts";
import { audit, auditAll } from "../../../support/probes/ledger/audit.ts";
import { backUpLedger, tamper } from "../../../support/faults/tamper.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";

/** Movements: 1 and 2 are payments, 3 is a withdraw that has not been sent. */
async function givenLedger(): Promise<TestCompany> {
  const company = await givenCompany();
  await givenSettled(company, 2_500);
  await givenSettled(company, 700);
  await withdraw(company, { amount: 1_000, idempotencyKey: "wd_before" });
  await waitUntilDrained(company);
  return company;
}

async function isFrozen(company: TestCompany): Promise<boolean> {
  return callsTo(company.id).isFrozen();
}

const TAMPERINGS: [what: string, violation: RegExp, ...statements: string[]][] = [
  [
    "a posting's amount",
    /^I1 movement 2 does not sum to 0$/,
    LEDGER_SQL.setPosting(2, "available", "701"),
  ],
  [
    "both postings' amounts",
    /^I2 movement 2 leaves available at a wrong balance$/,
    LEDGER_SQL.scalePostings(2, "* 2"),
  ],
  [
    "both postings' amounts with their balances",
    /^I1 movement 2 does not carry the hash of its content$/,
    LEDGER_SQL.scalePostings(2, "* 2"),
    "UPDATE movements SET available = 3900, provider = -3900 WHERE sequence = 2",
  ],
  [
    "a posting, deleted",
    /^I1 movement 2 does not sum to 0$/,
    LEDGER_SQL.removePosting(2, "available"),
  ],
  [
    "all postings of a movement, deleted",
    /^I1 movement 2 has no postings$/,
    "UPDATE movements SET postings = '{}' WHERE sequence = 2",
  ],
  [
    "a posting's account",
    /^I1 movement 2 does not carry the hash of its content$/,
    LEDGER_SQL.removePosting(2, "available"),
    LEDGER_SQL.setPosting(2, "fees", "700"),
    "UPDATE movements SET available = 2500, fees = 700 WHERE sequence = 2",
  ],
  [
    "the order of postings that stand in another one",
    /^I1 movement 3 does not carry the hash of its content$/,
    `UPDATE movements SET postings = '{"payout":1000,"available":-1000}' WHERE sequence = 3`,
  ],
  [
    "a balance in the past",
    /^I2 movement 2 leaves available at a wrong balance$/,
    LEDGER_SQL.addToBalanceOf(2, "available", 1),
  ],
  [
    "the balance of an account that the movement does not touch",
    /^I2 movement 2 leaves suspense at a wrong balance$/,
    LEDGER_SQL.addToBalanceOf(2, "suspense", 1),
  ],
  [
    "the outside world's balance, which no hash covers",
    /^I2 movement 2 leaves provider at a wrong balance$/,
    LEDGER_SQL.addToBalanceOf(2, "provider", 1),
  ],
  [
    "an account's balance",
    /^I2 movement 3 leaves available at a wrong balance$/,
    LEDGER_SQL.addToBalance("available", 1),
  ],
  [
    "a movement's hash",
    /^I1 movement 2 does not carry the hash of its content$/,
    LEDGER_SQL.setHash(2, "ab".repeat(32)),
  ],
  [
    "the newest movement's hash",
    /^I1 movement 3 does not carry the hash of its content$/,
    LEDGER_SQL.setHash(3, ""),
  ],
  [
    "a movement's type",
    /^I1 movement 2 does not carry the hash of its content$/,
    LEDGER_SQL.setType(2, "payment_suspended"),
  ],
  [
    "a movement's transaction",
    /^I1 movement 2 does not carry the hash of its content$/,
    `UPDATE movements SET transaction_id =
       (SELECT transaction_id FROM movements WHERE sequence = 1) WHERE sequence = 2`,
  ],
  [
    "a movement's withdraw",
    /^I1 movement 3 does not carry the hash of its content$/,
    "UPDATE movements SET withdraw_id = 2 WHERE sequence = 3",
  ],
  [
    "a movement's time",
    /^I1 movement 2 does not carry the hash of its content$/,
    "UPDATE movements SET created_at = created_at + 1 WHERE sequence = 2",
  ],
  ["a movement, deleted", /^I1 movement 3 follows 1$/, "DELETE FROM movements WHERE sequence = 2"],
  [
    "the first movement, deleted",
    /^I1 movement 2 follows 0$/,
    "DELETE FROM movements WHERE sequence = 1",
  ],
  [
    "the newest movement, deleted",
    /^I1 movement 3 is missing$/,
    "DELETE FROM movements WHERE sequence = 3",
  ],
  ["the whole ledger, deleted", /^I1 movement 3 is missing$/, "DELETE FROM movements"],
];

it.each(TAMPERINGS)(
  "the audit finds %s, freezes withdraws, and passes again after it is reverted",
  async (_what, violation, ...statements) => {
    const company = await givenLedger();
    const undo = await backUpLedger(company);
    await tamper(company, ...statements);

    const found = await auditAll(company);

    expect(found.done).toBe(true);
    expect(found.violations).toContainEqual(expect.stringMatching(violation));
    expect(await isFrozen(company)).toBe(true);
    expect(await withdraw(company, { amount: 1 })).toEqual({ kind: "frozen" });
    expect((await auditAll(company, true)).violations).toEqual(found.violations);
    await undo();
    expect(await auditAll(company)).toEqual({ movement: 3, done: true, violations: [] });
    expect(await auditAll(company, true)).toEqual({ movement: 3, done: true, violations: [] });
    expect(await isFrozen(company)).toBe(true);
  },
);

it("the watermark stays where it was before the tampering until it is reverted", async () => {
  const company = await givenLedger();
  await auditAll(company);
  await givenSettled(company, 300);
  await givenSettled(company, 400);
  const undo = await backUpLedger(company);
  await tamper(company, LEDGER_SQL.setType(5, "chargeback"));

  for (let time = 0; time < 2; time++) {
    expect(await audit(company)).toEqual({
      movement: 3,
      done: true,
      violations: ["I1 movement 5 does not carry the hash of its content"],
    });
  }
  await undo();

  expect(await audit(company)).toEqual({ movement: 5, done: true, violations: [] });
});

it("a truncated ledger with matching balances is found after its end was verified", async () => {
  const company = await givenLedger();
  expect((await auditAll(company)).violations).toEqual([]);
  const undo = await backUpLedger(company);
  await tamper(
    company,
    "DELETE FROM movements WHERE sequence = 3",
    "UPDATE withdraws SET status = 'Cancelled'",
  );

  expect(await audit(company)).toEqual({
    movement: 3,
    done: true,
    violations: ["I1 movement 3 has changed since it was verified", "I1 movement 3 is missing"],
  });
  expect(await isFrozen(company)).toBe(true);
  await undo();
  await tamper(company, "UPDATE withdraws SET status = 'Awaiting'");
});

it("a truncated payment movement is found before its verification, also by a new instance", async () => {
  const company = await givenCompany();
  await givenSettled(company, 2_500);
  await givenSettled(company, 700);
  const undo = await backUpLedger(company);
  await tamper(company, "DELETE FROM movements WHERE sequence = 2");
  await evict(company);

  const { violations } = await auditAll(company);

  expect(violations).toEqual([
    "I1 movement 2 is missing",
    expect.stringMatching(/^I1 transaction .* has no movement that credited it$/),
  ]);
  expect(await isFrozen(company)).toBe(true);
  await undo();
  expect((await auditAll(company)).violations).toEqual([]);
});

it("a truncated movement stays missing when an event without money follows", async () => {
  const company = await givenCompany();
  await givenSettled(company, 2_500);
  await givenSettled(company, 700);
  const open = await givenTransaction(company, { amount: 900 });
  const undo = await backUpLedger(company);
  await tamper(company, "DELETE FROM movements WHERE sequence = 2");

  await endCharge(company, open, "failed");

  expect((await auditAll(company)).violations).toContain("I1 movement 2 is missing");
  await undo();
  expect((await auditAll(company)).violations).toEqual([]);
});

it("I3: an account below zero is found and freezes, whatever its table constraints were", async () => {
  const company = await givenLedger();
  await tamper(
    company,
    ...LEDGER_SQL.withoutRules,
    "UPDATE movements SET available = -1, debt = 1 WHERE sequence = 3",
  );

  const { violations } = await auditAll(company);

  expect(violations).toContain("I3 available is below 0");
  expect(violations).toContain("I3 debt is above 0");
  expect(await isFrozen(company)).toBe(true);
  await tamper(company, ...LEDGER_SQL.withRules);
});

it.each([
  [
    [
      "I4 payout is not the sum of withdraws in flight",
      "I4 withdraw 1 has an amount in flight that differs from its movements",
    ],
    "UPDATE withdraws SET status = 'Paid' WHERE id = 1",
    "UPDATE withdraws SET status = 'Awaiting' WHERE id = 1",
  ],
  [
    [
      "I4 awaiting is not the sum of the pending releases",
      "I4 the day 2040-01-01 is not the sum of its credits",
    ],
    "INSERT INTO release_days (day, amount) VALUES ('2040-01-01', 5)",
    "DELETE FROM release_days WHERE day = '2040-01-01'",
  ],
  [
    ["I4 blocked is not the sum of the holds of open refunds and disputes"],
    `INSERT INTO disputes (id, kind, transaction_id, amount, held, status, created_at)
       VALUES ('d', 'DISPUTE', 't', 5, 5, 'OPEN', 0)`,
    "DELETE FROM disputes WHERE id = 'd'",
  ],
])("%j is reported and does not freeze", async (violations, change, undo) => {
  const company = await givenLedger();
  await tamper(company, change);

  expect(await auditAll(company)).toEqual({ movement: 3, done: true, violations });
  expect(await isFrozen(company)).toBe(false);
  expect((await withdraw(company, { amount: 1 })).kind).toBe("accepted");

  await tamper(company, undo);
  expect((await auditAll(company)).violations).toEqual([]);
});

it.each([
  [
    /^I6 transaction .* has a refunded amount that differs from its refunds$/,
    "UPDATE charges SET refunded_amount = 1 WHERE paid_amount = 700",
    "UPDATE charges SET refunded_amount = 0 WHERE paid_amount = 700",
  ],
  [
    /^I6 transaction .* has a refunded amount that differs from its refunds$/,
    "UPDATE charges SET status = 'refunded' WHERE paid_amount = 700",
    "UPDATE charges SET status = 'paid' WHERE paid_amount = 700",
  ],
  [
    /^I6 transaction .* has a paid amount that differs from its credits$/,
    "UPDATE charges SET paid_amount = 701 WHERE paid_amount = 700",
    "UPDATE charges SET paid_amount = 700 WHERE paid_amount = 701",
  ],
  [
    /^I6 transaction .* has a paid amount that differs from its credits$/,
    "UPDATE payments SET suspended = 1 WHERE amount = 700",
    "UPDATE payments SET suspended = 0 WHERE amount = 700",
  ],
  [
    /^I5 transaction .* was credited twice$/,
    `INSERT INTO payments
         (payment_id, transaction_id, payment_method, amount, paid_at, suspended)
       SELECT 'E2', transaction_id, 'PIX', 1, 0, 0 FROM payments WHERE amount = 700`,
    "DELETE FROM payments WHERE payment_id = 'E2'",
  ],
])("a charge that does not match its money is reported as %s", async (violation, change, undo) => {
  const company = await givenLedger();
  await tamper(company, change);

  const found = await auditAll(company);

  expect(found.violations).toContainEqual(expect.stringMatching(violation));
  expect(await isFrozen(company)).toBe(false);
  await tamper(company, undo);
  expect((await auditAll(company, true)).violations).toEqual([]);
});
