import { describe, expect, it } from "vitest";
import {
  decide,
  newestUnexpected,
  setRules,
  UNEXPECTED,
} from "../../../support/builders/charges/unexpected.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { givenApplication } from "../../../support/builders/companies/application.ts";
import {
  env,
  givenCompany,
  waitUntilDrained,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { runOperation } from "../../../support/builders/operations/object-operations.ts";
import type { Answer } from "../../../support/builders/requests/api.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { changeSettings } from "../../../support/builders/withdraws/approvals.ts";
import { injectFault, withAccounts } from "../../../support/faults/faulty-env.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";

/** Longer than a sender's lease. */
const LEASE_MS = 60_000;

it("a payment is credited once: a repeat is answered alike, another transaction is refused", async () => {
  const company = await givenCompany();
  await UNEXPECTED.NO_CHARGE(company);
  const { id } = await newestUnexpected(company);
  const [chosen, other] = [
    await givenTransaction(company, { amount: 900 }),
    await givenTransaction(company, { amount: 900 }),
  ];
  const credit = (transactionId: string, key: string) =>
    decide(company, id, "credit", { key, body: { transactionId } });
  const first = await credit(chosen.id, "k1");
  expect(first.body.data).toMatchObject({ status: "credited", transactionId: chosen.id });

  const again = await credit(chosen.id, "k1");
  expect(again.body).toEqual(first.body);
  expect(again.headers.get("Idempotent-Replayed")).toBe("true");
  const byState = await credit(chosen.id, "k2");
  expect([byState.status, byState.headers.get("Idempotent-Replayed")]).toEqual([200, null]);
  const repeated = await credit(chosen.id, "k2");
  expect([repeated.body, repeated.headers.get("Idempotent-Replayed")]).toEqual([
    byState.body,
    "true",
  ]);
  await expectProblem(await credit(other.id, "k3"), { status: 409, code: "INVALID_STATE" });
  for (const key of ["k1", "k2"]) {
    await expectProblem(await credit(other.id, key), {
      status: 409,
      code: "IDEMPOTENCY_KEY_REUSED",
    });
  }
  expect(await accountsOf(company)).toMatchObject({ available: 900, suspense: 0 });
});

it("the key of one credit is refused for another payment, which stays kept", async () => {
  const company = await givenCompany();
  await UNEXPECTED.NO_CHARGE(company);
  const { id } = await newestUnexpected(company);
  await decide(company, id, "credit", { key: "k1" });
  await UNEXPECTED.NO_CHARGE(company);
  const other = await newestUnexpected(company);

  await expectProblem(await decide(company, other.id, "credit", { key: "k1" }), {
    status: 409,
    code: "IDEMPOTENCY_KEY_REUSED",
  });

  expect(await newestUnexpected(company)).toMatchObject({ id: other.id, status: "kept" });
});

it.each(["approve", "refuse"])(
  "a return that waited is replayed as it was answered first, also after somebody could %s it",
  async (decision) => {
    const company = await givenCompany();
    await changeSettings(company, { refundApprovalAbove: 0 });
    await UNEXPECTED.NO_CHARGE(company);
    const { id } = await newestUnexpected(company);
    const first = await decide(company, id, "return", { key: "k1" });
    expect(first.body.data).toMatchObject({ status: "returning", approval: "pending" });
    const [waiting] = (await call("/api/v1/refunds?approval=pending", { company })).body.items;
    const approver = await givenApplication(company);
    await call(`/api/v1/refunds/${waiting.id}/${decision}`, { method: "POST", company: approver });
    if (decision === "refuse") await decide(company, id, "credit");

    const again = await decide(company, id, "return", { key: "k1" });

    expect(again.body).toEqual(first.body);
    expect([again.status, again.headers.get("Idempotent-Replayed")]).toEqual([202, "true"]);
  },
);

describe("a return that is under way is answered alike again, once it is done, under the key that", () => {
  it("joined it while it waited", async () => {
    const company = await givenCompany();
    await changeSettings(company, { refundApprovalAbove: 0 });
    await UNEXPECTED.NO_CHARGE(company);
    const { id } = await newestUnexpected(company);
    await decide(company, id, "return", { key: "k1" });
    const first = await decide(company, id, "return", { key: "k2" });
    const [waiting] = (await call("/api/v1/refunds?approval=pending", { company })).body.items;
    const approver = await givenApplication(company);
    await call(`/api/v1/refunds/${waiting.id}/approve`, { method: "POST", company: approver });

    await expectSameAgain(company, id, "k2", first);
  });

  it.each(["k1", "k2"])("found its sender crashed: %s", async (key) => {
    const clock = new TestClock();
    const company = await givenCompany({ clock });
    await UNEXPECTED.NO_CHARGE(company);
    const { id } = await newestUnexpected(company);
    const fault = injectFault({ on: /^recordOperation$/, when: "before" });
    const crashed = { key: "k1", env: withAccounts(env, fault.intercept) };
    expect((await decide(company, id, "return", crashed)).status).toBe(500);
    const first = await decide(company, id, "return", { key });
    clock.advance(LEASE_MS);
    await runOperation(company, new FakeBank(), clock);

    await expectSameAgain(company, id, key, first);
  });
});

async function expectSameAgain(company: TestCompany, id: string, key: string, first: Answer) {
  expect(first.body.data.status).toBe("returning");
  await waitUntilDrained(company);
  expect(await newestUnexpected(company)).toMatchObject({ status: "returned" });
  const again = await decide(company, id, "return", { key });
  expect(again.body).toEqual(first.body);
  expect([again.status, again.headers.get("Idempotent-Replayed")]).toEqual([202, "true"]);
}

it("what a rule is crediting is neither returned nor credited to another transaction", async () => {
  const company = await givenCompany();
  await setRules(company, { NO_CHARGE: "credit" });
  const fault = injectFault({ on: /decidePayment/, when: "before" });
  const cut = withAccounts(env, fault.intercept);
  const { paymentId } = (await UNEXPECTED.NO_CHARGE(company, { env: cut })).body;
  expect(await newestUnexpected(company)).toMatchObject({ status: "crediting" });
  const { id: transactionId } = await givenTransaction(company, { amount: 900 });
  const problem = { status: 409, code: "INVALID_STATE" };

  await expectProblem(await decide(company, paymentId, "return", { key: "k1" }), problem);
  const chosen = { key: "k2", body: { transactionId } };
  await expectProblem(await decide(company, paymentId, "credit", chosen), problem);

  expect(await accountsOf(company)).toMatchObject({ suspense: 900 });
  const finished = await decide(company, paymentId, "credit", { key: "k3" });
  expect(finished.body.data.status).toBe("credited");
  expect(await accountsOf(company)).toMatchObject({ available: 900, suspense: 0 });
});
