import { expect, it } from "vitest";
import { checkCompany } from "../../../../src/api/operator/audit/tasks.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { claim, drained, end, PAID, report, withdraw } from "../../../support/builders/commands.ts";
import { env, givenCompany } from "../../../support/builders/company.ts";
import {
  changeCopy,
  check,
  checkAll,
  deleteCopy,
  reconcile,
  recorded,
  rowsReadByCheck,
} from "../../../support/probes/copies.ts";
import { cronDeps, runCron } from "../../../support/fakes/cron.ts";
import { decide, givenContradiction } from "../../../support/builders/decisions.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { withAccounts } from "../../../support/faults/faulty-env.ts";
import { downRecords, replaceInObject } from "../../../support/probes/object.ts";
import {
  answerOperation,
  askRefund,
  DAY_MS,
  givenSettled,
} from "../../../support/builders/object-operations.ts";
import { tamper } from "../../../support/faults/tamper.ts";
import { givenTransaction } from "../../../support/builders/transaction.ts";
import { LEDGER_SQL } from "../../../support/probes/ledger-rows.ts";

/** Events: 1 a payment, 2 a refund in part, 3 and 4 a withdraw, 5 a boleto's release. */
async function givenBusy() {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const transaction = await givenSettled(company, 5_000);
  await askRefund(company, transaction, { amount: 400 });
  await answerOperation(company, { kind: "done" });
  await withdraw(company, { amount: 1_000 });
  await claim(company);
  await report(company, PAID);
  const terms = { paymentMethod: "BOLETO", releaseDays: 1 } as const;
  await givenSettled(company, 700, { terms, payment: { paidAt: clock.now() } });
  clock.advance(DAY_MS);
  await drained(company);
  return { company, transaction };
}

const NEWEST = { movement: 7, companySequence: 6 };

it("a check records when it was made, how far it came, and that all is well", async () => {
  const { company } = await givenBusy();
  expect(await recorded(company)).toBeNull();

  const outcome = await check(company, 1_234);

  expect(outcome).toEqual({
    companyId: company.id,
    checkedAt: 1_234,
    ...NEWEST,
    missingEvents: [],
    suspects: { transactionIds: [], withdrawIds: [] },
    violations: [],
  });
  expect(await recorded(company)).toEqual(outcome);
  expect(await check(company, 5_678)).toMatchObject({ checkedAt: 5_678, ...NEWEST });
});

it("a check names what only a person can end, for as long as nobody has", async () => {
  const { company } = await givenBusy();
  const found = { kind: "payout_status", object: "withdraw:1", held: 0 } as const;
  const id = await givenContradiction(company, found);
  await drained(company);

  const open = await check(company, 1_234);
  await decide(id, { action: "dismiss", reason: "The bank has taken it back." });
  const decided = await check(company, 1_235);

  expect(open.violations).toEqual([
    `contradiction ${company.id}-1 is open: payout_status of withdraw:1`,
  ]);
  expect(decided.violations).toEqual([]);
});

it("a company that has done nothing is sound", async () => {
  const company = await givenCompany();

  expect(await check(company)).toMatchObject({ movement: 0, companySequence: 0, violations: [] });
});

it("a broken ledger is recorded with its invariant", async () => {
  const { company } = await givenBusy();
  await tamper(company, LEDGER_SQL.setType(1, "chargeback"));

  expect(await check(company)).toMatchObject({
    movement: 0,
    violations: ["I1 movement 1 does not carry the hash of what it says"],
  });
  expect((await recorded(company))?.violations).toHaveLength(1);

  await tamper(company, LEDGER_SQL.setType(1, "charge_paid"));
  expect(await check(company)).toMatchObject({ ...NEWEST, violations: [] });
});

