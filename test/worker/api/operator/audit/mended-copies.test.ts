import { expect, it, vi } from "vitest";
import { MENDS_ALONE, MENDS_TOGETHER } from "../../../../../src/api/operator/audit/mend.ts";
import { checkCompany, checkSlice } from "../../../../../src/api/operator/audit/tasks.ts";
import { callsTo } from "../../../../support/builders/companies/calls.ts";
import { auditEntriesOf } from "../../../../support/probes/database/audit-rows.ts";
import { copyCounters } from "../../../../../src/db/reconciliation/self-checks.ts";
import { GATEWAY_TRAIL } from "../../../../../src/domain/access/audit-entry.ts";
import { settleCommand, termsOf } from "../../../../support/builders/charges/charge-commands.ts";
import { givenTransaction } from "../../../../support/builders/charges/transaction.ts";
import {
  env,
  givenCompany,
  takeCreatedCompanies,
  waitUntilDrained,
} from "../../../../support/builders/companies/company.ts";
import {
  freshEndToEndId,
  givenSettled,
} from "../../../../support/builders/operations/object-operations.ts";
import { claimPayout, withdraw } from "../../../../support/builders/withdraws/withdraw-commands.ts";
import { CRASH, withD1 } from "../../../../support/faults/faulty-env.ts";
import { changeProjection, deleteProjection } from "../../../../support/faults/projection.ts";
import { hearWarnings } from "../../../../support/probes/warnings.ts";
import { reconcile, runCheck } from "../../../../support/probes/database/projection-checks.ts";
import {
  START,
  NEXT,
  givenCompared,
  differing,
  toldOf,
} from "../../../../support/builders/operations/compared-copies.ts";

const warnings = hearWarnings();

it("of a field that may hold anything a check tells the name alone", async () => {
  const { company } = await givenCompared();
  const changes = {
    payment_links: ["name", "metadata", "slug", "terms"],
    unexpected_payments: ["requested_by", "payer"],
    contradictions: ["said", "booked", "proposal", "decision"],
    withdraws: ["failure_reason", "pix_key", "creditor_document"],
    transactions: ["refunds", "failure_reason", "refused_reason"],
    disputes: ["evidence"],
  };
  for (const [table, columns] of Object.entries(changes)) {
    const set = columns.map((column) => `${column} = '"secret words"'`).join(", ");
    await changeProjection(company, `UPDATE ${table} SET ${set} WHERE company_id = ?`);
  }

  const check = await runCheck(company, NEXT);

  expect(differing(check)).toEqual([]);
  expect(check.mended?.toSorted().map((text) => text.replace(/ \S+-\S+:/, ":"))).toEqual([
    "D1 differs on contradiction 1: said is another, booked is another, proposal is another, decision is another",
    "D1 differs on dispute 1: evidence is another",
    "D1 differs on payment link 1: slug is another, name is another, terms is another, metadata is another",
    "D1 differs on transaction: failureReason is another, refusedReason is another, refunds is another",
    "D1 differs on unexpected payment 1: payer is another, requestedBy is another",
    "D1 differs on withdraw 1: pixKey is another, creditorDocument is another, failureReason is another",
  ]);
  const entries = await auditEntriesOf(GATEWAY_TRAIL);
  expect(JSON.stringify([warnings, entries])).not.toContain("secret words");
});

it("a copy that is rewritten waits again for the cron where its original does", async () => {
  const { company, transaction } = await givenCompared();
  const reported = settleCommand(company, transaction, {
    paymentId: freshEndToEndId(),
    amount: 60,
  });
  const rules = { SECOND_PAYMENT: "credit" } as const;
  await callsTo(company.id).settlePayment({ ...reported, rules });
  const open = await givenTransaction(company);
  await callsTo(company.id).transitionCharge({
    companyId: company.id,
    terms: { ...termsOf({ id: open.id, amount: open.amount }), paymentMethod: "CREDIT_CARD" },
    to: "authorized",
  });
  await waitUntilDrained(company);
  const credit = "UPDATE unexpected_payments SET status = 'kept', next_run_at = NULL";
  await changeProjection(company, `${credit} WHERE number = 2 AND company_id = ?`);
  const ended =
    "UPDATE transactions SET status = 'failed', next_sweep_at = NULL, expires_at = NULL";
  await changeProjection(company, `${ended} WHERE id = ? AND company_id = ?`, open.id);

  const check = await runCheck(company, NEXT);

  expect(check.mended).toHaveLength(2);
  const payment = env.DB.prepare(
    "SELECT next_run_at - received_at AS wait FROM unexpected_payments WHERE number = 2 AND company_id = ?",
  ).bind(company.id);
  expect(await payment.first()).toEqual({ wait: 60_000 });
  const charge = env.DB.prepare(
    "SELECT status, next_sweep_at = updated_at AS isDue FROM transactions WHERE id = ?",
  ).bind(open.id);
  expect(await charge.first()).toEqual({ status: "authorized", isDue: 1 });
});

