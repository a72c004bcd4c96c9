import { expect, it } from "vitest";
import type { CalledAccount } from "../../../support/builders/companies/calls.ts";
import { NO_FEE } from "../../../../src/domain/ledger/fees.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import {
  waitUntilDrained,
  givenCompany,
  inAccount,
  takeCreatedCompanies,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { endToEndId, termsOf } from "../../../support/builders/charges/charge-commands.ts";
import { PAID, withdrawCommand } from "../../../support/builders/withdraws/withdraw-commands.ts";
import { costInObject } from "../../../support/probes/database/cost.ts";
import { givenSettled } from "../../../support/builders/operations/object-operations.ts";
import { acceptingProjection, replaceInObject } from "../../../support/faults/object.ts";
import { tamper } from "../../../support/faults/tamper.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";

/** A company that was credited before, whose D1 takes everything. */
async function givenKnown(): Promise<TestCompany> {
  const company = await givenCompany({ clock: new TestClock() });
  await givenSettled(company, 100_000);
  return company;
}

/** A D1 that is told everything and has nothing. */
async function withoutD1(company: TestCompany): Promise<void> {
  await replaceInObject(company, acceptingProjection());
  // What D1 was not told it cannot be asked for.
  takeCreatedCompanies();
}

let payments = 500;

function pay(company: TestCompany, id: string, fee = NO_FEE, paymentId?: string) {
  payments += 1;
  const payment = {
    paymentId: paymentId ?? endToEndId(payments),
    method: "PIX" as const,
    amount: 2_500,
    paidAt: Date.now(),
  };
  return (account: CalledAccount) =>
    account.settlePayment({
      companyId: company.id,
      terms: { ...termsOf({ id, amount: 2_500 }), fee },
      payment,
    });
}

/** From the request to the bank's word, with every drain. */
async function payOut(account: CalledAccount, company: TestCompany, key: string): Promise<void> {
  const wish = { idempotencyKey: key, amount: 10 };
  const answer = await account.requestWithdraw(withdrawCommand(company, wish));
  if (answer.kind !== "accepted") throw new Error(`the withdraw was ${answer.kind}`);
  const { id } = answer.withdraw;
  expect((await account.claimPayout({ companyId: company.id, id, account: "first" })).kind).toBe(
    "send",
  );
  await account.recordPayout({ companyId: company.id, id, report: PAID });
}

/** Payments and withdraws of the past as rows: through the object they would take minutes. */
async function givenHistory(company: TestCompany, count: number): Promise<void> {
  const numbers = `WITH RECURSIVE numbers (n) AS (
    SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})`;
  const names = (table: string) =>
    inAccount(company.id, (_, { storage }) =>
      storage.sql
        .exec<{ name: string }>(`SELECT name FROM pragma_table_info('${table}')`)
        .toArray()
        .map(({ name }) => name),
    );
  const copy = async (table: string, changed: Record<string, string>) => {
    const columns = await names(table);
    const values = columns.map((name) => changed[name] ?? `t.${name}`);
    await tamper(
      company,
      `${numbers} INSERT INTO ${table} (${columns.join()})
       SELECT ${values.join()} FROM numbers, (SELECT * FROM ${table} LIMIT 1) t`,
    );
  };
  await copy("movements", { sequence: "(SELECT max(sequence) FROM movements) + n" });
  await copy("charges", { transaction_id: "'past-' || n" });
  await copy("payments", { payment_id: "'past-' || n" });
  await copy("withdraws", {
    id: "(SELECT max(id) FROM withdraws) + n",
    idempotency_key: "'past-' || n",
  });
}

it.each([
  ["without a fee", NO_FEE],
  ["with a fee", { basisPoints: 100, fixed: 30 }],
])(
  "a payment %s writes seven rows: movement, charge, payment, daily total, event number and outbox entry",
  async (_what, fee) => {
    const company = await givenKnown();
    const { id } = await givenTransaction(company, { amount: 2_500 });

    const { written } = await costInObject(company, pay(company, id, fee));

    expect(written).toBe(7);
  },
);