it.each([
  [
    "charge's status",
    "transactions SET status = 'waiting_payment'",
    "seq = 1",
    /^I9 .* transaction /,
  ],
  [
    "charge's refunded amount",
    "transactions SET refunded_amount = 0",
    "seq = 1",
    /^I9 .* transaction /,
  ],
  ["charge's paid amount", "transactions SET paid_amount = 1", "seq = 1", /^I9 .* transaction /],
  ["charge's refunds", "transactions SET refunds = '[]'", "seq = 1", /^I9 .* transaction /],
  ["charge's payment", "transactions SET end_to_end_id = 'E9'", "seq = 1", /^I9 .* transaction /],
  ["charge's older version", "transactions SET version = 1", "seq = 1", /^I9 .* transaction /],
  [
    "withdraw's status",
    "withdraws SET status = 'Failed'",
    "id = 1",
    /^I9 D1 differs on withdraw 1: status is "Failed" in D1 and "\w+" in the object$/,
  ],
  [
    "withdraw's amount",
    "withdraws SET amount = 9",
    "id = 1",
    /^I9 D1 differs on withdraw 1: amount is 9 in D1 and \d+ in the object$/,
  ],
  [
    "withdraw's PIX key, which is only named",
    "withdraws SET pix_key = 'somebody@example.com'",
    "id = 1",
    /^I9 D1 differs on withdraw 1: pixKey is another$/,
  ],
  [
    "withdraw's older version",
    "withdraws SET version = 1",
    "id = 1",
    /^I9 D1 differs on withdraw 1: version is 1 in D1 and \d+ in the object$/,
  ],
])(
  "a changed copy of a %s is found, again and again, until it is written anew from the object",
  async (_what, change, which, violation) => {
    const { company } = await givenBusy();
    await changeCopy(company, `UPDATE ${change} WHERE ${which} AND company_id = ?`);

    for (let time = 0; time < 2; time++) {
      expect(await check(company)).toMatchObject({
        companySequence: NEWEST.companySequence,
        violations: [expect.stringMatching(violation)],
      });
    }
    const [looked] = await reconcile(company, false);
    expect(looked).toMatchObject({ repaired: 0, violations: [expect.stringMatching(violation)] });
    const [repaired] = await reconcile(company, true);
    expect(repaired).toMatchObject({ repaired: 1, violations: [expect.stringMatching(violation)] });

    expect((await reconcile(company, false))[0]).toMatchObject({ violations: [] });
    expect(await check(company)).toMatchObject({ ...NEWEST, violations: [] });
  },
);

it.each([
  ["in the middle", 3],
  ["at the beginning", 1],
  ["at the end", 6],
])("a deleted event %s is told for as long as it is missing", async (_where, sequence) => {
  const { company } = await givenBusy();
  const undo = await deleteCopy(company, "events", `company_sequence = ${sequence}`);

  for (let time = 0; time < 3; time++) {
    expect(await check(company)).toMatchObject({
      ...NEWEST,
      missingEvents: [sequence],
      violations: [`I8 event ${sequence} is missing`],
    });
  }
  expect((await recorded(company))?.missingEvents).toEqual([sequence]);
  await undo();

  expect(await check(company)).toMatchObject({ ...NEWEST, missingEvents: [], violations: [] });
});

it("behind a missing event the check goes on: copies that differ later are found", async () => {
  const { company } = await givenBusy();
  const undo = await deleteCopy(company, "events", "company_sequence = 1");
  await check(company);
  const { id } = await givenSettled(company, 300);
  const differs = `I9 D1 differs on transaction ${id}: paidAmount is 1 in D1 and 300 in the object`;
  await changeCopy(
    company,
    `UPDATE transactions SET paid_amount = 1 WHERE id = ? AND company_id = ?`,
    id,
  );

  expect(await check(company)).toMatchObject({
    companySequence: 7,
    violations: [differs, "I8 event 1 is missing"],
  });
  await reconcile(company, true);
  expect(await check(company)).toMatchObject({
    companySequence: 7,
    violations: ["I8 event 1 is missing"],
  });
  await undo();

  expect(await check(company)).toMatchObject({ companySequence: 7, violations: [] });
});

it("events that are deleted after they were checked are not looked at again", async () => {
  const { company } = await givenBusy();
  await check(company);
  const undo = await deleteCopy(company, "events", "company_sequence = 2");

  expect(await check(company)).toMatchObject({ ...NEWEST, violations: [] });
  await undo();
});

