import { callsTo } from "../../../support/builders/companies/calls.ts";
import { expect, it } from "vitest";
import { SANDBOX_ACCOUNT } from "../../../../src/domain/withdraws/withdraw.ts";
import { providerOperationId } from "../../../../src/domain/charges/operation.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { configureObject, env, givenCompany } from "../../../support/builders/companies/company.ts";
import { cronDeps } from "../../../support/fakes/cron.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { CRASH, injectFault, withAccounts, withD1 } from "../../../support/faults/faulty-env.ts";
import { accountsOf, alarmOf, movementsOf } from "../../../support/probes/ledger/ledger.ts";
import {
  CLAIM_EXPIRED_MS,
  consumePayoutMessage,
  givenSettled,
  runOperation,
  dispute,
} from "../../../support/builders/operations/object-operations.ts";
import { operationsOf } from "../../../support/probes/charges/operation-rows.ts";
import { replaceInObject, killObject } from "../../../support/faults/object.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { refund } from "../../../support/builders/operations/refund.ts";
import { givenPaid } from "../../../support/builders/charges/transaction.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

/** A bank may take this long to answer. */
const SLOW_ANSWER_MS = 14_000;

async function givenRefundable() {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const bank = new FakeBank();
  const terms = { account: SANDBOX_ACCOUNT };
  const transaction = await givenSettled(company, 2_500, { terms });
  const deps = cronDeps(clock, bank);
  const ask = (struck?: ReturnType<typeof injectFault>) =>
    refund(company, transaction.id, undefined, {
      key: "re_1",
      deps,
      env: struck === undefined ? env : withAccounts(env, struck.intercept),
    });
  const refundId = async () => providerOperationId((await operationsOf(company))[0]!.operationId);
  return { clock, company, bank, transaction, deps, ask, refundId };
}

type Refundable = Awaited<ReturnType<typeof givenRefundable>>;

async function typesOf({ company }: Pick<Refundable, "company">): Promise<string[]> {
  return (await eventsOf(company)).map((event) => event.type);
}

/** The payer has it, once. */
async function expectRefundedOnce(given: Refundable): Promise<void> {
  const { company, bank } = given;
  expect(bank.sentRefunds).toHaveLength(1);
  expect(await operationsOf(company)).toMatchObject([{ kind: "refund", status: "DONE" }]);
  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 0, provider: 0 });
  expect((await movementsOf(company)).map((movement) => movement.type)).toEqual([
    "charge_paid",
    "refund_requested",
    "refund_done",
  ]);
  expect(await typesOf(given)).toEqual(["transaction.paid", "transaction.refunded"]);
}

it("a refund that was accepted but not sent is looked up by its id and sent under the same id", async () => {
  const given = await givenRefundable();
  const { clock, company, bank, ask, refundId } = given;
  const lost = injectFault({ on: /^requestRefund$/, when: "after" });

  expect((await ask(lost)).status).toBe(500);
  expect(lost.injections()).toBe(1);
  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 2_500 });
  await runOperation(company, bank, clock);
  expect([bank.refundLookups, bank.sentRefunds]).toEqual([[], []]);
  clock.advance(CLAIM_EXPIRED_MS);
  await runOperation(company, bank, clock);

  expect(bank.refundLookups).toEqual([await refundId()]);
  expect(bank.sentRefunds).toMatchObject([{ refundId: await refundId(), amount: 2_500 }]);
  await expectRefundedOnce(given);
});

it("a refund that was not accepted leaves nothing, and its key works later", async () => {
  const given = await givenRefundable();
  const lost = injectFault({ on: /^requestRefund$/, when: "before" });

  expect((await given.ask(lost)).status).toBe(500);
  expect(await operationsOf(given.company)).toEqual([]);
  const answer = await given.ask();

  expect(answer.status).toBe(200);
  expect(answer.headers.get("Idempotent-Replayed")).toBeNull();
  await expectRefundedOnce(given);
});

it("a refund whose report was lost is looked up by its id and not sent twice", async () => {
  const given = await givenRefundable();
  const { clock, company, bank, ask, refundId } = given;
  const lost = injectFault({ on: /^recordOperation$/, when: "before" });

  expect((await ask(lost)).status).toBe(500);
  expect(bank.sentRefunds).toHaveLength(1);
  clock.advance(CLAIM_EXPIRED_MS);
  await runOperation(company, bank, clock);
  await runOperation(company, bank, clock);

  expect(bank.refundLookups).toEqual([await refundId()]);
  await expectRefundedOnce(given);
});

it("a refund whose response was lost is replayed by its key", async () => {
  const given = await givenRefundable();
  const { clock, company, bank, ask } = given;
  const lost = injectFault({ on: /^recordOperation$/, when: "after" });

  expect((await ask(lost)).status).toBe(500);
  clock.advance(CLAIM_EXPIRED_MS);
  await runOperation(company, bank, clock);
  const again = await ask();

  expect(again.status).toBe(200);
  expect(again.headers.get("Idempotent-Replayed")).toBe("true");
  expect(again.body.data).toMatchObject({ status: "REFUNDED", refundedAmount: 2_500 });
  expect(bank.refundLookups).toEqual([]);
  await expectRefundedOnce(given);
});

