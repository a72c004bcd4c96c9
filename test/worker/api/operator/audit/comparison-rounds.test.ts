import { expect, it } from "vitest";
import { checkCompany } from "../../../../../src/api/operator/audit/tasks.ts";
import { auditEntriesOf } from "../../../../support/probes/database/audit-rows.ts";
import { copyCounters, mendedSince } from "../../../../../src/db/reconciliation/self-checks.ts";
import { GATEWAY_TRAIL } from "../../../../../src/domain/access/audit-entry.ts";
import { ROUND_MS } from "../../../../../src/domain/reconciliation/comparison-round.ts";
import { givenTransaction } from "../../../../support/builders/charges/transaction.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import {
  callAsOperator,
  OPERATOR_CREDENTIALS,
} from "../../../../support/builders/companies/operator.ts";
import { call } from "../../../../support/builders/requests/api.ts";
import { withAccounts, withD1 } from "../../../../support/faults/faulty-env.ts";
import { changeProjection, deleteProjection } from "../../../../support/faults/projection.ts";
import { hearWarnings } from "../../../../support/probes/warnings.ts";
import { runCheck } from "../../../../support/probes/database/projection-checks.ts";
import {
  START,
  NEXT,
  givenCompared,
  differing,
} from "../../../../support/builders/operations/compared-copies.ts";

const warnings = hearWarnings();

const COPIES = [
  ["transaction's state", "transactions", "status = 'waiting_payment'", "transaction \\S+: status"],
  ["transaction's amount", "transactions", "amount = 1", "transaction \\S+: amount"],
  ["transaction's payer", "transactions", "end_to_end_id = 'E9'", "transaction \\S+: endToEndId"],
  ["withdraw", "withdraws", "status = 'Failed'", "withdraw 1: status"],
  ["dispute", "disputes", "status = 'WON'", "dispute 1: status"],
  ["unexpected payment", "unexpected_payments", "amount = 1", "unexpected payment 1: amount"],
  ["payment link", "payment_links", "is_active = 0", "payment link 1: isActive"],
  ["contradiction", "contradictions", "status = 'decided'", "contradiction 1: status"],
  ["day's totals", "daily_reports", "gross = 1", "the day \\S+ of PIX: gross"],
] as const;

it.each(COPIES)(
  "a %s that is changed after its check is found within a round, rewritten and told",
  async (_what, table, change, difference) => {
    const { company } = await givenCompared();
    const copies = () =>
      env.DB.prepare(`SELECT * FROM ${table} WHERE company_id = ?`).bind(company.id).all();
    const { results: before } = await copies();
    await changeProjection(company, `UPDATE ${table} SET ${change} WHERE company_id = ?`);
    expect(await runCheck(company, START + 1)).toMatchObject({ mendedAt: null });

    const check = await runCheck(company, NEXT);

    expect(differing(check)).toEqual([]);
    const mended = [expect.stringMatching(new RegExp(`^D1 differs on ${difference} is `))];
    expect(check).toMatchObject({ mendedAt: NEXT, mended, round: { mended: 1 } });
    expect((await copies()).results).toEqual(before);
    await expectTold(company, mended);
    expect(await runCheck(company, NEXT + 1)).toMatchObject({ mendedAt: NEXT, mended });
  },
);

it.each(COPIES.slice(3).map(([what, table]) => [what, table] as const))(
  "a %s that is deleted after its check is written again",
  async (_what, table) => {
    const { company } = await givenCompared();
    const stored = `SELECT * FROM ${table} WHERE company_id = ?`;
    const copies = async () => (await env.DB.prepare(stored).bind(company.id).all()).results;
    const before = await copies();
    await deleteProjection(company, table, "1 = 1");

    const check = await runCheck(company, NEXT);

    expect(differing(check)).toEqual([]);
    expect(check.mended).toHaveLength(before.length);
    const [row] = await copies();
    // Only D1 has them: when it last changed.
    expect({ ...row, updated_at: 0 }).toEqual({ ...before[0], updated_at: 0 });
    await expectTold(company, check.mended ?? []);
  },
);

it.each([
  ["transaction", "transactions", "I7 D1 lacks its transactions 1 to 1"],
  ["event", "events", "I8 event 2 is missing"],
] as const)(
  "a %s that is deleted after its check is reported by every check until it is there again",
  async (what, table, violation) => {
    const { company, transaction } = await givenCompared();
    await givenTransaction(company);
    const which = what === "event" ? "company_sequence = 2" : `id = '${transaction.id}'`;
    const undo = await deleteProjection(company, table, which);
    const lost = what === "event" ? [] : [`I9 transaction ${transaction.id} is not in D1`];
    expect(differing(await runCheck(company, START + 1))).toEqual([]);

    for (const at of [NEXT, NEXT + 1, NEXT + 2]) {
      const check = await runCheck(company, at);
      expect(differing(check).toSorted()).toEqual([violation, ...lost].toSorted());
      expect(check.mendedAt).toBeNull();
    }
    await undo();

    expect(differing(await runCheck(company, NEXT + 3))).toEqual([]);
  },
);