it("the newest event that is deleted after it was checked shows with the next one", async () => {
  const { company } = await givenBusy();
  await check(company);
  const undo = await deleteCopy(company, "events", "company_sequence = 6");
  await givenSettled(company, 10);

  expect(await check(company)).toMatchObject({ companySequence: 7, violations: [] });
  await undo();
});

it("while D1 is still owed something, what it lacks is no violation and is looked at again", async () => {
  const { company } = await givenBusy();
  const transaction = await givenTransaction(company, { amount: 900 });
  const restore = await replaceInObject(company, downRecords());
  await end(company, transaction, "failed");

  expect(await check(company)).toMatchObject({
    companySequence: 6,
    missingEvents: [],
    violations: [],
  });
  await restore();
  await drained(company);

  expect(await check(company)).toMatchObject({ companySequence: 7, violations: [] });
});

it("a charge that D1 has lost is reported, and no repair invents it", async () => {
  const { company } = await givenBusy();
  const undo = await deleteCopy(company, "transactions", "seq = 1");
  const missing = [expect.stringMatching(/^I9 transaction .* is not in D1$/)];

  expect(await check(company)).toMatchObject({ ...NEWEST, violations: missing });
  expect((await reconcile(company, true))[0]).toMatchObject({ repaired: 0, violations: missing });
  await undo();

  expect(await check(company)).toMatchObject({ ...NEWEST, violations: [] });
});

it("a check costs D1 the same with much history as with little", async () => {
  const rows: number[] = [];
  for (const history of [1, 130]) {
    const clock = new TestClock();
    const company = await givenCompany({ clock });
    const terms = { paymentMethod: "CREDIT_CARD", installments: history, releaseDays: 1 } as const;
    await givenSettled(company, history * 10, { terms, payment: { paidAt: clock.now() } });
    for (let day = 0; day <= history; day++) {
      clock.advance(DAY_MS);
      await drained(company);
    }
    expect(await checkAll(company)).toMatchObject({
      movement: history + 1,
      companySequence: history + 1,
      violations: [],
    });
    await givenSettled(company, 500);
    rows.push(await rowsReadByCheck(company));
    expect(await recorded(company)).toMatchObject({ companySequence: history + 2, violations: [] });
  }

  expect(rows[1]).toBe(rows[0]);
  expect(rows[0]).toBeLessThan(20);
});

it("the cron's check records a company's violations", async () => {
  const clock = new TestClock();
  const { company } = await givenBusy();
  await changeCopy(
    company,
    "UPDATE transactions SET refunded_amount = 0 WHERE seq = 1 AND company_id = ?",
  );

  // The walk's next company is this one.
  await env.DB.prepare("INSERT OR REPLACE INTO cursors (name, value) VALUES ('check', ?)")
    .bind(company.id - 1)
    .run();
  await runCron(cronDeps(clock, new FakeBank()));

  expect((await recorded(company))?.violations).toEqual([
    expect.stringMatching(
      /^I9 D1 differs on transaction \S+: refundedAmount is 0 in D1 and \d+ in the object$/,
    ),
  ]);
  await reconcile(company, true);
});

it.each([
  ["before the first", 1, "before", 2],
  ["after the first", 1, "after", 2],
  ["before the second", 2, "before", 2],
  ["after the second", 2, "after", 3],
])("an event that comes %s look at the object is no violation", async (_, look, when, all) => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 1_000);
  let looks = 0;
  const move = async () => {
    await askRefund(company, transaction, { amount: 100 });
    await answerOperation(company, { kind: "done" });
    await givenSettled(company, 500);
  };
  const busy = withAccounts(env, async (label, run) => {
    if (label !== "originals") return run();
    looks += 1;
    if (looks === look && when === "before") await move();
    const answer = await run();
    if (looks === look && when === "after") await move();
    return answer;
  });

  const outcome = await checkCompany(busy, company.id, Date.now());

  expect(looks).toBe(all);
  expect(outcome.violations).toEqual([]);
  expect(await check(company)).toMatchObject({ companySequence: 3, violations: [] });
});
