import { expect, it } from "vitest";
import { checkCompany } from "../../../../../src/api/operator/audit/tasks.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import {
  claimPayout,
  PAID,
  reportPayout,
  withdraw,
} from "../../../../support/builders/withdraws/withdraw-commands.ts";
import {
  adoptCompany,
  waitUntilDrained,
  env,
  givenCompany,
} from "../../../../support/builders/companies/company.ts";
import { endCharge } from "../../../../support/builders/charges/charge-commands.ts";
import { changeProjection, deleteProjection } from "../../../../support/faults/projection.ts";
import {
  excludeFromChecks,
  runCheck,
  runFullCheck,
  reconcile,
  storedCheck,
  rowsReadByCheck,
} from "../../../../support/probes/database/projection-checks.ts";
import { cronDeps, runCron } from "../../../../support/fakes/cron.ts";
import {
  decide,
  givenContradiction,
} from "../../../../support/builders/reconciliation/decisions.ts";
import { FakeBank } from "../../../../support/fakes/fake-bank.ts";
import { withAccounts } from "../../../../support/faults/faulty-env.ts";
import { unavailableProjection, replaceInObject } from "../../../../support/faults/object.ts";
import {
  reportOperation,
  requestRefund,
  DAY_MS,
  givenSettled,
} from "../../../../support/builders/operations/object-operations.ts";
import { tamper } from "../../../../support/faults/tamper.ts";
import { givenTransaction } from "../../../../support/builders/charges/transaction.ts";
import { LEDGER_SQL } from "../../../../support/faults/ledger-sql.ts";

/** Events: 1 a payment, 2 a refund in part, 3 and 4 a withdraw, 5 a boleto's release. */
async function givenBusy() {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const transaction = await givenSettled(company, 5_000);
  await requestRefund(company, transaction, { amount: 400 });
  await reportOperation(company, { kind: "done" });
  await withdraw(company, { amount: 1_000 });
  await claimPayout(company);
  await reportPayout(company, PAID);
  const terms = { paymentMethod: "BOLETO", releaseDays: 1 } as const;
  await givenSettled(company, 700, { terms, payment: { paidAt: clock.now() } });
  clock.advance(DAY_MS);
  await waitUntilDrained(company);
  return { clock, company, transaction };
}

/** The company of tests after each of which D1 is again as the object has it: as one that no check has seen. */
let mended: Promise<Awaited<ReturnType<typeof givenBusy>>> | null = null;
async function givenMended() {
  mended ??= givenBusy();
  const { company, clock, ...world } = await mended;
  await env.DB.prepare("DELETE FROM self_checks WHERE company_id = ?").bind(company.id).run();
  adoptCompany(company.id, { clock });
  return { company, ...world };
}

const NEWEST = { movement: 7, companySequence: 6 };

it("a check records its time, its progress and its success", async () => {
  const { company } = await givenBusy();
  expect(await storedCheck(company)).toBeNull();

  const outcome = await runCheck(company, 1_234);

  expect(outcome).toEqual({
    companyId: company.id,
    checkedAt: 1_234,
    ...NEWEST,
    missingEvents: [],
    suspects: { transactionIds: [], withdrawIds: [] },
    violations: [],
    backlogSince: null,
    openOperations: null,
    round: {
      startedAt: 1_234,
      endedAt: 1_234,
      steps: 1,
      stepsDone: 1,
      after: expect.objectContaining({ afterSeq: 2, afterEvent: 6, afterWithdraw: 1 }),
      rows: 11,
      mended: 0,
      faulty: [],
    },
    roundEndedAt: 1_234,
    mendedAt: null,
    mended: null,
  });
  expect(await storedCheck(company)).toEqual(outcome);
  expect(await runCheck(company, 5_678)).toMatchObject({ checkedAt: 5_678, ...NEWEST });
});

it("a check reports items that only an operator can resolve until they are resolved", async () => {
  const { company } = await givenBusy();
  const found = { kind: "payout_status", object: "withdraw:1", held: 0 } as const;
  const id = await givenContradiction(company, found);
  await waitUntilDrained(company);

  const open = await runCheck(company, 1_234);
  await decide(id, { action: "dismiss", reason: "The bank has taken it back." });
  const decided = await runCheck(company, 1_235);

  expect(open.violations).toEqual([
    `contradiction ${company.id}-1 is open: payout_status of withdraw:1`,
  ]);
  expect(decided.violations).toEqual([]);
});

it("a company without activity passes the check", async () => {
  const company = await givenCompany();

  expect(await runCheck(company)).toMatchObject({
    movement: 0,
    companySequence: 0,
    violations: [],
  });
});

