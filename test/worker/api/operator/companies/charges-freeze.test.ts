import { expect, it } from "vitest";
import { checkCompany } from "../../../../../src/api/operator/audit/tasks.ts";
import { setChargesStopped } from "../../../../../src/db/operator/storage-figures.ts";
import { givenAuthorized } from "../../../../support/builders/charges/card.ts";
import { actOnLink, givenLink } from "../../../../support/builders/charges/payment-links.ts";
import {
  createTransaction,
  givenTransaction,
  pay,
} from "../../../../support/builders/charges/transaction.ts";
import {
  clearBacklog,
  env,
  givenCompany,
  takeCreatedCompanies,
  waitUntilDrained,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { callAsOperator } from "../../../../support/builders/companies/operator.ts";
import { decideByTwo } from "../../../../support/builders/operations/decide.ts";
import { capture } from "../../../../support/builders/operations/refund.ts";
import { requestWithdraw } from "../../../../support/builders/withdraws/withdraw.ts";
import { replaceInObject, unavailableProjection } from "../../../../support/faults/object.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { expectNoSideEffects } from "../../../../support/probes/ledger/footprint.ts";
import { storedEventsOf } from "../../../../support/probes/webhooks/webhook-rows.ts";

const FROZEN = { status: 422, code: "COMPANY_FROZEN" };
const REASON = "Charges look like a card test.";

async function freeze(company: TestCompany, scope: { withdraws?: boolean; charges?: boolean }) {
  const body = { ...scope, reason: REASON };
  const answer = await callAsOperator(`/companies/${company.id}/freeze`, { body });
  await waitUntilDrained(company);
  return answer;
}

async function unfreeze(company: TestCompany): Promise<void> {
  const path = `/companies/${company.id}/freeze`;
  const { status } = await decideByTwo(path, {}, { method: "DELETE" });
  expect(status).toBe(200);
  await waitUntilDrained(company);
}

const freezesOf = async (company: TestCompany) =>
  (await storedEventsOf(company))
    .filter(({ type }) => type.startsWith("company."))
    .map(({ type, body }) => [type, JSON.parse(body).data.frozen]);

it("a freeze of charges stops creates, links and captures, and nothing else, until two operators end it", async () => {
  const company = await givenCompany({ balance: 5_000 });
  const link = await givenLink(company, { amount: 2_500 });
  const open = await givenTransaction(company, { amount: 900 });
  const card = await givenAuthorized(company);
  const first = await createTransaction(company, {}, { key: "order_1" });

  const { body } = await freeze(company, { withdraws: false, charges: true });

  expect(body.data).toMatchObject({
    frozen: true,
    withdraws: false,
    charges: true,
    reason: REASON,
  });
  for (const ask of [() => createTransaction(company), () => capture(company, card.id)]) {
    await expectProblem(await expectNoSideEffects(company, ask), FROZEN);
  }
  expect((await expectNoSideEffects(company, () => actOnLink(link.slug))).status).toBe(503);
  // What was created is answered again, paid, and paid out.
  const again = await createTransaction(company, {}, { key: "order_1" });
  expect(again.body.data.id).toBe(first.body.data.id);
  expect((await pay(company, open.id)).status).toBe(200);
  expect((await requestWithdraw(company)).status).toBe(201);

  await unfreeze(company);
  expect((await createTransaction(company)).status).toBe(200);
  expect((await capture(company, card.id)).status).toBe(200);
  expect(await freezesOf(company)).toEqual([
    ["company.frozen", { withdraws: false, charges: true }],
    ["company.unfrozen", { withdraws: false, charges: false }],
  ]);
});

it("a freeze of charges beside one of withdraws is announced, and one of less changes nothing", async () => {
  const company = await givenCompany({ balance: 5_000 });
  await freeze(company, {});
  expect((await createTransaction(company)).status).toBe(200);
  await freeze(company, { withdraws: false, charges: true });
  await expectProblem(await createTransaction(company), FROZEN);
  await expectProblem(await requestWithdraw(company), FROZEN);
  const { body } = await freeze(company, { withdraws: true });
  expect(body.data).toMatchObject({ withdraws: true, charges: true });
  expect(await freezesOf(company)).toEqual([
    ["company.frozen", { withdraws: true, charges: false }],
    ["company.frozen", { withdraws: true, charges: true }],
  ]);
});

it("a freeze of nothing is refused", async () => {
  const company = await givenCompany();
  const answer = await freeze(company, { withdraws: false });
  await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: ["charges"] });
});

it("room in the storage ends no freeze of charges", async () => {
  const company = await givenCompany();
  await freeze(company, { withdraws: false, charges: true });
  await setChargesStopped(env, company.id, { object: true, database: false });
  await expectProblem(await createTransaction(company), FROZEN);
  await setChargesStopped(env, company.id, { object: false, database: false });
  await expectProblem(await createTransaction(company), FROZEN);
  await unfreeze(company);
  expect((await createTransaction(company)).status).toBe(200);
});

it("a freeze of charges holds when it is answered, though the object's changes cannot reach D1", async () => {
  const company = await givenCompany();
  await replaceInObject(company, unavailableProjection());
  const { status } = await callAsOperator(`/companies/${company.id}/freeze`, {
    body: { charges: true, reason: REASON },
  });
  expect(status).toBe(200);
  await expectProblem(await createTransaction(company), FROZEN);
  await clearBacklog(company.id);
  takeCreatedCompanies();
});

it("the check of a company mends a copy of its freeze that is wrong", async () => {
  const company = await givenCompany();
  await env.DB.prepare("UPDATE companies SET charges_stopped = 4, freeze = ? WHERE id = ?")
    .bind(
      JSON.stringify({
        reason: REASON,
        by: { kind: "operator", id: "operator", name: "Ana" },
        withdraws: false,
        charges: true,
        since: 1,
      }),
      company.id,
    )
    .run();
  await expectProblem(await createTransaction(company), FROZEN);
  await checkCompany(env, company.id, Date.now());
  expect((await createTransaction(company)).status).toBe(200);
});

it("the terms of a company say that its charges are frozen", async () => {
  const company = await givenCompany();
  await freeze(company, { withdraws: false, charges: true });
  const terms = await callAsOperator(`/companies/${company.id}/terms`);
  expect(terms.body.frozen).toBe(true);
});
