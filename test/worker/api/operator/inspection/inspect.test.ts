import { describe, expect, it } from "vitest";
import { call } from "../../../../support/builders/requests/api.ts";
import {
  claimPayout,
  PAID,
  reportPayout,
  RETURNED,
  withdraw,
} from "../../../../support/builders/withdraws/withdraw-commands.ts";
import { endToEndId, settle } from "../../../../support/builders/charges/charge-commands.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { givenContradiction } from "../../../../support/builders/reconciliation/decisions.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { expectNoSideEffects } from "../../../../support/probes/ledger/footprint.ts";
import { callAsOperator } from "../../../../support/builders/companies/operator.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { refund } from "../../../../support/builders/operations/refund.ts";
import {
  givenPaid,
  givenTransaction,
  pay,
} from "../../../../support/builders/charges/transaction.ts";
import { requestWithdraw, runPayout } from "../../../../support/builders/withdraws/withdraw.ts";

const OPERATION = "GET /api/v1/operator/companies/{companyId}/inspect";
const WEBHOOKS = { webhookUrl: "https://loja.example/hook" };

const inspect = (company: Pick<TestCompany, "id">, query = "") =>
  callAsOperator(`/companies/${company.id}/inspect${query}`);

const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();

describe("a transaction that was paid and partly refunded", () => {
  it("is shown with its state in D1 and in the object, its events and its deliveries", async () => {
    const company = await givenCompany(WEBHOOKS);
    const { id } = await givenPaid(company, 5_000);
    await refund(company, id, 1_000);

    const answer = await expectNoSideEffects(company, () =>
      inspect(company, `?transactionId=${id}`),
    );

    expect(answer.status).toBe(200);
    await expectDocumented(OPERATION, answer);
    const { database, object, differences } = answer.body;
    expect(differences).toEqual([]);
    expect(database.transactions).toMatchObject([
      { id, status: "paid", paid_amount: 5_000, refunded_amount: 1_000, payment_method: "PIX" },
    ]);
    expect(database.events.map((event: any) => event.type).toSorted()).toEqual([
      "transaction.paid",
      "transaction.partially_refunded",
    ]);
    expect(database.deliveries).toHaveLength(2);
    expect(JSON.parse(database.deliveries[0].attempts_log)).toBeInstanceOf(Array);
    expect(object.charges).toMatchObject([{ transaction_id: id, refunded_amount: 1_000 }]);
    expect(object.movements.map((movement: any) => movement.type)).toEqual([
      "charge_paid",
      "refund_requested",
      "refund_done",
    ]);
    expect(JSON.parse(object.movements[0].postings)).toEqual({
      provider: -5_000,
      available: 5_000,
    });
    expect(object.payments).toMatchObject([{ transaction_id: id, amount: 5_000 }]);
    expect(object.operations).toMatchObject([
      { transaction_id: id, kind: "refund", status: "DONE" },
    ]);
  });

  it("is found by its id in upper case", async () => {
    const company = await givenCompany();
    const { id } = await givenPaid(company, 5_000);
    const answer = await inspect(company, `?transactionId=${id.toUpperCase()}`);
    expect(answer.body.object.charges).toMatchObject([{ transaction_id: id }]);
  });
});

describe("the secret of the payer's page", () => {
  it.each([
    ["a PIX", {}],
    [
      "a boleto",
      { paymentMethod: "BOLETO", customer: { name: "Ana", document: { number: "52998224725" } } },
    ],
  ])("does not appear in the inspection of %s", async (_what, request) => {
    const company = await givenCompany(WEBHOOKS);
    const transaction = await givenTransaction(company, request);
    await pay(company, transaction.id);

    const answer = await inspect(company, `?transactionId=${transaction.id}`);

    expect(answer.body.database.events).toHaveLength(1);
    expect(transaction.secureId).toHaveLength(43);
    expect(JSON.stringify(answer.body)).not.toContain(transaction.secureId);
    expect(JSON.parse(answer.body.database.events[0].body).data).toMatchObject({
      id: transaction.id,
      secureId: "(not shown)",
    });
  });
});

describe("a difference between D1 and the object", () => {
  it("is reported with both values", async () => {
    const company = await givenCompany();
    const { id } = await givenPaid(company, 5_000);
    await run("UPDATE transactions SET paid_amount = 4999 WHERE id = ?", id);
    const answer = await inspect(company, `?transactionId=${id}`);
    expect(answer.body.differences).toEqual([{ field: "paidAmount", here: 4_999, there: 5_000 }]);
    await run("UPDATE transactions SET paid_amount = 5000 WHERE id = ?", id);
  });

  it("is reported once for a withdraw whose projection is missing", async () => {
    const company = await givenCompany({ balance: 5_000 });
    const { id } = (await requestWithdraw(company)).body;
    await runPayout(company, id);
    await run("DELETE FROM withdraws WHERE company_id = ? AND id = ?", company.id, id);
    const answer = await inspect(company, `?withdrawId=${id}`);
    expect(answer.body.differences).toEqual([{ field: "row", here: null, there: "it is there" }]);
    await callAsOperator(`/companies/${company.id}/reconcile`, {
      method: "POST",
      body: { repair: true },
    });
  });
});