it("a broken ledger is recorded with its invariant", async () => {
  const { company } = await givenBusy();
  await tamper(company, LEDGER_SQL.setType(1, "chargeback"));

  expect(await runCheck(company)).toMatchObject({
    movement: 0,
    violations: ["I1 movement 1 does not carry the hash of its content"],
  });
  expect((await storedCheck(company))?.violations).toHaveLength(1);

  await tamper(company, LEDGER_SQL.setType(1, "charge_paid"));
  expect(await runCheck(company)).toMatchObject({ ...NEWEST, violations: [] });
});

it.each([
  [
    "charge's status",
    "transactions SET status = 'waiting_payment'",
    "seq = 1",
    /^D1 differs on transaction /,
  ],
  [
    "charge's refunded amount",
    "transactions SET refunded_amount = 0",
    "seq = 1",
    /^D1 differs on transaction /,
  ],
  [
    "charge's paid amount",
    "transactions SET paid_amount = 1",
    "seq = 1",
    /^D1 differs on transaction /,
  ],
  ["charge's refunds", "transactions SET refunds = '[]'", "seq = 1", /^D1 differs on transaction /],
  [
    "charge's payment",
    "transactions SET end_to_end_id = 'E9'",
    "seq = 1",
    /^D1 differs on transaction /,
  ],
  [
    "charge's older version",
    "transactions SET version = 1",
    "seq = 1",
    /^D1 differs on transaction /,
  ],
  [
    "withdraw's status",
    "withdraws SET status = 'Failed'",
    "id = 1",
    /^D1 differs on withdraw 1: status is "Failed" in D1 and "\w+" in the object$/,
  ],
  [
    "withdraw's amount",
    "withdraws SET amount = 9",
    "id = 1",
    /^D1 differs on withdraw 1: amount is 9 in D1 and \d+ in the object$/,
  ],
  [
    "withdraw's PIX key, which is only named",
    "withdraws SET pix_key = 'somebody@example.com'",
    "id = 1",
    /^D1 differs on withdraw 1: pixKey is another$/,
  ],
  [
    "withdraw's older version",
    "withdraws SET version = 1",
    "id = 1",
    /^D1 differs on withdraw 1: version is 1 in D1 and \d+ in the object$/,
  ],
])(
  "a changed projection of a %s is rewritten from the object, which the check tells",
  async (_what, change, which, difference) => {
    const { company } = await givenMended();
    await changeProjection(company, `UPDATE ${change} WHERE ${which} AND company_id = ?`);

    const told = { mendedAt: 1_234, mended: [expect.stringMatching(difference)] };
    expect(await runCheck(company, 1_234)).toMatchObject({
      companySequence: NEWEST.companySequence,
      violations: [],
      ...told,
      round: { mended: 1 },
    });

    expect((await reconcile(company, false))[0]).toMatchObject({ violations: [] });
    expect(await runCheck(company, 1_235)).toMatchObject({ ...NEWEST, violations: [], ...told });
  },
);

it.each([
  ["in the middle", 3],
  ["at the beginning", 1],
  ["at the end", 6],
])("a deleted event %s is reported as long as it is missing", async (_where, sequence) => {
  const { company } = await givenMended();
  const undo = await deleteProjection(company, "events", `company_sequence = ${sequence}`);

  for (let time = 0; time < 3; time++) {
    expect(await runCheck(company)).toMatchObject({
      ...NEWEST,
      missingEvents: [sequence],
      violations: [`I8 event ${sequence} is missing`],
    });
  }
  expect((await storedCheck(company))?.missingEvents).toEqual([sequence]);
  await undo();

  expect(await runCheck(company)).toMatchObject({ ...NEWEST, missingEvents: [], violations: [] });
});

it("a check continues after a missing event and finds later differences", async () => {
  const { company } = await givenBusy();
  const undo = await deleteProjection(company, "events", "company_sequence = 1");
  await runCheck(company);
  const { id } = await givenSettled(company, 300);
  const differs = `D1 differs on transaction ${id}: paidAmount is 1 in D1 and 300 in the object`;
  await changeProjection(
    company,
    `UPDATE transactions SET paid_amount = 1 WHERE id = ? AND company_id = ?`,
    id,
  );

  expect(await runCheck(company)).toMatchObject({
    companySequence: 7,
    mended: [differs],
    violations: ["I8 event 1 is missing"],
  });
  await undo();

  expect(await runCheck(company)).toMatchObject({ companySequence: 7, violations: [] });
});

it("events that are deleted after their check are not checked again", async () => {
  const { company } = await givenBusy();
  await runCheck(company);
  const undo = await deleteProjection(company, "events", "company_sequence = 2");

  expect(await runCheck(company)).toMatchObject({ ...NEWEST, violations: [] });
  await undo();
});

