import { describe, expect, it } from "vitest";
import { call, type Answer } from "../../../../support/builders/requests/api.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { deleteProjection } from "../../../../support/faults/projection.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { expectNoSideEffects } from "../../../../support/probes/ledger/footprint.ts";
import { callAsOperator } from "../../../../support/builders/companies/operator.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import {
  updateSettings,
  refund,
  simulate,
} from "../../../../support/builders/operations/refund.ts";
import { sharedCompany } from "../../../../support/builders/companies/shared-company.ts";
import { tamper } from "../../../../support/faults/tamper.ts";
import { givenPaid, givenTransaction } from "../../../../support/builders/charges/transaction.ts";
import { balanceOf } from "../../../../support/probes/ledger/balance.ts";
import { requestWithdraw, runPayout } from "../../../../support/builders/withdraws/withdraw.ts";

const OPERATION = "POST /api/v1/operator/companies/{companyId}/reconcile";

const step = (company: TestCompany, body?: object): Promise<Answer> =>
  callAsOperator(`/companies/${company.id}/reconcile`, {
    method: "POST",
    ...(body === undefined ? {} : { body }),
  });

/** The cursors of a response, for the request that continues after it. */
const behind = ({
  afterTransaction,
  afterWithdraw,
  afterRecords,
  afterDay,
  afterSeq,
  afterEvent,
}: Record<string, unknown>) => ({
  fromStart: false,
  afterTransaction,
  afterWithdraw,
  afterRecords,
  afterDay,
  afterSeq,
  afterEvent,
});

const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();

/** Three charges with transitions, one without, and two withdraws. */
async function givenHistory() {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 5_000);
  await givenPaid(company, 4_000);
  const { id: other } = await givenPaid(company, 3_000);
  await refund(company, other, 1_000);
  await givenTransaction(company);
  await requestWithdraw(company);
  await runPayout(company, (await requestWithdraw(company)).body.id);
  return { company, id: id as string };
}

describe("a company with consistent books", () => {
  it.each([undefined, {}, { fromStart: true, repair: true }])(
    "is confirmed in one step for body %j",
    async (body) => {
      const { company } = await givenHistory();
      const answer = await expectNoSideEffects(company, () => step(company, body));
      expect(answer.status).toBe(200);
      expect(answer.body).toStrictEqual({
        movement: expect.any(Number),
        ledgerDone: true,
        afterTransaction: expect.stringMatching(/^[0-9a-f-]{36}$/),
        afterWithdraw: 2,
        afterRecords: {
          dispute: "",
          payment: expect.stringMatching(/^E\d{20}\w{11}$/),
          link: 0,
          subscription: 0,
          cycle: 0,
          contradiction: 0,
        },
        afterDay: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        afterSeq: 4,
        afterEvent: expect.any(Number),
        copiesDone: true,
        compared: 5,
        repaired: 0,
        violations: [],
      });
      expect(answer.body.movement).toBeGreaterThanOrEqual(8);
      await expectDocumented(OPERATION, answer);
    },
  );

  it("needs no work when nothing happened", async () => {
    const { body } = await step(await givenCompany());
    expect(body).toStrictEqual({
      movement: 0,
      ledgerDone: true,
      afterTransaction: "",
      afterWithdraw: 0,
      afterRecords: {
        dispute: "",
        payment: "",
        link: 0,
        subscription: 0,
        cycle: 0,
        contradiction: 0,
      },
      afterDay: "",
      afterSeq: 0,
      afterEvent: 0,
      copiesDone: true,
      compared: 0,
      repaired: 0,
      violations: [],
    });
  });

  it("continues after the compared rows when its response is sent back", async () => {
    const { company } = await givenHistory();
    const first = (await step(company)).body;
    const next = await step(company, behind(first));
    expect(next.body).toStrictEqual({ ...first, compared: 0 });
  });

  it("with more charges than one step compares continues in the next step", async () => {
    const company = await givenCompany();
    for (let batch = 0; batch < 10; batch++) {
      await Promise.all(
        Array.from({ length: 10 }, async () => {
          const { id } = await givenTransaction(company);
          await simulate(company, id, "expire");
        }),
      );
    }
    await givenPaid(company, 1_000);
    const first = (await step(company)).body;
    expect(first).toMatchObject({ copiesDone: false, compared: 100, violations: [] });
    expect(first).toMatchObject({ afterSeq: 100 });
    const last = await step(company, behind(first));
    expect(last.body).toMatchObject({ copiesDone: true, compared: 1, violations: [] });
  });
});