it.each([
  ["the sandbox", "sandbox", 14],
  ["a PSP, with the row by which it is asked about later", "first", 17],
])(
  "a withdraw over %s has a fixed number of rows from request to bank result",
  async (_whose, sender, rows) => {
    const company = await givenKnown();

    const { written } = await costInObject(company, async (account) => {
      const answer = await account.requestWithdraw(withdrawCommand(company));
      expect(answer.kind).toBe("accepted");
      await account.findWithdraw(1);
      expect(
        (await account.claimPayout({ companyId: company.id, id: 1, account: sender })).kind,
      ).toBe("send");
      await account.recordPayout({ companyId: company.id, id: 1, report: PAID });
    });

    expect(written).toBe(rows);
  },
);

it("a payment and a withdraw read equally few rows among ten thousand as among ten", async () => {
  const costs = [];
  for (const past of [10, 10_000]) {
    const company = await givenKnown();
    await withoutD1(company);
    await inAccount(company.id, (account) => payOut(account, company, "first"));
    await givenHistory(company, past);
    await waitUntilDrained(company);
    const settled = await costInObject(
      company,
      pay(company, "01999999-0000-7000-8000-000000000001"),
    );
    const paidOut = await costInObject(company, (account) => payOut(account, company, "last"));
    costs.push({ settled, paidOut });
  }

  expect(costs[1]).toEqual(costs[0]);
  // Each setting of the alarm reads when the first row of every kind of work is due.
  expect(costs[0]?.settled.read).toBeLessThanOrEqual(53);
  // A withdraw's number also reads what D1 had at the last restore.
  expect(costs[0]?.paidOut.read).toBeLessThanOrEqual(135);
});

/** Eleven letters, as a bank might draw them: the same ones for the same number. */
function lettersOf(number: number): string {
  let state = number + 1;
  return Array.from({ length: 11 }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"[state % 52];
  }).join("");
}

it.each([
  ["of one bank in one minute", "E12345678202611211200"],
  ["whose ids have not BACEN's layout", "Teste"],
])("among many payments %s, one in other letter case is found by a few rows", async (_, prefix) => {
  const read: number[] = [];
  for (const past of [1, 120]) {
    const company = await givenKnown();
    await withoutD1(company);
    await inAccount(company.id, async (account) => {
      for (let number = 0; number < past; number++) {
        const id = `01999999-0000-7000-8000-${String(number).padStart(12, "0")}`;
        await pay(company, id, NO_FEE, `${prefix}${lettersOf(number)}`)(account);
      }
    });
    const id = "01999999-0000-7000-8000-999999999999";
    const other = `${prefix}${lettersOf(past)}`;
    read.push((await costInObject(company, pay(company, id, NO_FEE, other))).read);
    const twin = `${prefix}${lettersOf(0)}`.toLowerCase();
    const answer = await inAccount(company.id, pay(company, id, NO_FEE, twin));
    expect(answer).toEqual({ kind: "contradiction" });
  }
  // A step for each beginning in other letter case that a payment has: with 52 letters they end soon.
  expect(read[1]! - read[0]!).toBeLessThanOrEqual(20);
});

it("an existing alarm is kept: a hundred payments in ten seconds set a few", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  await withoutD1(company);

  const { set, deleted } = await inAccount(company.id, async (account, { storage }) => {
    const calls = { set: 0, deleted: 0 };
    const setAlarm = storage.setAlarm.bind(storage);
    storage.setAlarm = (...time) => {
      calls.set += 1;
      return setAlarm(...time);
    };
    storage.deleteAlarm = async () => void (calls.deleted += 1);
    for (let number = 0; number < 100; number++) {
      clock.advance(100);
      await pay(company, `01999999-0000-7000-8000-${String(number).padStart(12, "0")}`)(account);
    }
    return calls;
  });

  expect(set).toBeLessThanOrEqual(3);
  expect(deleted).toBe(0);
});

it("a payment takes less than 1,000 bytes of the object's storage, with its charge", async () => {
  const company = await givenKnown();
  await withoutD1(company);
  const count = 250;

  const bytes = await inAccount(company.id, async (account, { storage }) => {
    const before = storage.sql.databaseSize;
    for (let number = 0; number < count; number++) {
      const id = `01999999-0000-7000-8000-${String(number).padStart(12, "0")}`;
      await pay(company, id)(account);
    }
    return storage.sql.databaseSize - before;
  });

  // About 190 of them say what its hash covers beyond its postings (decision 0039).
  expect(bytes / count).toBeLessThan(1_000);
});
