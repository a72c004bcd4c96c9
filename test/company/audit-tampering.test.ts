import { expect, it } from "vitest";
import { companyStub } from "../../src/company/stub.ts";
import { drained, withdraw } from "../support/commands.ts";
import { env, givenCompany, type TestCompany } from "../support/company.ts";
import { givenSettled } from "../support/object-operations.ts";
import { audit, auditAll, keepLedger, tamper } from "../support/tamper.ts";

/** Movements: 1 and 2 are payments, 3 is a withdraw that has not been sent. */
async function givenLedger(): Promise<TestCompany> {
  const company = await givenCompany();
  await givenSettled(company, 2_500);
  await givenSettled(company, 700);
  await withdraw(company, { amount: 1_000, idempotencyKey: "wd_before" });
  await drained(company);
  return company;
}

async function isFrozen(company: TestCompany): Promise<boolean> {
  return companyStub(env, company.id).isFrozen();
}

const AVAILABLE_OF_2 = "WHERE movement = 2 AND account = 'available'";

const TAMPERINGS: [what: string, violation: RegExp, ...statements: string[]][] = [
  [
    "a posting's amount",
    /^I1 movement 2 does not sum to 0$/,
    `UPDATE postings SET amount = amount + 1 ${AVAILABLE_OF_2}`,
  ],
  [
    "both postings' amounts",
    /^I2 movement 2 leaves available at a wrong balance$/,
    "UPDATE postings SET amount = amount * 2 WHERE movement = 2",
  ],
  [
    "both postings' amounts with their balances",
    /^I1 movement 2 does not carry the hash of what it says$/,
    "UPDATE postings SET balance = balance + amount, amount = amount * 2 WHERE movement = 2",
  ],
  [
    "a posting, deleted",
    /^I1 movement 2 does not sum to 0$/,
    `DELETE FROM postings ${AVAILABLE_OF_2}`,
  ],
  [
    "all postings of a movement, deleted",
    /^I1 movement 2 has no postings$/,
    "DELETE FROM postings WHERE movement = 2",
  ],
  [
    "a posting's account",
    /^I1 movement 2 does not carry the hash of what it says$/,
    `UPDATE postings SET account = 'fees', balance = amount ${AVAILABLE_OF_2}`,
  ],
  [
    "a posting's balance",
    /^I2 movement 2 leaves available at a wrong balance$/,
    `UPDATE postings SET balance = balance + 1 ${AVAILABLE_OF_2}`,
  ],
  [
    "the outside world's balance, which no hash covers",
    /^I2 movement 2 leaves provider at a wrong balance$/,
    "UPDATE postings SET balance = balance + 1 WHERE movement = 2 AND account = 'provider'",
  ],
  [
    "an account's balance",
    /^I2 BRL available is not the sum of its postings$/,
    "UPDATE accounts SET balance = balance + 1 WHERE account = 'available'",
  ],
  [
    "an account's row, deleted",
    /^I2 BRL payout is not the sum of its postings$/,
    "DELETE FROM accounts WHERE account = 'payout'",
  ],
  [
    "an account's row, invented",
    /^I2 BRL fees is not the sum of its postings$/,
    "INSERT INTO accounts (currency, account, balance) VALUES ('BRL', 'fees', 5)",
  ],
  [
    "a balance in another currency",
    /^I2 USD available is not the sum of its postings$/,
    "INSERT INTO accounts (currency, account, balance) VALUES ('USD', 'available', 5)",
  ],
  [
    "a movement's hash",
    /^I1 movement 2 does not carry the hash of what it says$/,
    "UPDATE movements SET hash = replace(hash, substr(hash, 1, 1), '_') WHERE sequence = 2",
  ],
  [
    "the newest movement's hash",
    /^I1 movement 3 does not carry the hash of what it says$/,
    "UPDATE movements SET hash = '' WHERE sequence = 3",
  ],
  [
    "a movement's type",
    /^I1 movement 2 does not carry the hash of what it says$/,
    "UPDATE movements SET type = 'payment_suspended' WHERE sequence = 2",
  ],
  [
    "a movement's transaction",
    /^I1 movement 2 does not carry the hash of what it says$/,
    `UPDATE movements SET transaction_id =
       (SELECT transaction_id FROM movements WHERE sequence = 1) WHERE sequence = 2`,
  ],
  [
    "a movement's withdraw",
    /^I1 movement 3 does not carry the hash of what it says$/,
    "UPDATE movements SET withdraw_id = 2 WHERE sequence = 3",
  ],
  [
    "a movement's time",
    /^I1 movement 2 does not carry the hash of what it says$/,
    "UPDATE movements SET created_at = created_at + 1 WHERE sequence = 2",
  ],
  [
    "a movement's currency",
    /^I2 movement 2 leaves provider at a wrong balance$/,
    "UPDATE movements SET currency = 'USD' WHERE sequence = 2",
  ],
  ["a movement, deleted", /^I1 movement 3 follows 1$/, "DELETE FROM movements WHERE sequence = 2"],
  [
    "a movement with its postings, deleted",
    /^I1 movement 3 follows 1$/,
    "DELETE FROM movements WHERE sequence = 2",
    "DELETE FROM postings WHERE movement = 2",
  ],
  [
    "the first movement with its postings, deleted",
    /^I1 movement 2 follows 0$/,
    "DELETE FROM movements WHERE sequence = 1",
    "DELETE FROM postings WHERE movement = 1",
  ],
  [
    "the newest movement with its postings, deleted",
    /^I2 BRL payout is not the sum of its postings$/,
    "DELETE FROM movements WHERE sequence = 3",
    "DELETE FROM postings WHERE movement = 3",
  ],
  [
    "the whole ledger but for its accounts, deleted",
    /^I2 BRL available is not the sum of its postings$/,
    "DELETE FROM movements",
    "DELETE FROM postings",
  ],
];

