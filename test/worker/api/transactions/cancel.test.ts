import { describe, expect, it } from "vitest";
import { call } from "../../../support/builders/requests/api.ts";
import { endToEndId, settle } from "../../../support/builders/charges/charge-commands.ts";
import {
  givenCompany,
  waitUntilDrained,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { expectNoSideEffects } from "../../../support/probes/ledger/footprint.ts";
import { FULL_REQUEST } from "../../../support/builders/requests/full-request.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";
import { depsWithBank, resumeOperation } from "../../../support/builders/operations/operations.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { cancel, refund, simulate } from "../../../support/builders/operations/refund.ts";
import { anyTime } from "../../../support/probes/http/matchers.ts";
import { givenPaid, givenTransaction, pay } from "../../../support/builders/charges/transaction.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

const BURST = 10;

async function givenPendingAt(bank: FakeBank) {
  const company = await givenCompany();
  const { id } = await givenTransaction(company, { amount: 2_500 });
  return { company, id: id as string, deps: depsWithBank(bank) };
}

function unresponsiveBank(): FakeBank {
  const bank = new FakeBank();
  bank.onCancel = async () => ({ kind: "unknown" });
  return bank;
}

const typesOf = async (company: TestCompany) =>
  (await eventsOf(company)).map((event) => event.type);

it("a pending transaction becomes CANCELLED with reason REQUESTED in every view", async () => {
  const company = await givenCompany();
  const created = await givenTransaction(company, FULL_REQUEST);

  const answer = await cancel(company, created.id);

  expect(answer.status).toBe(200);
  expect(answer.body).toStrictEqual({
    status: 200,
    message: expect.stringMatching(/\S/),
    data: { ...created, status: "CANCELLED", cancelReason: "REQUESTED", updatedAt: anyTime },
  });
  const detail = await call(`/api/Transaction/transactionByTransactionId/${created.id}`, {
    company,
  });
  expect(detail.body.enStatusTransaction).toBe("Cancelled");
  const list = await call("/api/Transaction/company/transactions", { company });
  expect(list.body.res.items[0].status).toBe("CANCELLED");
  expect((await call(`/api/checkout/status/${created.id}`)).body.status).toBe("CANCELLED");
  const [event] = await eventsOf(company);
  expect(event?.body).toStrictEqual({
    type: "transaction.cancelled",
    timestamp: answer.body.data.updatedAt,
    sequence: 1,
    data: { ...answer.body.data, previousStatus: "WAITING_PAYMENT" },
  });
});

it("a payment after the cancel is credited and its event names the previous status", async () => {
  const company = await givenCompany();
  const { id } = await givenTransaction(company, { amount: 2_500 });
  await cancel(company, id);

  const late = await pay(company, id);

  expect(late.body.data).toMatchObject({ status: "PAID", paidAmount: 2_500 });
  expect(late.body.data).not.toHaveProperty("cancelReason");
  expect(await accountsOf(company)).toMatchObject({ available: 2_500 });
  const events = await eventsOf(company);
  expect(events.map((event) => event.type)).toEqual([
    "transaction.cancelled",
    "transaction.paid",
    "payment.unexpected",
  ]);
  expect(events[1]?.body.data).toMatchObject({ status: "PAID", previousStatus: "CANCELLED" });
  expect((await refund(company, id)).body.data.status).toBe("REFUNDED");
});

describe("the key", () => {
  it("returns the original response of the cancel", async () => {
    const company = await givenCompany();
    const { id } = await givenTransaction(company);
    const first = await cancel(company, id, { key: "ca_1" });
    await pay(company, id);
    await waitUntilDrained(company);

    const replay = await expectNoSideEffects(company, () => cancel(company, id, { key: "ca_1" }));

    expect(replay.status).toBe(200);
    expect(replay.headers.get("Idempotent-Replayed")).toBe("true");
    expect(replay.body).toEqual(first.body);
    expect(replay.body.data.status).toBe("CANCELLED");
  });

  it("IDEMPOTENCY_KEY_REUSED: is rejected for another transaction, which stays open", async () => {
    const company = await givenCompany();
    const { id } = await givenTransaction(company);
    const { id: other } = await givenTransaction(company);
    await cancel(company, id, { key: "ca_1" });
    const answer = await expectNoSideEffects(company, () =>
      cancel(company, other, { key: "ca_1" }),
    );
    await expectProblem(answer, { status: 409, code: "IDEMPOTENCY_KEY_REUSED" });
    expect((await cancel(company, other, { key: "ca_2" })).status).toBe(200);
  });

  it("of a refund is independent", async () => {
    const company = await givenCompany();
    const { id } = await givenPaid(company, 2_500);
    await refund(company, id, 100, { key: "same" });
    const { id: waiting } = await givenTransaction(company);
    expect((await cancel(company, waiting, { key: "same" })).status).toBe(200);
  });

  it("IDEMPOTENCY_KEY_INVALID: is rejected with invalid characters", async () => {
    const company = await givenCompany();
    const { id } = await givenTransaction(company);
    const answer = await expectNoSideEffects(company, () => cancel(company, id, { key: "a b" }));
    await expectProblem(answer, {
      status: 400,
      code: "IDEMPOTENCY_KEY_INVALID",
      fields: ["Idempotency-Key"],
    });
  });

  it("stays free after a cancel that the status rejected", async () => {
    const company = await givenCompany();
    const { id } = await givenPaid(company, 2_500);
    await expectProblem(await cancel(company, id, { key: "ca_1" }), {
      status: 409,
      code: "INVALID_STATE",
    });
    const { id: waiting } = await givenTransaction(company);
    const answer = await cancel(company, waiting, { key: "ca_1" });
    expect(answer.status).toBe(200);
    expect(answer.headers.has("Idempotent-Replayed")).toBe(false);
  });

  it("in concurrent requests cancels once", async () => {
    const company = await givenCompany();
    const { id } = await givenTransaction(company);
    const answers = await Promise.all(
      Array.from({ length: BURST }, () => cancel(company, id, { key: "ca_burst" })),
    );
    const done = answers.filter((answer) => answer.status === 200);
    expect(done.length).toBeGreaterThanOrEqual(1);
    for (const answer of done) expect(answer.body).toEqual(done[0]?.body);
    for (const answer of answers.filter((candidate) => candidate.status !== 200)) {
      await expectProblem(answer, {
        status: 409,
        code: "IDEMPOTENCY_IN_PROGRESS",
        retryAfter: true,
      });
    }
    expect(await typesOf(company)).toEqual(["transaction.cancelled"]);
  });
});

describe("INVALID_STATE", () => {
  it.each<[string, (company: TestCompany, id: string) => Promise<unknown>]>([
    ["paid", (company, id) => pay(company, id)],
    ["cancelled without a key", (company, id) => cancel(company, id)],
    ["expired", (company, id) => simulate(company, id, "expire")],
    ["failed", (company, id) => simulate(company, id, "fail")],
    [
      "partly refunded",
      async (company, id) => {
        await pay(company, id);
        await refund(company, id, 100);
      },
    ],
    [
      "refunded",
      async (company, id) => {
        await pay(company, id);
        await refund(company, id);
      },
    ],
    [
      "disputed",
      async (company, id) => {
        await pay(company, id);
        await simulate(company, id, "dispute");
      },
    ],
  ])("rejects a transaction that was %s", async (_state, act) => {
    const company = await givenCompany();
    const { id } = await givenTransaction(company, { amount: 2_500 });
    await act(company, id);
    const answer = await expectNoSideEffects(company, () => cancel(company, id));
    await expectProblem(answer, { status: 409, code: "INVALID_STATE" });
  });

  it("the payment is credited when the bank reports it during the cancel", async () => {
    const bank = new FakeBank();
    bank.onCancel = async () => ({ kind: "refused", reason: "It was paid." });
    const { company, id, deps } = await givenPendingAt(bank);
    bank.setPayments({
      paymentId: endToEndId(1),
      method: "PIX",
      amount: 2_500,
      paidAt: Date.now(),
    });

    const answer = await cancel(company, id, { deps, key: "ca_1" });

    await expectProblem(answer, { status: 409, code: "INVALID_STATE" });
    expect(answer.body.detail).toContain("PAID");
    expect(await accountsOf(company)).toMatchObject({ available: 2_500 });
    expect(await typesOf(company)).toEqual(["transaction.paid"]);
    const replay = await expectNoSideEffects(company, () =>
      cancel(company, id, { deps, key: "ca_1" }),
    );
    await expectProblem(replay, { status: 409, code: "INVALID_STATE", replayed: true });
    expect(replay.body).toEqual(answer.body);
    expect(replay.headers.get("Idempotent-Replayed")).toBe("true");
  });

  it.each(["cancelled", "refused"] as const)(
    "a payment before the bank %s the charge makes it PAID, also for the key's repeat",
    async (kind) => {
      const company = await givenCompany();
      const transaction = await givenTransaction(company, { amount: 2_500 });
      const bank = new FakeBank();
      bank.onCancel = async () => {
        await settle(company, transaction, { paymentId: endToEndId(1) });
        return kind === "cancelled" ? { kind } : { kind, reason: "It was paid." };
      };
      const deps = depsWithBank(bank);

      const answer = await cancel(company, transaction.id, { deps, key: "ca_1" });

      await expectProblem(answer, { status: 409, code: "INVALID_STATE" });
      expect(answer.body.detail).toContain("PAID");
      const again = await cancel(company, transaction.id, { deps, key: "ca_1" });
      expect([again.status, again.body.code]).toEqual([409, "INVALID_STATE"]);
      expect(await typesOf(company)).toEqual(["transaction.paid"]);
      expect(bank.cancelled).toHaveLength(1);
    },
  );

  it("the charge ends when the bank reports its end during the cancel", async () => {
    const bank = new FakeBank();
    bank.onCancel = async () => ({ kind: "refused", reason: "It has ended." });
    bank.charge = { kind: "known", status: "expired", payments: [], disputes: [], refunds: [] };
    const { company, id, deps } = await givenPendingAt(bank);
    await expectProblem(await cancel(company, id, { deps }), {
      status: 409,
      code: "INVALID_STATE",
    });
    const [event] = await eventsOf(company);
    expect(event?.body.data).toMatchObject({ status: "CANCELLED", cancelReason: "EXPIRED" });
  });
});

describe("a bank that does not respond to a cancel", () => {
  it("leads to a 202 and an open transaction without an event", async () => {
    const bank = unresponsiveBank();
    const { company, id, deps } = await givenPendingAt(bank);

    const answer = await cancel(company, id, { deps });

    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ status: 202, message: expect.stringMatching(/\S/) });
    expect(answer.body.data).toMatchObject({ id, status: "WAITING_PAYMENT" });
    expect(answer.body.data).not.toHaveProperty("cancelReason");
    expect(await typesOf(company)).toEqual([]);
  });

  it("is polled, and the key keeps its 202 after the cancel is done", async () => {
    const bank = unresponsiveBank();
    const { company, id, deps } = await givenPendingAt(bank);
    const first = await cancel(company, id, { deps, key: "ca_1" });
    bank.onCancel = async () => ({ kind: "cancelled" });
    await resumeOperation(company, bank);

    const replay = await expectNoSideEffects(company, () =>
      cancel(company, id, { deps, key: "ca_1" }),
    );

    expect(replay.status).toBe(202);
    expect(replay.body).toEqual(first.body);
    expect(new Set(bank.cancelled)).toEqual(new Set([id.replaceAll("-", "")]));
    const events = await eventsOf(company);
    expect(events.map((event) => event.body.data.status)).toEqual(["CANCELLED"]);
  });

  it("lets a second cancel join the first", async () => {
    const bank = unresponsiveBank();
    const { company, id, deps } = await givenPendingAt(bank);
    await cancel(company, id, { deps });
    bank.onCancel = async () => ({ kind: "cancelled" });
    const second = await cancel(company, id, { deps });
    expect(second.status).toBe(200);
    expect(second.body.data).toMatchObject({ status: "CANCELLED", cancelReason: "REQUESTED" });
    expect(await typesOf(company)).toEqual(["transaction.cancelled"]);
  });

  it("does not block a payment, which makes the cancel fail", async () => {
    const bank = unresponsiveBank();
    const { company, id, deps } = await givenPendingAt(bank);
    await cancel(company, id, { deps });
    await pay(company, id);
    bank.onCancel = async () => ({ kind: "refused", reason: "It was paid." });
    await resumeOperation(company, bank);
    expect(await typesOf(company)).toEqual(["transaction.paid"]);
    await expectProblem(await cancel(company, id), { status: 409, code: "INVALID_STATE" });
    expect((await refund(company, id)).status).toBe(200);
  });
});

it.each(["nothing", "0f8fad5b-d9cb-469f-a165-70867728950e"])("NOT_FOUND: %s", async (id) => {
  const company = await givenCompany();
  await expectProblem(await cancel(company, id), { status: 404, code: "NOT_FOUND" });
});

it("FORBIDDEN: rejects another company's transaction, which stays open", async () => {
  const [owner, stranger] = [await givenCompany(), await givenCompany()];
  const { id } = await givenTransaction(owner);
  const answer = await expectNoSideEffects(owner, () => cancel(stranger, id));
  await expectProblem(answer, { status: 403, code: "FORBIDDEN" });
  expect((await cancel(owner, id)).status).toBe(200);
});
