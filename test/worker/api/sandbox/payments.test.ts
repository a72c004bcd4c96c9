import { describe, expect, it } from "vitest";
import { call, type Answer } from "../../../support/builders/requests/api.ts";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectNoSideEffects } from "../../../support/probes/ledger/footprint.ts";
import { accountsOf, movementsOf } from "../../../support/probes/ledger/ledger.ts";
import { callAsOperator } from "../../../support/builders/companies/operator.ts";
import { decideByTwo } from "../../../support/builders/operations/decide.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { anyEndToEndId, anyTime } from "../../../support/probes/http/matchers.ts";
import { sharedCompany } from "../../../support/builders/companies/shared-company.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";
import { balanceOf } from "../../../support/probes/ledger/balance.ts";

const PATH = "/api/v1/sandbox/payments";

const transfer = (company: TestCompany, body: object): Promise<Answer> =>
  call(PATH, { company, body });

const suspenseOf = async (company: TestCompany) =>
  (await callAsOperator(`/companies/${company.id}/suspense`)).body.items;

describe("a payment without a charge", () => {
  it("is unexpected and shown to the operator without a transaction", async () => {
    const company = await givenCompany({ balance: 1_000 });
    const events = await eventsOf(company);

    const answer = await transfer(company, { amount: 900 });

    expect(answer.status).toBe(200);
    expect(answer.body).toStrictEqual({ paymentId: anyEndToEndId, amount: 900, paidAt: anyTime });
    await expectDocumented(`POST ${PATH}`, answer);
    expect(await suspenseOf(company)).toStrictEqual([
      { ...answer.body, transactionId: null, returnedAmount: 0, returnStatus: null },
    ]);
    expect(await accountsOf(company)).toMatchObject({ available: 1_000, suspense: 900 });
    expect((await balanceOf(company)).accBalance).toBe(10);
    const types = (await eventsOf(company)).slice(events.length).map(({ type }) => type);
    expect(types).toEqual(["payment.unexpected"]);
  });

  it("is sent back once, at the sandbox's bank", async () => {
    const company = await givenCompany();
    const { paymentId } = (await transfer(company, { amount: 900 })).body;
    const returnToPayer = () =>
      decideByTwo(`/companies/${company.id}/suspense/${paymentId}/return`, {});

    const first = await returnToPayer();

    expect(first.status).toBe(200);
    expect(first.body.data.outcome).toEqual({ returnStatus: "DONE" });
    const returned = { paymentId, transactionId: null, returnStatus: "DONE" };
    expect(await suspenseOf(company)).toMatchObject([returned]);
    await expectProblem(await returnToPayer(), { status: 409, code: "INVALID_STATE" });
    expect(await suspenseOf(company)).toMatchObject([returned]);
    expect(await accountsOf(company)).toMatchObject({ suspense: 0, provider: 0 });
    expect((await movementsOf(company)).map(({ type }) => type)).toEqual([
      "payment_suspended",
      "suspense_returned",
    ]);
  });

  it("is a new payment each time", async () => {
    const company = await givenCompany();
    const ids = [];
    for (let time = 0; time < 3; time++) {
      ids.push((await transfer(company, { amount: 100 })).body.paymentId);
    }
    expect(new Set(ids).size).toBe(3);
    expect(await accountsOf(company)).toMatchObject({ suspense: 300 });
  });
});

it.each([{}, { amount: 0 }, { amount: -1 }, { amount: 1.5 }, { amount: "1" }, { amount: null }])(
  "VALIDATION_FAILED: %j",
  async (body) => {
    const company = await sharedCompany();
    const answer = await expectNoSideEffects(company, () => transfer(company, body));
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: ["amount"] });
  },
);

it("FORBIDDEN: rejects a live company and a key without the scope", async () => {
  const live = await givenCompany({ mode: "live" });
  const reader = await givenCompany({ scopes: ["transactions:read"] });
  for (const company of [live, reader]) {
    await expectProblem(await transfer(company, { amount: 100 }), {
      status: 403,
      code: "FORBIDDEN",
    });
  }
});