it.each([
  ["withdraw", "withdraws", "id", "payout_id"],
  ["dispute", "disputes", "number", "id"],
  ["unexpected payment", "unexpected_payments", "number", "payment_id"],
  ["payment link", "payment_links", "number", "id, slug"],
  ["contradiction", "contradictions", "number", "object"],
])(
  "a %s that the object never made is reported by every check until it is gone",
  async (what, table, number, unique) => {
    const { company } = await givenCompared();
    await cloneRow(company, table, number, unique.split(", "));

    for (const at of [NEXT, NEXT + 1]) {
      expect(differing(await runCheck(company, at))).toEqual([
        `I9 D1 has a ${what} 77 that was never made`,
      ]);
    }
    await deleteProjection(company, table, `${number} = 77`);

    expect(differing(await runCheck(company, NEXT + 2))).toEqual([]);
  },
);

/** Transactions of more than two steps. */
const MANY = 210;

async function givenMany(): Promise<TestCompany> {
  const company = await givenCompany();
  for (let batch = 0; batch < MANY / 10; batch++) {
    await Promise.all(Array.from({ length: 10 }, () => givenTransaction(company)));
  }
  return company;
}

it("a round compares each row once, spread over its time, and shows how far it is", async () => {
  const company = await givenMany();
  const { comparedRows: before } = await copyCounters(env);
  const seen: (number | undefined)[][] = [];
  for (const part of [0, 0.1, 0.34, 0.5, 0.67, 0.9]) {
    const { round } = await runCheck(company, START + part * ROUND_MS);
    seen.push([round?.after.afterSeq, round?.rows, round?.stepsDone]);
    if (part === 0.34) {
      const { body } = await callAsOperator(`/companies/${company.id}/health`);
      expect(body.comparison).toMatchObject({
        share: 0.667,
        steps: 3,
        stepsDone: 2,
        after: { afterSeq: 200 },
        comparedRows: 200,
        lastEndedAt: null,
      });
    }
  }

  expect(seen).toEqual([
    [100, 100, 1],
    [100, 100, 1],
    [200, 200, 2],
    [200, 200, 2],
    [210, 210, 3],
    [210, 210, 3],
  ]);
  expect((await copyCounters(env)).comparedRows - before).toBe(MANY);
  const { body: health } = await callAsOperator(`/companies/${company.id}/health`);
  const endedAt = new Date(START + 0.67 * ROUND_MS).toISOString();
  expect(health.comparison).toMatchObject({ share: 1, lastEndedAt: endedAt, mendedCopies: 0 });
  const { body: status } = await callAsOperator("/status");
  expect(status.copies).toMatchObject({
    comparedRows: before + MANY,
    share: expect.any(Number),
    runningRounds: expect.any(Number),
  });
  const { text } = await call("/metrics", { headers: OPERATOR_CREDENTIALS });
  expect(text).toContain(`\ncentavo_compared_rows_total ${before + MANY}\n`);
  expect((await runCheck(company, NEXT)).round).toMatchObject({ startedAt: NEXT, stepsDone: 1 });
});

it("a late round catches up in bounded checks, each of which says that more is due", async () => {
  const company = await givenMany();
  await runCheck(company, START);
  const calls: string[] = [];
  const counted = withAccounts(
    withD1(env, (label, run) => (calls.push(label), run())),
    (label, run) => (calls.push(label), run()),
  );

  const { round } = await checkCompany(counted, company.id, NEXT);

  expect(round).toMatchObject({ stepsDone: 3, rows: MANY, endedAt: NEXT });
  expect(calls.length).toBeLessThan(50);
});

it("a clock or a D1 that was set back begins a new round", async () => {
  const { company } = await givenCompared();

  const { round } = await runCheck(company, START - 1_000);

  expect(round).toMatchObject({ startedAt: START - 1_000, stepsDone: 1 });
});

/** What is rewritten is in the log, the audit trail and the figures of the alarm. */
async function expectTold(company: TestCompany, copies: string[]): Promise<void> {
  const line = warnings
    .map((text) => JSON.parse(text))
    .find(({ event }) => event === "projection_mended");
  expect(line).toMatchObject({ companyId: company.id, projections: copies.length });
  const entries = await auditEntriesOf(GATEWAY_TRAIL);
  expect(entries.findLast(({ target }) => target === `company:${company.id}`)).toMatchObject({
    action: "projection.mend",
    actor: { kind: "task", id: "check_companies" },
    after: { projections: copies.length, copies },
  });
  expect(await mendedSince(env, NEXT - 1, 100)).toContainEqual({
    companyId: company.id,
    at: NEXT,
    copies,
  });
}

/** Copies the company's row of a table to number 77, with other values where they must be unique. */
async function cloneRow(
  company: TestCompany,
  table: string,
  number: string,
  unique: string[],
): Promise<void> {
  const row = await env.DB.prepare(`SELECT * FROM ${table} WHERE company_id = ? LIMIT 1`)
    .bind(company.id)
    .first();
  const others = Object.fromEntries(unique.map((column) => [column, `another ${column}`]));
  const clone = { ...row, ...others, [number]: 77 };
  const names = Object.keys(clone);
  await env.DB.prepare(
    `INSERT INTO ${table} (${names.join()}) VALUES (${names.map(() => "?").join()})`,
  )
    .bind(...Object.values(clone))
    .run();
}