it.each([
  ["accepted", { on: /^requestRefund$/, when: "after" }],
  ["sent", { on: /^recordOperation$/, when: "before" }],
] as const)(
  "a client that repeats a refund that was cut off once %s waits for the lease, and the refund is looked up",
  async (_cut, wish) => {
    const given = await givenRefundable();
    const { clock, bank, ask } = given;
    expect((await ask(injectFault(wish))).status).toBe(500);

    await expectProblem(await ask(), { status: 409, code: "IDEMPOTENCY_IN_PROGRESS" });
    expect(bank.refundLookups).toEqual([]);
    clock.advance(CLAIM_EXPIRED_MS);
    const answer = await ask();

    expect(answer.status).toBe(200);
    expect(bank.refundLookups).toHaveLength(1);
    await expectRefundedOnce(given);
    expect((await ask()).body.data).toEqual(answer.body.data);
  },
);

it("a call that failed in transit requests one refund and still sends it itself", async () => {
  const given = await givenRefundable();
  let calls = 0;
  const answer = await refund(given.company, given.transaction.id, undefined, {
    deps: given.deps,
    env: withAccounts(env, async (label, run) => {
      const done = await run();
      if (label !== "requestRefund") return done;
      calls += 1;
      if (calls === 1) throw Object.assign(new Error("reset"), { retryable: true });
      return done;
    }),
  });

  expect(answer.status).toBe(200);
  expect(calls).toBe(2);
  expect(given.bank.refundLookups).toEqual([]);
  await expectRefundedOnce(given);
});

it("a refund that is not found at a bank without idempotency is not sent again and stays held", async () => {
  const given = await givenRefundable();
  const { clock, company, bank, ask } = given;
  bank.idempotentRefunds = false;
  await ask(injectFault({ on: /^requestRefund$/, when: "after" }));

  for (let time = 0; time < 3; time++) {
    clock.advance(CLAIM_EXPIRED_MS * 60);
    await runOperation(company, bank, clock);
  }

  expect(bank.refundLookups).toHaveLength(3);
  expect(bank.sentRefunds).toEqual([]);
  expect(await operationsOf(company)).toMatchObject([{ status: "PENDING" }]);
  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 2_500 });
});

it("an object that crashes during a refund resumes it after its lease expires", async () => {
  const given = await givenRefundable();
  const { clock, company, bank, ask } = given;
  await ask(injectFault({ on: /^recordOperation$/, when: "before" }));

  await killObject(company);
  await configureObject(company.id, { clock });
  const notified: number[] = [];
  await replaceInObject(company, {
    notifier: {
      notifyDeliveries: async () => undefined,
      notifyPayouts: async (_company, due) => void notified.push(...due.operationIds),
    },
  });
  const wake = () => callsTo(company.id).runNow();
  await wake();
  expect(notified).toEqual([]);
  expect(await alarmOf(company)).not.toBeNull();
  clock.advance(CLAIM_EXPIRED_MS);
  await wake();
  expect(notified).toEqual([1]);

  await runOperation(company, bank, clock);
  await expectRefundedOnce(given);
  await wake();
  expect(notified).toEqual([1]);
});

it("no other process looks up or sends a refund while its lease is held, however slow the bank is", async () => {
  const given = await givenRefundable();
  const { clock, company, bank, ask } = given;
  await ask(injectFault({ on: /^requestRefund$/, when: "after" }));
  clock.advance(CLAIM_EXPIRED_MS);
  bank.onFindRefund = async () => {
    clock.advance(SLOW_ANSWER_MS);
    await runOperation(company, bank, clock);
    return { kind: "not_found" };
  };
  bank.onRefund = async () => {
    clock.advance(SLOW_ANSWER_MS);
    await runOperation(company, bank, clock);
    await expectProblem(await ask(), { status: 409, code: "IDEMPOTENCY_IN_PROGRESS" });
    return { kind: "done" };
  };

  await runOperation(company, bank, clock);

  expect(bank.refundLookups).toHaveLength(1);
  await expectRefundedOnce(given);
});

it("an unresponsive bank leads to a 202, the consumer completes it, and the key keeps its first response", async () => {
  const given = await givenRefundable();
  const { clock, company, bank, ask, refundId } = given;
  bank.onRefund = async () => ({ kind: "processing" });

  const first = await ask();
  expect(first.status).toBe(202);
  expect(first.body.data).toMatchObject({ status: "PAID", refunds: [{ status: "PENDING" }] });
  await runOperation(company, bank, clock);
  expect(await operationsOf(company)).toMatchObject([{ status: "PENDING" }]);
  bank.refunds.set(await refundId(), { kind: "done" });
  await runOperation(company, bank, clock);
  await runOperation(company, bank, clock);

  expect(bank.refundLookups).toHaveLength(2);
  await expectRefundedOnce(given);
  const replay = await ask();
  expect([replay.status, replay.body]).toEqual([202, first.body]);
});

