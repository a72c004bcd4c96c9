import { beforeAll, describe, expect, it } from "vitest";
import { env, givenCompany } from "../../../../support/builders/companies/company.ts";
import { approve } from "../../../../support/builders/operations/decide.ts";
import { callAsOperator } from "../../../../support/builders/companies/operator.ts";
import { givenPaid, givenTransaction } from "../../../../support/builders/charges/transaction.ts";
import { refund } from "../../../../support/builders/operations/refund.ts";
import { changeSettings } from "../../../../support/builders/withdraws/approvals.ts";
import { requestWithdraw, runPayout } from "../../../../support/builders/withdraws/withdraw.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import type { TestCompany } from "../../../../support/builders/companies/env.ts";

const HEALTH = "GET /api/v1/operator/companies/{companyId}/health";

let company: TestCompany;

beforeAll(async () => {
  company = await givenCompany({ balance: 50_000 });
  await givenTransaction(company, { amount: 1_000 });
});

const frozenCompanies = async () => (await callAsOperator("/status")).body.frozen;

/** The numbers of the companies that a list shows. */
async function found(query: string): Promise<number[]> {
  const { body } = await callAsOperator(`/companies?${query}`);
  return body.items.map(({ id }: { id: number }) => id);
}

const freeze = (body: object) =>
  callAsOperator(`/companies/${company.id}/terms`, { method: "PUT", body });

describe("the health of a company", () => {
  it("shows its database, copy, and the payouts that no provider has answered", async () => {
    const { body } = await requestWithdraw(company, { amount: 4_098 });
    await runPayout(company, body.id);
    const answer = await callAsOperator(`/companies/${company.id}/health`);
    await expectDocumented(HEALTH, answer);
    const { database, frozen, freeze: by, copy, undecided } = answer.body;
    expect([database, frozen, by]).toEqual(["DB", false, null]);
    expect(copy.copied).toBeLessThanOrEqual(copy.events);
    expect(undecided.payouts).toMatchObject([{ id: "1", kind: "payout", amount: 4_098 }]);
  });

  it("shows no refund that was never sent, because it waits for an approval", async () => {
    const waiting = await givenCompany();
    const { id } = await givenPaid(waiting, 2_500);
    await changeSettings(waiting, { refundApprovalAbove: 0 });
    expect((await refund(waiting, id, 1_000)).status).toBe(202);
    const { body } = await callAsOperator(`/companies/${waiting.id}/health`);
    expect(body.undecided.operations).toEqual([]);
  });

  it("says who froze it and why, as the status of the gateway does, until it is let go", async () => {
    await freeze({ frozen: true, reason: "Fraud report." });
    const { body } = await callAsOperator(`/companies/${company.id}/health`);
    expect(body.frozen).toBe(true);
    expect(body.freeze).toMatchObject({ companyId: company.id, reason: "Fraud report." });
    expect(await frozenCompanies()).toContainEqual(expect.objectContaining(body.freeze));
    const proposed = await freeze({ frozen: false, reason: "It was not." });
    expect(proposed.status).toBe(202);
    expect(await frozenCompanies()).toContainEqual(expect.objectContaining(body.freeze));
    expect((await approve(proposed.body.data.id)).status).toBe(200);
    expect(await frozenCompanies()).not.toContainEqual(
      expect.objectContaining({ companyId: company.id }),
    );
  });

  it("NOT_FOUND: an unknown company has none", async () => {
    const answer = await callAsOperator("/companies/99999999/health");
    await expectProblem(answer, { status: 404, code: "NOT_FOUND" });
  });
});

it("the list of companies is searched by number, by part of the name and by state", async () => {
  const name = `Padaria ${crypto.randomUUID()}`;
  await callAsOperator(`/companies/${company.id}`, { method: "PATCH", body: { name } });
  await env.DB.prepare(
    `INSERT OR REPLACE INTO self_checks
       (company_id, checked_at, movement, company_sequence, missing_events, suspects, violations)
     VALUES (?, 0, 0, 0, '[]', '{"transactionIds":[],"withdrawIds":[]}', '["I1 wrong"]')`,
  )
    .bind(company.id)
    .run();
  const part = encodeURIComponent(name.slice(2).toLowerCase());
  expect(await found(`search=${part}`)).toEqual([company.id]);
  expect(await found(`search=${company.id}`)).toContain(company.id);
  expect(await found(`search=${part}&status=failing`)).toEqual([company.id]);
  expect(await found(`search=${part}&status=open`)).toEqual([company.id]);
  expect(await found(`search=${part}&status=closed`)).toEqual([]);
  const odd = { status: 400, code: "VALIDATION_FAILED", fields: ["status"] };
  await expectProblem(await callAsOperator("/companies?status=odd"), odd);
  const { body } = await callAsOperator("/status");
  expect(body.failing).toContainEqual(
    expect.objectContaining({ companyId: company.id, violations: ["I1 wrong"] }),
  );
});

it("the moves of companies and their databases are listed", async () => {
  const moves = await callAsOperator("/moves");
  await expectDocumented("GET /api/v1/operator/moves", moves);
  expect(moves.body.databases).toContain("DB");
  await env.DB.prepare(
    `INSERT INTO placements (company_id, database, move, source, target, stage, at_table, after_key, turn, lease_until)
     VALUES (99999998, 'DB', 1, 'DB', 'DB_2', 'copying', 'events', '', 1, 0)`,
  ).run();
  const { body } = await callAsOperator("/moves");
  const listed = body.items.filter(
    ({ companyId }: { companyId: number }) => companyId === 99_999_998,
  );
  await env.DB.prepare("DELETE FROM placements WHERE company_id = 99999998").run();
  expect(listed).toEqual([
    {
      companyId: 99_999_998,
      database: "DB",
      target: "DB_2",
      stage: "copying",
      atTable: "events",
      busy: false,
    },
  ]);
  const own = await callAsOperator(`/companies/${company.id}/move`);
  await expectDocumented("GET /api/v1/operator/companies/{companyId}/move", own);
  expect(own.body).toMatchObject({ database: "DB", target: null });
});