describe("events that D1 lacks", () => {
  it("are missing; with archived, only those behind the first existing event", async () => {
    const { company } = await givenHistory();
    const { afterEvent: newest } = (await step(company)).body;
    const violationsIn = async (body: object) => (await step(company, body)).body.violations;
    const without = async (where: string) => {
      const undo = await deleteProjection(company, "events", where);
      const found = [await violationsIn({}), await violationsIn({ archived: true })];
      await undo();
      return found;
    };
    const oldest = "I8 events 1 to 2 are missing";
    const later = `I8 events ${newest - 1} to ${newest - 1} are missing`;
    expect(await without("company_sequence <= 2")).toEqual([[oldest], []]);
    const both = `company_sequence <= 2 OR company_sequence = ${newest - 1}`;
    expect(await without(both)).toEqual([[oldest, later], [later]]);
    const all = [`I8 events 1 to ${newest} are missing`];
    expect(await without("true")).toEqual([all, all]);
  });
});

describe("a projection row that was tampered with", () => {
  it.each([
    ["status", "cancelled"],
    ["paid_amount", 1],
    ["refunded_amount", 4_999],
    ["end_to_end_id", "E0"],
    ["paid_at", 0],
    ["refunds", "[]"],
    ["version", 0],
  ])("%s: is found, and repaired on request", async (column, value) => {
    const { company } = await givenHistory();
    const tampered = await env.DB.prepare(
      `SELECT id FROM transactions WHERE company_id = ? AND refunded_amount = 1000`,
    )
      .bind(company.id)
      .first<string>("id");
    const read = () => env.DB.prepare(`SELECT * FROM transactions WHERE id = ?`).bind(tampered);
    const before = await read().first();
    await run(`UPDATE transactions SET ${column} = ? WHERE id = ?`, value, tampered);

    const found = await step(company);
    expect(found.body).toMatchObject({ repaired: 0 });
    expect(found.body.violations).toEqual([expect.stringContaining(tampered ?? "")]);
    expect(found.body.violations[0]).toMatch(/^I9 /);
    await expectDocumented(OPERATION, found);
    expect(await read().first()).not.toEqual(before);

    const repaired = await step(company, { repair: true });
    expect(repaired.body).toMatchObject({ repaired: 1, compared: 5 });
    expect(await read().first()).toEqual(before);
    expect((await step(company)).body).toMatchObject({ repaired: 0, violations: [] });
  });

  it("a missing or changed withdraw is rewritten", async () => {
    const { company } = await givenHistory();
    await runPayout(company, 1);
    const read = () =>
      env.DB.prepare("SELECT * FROM withdraws WHERE company_id = ? ORDER BY id").bind(company.id);
    const before = (await read().all()).results;
    expect(before).toHaveLength(2);
    await run("DELETE FROM withdraws WHERE company_id = ? AND id = 1", company.id);
    await run("UPDATE withdraws SET amount = 1 WHERE company_id = ? AND id = 2", company.id);

    const repaired = await step(company, { repair: true });

    expect(repaired.body).toMatchObject({ repaired: 2 });
    expect(repaired.body.violations).toHaveLength(2);
    expect((await read().all()).results).toEqual(before);
  });

  it("is not overwritten without the repair option, and no money moves", async () => {
    const { company, id } = await givenHistory();
    const balance = await balanceOf(company);
    await run(`UPDATE transactions SET paid_amount = 999999 WHERE id = ?`, id);
    await step(company);
    await step(company, { repair: false });
    const row = await env.DB.prepare(`SELECT paid_amount AS paid FROM transactions WHERE id = ?`)
      .bind(id)
      .first();
    expect(row).toEqual({ paid: 999_999 });
    expect(await balanceOf(company)).toEqual(balance);
    await step(company, { repair: true });
  });

  it("that is ahead of the object is rewritten, and later transitions are projected", async () => {
    const { company, id } = await givenHistory();
    await run(`UPDATE transactions SET status = 'cancelled', version = 50 WHERE id = ?`, id);

    const { body } = await step(company, { repair: true });

    expect(body).toMatchObject({
      repaired: 1,
      violations: [
        expect.stringMatching(
          `^I9 D1 differs on transaction ${id}: status is "cancelled" in D1 and "paid" in the object, version is 50`,
        ),
      ],
    });
    expect((await call(`/api/checkout/status/${id}`)).body.status).toBe("PAID");
    expect((await refund(company, id)).body.data.status).toBe("REFUNDED");
    expect((await call(`/api/checkout/status/${id}`)).body.status).toBe("REFUNDED");
  });

  it("of another company does not appear for this company", async () => {
    const { company, id } = await givenHistory();
    const other = await givenCompany({ balance: 1_000 });
    await run(`UPDATE transactions SET paid_amount = 1 WHERE id = ?`, id);
    expect((await step(other, { repair: true })).body).toMatchObject({
      repaired: 0,
      violations: [],
    });
    expect((await step(company, { repair: true })).body.repaired).toBe(1);
  });
});

