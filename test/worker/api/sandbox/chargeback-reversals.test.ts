import { expect, it } from "vitest";
import { call } from "../../../support/builders/requests/api.ts";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectNoSideEffects } from "../../../support/probes/ledger/footprint.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { resolveDispute, simulate } from "../../../support/builders/operations/refund.ts";
import { givenPaid } from "../../../support/builders/charges/transaction.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

const REVERSE = "POST /api/v1/sandbox/transactions/{id}/chargeback/reverse";

const reverse = (company: TestCompany, id: string) =>
  call(`/api/v1/sandbox/transactions/${id}/chargeback/reverse`, { method: "POST", company });

it("a reversed chargeback makes the transaction paid again with one event", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 2_500);
  await simulate(company, id, "chargeback");

  const answer = await reverse(company, id);

  expect(answer.status).toBe(200);
  expect(answer.body.data).toMatchObject({ id, status: "PAID", refundedAmount: 0 });
  await expectDocumented(REVERSE, answer);
  expect(await accountsOf(company)).toMatchObject({ available: 2_500, provider: -2_500 });
  const { type, body } = (await eventsOf(company)).at(-1)!;
  expect(type).toBe("transaction.chargeback_reversed");
  expect(body.data).toMatchObject({ status: "PAID", previousStatus: "REFUNDED" });
});

it("INVALID_STATE: rejects a transaction without a chargeback or with a reversed one", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 2_500);
  const problem = { status: 409, code: "INVALID_STATE" } as const;
  await expectProblem(await expectNoSideEffects(company, () => reverse(company, id)), problem);
  await simulate(company, id, "dispute");
  await resolveDispute(company, id, "won");
  await expectProblem(await reverse(company, id), problem);
  await simulate(company, id, "chargeback");
  expect((await reverse(company, id)).status).toBe(200);
  await expectProblem(await reverse(company, id), problem);
});

it("a payment that was charged back, reversed and charged back again is refunded", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 2_500);
  await simulate(company, id, "chargeback");
  await reverse(company, id);

  const again = await simulate(company, id, "chargeback");

  expect(again.body.data).toMatchObject({ status: "REFUNDED", refundedAmount: 2_500 });
  expect(await accountsOf(company)).toMatchObject({ available: 0, provider: 0 });
});