it.each([
  ["throws", async () => Promise.reject(new Error("connection reset"))],
  ["says nothing that can be understood", async () => ({ kind: "unknown" as const })],
])(
  "a bank that %s has not rejected the refund: it is looked up and not sent again",
  async (_, answer) => {
    const given = await givenRefundable();
    const { clock, company, bank, ask, refundId } = given;
    bank.onRefund = answer;
    bank.onFindRefund = answer;
    expect((await ask()).status).toBe(202);
    await runOperation(company, bank, clock);
    bank.onFindRefund = async () => ({ kind: "done" });

    await runOperation(company, bank, clock);

    expect(bank.refundLookups).toEqual([await refundId(), await refundId()]);
    await expectRefundedOnce(given);
  },
);

it("the queue message completes a refund whose request crashed before sending", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const { id } = await givenPaid(company, 2_500);
  const lost = injectFault({ on: /^requestRefund$/, when: "after" });
  await refund(company, id, undefined, { env: withAccounts(env, lost.intercept) });
  const message = { companyId: company.id, operationId: 1 };

  expect(await consumePayoutMessage(message)).toBe("acked");
  expect(await operationsOf(company)).toMatchObject([{ status: "PENDING" }]);
  clock.advance(CLAIM_EXPIRED_MS);
  expect(await consumePayoutMessage(message)).toBe("acked");
  expect(await consumePayoutMessage(message)).toBe("acked");

  expect(await operationsOf(company)).toMatchObject([{ status: "DONE" }]);
  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 0, provider: 0 });
  expect(await typesOf({ company })).toEqual(["transaction.paid", "transaction.refunded"]);
});

it("a message about an unknown operation is acknowledged, one without its company is retried", async () => {
  const company = await givenCompany();

  expect(await consumePayoutMessage({ companyId: company.id, operationId: 9 })).toBe("acked");
  expect(await consumePayoutMessage({ companyId: 99_999_999, operationId: 1 })).toBe("retried");
});

it.each(["before", "after"] as const)(
  "a chargeback recorded %s a lost refund is found takes the money a second time, as the bank did",
  async (when) => {
    const given = await givenRefundable();
    const { clock, company, bank, transaction, ask } = given;
    await ask(injectFault({ on: /^recordOperation$/, when: "before" }));
    clock.advance(CLAIM_EXPIRED_MS);
    const chargeback = () =>
      dispute(company, transaction, { kind: "CHARGEBACK", status: "LOST", amount: 1_000 });

    if (when === "before") await chargeback();
    await runOperation(company, bank, clock);
    if (when === "after") await chargeback();

    expect(bank.sentRefunds).toHaveLength(1);
    expect(await accountsOf(company)).toMatchObject({
      available: 0,
      blocked: 0,
      debt: -1_000,
      provider: 1_000,
    });
    expect((await typesOf(given)).filter((type) => type !== "dispute.lost")).toEqual(
      when === "before"
        ? ["transaction.paid", "transaction.partially_refunded", "transaction.refunded"]
        : ["transaction.paid", "transaction.refunded"],
    );
  },
);

it("a consumer that cannot read D1 claims nothing, so the next one does not wait", async () => {
  const given = await givenRefundable();
  const { clock, company, bank, ask } = given;
  await ask(injectFault({ on: /^requestRefund$/, when: "after" }));
  clock.advance(CLAIM_EXPIRED_MS);
  const down = injectFault({ on: /from "companies"/, when: "before" });

  await expect(
    runOperation(company, bank, clock, { env: withD1(env, down.intercept) }),
  ).rejects.toThrow();
  expect([down.injections(), bank.refundLookups]).toEqual([1, []]);
  await runOperation(company, bank, clock);

  await expectRefundedOnce(given);
});

it("a consumer that crashes with its claim leaves the refund to the next one after its lease expires", async () => {
  const given = await givenRefundable();
  const { clock, company, bank, ask } = given;
  await ask(injectFault({ on: /^requestRefund$/, when: "after" }));
  clock.advance(CLAIM_EXPIRED_MS);
  const lost = injectFault({ on: /^claimOperation$/, when: "after" });

  await expect(
    runOperation(company, bank, clock, { env: withAccounts(env, lost.intercept) }),
  ).rejects.toThrow(CRASH);
  await runOperation(company, bank, clock);
  expect([bank.refundLookups, bank.sentRefunds]).toEqual([[], []]);
  clock.advance(CLAIM_EXPIRED_MS);
  await runOperation(company, bank, clock);

  expect(bank.refundLookups).toHaveLength(1);
  await expectRefundedOnce(given);
});

it("a booked refund keeps its result when the bank contradicts it later", async () => {
  const given = await givenRefundable();
  const { company, bank, clock } = given;
  await given.ask();
  const report = { kind: "failed", reason: "no" } as const;
  const wrong = { companyId: company.id, id: 1, report, reply: null };
  const late = await callsTo(company.id).recordOperation(wrong);
  await runOperation(company, bank, clock);

  expect(late.kind).toBe("contradiction");
  await expectRefundedOnce(given);
});
