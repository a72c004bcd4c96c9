import { abortAllDurableObjects } from "cloudflare:test";
import { expect, it } from "vitest";
import { providerOperationId } from "../../../../src/domain/charges/operation.ts";
import { call } from "../../../support/builders/api.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { arrangeObject, env, givenCompany } from "../../../support/builders/company.ts";
import { cronDeps } from "../../../support/fakes/cron.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { fault, withAccounts, type Fault } from "../../../support/faults/faulty-env.ts";
import { accountsOf } from "../../../support/builders/ledger.ts";
import { OPERATOR_CREDENTIALS } from "../../../support/builders/operator.ts";
import {
  CLAIMER_IS_DEAD_MS,
  freshEndToEndId,
  givenSettled,
  operationsOf,
  runOperation,
  settleOn,
} from "../../../support/builders/object-operations.ts";
import { expectProblem } from "../../../support/probes/problem.ts";

/** A charge that was paid twice: the second payment is in `suspense`. */
async function givenSuspended() {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const bank = new FakeBank();
  const transaction = await givenSettled(company, 2_500);
  const paymentId = freshEndToEndId();
  await settleOn(company, transaction, { payment: { paymentId, amount: 700 } });
  const ask = (struck?: Fault) =>
    call(`/api/v1/operator/companies/${company.id}/suspense/${paymentId}/return`, {
      method: "POST",
      headers: OPERATOR_CREDENTIALS,
      deps: cronDeps(clock, bank),
      env: struck === undefined ? env : withAccounts(env, struck.around),
    });
  return { clock, company, bank, paymentId, ask };
}

type Suspended = Awaited<ReturnType<typeof givenSuspended>>;

async function expectReturnedOnce({ company, bank, paymentId, ask }: Suspended): Promise<void> {
  expect(bank.sentRefunds).toMatchObject([{ paymentId, amount: 700 }]);
  expect(await operationsOf(company)).toMatchObject([{ kind: "return", status: "DONE" }]);
  expect(await accountsOf(company)).toEqual({ available: 2_500, suspense: 0, provider: -2_500 });
  const again = await ask();
  expect([again.status, again.body.returnStatus]).toEqual([200, "DONE"]);
  expect(bank.sentRefunds).toHaveLength(1);
}

it("a return accepted but never sent is asked for by its id, then sent under the same id", async () => {
  const given = await givenSuspended();
  const { clock, company, bank, ask } = given;

  expect((await ask(fault({ on: /^requestReturn$/, when: "after" }))).status).toBe(500);
  expect((await ask()).status).toBe(202);
  expect([bank.askedRefunds, bank.sentRefunds]).toEqual([[], []]);
  clock.advance(CLAIMER_IS_DEAD_MS);
  await runOperation(company, bank, clock);

  const [operation] = await operationsOf(company);
  expect(bank.askedRefunds).toEqual([providerOperationId(operation!.operationId)]);
  expect(bank.sentRefunds[0]!.refundId).toBe(bank.askedRefunds[0]);
  await expectReturnedOnce(given);
});

it("a return sent whose report was lost is found by its id, and never sent twice", async () => {
  const given = await givenSuspended();
  const { clock, company, bank, ask } = given;

  expect((await ask(fault({ on: /^recordOperation$/, when: "before" }))).status).toBe(500);
  await abortAllDurableObjects();
  await arrangeObject(company.id, { clock });
  clock.advance(CLAIMER_IS_DEAD_MS);
  const answer = await ask();

  expect([answer.status, answer.body.returnStatus]).toEqual([200, "DONE"]);
  expect(bank.askedRefunds).toHaveLength(1);
  await expectReturnedOnce(given);
});

it("a return booked whose reply was lost is told to whoever asks again", async () => {
  const given = await givenSuspended();
  const { bank, ask } = given;

  expect((await ask(fault({ on: /^recordOperation$/, when: "after" }))).status).toBe(500);

  await expectReturnedOnce(given);
  expect(bank.askedRefunds).toEqual([]);
});

it("a return that the bank has not decided is a 202 until the consumer hears of it", async () => {
  const given = await givenSuspended();
  const { clock, company, bank, ask } = given;
  bank.onRefund = async () => ({ kind: "processing" });

  const first = await ask();
  expect([first.status, first.body.returnStatus]).toEqual([202, "PENDING"]);
  expect(await accountsOf(company)).toMatchObject({ suspense: 700 });
  bank.onAskRefund = async () => ({ kind: "done" });
  await runOperation(company, bank, clock);

  await expectReturnedOnce(given);
});

it("a not found is not sent again to a bank that may return twice", async () => {
  const { clock, company, bank, ask } = await givenSuspended();
  bank.idempotentRefunds = false;
  await ask(fault({ on: /^requestReturn$/, when: "after" }));

  clock.advance(CLAIMER_IS_DEAD_MS);
  await runOperation(company, bank, clock);

  expect(bank.askedRefunds).toHaveLength(1);
  expect(bank.sentRefunds).toEqual([]);
  expect(await accountsOf(company)).toMatchObject({ suspense: 700 });
});

it("a refused return leaves the money in suspense, and a later one goes under an id of its own", async () => {
  const { company, bank, ask } = await givenSuspended();
  bank.onRefund = async () => ({ kind: "failed", reason: "the account is closed" });

  await expectProblem(await ask(), { status: 422, code: "REFUND_REFUSED" });
  expect(await accountsOf(company)).toMatchObject({ suspense: 700 });
  bank.onRefund = async () => ({ kind: "done" });
  const answer = await ask();

  expect([answer.status, answer.body.returnStatus]).toEqual([200, "DONE"]);
  const [first, second] = bank.sentRefunds;
  expect(first!.refundId).not.toBe(second!.refundId);
  expect(await operationsOf(company)).toMatchObject([{ status: "FAILED" }, { status: "DONE" }]);
  expect(await accountsOf(company)).toMatchObject({ available: 2_500, suspense: 0 });
});
