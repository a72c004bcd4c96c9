import { abortAllDurableObjects } from "cloudflare:test";
import { expect, it } from "vitest";
import { providerOperationId } from "../../../../src/domain/charges/operation.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { arrangeObject, env, givenCompany } from "../../../support/builders/company.ts";
import { cronDeps } from "../../../support/fakes/cron.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { CRASH, fault, withAccounts, withD1 } from "../../../support/faults/faulty-env.ts";
import { accountsOf, alarmOf, movementsOf } from "../../../support/builders/ledger.ts";
import {
  CLAIMER_IS_DEAD_MS,
  consumePayouts,
  givenSettled,
  operationsOf,
  runOperation,
  dispute,
} from "../../../support/builders/object-operations.ts";
import { replaceInObject } from "../../../support/probes/object.ts";
import { expectProblem } from "../../../support/probes/problem.ts";
import { refund } from "../../../support/builders/refund.ts";
import { givenPaid } from "../../../support/builders/transaction.ts";
import { eventsOf } from "../../../support/probes/webhook-rows.ts";

/** How long a send whose answer was lost may still get to its bank. */
const TEN_MINUTES_MS = 10 * 60_000;
/** A bank may take this long to answer. */
const SLOW_ANSWER_MS = 14_000;

async function givenRefundable() {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const bank = new FakeBank();
  const transaction = await givenSettled(company, 2_500);
  const deps = cronDeps(clock, bank);
  const ask = (struck?: ReturnType<typeof fault>) =>
    refund(company, transaction.id, undefined, {
      key: "re_1",
      deps,
      env: struck === undefined ? env : withAccounts(env, struck.around),
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

it("a refund accepted but never sent is asked for by its id, then sent under the same id", async () => {
  const given = await givenRefundable();
  const { clock, company, bank, ask, refundId } = given;
  const lost = fault({ on: /^requestRefund$/, when: "after" });

  expect((await ask(lost)).status).toBe(500);
  expect(lost.strikes()).toBe(1);
  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 2_500 });
  await runOperation(company, bank, clock);
  expect([bank.askedRefunds, bank.sentRefunds]).toEqual([[], []]);
  clock.advance(CLAIMER_IS_DEAD_MS);
  await runOperation(company, bank, clock);

  expect(bank.askedRefunds).toEqual([await refundId()]);
  expect(bank.sentRefunds).toMatchObject([{ refundId: await refundId(), amount: 2_500 }]);
  await expectRefundedOnce(given);
});

it("a refund that was never accepted leaves nothing, and its key makes one later", async () => {
  const given = await givenRefundable();
  const lost = fault({ on: /^requestRefund$/, when: "before" });

  expect((await given.ask(lost)).status).toBe(500);
  expect(await operationsOf(given.company)).toEqual([]);
  const answer = await given.ask();

  expect(answer.status).toBe(200);
  expect(answer.headers.get("Idempotent-Replayed")).toBeNull();
  await expectRefundedOnce(given);
});

it("a refund sent whose report was lost is asked about by its id, and never sent twice", async () => {
  const given = await givenRefundable();
  const { clock, company, bank, ask, refundId } = given;
  const lost = fault({ on: /^recordOperation$/, when: "before" });

  expect((await ask(lost)).status).toBe(500);
  expect(bank.sentRefunds).toHaveLength(1);
  clock.advance(CLAIMER_IS_DEAD_MS);
  await runOperation(company, bank, clock);
  await runOperation(company, bank, clock);

  expect(bank.askedRefunds).toEqual([await refundId()]);
  await expectRefundedOnce(given);
});

it("a refund booked whose reply was lost is replayed by its key", async () => {
  const given = await givenRefundable();
  const { clock, company, bank, ask } = given;
  const lost = fault({ on: /^recordOperation$/, when: "after" });

  expect((await ask(lost)).status).toBe(500);
  clock.advance(CLAIMER_IS_DEAD_MS);
  await runOperation(company, bank, clock);
  const again = await ask();

  expect(again.status).toBe(200);
  expect(again.headers.get("Idempotent-Replayed")).toBe("true");
  expect(again.body.data).toMatchObject({ status: "REFUNDED", refundedAmount: 2_500 });
  expect(bank.askedRefunds).toEqual([]);
  await expectRefundedOnce(given);
});

it.each([
  ["accepted", { on: /^requestRefund$/, when: "after" }],
  ["sent", { on: /^recordOperation$/, when: "before" }],
] as const)(
  "a client that repeats a refund cut off once %s waits for the lease, then has it asked for",
  async (_cut, wish) => {
    const given = await givenRefundable();
    const { clock, bank, ask } = given;
    expect((await ask(fault(wish))).status).toBe(500);

    await expectProblem(await ask(), { status: 409, code: "IDEMPOTENCY_IN_PROGRESS" });
    expect(bank.askedRefunds).toEqual([]);
    clock.advance(CLAIMER_IS_DEAD_MS);
    const answer = await ask();

    expect(answer.status).toBe(200);
    expect(bank.askedRefunds).toHaveLength(1);
    await expectRefundedOnce(given);
    expect((await ask()).body.data).toEqual(answer.body.data);
  },
);

it("a call that failed on the way asks for one refund and still sends it itself", async () => {
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
  expect(given.bank.askedRefunds).toEqual([]);
  await expectRefundedOnce(given);
});

it("a not found is not sent again to a bank that may refund twice: its money stays set aside", async () => {
  const given = await givenRefundable();
  const { clock, company, bank, ask } = given;
  bank.idempotentRefunds = false;
  await ask(fault({ on: /^requestRefund$/, when: "after" }));

  for (let time = 0; time < 3; time++) {
    clock.advance(CLAIMER_IS_DEAD_MS * 60);
    await runOperation(company, bank, clock);
  }

  expect(bank.askedRefunds).toHaveLength(3);
  expect(bank.sentRefunds).toEqual([]);
  expect(await operationsOf(company)).toMatchObject([{ status: "PENDING" }]);
  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 2_500 });
});

