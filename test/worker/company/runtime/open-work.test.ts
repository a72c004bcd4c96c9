import { expect, it, onTestFinished } from "vitest";
import { TEST_CAUSE } from "../../../support/builders/operations/decide.ts";
import type { CalledAccount } from "../../../support/builders/companies/calls.ts";
import { createCard } from "../../../support/builders/charges/card.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import {
  claimPayout,
  PAID,
  reportPayout,
  withdraw,
  withdrawCommand,
} from "../../../support/builders/withdraws/withdraw-commands.ts";
import { endToEndId, termsOf } from "../../../support/builders/charges/charge-commands.ts";
import {
  givenCompany,
  inAccount,
  takeCreatedCompanies,
  type TestCompany,
  clearBacklog,
} from "../../../support/builders/companies/company.ts";
import { costInObject, type RowCost } from "../../../support/probes/database/cost.ts";
import {
  requestRefund,
  dispute,
  givenSettled,
  refundCommand,
  settleCharge,
} from "../../../support/builders/operations/object-operations.ts";
import {
  unavailableProjection,
  evict,
  acceptingProjection,
  replaceInObject,
} from "../../../support/faults/object.ts";
import { recordingNotifier } from "../../../support/fakes/recording-notifier.ts";
import { tamper } from "../../../support/faults/tamper.ts";

/** Open rows of a kind: more than one alarm hints, and far more. */
const FEW = 150;
const MANY = 2_000;
const HOUR_MS = 3_600_000;

interface Kind {
  table: string;
  /** Makes the one row that the others are copies of. */
  first: (company: TestCompany) => Promise<unknown>;
  /** What tells a copy apart, as SQL over `n`. */
  changed: Record<string, string>;
  /** D1 takes nothing. */
  d1Down?: true;
}

const KINDS: Record<string, Kind> = {
  "withdraws in Processing": {
    table: "withdraws",
    first: async (company) => {
      await withdraw(company, { idempotencyKey: "open", amount: 10 });
      await claimPayout(company);
    },
    changed: { id: "id + n", idempotency_key: "'open-' || n" },
  },
  "withdraws in Awaiting": {
    table: "withdraws",
    first: (company) => withdraw(company, { idempotencyKey: "open", amount: 10 }),
    changed: { id: "id + n", idempotency_key: "'open-' || n" },
  },
  "open disputes": {
    table: "disputes",
    first: async (company) => dispute(company, await givenSettled(company, 1_000), { amount: 10 }),
    changed: { id: "id || n", transaction_id: "'open-' || n" },
  },
  "open operations": {
    table: "operations",
    first: async (company) =>
      requestRefund(company, await givenSettled(company, 1_000), { amount: 10 }),
    changed: { id: "id + n", operation_id: "'open-' || n", transaction_id: "'open-' || n" },
  },
  "paid payouts that are asked about again": {
    table: "rechecks",
    first: async (company) => {
      await withdraw(company, { idempotencyKey: "open", amount: 10 });
      await claimPayout(company);
      await reportPayout(company, PAID);
    },
    changed: { id: "id + n", subject: "subject + n" },
  },
  "unreleased credits": {
    table: "releases",
    first: (company) =>
      givenSettled(company, 1_000, { terms: { paymentMethod: "BOLETO", releaseDays: 30 } }),
    changed: { transaction_id: "'open-' || n" },
  },
  "outbox entries": {
    table: "outbox",
    first: (company) => settleCharge(company, { id: crypto.randomUUID(), amount: 1_000 }),
    changed: { sequence: "sequence + n" },
    d1Down: true,
  },
};

