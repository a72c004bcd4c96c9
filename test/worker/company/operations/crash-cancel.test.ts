import { killObject } from "../../../support/faults/object.ts";
import { expect, it } from "vitest";
import { providerChargeId } from "../../../../src/domain/charges/transaction.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { configureObject, env, givenCompany } from "../../../support/builders/companies/company.ts";
import { cronDeps, runCron } from "../../../support/fakes/cron.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import {
  CRASH,
  injectFault,
  withAccounts,
  withD1,
  type Fault,
} from "../../../support/faults/faulty-env.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";
import {
  CLAIM_EXPIRED_MS,
  DAY_MS,
  freshEndToEndId,
  runOperation,
  settleCharge,
} from "../../../support/builders/operations/object-operations.ts";
import { operationsOf } from "../../../support/probes/charges/operation-rows.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { cancel } from "../../../support/builders/operations/refund.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";
import { transactionsOf } from "../../../support/probes/charges/transaction-rows.ts";

const REFUSED = { kind: "refused", reason: "it was paid" } as const;

async function givenOpen() {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const bank = new FakeBank();
  const deps = cronDeps(clock, bank);
  const transaction = await givenTransaction(company, { amount: 2_500 }, { deps });
  const ask = (struck?: Fault, key = "ca_1") =>
    cancel(company, transaction.id, {
      key,
      deps,
      env: struck === undefined ? env : withAccounts(env, struck.intercept),
    });
  const paid = {
    paymentId: freshEndToEndId(),
    method: "PIX" as const,
    amount: 2_500,
    paidAt: clock.now(),
  };
  return {
    clock,
    company,
    bank,
    transaction,
    ask,
    paid,
    chargeId: providerChargeId(transaction.id),
  };
}

type Open = Awaited<ReturnType<typeof givenOpen>>;

async function expectCancelledOnce({ company }: Open): Promise<void> {
  expect(await operationsOf(company)).toMatchObject([{ kind: "cancel", status: "DONE" }]);
  expect(await transactionsOf(company)).toMatchObject([{ status: "cancelled" }]);
  expect((await eventsOf(company)).map(({ type }) => type)).toEqual(["transaction.cancelled"]);
  expect(await accountsOf(company)).toEqual({});
}

it("a cancel that was accepted but not sent is sent under the charge's id after its lease expires", async () => {
  const given = await givenOpen();
  const { clock, company, bank, ask, chargeId } = given;

  expect((await ask(injectFault({ on: /^requestCancelOrCapture$/, when: "after" }))).status).toBe(
    500,
  );
  await runOperation(company, bank, clock);
  expect(bank.cancelled).toEqual([]);
  clock.advance(CLAIM_EXPIRED_MS);
  await runOperation(company, bank, clock);

  expect(bank.cancelled).toEqual([chargeId]);
  await expectCancelledOnce(given);
});

it("a cancel whose report was lost is looked up under the charge's id and announced once", async () => {
  const given = await givenOpen();
  const { clock, company, bank, ask, chargeId } = given;

  expect((await ask(injectFault({ on: /^recordOperation$/, when: "before" }))).status).toBe(500);
  clock.advance(CLAIM_EXPIRED_MS);
  await runOperation(company, bank, clock);
  await runOperation(company, bank, clock);

  expect(bank.cancelled).toEqual([chargeId, chargeId]);
  await expectCancelledOnce(given);
});

it("a cancel whose response was lost is replayed by its key", async () => {
  const given = await givenOpen();
  const { clock, company, bank, ask, chargeId } = given;

  expect((await ask(injectFault({ on: /^recordOperation$/, when: "after" }))).status).toBe(500);
  clock.advance(CLAIM_EXPIRED_MS);
  await runOperation(company, bank, clock);
  const again = await ask();

  expect(again.status).toBe(200);
  expect(again.headers.get("Idempotent-Replayed")).toBe("true");
  expect(again.body.data).toMatchObject({ status: "CANCELLED", cancelReason: "REQUESTED" });
  expect(bank.cancelled).toEqual([chargeId]);
  await expectCancelledOnce(given);
});

it("an object that crashes during a cancel resumes it after the restart", async () => {
  const given = await givenOpen();
  const { clock, company, bank, ask } = given;
  await ask(injectFault({ on: /^recordOperation$/, when: "before" }));

  await killObject(company);
  await configureObject(company.id, { clock });
  clock.advance(CLAIM_EXPIRED_MS);
  await runOperation(company, bank, clock);

  await expectCancelledOnce(given);
});

it("a cancel without a response from the bank is a 202, and the queue consumer completes it", async () => {
  const given = await givenOpen();
  const { clock, company, bank, ask } = given;
  bank.onCancel = async () => ({ kind: "unknown" });

  const first = await ask();
  expect(first.status).toBe(202);
  expect(first.body.data.status).toBe("WAITING_PAYMENT");
  await runOperation(company, bank, clock);
  bank.onCancel = async () => ({ kind: "cancelled" });
  await runOperation(company, bank, clock);

  expect(bank.cancelled).toHaveLength(3);
  await expectCancelledOnce(given);
  const replay = await ask();
  expect([replay.status, replay.body]).toEqual([202, first.body]);
});