it("an object that dies with a refund on its way knows it in its next life, and hints it after its lease", async () => {
  const given = await givenRefundable();
  const { clock, company, bank, ask } = given;
  await ask(fault({ on: /^recordOperation$/, when: "before" }));

  await abortAllDurableObjects();
  await arrangeObject(company.id, { clock });
  const hinted: number[] = [];
  await replaceInObject(company, {
    hints: {
      deliveries: async () => undefined,
      payouts: async (_company, due) => void hinted.push(...due.operationIds),
    },
  });
  const wake = () => env.COMPANY_ACCOUNT.getByName(`company-${company.id}`).tick();
  await wake();
  expect(hinted).toEqual([]);
  expect(await alarmOf(company)).not.toBeNull();
  clock.advance(CLAIMER_IS_DEAD_MS);
  await wake();
  expect(hinted).toEqual([1]);

  await runOperation(company, bank, clock);
  await expectRefundedOnce(given);
  await wake();
  expect(hinted).toEqual([1]);
});

it("nobody else asks or sends while the lease runs, however slow the bank is", async () => {
  const given = await givenRefundable();
  const { clock, company, bank, ask } = given;
  await ask(fault({ on: /^requestRefund$/, when: "after" }));
  clock.advance(CLAIMER_IS_DEAD_MS);
  bank.onAskRefund = async () => {
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

  expect(bank.askedRefunds).toHaveLength(1);
  await expectRefundedOnce(given);
});

it("a silent bank makes a 202, which the consumer answers, and the key keeps its first answer", async () => {
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

  expect(bank.askedRefunds).toHaveLength(2);
  await expectRefundedOnce(given);
  const replay = await ask();
  expect([replay.status, replay.body]).toEqual([202, first.body]);
});

it.each([
  ["throws", async () => Promise.reject(new Error("connection reset"))],
  ["says nothing that can be understood", async () => ({ kind: "unknown" as const })],
])(
  "a bank that %s has not said no: the refund is asked about, not sent again",
  async (_, answer) => {
    const given = await givenRefundable();
    const { clock, company, bank, ask, refundId } = given;
    bank.onRefund = answer;
    bank.onAskRefund = answer;
    expect((await ask()).status).toBe(202);
    await runOperation(company, bank, clock);
    bank.onAskRefund = async () => ({ kind: "done" });

    await runOperation(company, bank, clock);

    expect(bank.askedRefunds).toEqual([await refundId(), await refundId()]);
    await expectRefundedOnce(given);
  },
);

it("the queue's message carries a refund on that its request did not live to send", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const { id } = await givenPaid(company, 2_500);
  const lost = fault({ on: /^requestRefund$/, when: "after" });
  await refund(company, id, undefined, { env: withAccounts(env, lost.around) });
  const message = { companyId: company.id, operationId: 1 };

  expect(await consumePayouts(message)).toBe("acked");
  expect(await operationsOf(company)).toMatchObject([{ status: "PENDING" }]);
  clock.advance(CLAIMER_IS_DEAD_MS);
  expect(await consumePayouts(message)).toBe("acked");
  expect(await consumePayouts(message)).toBe("acked");

  expect(await operationsOf(company)).toMatchObject([{ status: "DONE" }]);
  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 0, provider: 0 });
  expect(await typesOf({ company })).toEqual(["transaction.paid", "transaction.refunded"]);
});