it("a row whose place another one took is a violation, and the other rows are compared all the same", async () => {
  const { company } = await givenCompared();
  await changeProjection(
    company,
    "UPDATE unexpected_payments SET number = 99 WHERE company_id = ?",
  );
  vi.spyOn(console, "error").mockImplementation(() => undefined);

  const check = await runCheck(company, NEXT);

  expect(differing(check)).toEqual([
    "I9 D1 differs on unexpected payment 1: it is not there",
    "I9 D1 has a unexpected payment 99 that was never made",
  ]);
  await deleteProjection(company, "unexpected_payments", "number = 99");
  expect(differing(await runCheck(company, NEXT + 1))).toEqual([]);
  expect((await reconcile(company, false))[0]?.violations).toEqual([]);
});

it.each([
  ["withdraw", "withdraws", "payout_id", []],
  ["dispute", "disputes", "id", ["dispute 1"]],
  ["unexpected payment", "unexpected_payments", "payment_id", ["unexpected payment 1"]],
  ["payment link", "payment_links", "id", []],
  ["contradiction", "contradictions", "object", []],
])(
  "a %s of D1 that an object has lost is not overwritten with the one that it gave its number",
  async (what, table, identity, neverMade) => {
    const { company } = await givenCompared();
    await changeProjection(
      company,
      `UPDATE ${table} SET ${identity} = 'other' WHERE company_id = ?`,
    );
    const stored = env.DB.prepare(`SELECT * FROM ${table} WHERE company_id = ?`).bind(company.id);
    const { results: before } = await stored.all();
    const violations = [
      expect.stringMatching(new RegExp(`^I9 D1 differs on ${what} 1: \\S+ is "other" in D1 and `)),
      ...neverMade.map((lost) => `I9 D1 has a ${lost} that was never made`),
    ];

    for (const at of [NEXT, NEXT + 1]) {
      const check = await runCheck(company, at);
      expect(differing(check)).toEqual(violations);
      expect(check.mendedAt).toBeNull();
    }
    const [step] = await reconcile(company, true);

    expect(step).toMatchObject({ repaired: 0, violations });
    expect((await stored.all()).results).toEqual(before);
    // D1 differs from the object for good.
    takeCreatedCompanies();
  },
);

it("what D1 refuses to rewrite stops no other copy, and is no rewriting in the audit trail", async () => {
  const { company } = await givenCompared();
  await changeProjection(company, "UPDATE withdraws SET amount = 9 WHERE company_id = ?");
  await changeProjection(company, "UPDATE disputes SET amount = 9 WHERE company_id = ?");
  const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const refusing = withD1(env, async (label, run) => {
    if (label.includes('insert into "withdraws"')) throw new Error("CHECK constraint failed: x");
    return run();
  });
  const differs = "I9 D1 differs on withdraw 1: amount is 9 in D1 and 1000 in the object";
  const dispute1 = "D1 differs on dispute 1: amount is 9 in D1 and 100 in the object";

  for (const at of [NEXT, NEXT + 1, NEXT + 2]) {
    const check = await checkCompany(refusing, company.id, at);
    expect(differing(check)).toEqual([differs]);
    expect(check).toMatchObject({ mendedAt: NEXT, mended: [dispute1], round: { mended: 1 } });
    expect(check.suspects).toMatchObject({ withdrawIds: [1] });
    expect(errors.mock.calls.join()).toContain("projection_not_mended");
  }

  expect(await toldOf(company)).toMatchObject([{ after: { projections: 1, copies: [dispute1] } }]);
  const check = await runCheck(company, NEXT + 3);
  expect(differing(check)).toEqual([]);
  expect(check.mended).toEqual([differs.replace("I9 ", "")]);
});

it("a repair leaves what D1 refuses, and rewrites the rest", async () => {
  const { company } = await givenCompared();
  await changeProjection(company, "UPDATE withdraws SET amount = 9 WHERE company_id = ?");
  await changeProjection(
    company,
    "UPDATE unexpected_payments SET number = 99 WHERE company_id = ?",
  );

  expect((await reconcile(company, true))[0]).toMatchObject({ repaired: 1 });

  expect((await reconcile(company, false))[0]?.violations).toEqual([
    "I9 D1 differs on unexpected payment 1: it is not there",
    "I9 D1 has a unexpected payment 99 that was never made",
  ]);
  await deleteProjection(company, "unexpected_payments", "number = 99");
  expect((await reconcile(company, true))[0]).toMatchObject({ repaired: 1 });
  expect((await reconcile(company, false))[0]?.violations).toEqual([]);
});

it("a copy with a newer version is left to a person, who rewrites it", async () => {
  const { company } = await givenCompared();
  await changeProjection(company, "UPDATE disputes SET version = 9 WHERE company_id = ?");
  const differs = "I9 D1 differs on dispute 1: version is 9 in D1 and 1 in the object";

  for (const at of [NEXT, NEXT + 1]) {
    const check = await runCheck(company, at);
    expect(differing(check)).toEqual([differs]);
    expect(check.mendedAt).toBeNull();
  }
  await reconcile(company, true);

  expect(differing(await runCheck(company, NEXT + 2))).toEqual([]);
});