const alter = (company: TestCompany, sql: string) => tamper(company, sql);

describe("a ledger that was tampered with", () => {
  it("is found in a check from the start, freezes the company and is not repaired", async () => {
    const { company } = await givenHistory();
    await alter(company, "UPDATE movements SET created_at = created_at + 1 WHERE sequence = 3");

    const found = await step(company, { fromStart: true, repair: true });

    expect(found.body).toMatchObject({
      movement: 0,
      ledgerDone: true,
      repaired: 0,
      violations: ["I1 movement 3 does not carry the hash of its content"],
    });
    await alter(company, "UPDATE movements SET created_at = created_at - 1 WHERE sequence = 3");
    expect((await step(company)).body.violations).toEqual([]);
    expect((await balanceOf(company)).enBalanceStatus).toBe("Blocked");
    await updateSettings(company, { frozen: false });
    expect((await balanceOf(company)).enBalanceStatus).toBe("Released");
  });

  it("before the proven watermark is found only from the start", async () => {
    const { company } = await givenHistory();
    await step(company);
    await alter(company, "UPDATE movements SET created_at = created_at + 1 WHERE sequence = 3");
    const onwards = await step(company, { fromStart: false });
    expect(onwards.body).toMatchObject({ ledgerDone: true, violations: [] });
    const again = await step(company, { fromStart: true });
    expect(again.body.violations.length).toBeGreaterThanOrEqual(1);
    await alter(company, "UPDATE movements SET created_at = created_at - 1 WHERE sequence = 3");
    expect((await step(company)).body.violations).toEqual([]);
  });
});

describe("VALIDATION_FAILED", () => {
  it.each([
    ["fromStart", "yes"],
    ["afterTransaction", 1],
    ["afterTransaction", "x".repeat(65)],
    ["afterWithdraw", -1],
    ["afterWithdraw", 1.5],
    ["afterWithdraw", "1"],
    ["afterSeq", -1],
    ["afterSeq", "1"],
    ["repair", 1],
  ])("%s cannot be %j", async (field, value) => {
    const company = await sharedCompany();
    await expectProblem(await step(company, { [field]: value }), {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: [field],
    });
  });

  it("a body that is no JSON object", async () => {
    const company = await sharedCompany();
    const path = `/companies/${company.id}/reconcile`;
    await expectProblem(await callAsOperator(path, { rawBody: "[]" }), {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: ["body"],
    });
    await expectProblem(await callAsOperator(path, { rawBody: "{" }), {
      status: 400,
      code: "MALFORMED_JSON",
    });
  });
});

it("finds and repairs a day of the report that differs from the object's totals", async () => {
  const company = await givenCompany({ balance: 2_500 });
  const before = (await call("/api/v1/reports/daily", { company })).body;
  for (const change of ["UPDATE daily_reports SET gross = 1", "DELETE FROM daily_reports"]) {
    await run(`${change} WHERE company_id = ?`, company.id);
    const { body: found } = await step(company);
    expect(found.violations).toEqual([
      expect.stringMatching(/^I9 D1 differs on the day \d{4}-\d\d-\d\d of PIX: /),
    ]);
    expect((await step(company, { repair: true })).body.repaired).toBe(1);
    expect((await step(company)).body.violations).toEqual([]);
    expect((await call("/api/v1/reports/daily", { company })).body).toEqual(before);
  }
});