it("a message about an operation that is not there is done with, one without its company comes again", async () => {
  const company = await givenCompany();

  expect(await consumePayouts({ companyId: company.id, operationId: 9 })).toBe("acked");
  expect(await consumePayouts({ companyId: 99_999_999, operationId: 1 })).toBe("retried");
});

it.each(["before", "after"] as const)(
  "a chargeback recorded %s the lost refund was found takes the money once more, as the bank did",
  async (when) => {
    const given = await givenRefundable();
    const { clock, company, bank, transaction, ask } = given;
    await ask(fault({ on: /^recordOperation$/, when: "before" }));
    clock.advance(CLAIMER_IS_DEAD_MS);
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
    expect(await typesOf(given)).toEqual(
      when === "before"
        ? ["transaction.paid", "transaction.partially_refunded", "transaction.refunded"]
        : ["transaction.paid", "transaction.refunded"],
    );
  },
);

it("a consumer that D1 fails has claimed nothing, so that the next one need not wait", async () => {
  const given = await givenRefundable();
  const { clock, company, bank, ask } = given;
  await ask(fault({ on: /^requestRefund$/, when: "after" }));
  clock.advance(CLAIMER_IS_DEAD_MS);
  const down = fault({ on: /from "companies"/, when: "before" });

  await expect(
    runOperation(company, bank, clock, { env: withD1(env, down.around) }),
  ).rejects.toThrow();
  expect([down.strikes(), bank.askedRefunds]).toEqual([1, []]);
  await runOperation(company, bank, clock);

  await expectRefundedOnce(given);
});

it("a consumer that dies with its claim leaves the refund to the next, after its lease", async () => {
  const given = await givenRefundable();
  const { clock, company, bank, ask } = given;
  await ask(fault({ on: /^requestRefund$/, when: "after" }));
  clock.advance(CLAIMER_IS_DEAD_MS);
  const lost = fault({ on: /^claimOperation$/, when: "after" });

  await expect(
    runOperation(company, bank, clock, { env: withAccounts(env, lost.around) }),
  ).rejects.toThrow(CRASH);
  await runOperation(company, bank, clock);
  expect([bank.askedRefunds, bank.sentRefunds]).toEqual([[], []]);
  clock.advance(CLAIMER_IS_DEAD_MS);
  await runOperation(company, bank, clock);

  expect(bank.askedRefunds).toHaveLength(1);
  await expectRefundedOnce(given);
});

it("a refund that the bank contradicts later stays as it was booked", async () => {
  const given = await givenRefundable();
  const { company, bank, clock } = given;
  await given.ask();
  const stub = env.COMPANY_ACCOUNT.getByName(`company-${company.id}`);

  const late = await stub.recordOperation(company.id, 1, { kind: "failed", reason: "no" }, null);
  await runOperation(company, bank, clock);

  expect(late.kind).toBe("contradiction");
  await expectRefundedOnce(given);
});

it("a refund whose first send was not answered has not failed by a refusal of its repeat, at first", async () => {
  const { clock, company, bank, ask } = await givenRefundable();
  bank.onRefund = async () => ({ kind: "unknown" });
  bank.onAskRefund = async () => ({ kind: "not_found" });
  expect((await ask()).status).toBe(202);
  bank.onRefund = async () => ({ kind: "failed", reason: "the id is in use" });
  clock.advance(CLAIMER_IS_DEAD_MS);
  await runOperation(company, bank, clock);
  expect(bank.sentRefunds).toHaveLength(2);
  expect(await operationsOf(company)).toMatchObject([{ status: "PENDING" }]);
  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 2_500 });

  clock.advance(TEN_MINUTES_MS);
  await runOperation(company, bank, clock);

  expect(await operationsOf(company)).toMatchObject([{ status: "FAILED" }]);
  expect(await accountsOf(company)).toMatchObject({ available: 2_500, blocked: 0 });
});