describe("a withdraw", () => {
  it("is shown with the actions that only an operator can take", async () => {
    const company = await givenCompany({ balance: 5_000 });
    const { id } = (await requestWithdraw(company)).body;
    await givenContradiction(company, { object: `withdraw:${id}`, held: 1_000 });

    const { body } = await inspect(company, `?withdrawId=${id}`);
    const { body: whole } = await inspect(company);

    const shown = { object: `withdraw:${id}`, status: "open", held: 1_000 };
    expect(body.object.contradictions).toMatchObject([shown]);
    expect(whole.object["contradictions, open"]).toMatchObject([shown]);
  });

  it("is shown with all its movements and events", async () => {
    const company = await givenCompany({ balance: 5_000 });
    const { id } = (await requestWithdraw(company)).body;
    await runPayout(company, id);
    await givenPaid(company, 1_000);
    await requestWithdraw(company);

    const answer = await inspect(company, `?withdrawId=${id}`);

    await expectDocumented(OPERATION, answer);
    expect(answer.body.differences).toEqual([]);
    expect(answer.body.object.withdraws).toMatchObject([{ id, status: "Paid" }]);
    expect(answer.body.object.movements.map((movement: any) => movement.type)).toEqual([
      "withdraw_requested",
      "withdraw_paid",
    ]);
    expect(answer.body.database.withdraws).toMatchObject([{ id, status: "Paid" }]);
    expect(answer.body.database.events.map((event: any) => event.type)).toEqual([
      "withdraw.paid",
      "withdraw.processing",
    ]);
  });
});

describe("later activity", () => {
  it("a returned withdraw is shown with its payout and its return, despite movements in between", async () => {
    const company = await givenCompany({ balance: 5_000 });
    await withdraw(company, { amount: 1_000 });
    await claimPayout(company);
    await reportPayout(company, PAID);
    await givenPaid(company, 1_000);
    await reportPayout(company, RETURNED);

    const answer = await inspect(company, "?withdrawId=1");

    expect(answer.body.object.withdraws).toMatchObject([{ status: "Returned" }]);
    expect(answer.body.object.movements.map((movement: any) => movement.type)).toEqual([
      "withdraw_requested",
      "withdraw_paid",
      "withdraw_returned",
    ]);
  });

  it("a second payment of a paid transaction is shown next to the first one", async () => {
    const company = await givenCompany();
    const { id } = await givenPaid(company, 5_000);
    await settle(company, { id, amount: 5_000 }, { paymentId: endToEndId(31), amount: 40 });

    const answer = await inspect(company, `?transactionId=${id}`);

    expect(answer.body.object.payments).toMatchObject([
      { amount: 5_000, suspended: 0 },
      { payment_id: endToEndId(31), amount: 40, suspended: 1 },
    ]);
  });
});

describe("a company", () => {
  it("is shown with its newest movements and open items, without secrets", async () => {
    const company = await givenCompany({ ...WEBHOOKS, balance: 5_000 });
    const { id } = (await requestWithdraw(company)).body;

    const answer = await inspect(company);

    await expectDocumented(OPERATION, answer);
    expect(answer.body.database.companies).toMatchObject([
      { id: company.id, webhook_secret_sealed: "(not shown)" },
    ]);
    expect(answer.body.object["withdraws, awaiting"]).toMatchObject([{ id, status: "Awaiting" }]);
    expect(answer.body.object["movements, the newest"][0]).toMatchObject({
      type: "withdraw_requested",
    });
  });
});

describe("an invalid inspection", () => {
  it.each([
    ["?transactionId=x", "transactionId"],
    ["?withdrawId=0", "withdrawId"],
    ["?withdrawId=1&transactionId=01a20057-0000-8000-8000-000000000001", "withdrawId"],
  ])("of %s is a 400", async (query, field) => {
    const company = await givenCompany();
    const answer = await inspect(company, query);
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: [field] });
  });

  it("of another company's transaction is a 404", async () => {
    const [company, other] = [await givenCompany(), await givenCompany()];
    const { id } = await givenTransaction(other);
    await expectProblem(await inspect(company, `?transactionId=${id}`), {
      status: 404,
      code: "NOT_FOUND",
    });
    await expectProblem(await inspect(company, "?withdrawId=9"), {
      status: 404,
      code: "NOT_FOUND",
    });
    await expectProblem(await inspect({ id: 99_999_998 }), { status: 404, code: "NOT_FOUND" });
  });

  it("with a merchant's key is rejected", async () => {
    const company = await givenCompany();
    const path = `/api/v1/operator/companies/${company.id}/inspect`;
    await expectProblem(await call(path, { company }), {
      status: 401,
      code: "INVALID_CREDENTIALS",
    });
  });
});
