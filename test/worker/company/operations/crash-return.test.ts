import { killObject } from "../../../support/faults/object.ts";
import { expect, it } from "vitest";
import { providerOperationId } from "../../../../src/domain/charges/operation.ts";
import type { Answer } from "../../../support/builders/requests/api.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { configureObject, env, givenCompany } from "../../../support/builders/companies/company.ts";
import { cronDeps } from "../../../support/fakes/cron.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { injectFault, withAccounts, type Fault } from "../../../support/faults/faulty-env.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";
import { callAsOperator } from "../../../support/builders/companies/operator.ts";
import { approve, proposeOn } from "../../../support/builders/operations/decide.ts";
import {
  CLAIM_EXPIRED_MS,
  freshEndToEndId,
  givenSettled,
  runOperation,
  settleCharge,
} from "../../../support/builders/operations/object-operations.ts";
import { operationsOf } from "../../../support/probes/charges/operation-rows.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";

/** A charge that was paid twice: the second payment is in `suspense`. */
async function givenUnexpected() {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const bank = new FakeBank();
  const transaction = await givenSettled(company, 2_500);
  const paymentId = freshEndToEndId();
  await settleCharge(company, transaction, { payment: { paymentId, amount: 700 } });
  const path = `/companies/${company.id}/suspense/${paymentId}/return`;
  const deps = cronDeps(clock, bank);
  const propose = () => proposeOn(path, {}, { deps });
  const proposed = await propose();
  expect(proposed.status).toBe(202);
  /** The second operator approves, again and again. */
  const ask = (struck?: Fault, id: string = proposed.body.data.id) =>
    approve(id, { deps, env: struck === undefined ? env : withAccounts(env, struck.intercept) });
  return { clock, company, bank, paymentId, propose, ask };
}

/** An approval's answer: its status, and what became of the return then. */
const outcomeOf = ({ status, body }: Answer) => [status, body.data.outcome?.returnStatus];

type GivenUnexpected = Awaited<ReturnType<typeof givenUnexpected>>;

async function expectReturnedOnce(
  { company, bank, paymentId, propose, ask }: GivenUnexpected,
  answered = "DONE",
): Promise<void> {
  expect(bank.sentRefunds).toMatchObject([{ paymentId, amount: 700 }]);
  expect(await operationsOf(company)).toMatchObject([{ kind: "return", status: "DONE" }]);
  expect(await accountsOf(company)).toEqual({ available: 2_500, suspense: 0, provider: -2_500 });
  expect(outcomeOf(await ask())).toEqual([200, answered]);
  await expectProblem(await propose(), { status: 409, code: "INVALID_STATE" });
  const { items } = (await callAsOperator(`/companies/${company.id}/suspense`)).body;
  expect(items).toMatchObject([{ paymentId, returnStatus: "DONE" }]);
  expect(bank.sentRefunds).toHaveLength(1);
}

it("a return that was accepted but not sent is looked up by its id and sent under the same id", async () => {
  const given = await givenUnexpected();
  const { clock, company, bank, ask } = given;

  expect((await ask(injectFault({ on: /^decideByOperators$/, when: "after" }))).status).toBe(500);
  expect(outcomeOf(await ask())).toEqual([200, "PENDING"]);
  expect([bank.refundLookups, bank.sentRefunds]).toEqual([[], []]);
  clock.advance(CLAIM_EXPIRED_MS);
  await runOperation(company, bank, clock);

  const [operation] = await operationsOf(company);
  expect(bank.refundLookups).toEqual([providerOperationId(operation!.operationId)]);
  expect(bank.sentRefunds[0]!.refundId).toBe(bank.refundLookups[0]);
  await expectReturnedOnce(given, "PENDING");
});

it("a return whose report was lost is found by its id and not sent twice", async () => {
  const given = await givenUnexpected();
  const { clock, company, bank, ask } = given;

  expect((await ask(injectFault({ on: /^recordOperation$/, when: "before" }))).status).toBe(500);
  await killObject(company);
  await configureObject(company.id, { clock });
  clock.advance(CLAIM_EXPIRED_MS);

  expect(outcomeOf(await ask())).toEqual([200, "DONE"]);
  expect(bank.refundLookups).toHaveLength(1);
  await expectReturnedOnce(given);
});

it("a return whose response was lost is returned to a repeated request", async () => {
  const given = await givenUnexpected();
  const { bank, ask } = given;

  expect((await ask(injectFault({ on: /^recordOperation$/, when: "after" }))).status).toBe(500);

  await expectReturnedOnce(given);
  expect(bank.refundLookups).toEqual([]);
});

it("a return without a decision of the bank is pending until the consumer learns it", async () => {
  const given = await givenUnexpected();
  const { clock, company, bank, ask } = given;
  bank.onRefund = async () => ({ kind: "processing" });

  expect(outcomeOf(await ask())).toEqual([200, "PENDING"]);
  expect(await accountsOf(company)).toMatchObject({ suspense: 700 });
  bank.onFindRefund = async () => ({ kind: "done" });
  await runOperation(company, bank, clock);

  await expectReturnedOnce(given, "PENDING");
});

it("a return that is not found at a bank without idempotency is not sent again", async () => {
  const { clock, company, bank, ask } = await givenUnexpected();
  bank.idempotentRefunds = false;
  expect((await ask(injectFault({ on: /^decideByOperators$/, when: "after" }))).status).toBe(500);

  clock.advance(CLAIM_EXPIRED_MS);
  await runOperation(company, bank, clock);

  expect(bank.refundLookups).toHaveLength(1);
  expect(bank.sentRefunds).toEqual([]);
  expect(await accountsOf(company)).toMatchObject({ suspense: 700 });
});

it("a rejected return leaves the money in suspense, and a later return uses a new id", async () => {
  const { company, bank, propose, ask } = await givenUnexpected();
  bank.onRefund = async () => ({ kind: "failed", reason: "the account is closed" });

  expect(outcomeOf(await ask())).toEqual([200, "FAILED"]);
  expect(await accountsOf(company)).toMatchObject({ suspense: 700 });
  bank.onRefund = async () => ({ kind: "done" });
  const later = await propose();

  expect(outcomeOf(await ask(undefined, later.body.data.id))).toEqual([200, "DONE"]);
  const [first, second] = bank.sentRefunds;
  expect(first!.refundId).not.toBe(second!.refundId);
  expect(await operationsOf(company)).toMatchObject([{ status: "FAILED" }, { status: "DONE" }]);
  expect(await accountsOf(company)).toMatchObject({ available: 2_500, suspense: 0 });
});