it("a newest event that is deleted after its check is found with the next event", async () => {
  const { company } = await givenBusy();
  await runCheck(company);
  const undo = await deleteProjection(company, "events", "company_sequence = 6");
  await givenSettled(company, 10);

  expect(await runCheck(company)).toMatchObject({ companySequence: 7, violations: [] });
  await undo();
});

it("rows that are still in the outbox are no violation and are checked again later", async () => {
  const { company } = await givenBusy();
  const transaction = await givenTransaction(company, { amount: 900 });
  const restore = await replaceInObject(company, unavailableProjection());
  await endCharge(company, transaction, "failed");

  expect(await runCheck(company)).toMatchObject({
    companySequence: 6,
    missingEvents: [],
    violations: [],
  });
  await restore();
  await waitUntilDrained(company);

  expect(await runCheck(company)).toMatchObject({ companySequence: 7, violations: [] });
});

it("a charge that is missing in D1 is reported, and no repair recreates it", async () => {
  const { company } = await givenBusy();
  const undo = await deleteProjection(company, "transactions", "seq = 1");
  const missing = [
    expect.stringMatching(/^I9 transaction .* is not in D1$/),
    "I7 D1 lacks its transactions 1 to 1",
  ];

  expect(await runCheck(company)).toMatchObject({ ...NEWEST, violations: missing });
  expect((await reconcile(company, true))[0]).toMatchObject({ repaired: 0, violations: missing });
  await undo();

  expect(await runCheck(company)).toMatchObject({ ...NEWEST, violations: [] });
});

it("a check costs D1 the same with a long and with a short history", async () => {
  const rows: number[] = [];
  for (const history of [1, 40]) {
    const clock = new TestClock();
    const company = await givenCompany({ clock });
    const terms = { paymentMethod: "CREDIT_CARD", installments: history, releaseDays: 1 } as const;
    await givenSettled(company, history * 10, { terms, payment: { paidAt: clock.now() } });
    for (let day = 0; day <= history; day++) {
      clock.advance(DAY_MS);
      await waitUntilDrained(company);
    }
    expect(await runFullCheck(company)).toMatchObject({
      movement: history + 1,
      companySequence: history + 1,
      violations: [],
    });
    await givenSettled(company, 500);
    rows.push(await rowsReadByCheck(company));
    expect(await storedCheck(company)).toMatchObject({
      companySequence: history + 2,
      violations: [],
    });
  }

  expect(rows[1]).toBe(rows[0]);
  expect(rows[0]).toBeLessThan(20);
});

it("the cron's check records a company's violations", async () => {
  const clock = new TestClock();
  const { company } = await givenBusy();
  await changeProjection(
    company,
    "UPDATE transactions SET refunded_amount = 0, version = 9 WHERE seq = 1 AND company_id = ?",
  );

  await excludeFromChecks(company);
  // The next company of the pass is this one.
  await env.DB.prepare("INSERT OR REPLACE INTO cursors (name, value) VALUES ('check', ?)")
    .bind(company.id - 1)
    .run();
  await runCron(cronDeps(clock, new FakeBank()), env, ["check_companies"]);

  expect((await storedCheck(company))?.violations).toEqual([
    expect.stringMatching(
      /^I9 D1 differs on transaction \S+: version is 9 .*, refundedAmount is 0 in D1 and \d+ in the object$/,
    ),
  ]);
  await reconcile(company, true);
});

it.each([
  ["before the first", 1, "before", 2],
  // Looks again whether the object knows the event.
  ["after the first", 1, "after", 3],
  ["before the second", 2, "before", 2],
  ["after the second", 2, "after", 3],
])("an event that is created %s the object's read is no violation", async (_, look, when, all) => {
  const company = await givenCompany();
  await givenSettled(company, 700);
  // The round over all copies is not due again.
  await runCheck(company);
  const transaction = await givenSettled(company, 1_000);
  let looks = 0;
  const move = async () => {
    await requestRefund(company, transaction, { amount: 100 });
    await reportOperation(company, { kind: "done" });
    await givenSettled(company, 500);
  };
  const busy = withAccounts(env, async (label, run) => {
    if (label !== "snapshot") return run();
    looks += 1;
    if (looks === look && when === "before") await move();
    const answer = await run();
    if (looks === look && when === "after") await move();
    return answer;
  });

  const outcome = await checkCompany(busy, company.id, Date.now());

  expect(looks).toBe(all);
  expect(outcome.violations).toEqual([]);
  expect(await runCheck(company)).toMatchObject({ companySequence: 4, violations: [] });
});