/** A company with money, a paid charge, and so many open rows of a kind. */
async function givenOpen(kind: Kind, count: number) {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const paid = await givenSettled(company, 100_000);
  await connect(company, kind);
  await kind.first(company);
  const columns = await inAccount(company.id, (_, { storage }) =>
    storage.sql
      .exec<{ name: string }>(`SELECT name FROM pragma_table_info('${kind.table}')`)
      .toArray()
      .map(({ name }) => name),
  );
  const values = columns.map((name) => kind.changed[name] ?? name);
  await tamper(
    company,
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count - 1})
     INSERT INTO ${kind.table} (${columns.join()})
     SELECT ${values.join()} FROM numbers, (SELECT * FROM ${kind.table})`,
  );
  // What was copied is no company's true books.
  takeCreatedCompanies();
  onTestFinished(() => clearBacklog(company.id));
  return { clock, company, paid };
}

/** Its D1 takes everything without having any of it, or is down; its queue takes everything. */
async function connect(company: TestCompany, kind: Kind): Promise<void> {
  const { projection } = kind.d1Down ? unavailableProjection() : acceptingProjection();
  await replaceInObject(company, { projection, notifier: recordingNotifier() });
}

let payments = 700;

function pay(account: CalledAccount, company: TestCompany): Promise<unknown> {
  payments += 1;
  const charge = { id: crypto.randomUUID(), amount: 2_500 };
  const payment = {
    paymentId: endToEndId(payments),
    method: "PIX" as const,
    amount: charge.amount,
    paidAt: Date.now(),
  };
  return account.settlePayment({ companyId: company.id, terms: termsOf(charge), payment });
}

function withdrawIn(account: CalledAccount, company: TestCompany, key: string) {
  return account.requestWithdraw(withdrawCommand(company, { idempotencyKey: key, amount: 10 }));
}

/** What each call costs with so much open; where it is `overdue`, none of it was looked after for long. */
async function costsWith(kind: Kind, count: number, overdue: boolean) {
  const { clock, company, paid } = await givenOpen(kind, count);
  if (overdue) clock.advance(HOUR_MS);
  const costs: Record<string, RowCost> = {};
  const measure = async (name: string, call: (account: CalledAccount) => Promise<unknown>) => {
    costs[name] = await costInObject(company, call);
  };
  await measure("alarm", (account) => account.alarm());
  await measure("tick", (account) => account.runNow());
  await measure("withdraw", (account) => withdrawIn(account, company, "measured"));
  await measure("pay", (account) => pay(account, company));
  await measure("refund", (account) =>
    account.requestRefund(refundCommand(company, paid, { amount: 10 })),
  );
  await measure("balance", (account) => account.balances());
  await measure("forecast", (account) => account.forecast());
  await measure("freeze", (account) =>
    account.setFrozen({ companyId: company.id, change: true, cause: TEST_CAUSE }),
  );
  await measure("thaw", (account) =>
    account.setFrozen({ companyId: company.id, change: false, cause: TEST_CAUSE }),
  );
  await evict(company, { clock });
  await connect(company, kind);
  await measure("a wake", (account) => withdrawIn(account, company, "awake"));
  return costs;
}

it.each(Object.entries(KINDS))(
  "no call reads or writes more rows among thousands of %s than among a few",
  async (_what, kind) => {
    const few = await costsWith(kind, FEW, false);
    const many = await costsWith(kind, MANY, false);

    expect(many).toEqual(few);
    for (const [name, { read }] of Object.entries(few)) {
      expect(read, name).toBeLessThan(66);
    }
  },
);

it.each(["withdraws in Processing", "withdraws in Awaiting", "open operations"])(
  "%s that are overdue by an hour are enqueued a hundred at a time without cost for other calls",
  async (what) => {
    const few = await costsWith(KINDS[what]!, FEW, true);
    const many = await costsWith(KINDS[what]!, MANY, true);

    expect({ ...many, tick: null }).toEqual({ ...few, tick: null });
    // A row and its index entry for each, and what was still owed to D1.
    expect(many["alarm"]?.written).toBeLessThanOrEqual(201);
    expect(many["withdraw"]?.read).toBeLessThan(66);
  },
);

/** Rows of the object that a card's create reads while D1 is owed so many entries. */
async function readByCard(count: number): Promise<number> {
  const { company } = await givenOpen(KINDS["outbox entries"]!, count);
  const cost = await costInObject(company, async () => {
    expect((await createCard(company)).body.data.status).toBe("PAID");
  });
  return cost.read;
}

it("a card charge returns without a scan of the outbox", async () => {
  expect(await readByCard(MANY)).toBe(await readByCard(FEW));
});