it("an object that is older than D1 has nothing rewritten by its state", async () => {
  const { company } = await givenCompared();
  await changeProjection(company, "UPDATE withdraws SET amount = 9 WHERE company_id = ?");
  await changeProjection(
    company,
    `INSERT INTO events (company_id, company_sequence, type, object_id, sequence, created_at, body)
     SELECT company_id, 1000, type, object_id, 99, created_at, body FROM events
     WHERE company_sequence = 1 AND company_id = ?`,
  );

  const check = await runCheck(company, NEXT);

  expect(check.mendedAt).toBeNull();
  expect(differing(check)).toEqual(
    expect.arrayContaining([
      "I8 the object is older than D1, which has event 1000",
      expect.stringMatching(/^I9 D1 differs on withdraw 1: amount is 9 in D1/),
    ]),
  );
  expect(await callsTo(company.id).isFrozen()).toBe(true);
  takeCreatedCompanies();
});

it("a check rewrites a bounded number of copies, and the next ones go on", async () => {
  const { company } = await givenCompared();
  for (const table of ["withdraws", "disputes", "unexpected_payments", "contradictions"]) {
    await changeProjection(company, `UPDATE ${table} SET amount = 9 WHERE company_id = ?`);
  }
  await changeProjection(company, "UPDATE daily_reports SET gross = 9 WHERE company_id = ?");
  const { comparedRows: before } = await copyCounters(env);
  const slices = [];
  for (const at of [NEXT, NEXT + 1, NEXT + 2]) {
    slices.push(await checkSlice(env, company.id, at, 2));
  }

  expect(slices.map(({ isComplete }) => isComplete)).toEqual([false, false, true]);
  expect(slices.map(({ check }) => check.mended?.length)).toEqual([2, 2, 1]);
  expect(slices.flatMap(({ check }) => differing(check))).toEqual([]);
  expect((await copyCounters(env)).comparedRows - before).toBe(slices[2]?.check.round?.rows);
  expect((await toldOf(company)).map(({ after }) => after?.["projections"])).toEqual([2, 2, 1]);
});

it("a check whose every copy differs and is refused stays below an invocation's statements", async () => {
  const company = await givenCompany();
  await givenSettled(company, MENDS_ALONE * 10);
  for (let number = 1; number <= MENDS_ALONE + 1; number++) {
    await withdraw(company, { amount: 10, idempotencyKey: `wd_${number}` });
    await claimPayout(company, number);
  }
  await waitUntilDrained(company);
  await changeProjection(company, "UPDATE withdraws SET amount = 9 WHERE company_id = ?");
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  let statements = 0;
  const refusing = withD1(env, async (label, run) => {
    statements += label.split(";\n").length;
    if (label.includes('insert into "withdraws"')) throw new Error("CHECK constraint failed: x");
    return run();
  });
  const checks: number[] = [];
  for (const mendsMax of [MENDS_TOGETHER, MENDS_ALONE]) {
    statements = 0;
    await checkSlice(refusing, company.id, START, mendsMax);
    checks.push(statements);
  }

  expect(Math.max(...checks)).toBeGreaterThan(MENDS_ALONE * 3);
  expect(checks[0]).toBeLessThanOrEqual(217);
  expect(checks[1]).toBeLessThanOrEqual(201 + 458);
  takeCreatedCompanies();
});

it.each([
  ["before anything is rewritten", /insert into "withdraws"/, 1],
  ["before what was rewritten is told", /insert into "audit_entries"/, 1],
  ["before it is stored", /^insert into "self_checks"/, 2],
])(
  "a check that crashes %s takes the same step again, and what was rewritten is told",
  async (_when, crash, entries) => {
    const { company } = await givenCompared();
    await changeProjection(company, "UPDATE withdraws SET amount = 9 WHERE company_id = ?");
    const { comparedRows: before } = await copyCounters(env);
    const crashing = withD1(env, async (label, run) => {
      if (crash.test(label)) throw new Error(CRASH);
      return run();
    });

    await expect(checkCompany(crashing, company.id, NEXT)).rejects.toThrow(CRASH);
    const check = await runCheck(company, NEXT + 1);
    await runCheck(company, NEXT + 2);

    expect(check.mended).toEqual([expect.stringContaining("withdraw 1")]);
    expect((await copyCounters(env)).comparedRows - before).toBe(check.round?.rows);
    const told = await toldOf(company);
    expect(told).toHaveLength(entries);
    for (const { after } of told) expect(after).toMatchObject({ copies: check.mended });
  },
);

it("a clock that is set back tells no rewriting again", async () => {
  const { company } = await givenCompared();
  await changeProjection(company, "UPDATE withdraws SET amount = 9 WHERE company_id = ?");
  await runCheck(company, NEXT);

  for (const at of [START - 1, START, START + 1]) await runCheck(company, at);

  expect(await toldOf(company)).toHaveLength(1);
});