it("a second cancel joins the one in progress: one is sent and both get its result", async () => {
  const given = await givenOpen();
  const { clock, bank, ask } = given;
  await ask(injectFault({ on: /^requestCancelOrCapture$/, when: "after" }), "ca_1");

  await expectProblem(await ask(undefined, "ca_2"), {
    status: 409,
    code: "IDEMPOTENCY_IN_PROGRESS",
  });
  expect(bank.cancelled).toEqual([]);
  clock.advance(CLAIM_EXPIRED_MS);
  expect((await ask(undefined, "ca_2")).status).toBe(200);
  expect((await ask(undefined, "ca_1")).body.data.status).toBe("CANCELLED");

  expect(bank.cancelled).toHaveLength(1);
  await expectCancelledOnce(given);
});

it("a payment during a cancel is found when the bank rejects the cancel", async () => {
  const { clock, company, bank, ask, paid } = await givenOpen();
  bank.setPayments(paid);
  bank.onCancel = async () => REFUSED;
  await ask(injectFault({ on: /^requestCancelOrCapture$/, when: "after" }));
  clock.advance(CLAIM_EXPIRED_MS);

  await runOperation(company, bank, clock);

  expect(await operationsOf(company)).toMatchObject([{ status: "FAILED" }]);
  expect(await accountsOf(company)).toEqual({ available: 2_500, provider: -2_500 });
  expect((await eventsOf(company)).map(({ type }) => type)).toEqual(["transaction.paid"]);
  await expectProblem(await ask(), { status: 409, code: "INVALID_STATE" });
});

it.each(["before", "after"] as const)(
  "a payment recorded %s a lost cancel is found leaves the charge paid",
  async (when) => {
    const { clock, company, bank, transaction, ask, paid } = await givenOpen();
    await ask(injectFault({ on: /^recordOperation$/, when: "before" }));
    clock.advance(CLAIM_EXPIRED_MS);

    if (when === "before") await settleCharge(company, transaction, { payment: paid });
    await runOperation(company, bank, clock);
    if (when === "after") await settleCharge(company, transaction, { payment: paid });

    expect(await operationsOf(company)).toMatchObject([
      { status: when === "before" ? "FAILED" : "DONE" },
    ]);
    expect(await transactionsOf(company)).toMatchObject([{ status: "paid" }]);
    expect(await accountsOf(company)).toEqual({ available: 2_500, provider: -2_500 });
    expect((await eventsOf(company)).map(({ type }) => type)).toEqual(
      when === "before"
        ? ["transaction.paid"]
        : ["transaction.cancelled", "transaction.paid", "payment.unexpected"],
    );
  },
);

it("a rejected cancel is booked only once the charge can be read from D1", async () => {
  const { clock, company, bank, ask, paid } = await givenOpen();
  bank.setPayments(paid);
  bank.onCancel = async () => REFUSED;
  await ask(injectFault({ on: /^requestCancelOrCapture$/, when: "after" }));
  clock.advance(CLAIM_EXPIRED_MS);
  const down = injectFault({ on: /from "transactions"/, when: "before", error: CRASH });

  await expect(
    runOperation(company, bank, clock, { env: withD1(env, down.intercept) }),
  ).rejects.toThrow();
  expect(down.injections()).toBe(1);
  expect(await operationsOf(company)).toMatchObject([{ status: "PENDING" }]);
  clock.advance(CLAIM_EXPIRED_MS);
  await runOperation(company, bank, clock);

  expect(await operationsOf(company)).toMatchObject([{ status: "FAILED" }]);
  expect(await accountsOf(company)).toEqual({ available: 2_500, provider: -2_500 });
});

/** A charge that its bank refused to cancel, and that is past its expiry now. */
async function givenRefusedCancel() {
  const { clock, company, bank, ask, paid } = await givenOpen();
  bank.onCancel = async () => REFUSED;
  expect((await ask()).status).toBe(409);
  clock.advance(2 * DAY_MS);
  return { company, bank, paid, expire: () => runCron(cronDeps(clock, bank)) };
}

it("a charge whose cancel was rejected still expires with its event", async () => {
  const { company, expire } = await givenRefusedCancel();

  await expire();

  expect(await transactionsOf(company)).toMatchObject([{ status: "cancelled" }]);
  expect((await eventsOf(company)).map(({ type }) => type)).toEqual(["transaction.cancelled"]);
});

it("a payment with a lost callback after a rejected cancel is found at the charge's expiry", async () => {
  const { company, bank, paid, expire } = await givenRefusedCancel();
  bank.setPayments(paid);

  await expire();

  expect(await accountsOf(company)).toEqual({ available: 2_500, provider: -2_500 });
});