it.each(TAMPERINGS)(
  "the audit finds %s and freezes withdraws, and is sound again once it is undone",
  async (_what, violation, ...statements) => {
    const company = await givenLedger();
    const undo = await keepLedger(company);
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

it("what was proven before the tampering stays proven, and nothing behind it is until it is undone", async () => {
  const company = await givenLedger();
  await auditAll(company);
  await givenSettled(company, 300);
  await givenSettled(company, 400);
  const undo = await keepLedger(company);
  await tamper(company, "UPDATE movements SET type = 'chargeback' WHERE sequence = 5");

  for (let time = 0; time < 2; time++) {
    expect(await audit(company)).toEqual({
      movement: 3,
      done: true,
      violations: ["I1 movement 5 does not carry the hash of what it says"],
    });
  }
  await undo();

  expect(await audit(company)).toEqual({ movement: 5, done: true, violations: [] });
});

it("the end of the ledger, cut off after it was proven with balances to match, is found all the same", async () => {
  const company = await givenLedger();
  expect((await auditAll(company)).violations).toEqual([]);
  const undo = await keepLedger(company);
  await tamper(
    company,
    "DELETE FROM movements WHERE sequence = 3",
    "DELETE FROM postings WHERE movement = 3",
    "UPDATE accounts SET balance = balance + 1000 WHERE account = 'available'",
    "UPDATE accounts SET balance = 0 WHERE account = 'payout'",
  );

  expect(await audit(company)).toEqual({
    movement: 3,
    done: true,
    violations: [
      "I1 movement 3 is not what it was when it was proven",
      "I4 payout is not the sum of withdraws on their way",
    ],
  });
  expect(await isFrozen(company)).toBe(true);
  await undo();
});

it("I3: an account below zero is found and freezes, even where the postings say the same", async () => {
  const company = await givenLedger();
  await tamper(
    company,
    "ALTER TABLE accounts RENAME TO kept_accounts",
    "CREATE TABLE accounts (currency TEXT, account TEXT, balance INTEGER, PRIMARY KEY (currency, account))",
    "INSERT INTO accounts SELECT * FROM kept_accounts",
    "UPDATE accounts SET balance = -1 WHERE account = 'available'",
    "INSERT INTO accounts VALUES ('BRL', 'debt', 1)",
  );

  const { violations } = await auditAll(company);

  expect(violations).toContain("I3 available is below 0");
  expect(violations).toContain("I3 debt is above 0");
  expect(await isFrozen(company)).toBe(true);
  await tamper(company, "DROP TABLE accounts", "ALTER TABLE kept_accounts RENAME TO accounts");
});

it.each([
  [
    "I4 payout is not the sum of withdraws on their way",
    "UPDATE withdraws SET amount = amount + 1 WHERE id = 1",
    "UPDATE withdraws SET amount = amount - 1 WHERE id = 1",
  ],
  [
    "I4 awaiting is not what is to be released",
    "INSERT INTO release_days (day, amount) VALUES ('2040-01-01', 5)",
    "DELETE FROM release_days WHERE day = '2040-01-01'",
  ],
  [
    "I4 blocked is not what open refunds and disputes hold",
    `INSERT INTO disputes (id, kind, transaction_id, amount, held, status, created_at)
       VALUES ('d', 'DISPUTE', 'x', 5, 5, 'OPEN', 0)`,
    "DELETE FROM disputes WHERE id = 'd'",
  ],
])("%s is reported and does not freeze", async (violation, change, undo) => {
  const company = await givenLedger();
  await tamper(company, change);

  expect(await auditAll(company)).toEqual({ movement: 3, done: true, violations: [violation] });
  expect(await isFrozen(company)).toBe(false);
  expect((await withdraw(company, { amount: 1 })).kind).toBe("accepted");

  await tamper(company, undo);
  expect((await auditAll(company)).violations).toEqual([]);
});

it.each([
  [
    /^I6 transaction .* is refunded by another amount$/,
    "UPDATE charges SET refunded_amount = 1 WHERE paid_amount = 700",
    "UPDATE charges SET refunded_amount = 0 WHERE paid_amount = 700",
  ],
  [
    /^I6 transaction .* is refunded by another amount$/,
    "UPDATE charges SET status = 'refunded' WHERE paid_amount = 700",
    "UPDATE charges SET status = 'paid' WHERE paid_amount = 700",
  ],
  [
    /^I6 transaction .* is paid by another amount$/,
    "UPDATE charges SET paid_amount = 701 WHERE paid_amount = 700",
    "UPDATE charges SET paid_amount = 700 WHERE paid_amount = 701",
  ],
  [
    /^I6 transaction .* is paid by another amount$/,
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
])(
  "a charge that does not say what its money did is reported as %s",
  async (violation, change, undo) => {
    const company = await givenLedger();
    await tamper(company, change);

    const found = await auditAll(company);

    expect(found.violations).toContainEqual(expect.stringMatching(violation));
    expect(await isFrozen(company)).toBe(false);
    await tamper(company, undo);
    expect((await auditAll(company, true)).violations).toEqual([]);
  },
);
