import { expect, it } from "vitest";
import { migrateCompany } from "../../src/company/migrations.ts";
import { givenCompany, inAccount, type TestCompany } from "../support/company.ts";
import { accountsOf, dumpObject } from "../support/ledger.ts";
import { givenPaid } from "../support/transaction.ts";

/** Runs SQL in the object and answers what it says against it; nothing is kept. */
function refusal(company: TestCompany, statement: string): Promise<string> {
  return inAccount(company.id, (_, { storage }) => {
    try {
      storage.transactionSync(() => {
        storage.sql.exec(statement);
        throw new Error("it was allowed");
      });
    } catch (error) {
      return String(error);
    }
    return "it did not run";
  });
}

it("opening an object twice applies each migration once and keeps what is there", async () => {
  const company = await givenCompany({ balance: 2_500 });
  const before = await dumpObject(company);

  await inAccount(company.id, (_, { storage }) => {
    migrateCompany(storage);
    migrateCompany(storage);
  });

  expect(await dumpObject(company)).toBe(before);
  expect(before).toMatch(/^applied_migrations \[\{"number":1\}/);
});

it("every table of the object is strict", async () => {
  const company = await givenCompany();

  const tables = await inAccount(company.id, (_, { storage }) =>
    storage.sql
      .exec<{ name: string; strict: number }>(
        "SELECT name, strict FROM pragma_table_list WHERE type = 'table' AND schema = 'main'",
      )
      .toArray(),
  );

  const ours = tables.filter(({ name }) => !/^(sqlite_|_cf_)|^applied_migrations$/.test(name));
  expect(ours.map((table) => table.name)).toContain("postings");
  expect(ours.filter((table) => table.strict !== 1)).toEqual([]);
});

it.each(["available", "awaiting", "blocked", "payout", "suspense"])(
  "the account %s is never below 0",
  async (account) => {
    const company = await givenCompany({ balance: 2_500 });

    expect(
      await refusal(
        company,
        `INSERT OR REPLACE INTO accounts (currency, account, balance) VALUES ('BRL', '${account}', -1)`,
      ),
    ).toContain("CHECK constraint failed");
    expect(await accountsOf(company)).toEqual({ available: 2_500, provider: -2_500 });
  },
);

it.each([
  ["text as an amount", "INSERT INTO postings VALUES (90, 1, 'fees', 'ten', 0)", "cannot store"],
  ["a fraction", "INSERT INTO postings VALUES (90, 1, 'fees', 0.5, 0)", "cannot store"],
  ["a posting of nothing", "INSERT INTO postings VALUES (90, 1, 'fees', 0, 0)", "CHECK"],
  [
    "a payment of nothing",
    "INSERT INTO payments VALUES ('E9', 't', 'PIX', 0, 1, 0, NULL)",
    "CHECK",
  ],
  [
    "a payment of no charge that is credited",
    "INSERT INTO payments VALUES ('E9', NULL, 'PIX', 1, 1, 0, NULL)",
    "CHECK",
  ],
  ["more refunded than paid", "UPDATE charges SET refunded_amount = paid_amount + 1", "CHECK"],
  [
    "one payment twice",
    `INSERT INTO payments SELECT payment_id, 'another', 'PIX', amount, paid_at, 0, NULL
     FROM payments`,
    "UNIQUE",
  ],
])("the tables refuse %s", async (_what, statement, reason) => {
  const company = await givenCompany({ balance: 2_500 });

  expect(await refusal(company, statement)).toContain(reason);
});

it("charges that moved before trails were kept begin theirs after what was booked until then, and none is written", async () => {
  const company = await givenCompany({ balance: 2_500 });
  await givenPaid(company, 700);

  const { rows, after } = await inAccount(company.id, (_, { storage }) => {
    for (const undo of [
      "ALTER TABLE charges DROP COLUMN external_nsu",
      "ALTER TABLE charges DROP COLUMN refused_reason",
      "ALTER TABLE charges DROP COLUMN card",
      "ALTER TABLE operations RENAME COLUMN payment_id TO end_to_end_id",
      "ALTER TABLE payments RENAME COLUMN payment_id TO end_to_end_id",
      "DROP INDEX movements_transaction",
      "ALTER TABLE charges DROP COLUMN trail",
      "ALTER TABLE charges DROP COLUMN trail_after",
      "DELETE FROM meta WHERE name = 'trails_after'",
      "DELETE FROM applied_migrations WHERE number >= 4",
    ]) {
      storage.sql.exec(undo);
    }
    migrateCompany(storage);
    return {
      rows: storage.sql.exec("SELECT trail, trail_after FROM charges").toArray(),
      after: storage.sql.exec("SELECT value FROM meta WHERE name = 'trails_after'").one()["value"],
    };
  });

  expect(rows).toEqual([
    { trail: "[]", trail_after: null },
    { trail: "[]", trail_after: null },
  ]);
  expect(after).toBe(2);
});
