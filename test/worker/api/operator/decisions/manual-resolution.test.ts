import { describe, expect, it } from "vitest";
import { call, type Answer, type Call } from "../../../../support/builders/requests/api.ts";
import {
  givenCompany,
  inAccount,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { FakeBank } from "../../../../support/fakes/fake-bank.ts";
import { expectNoSideEffects } from "../../../../support/probes/ledger/footprint.ts";
import { accountsOf } from "../../../../support/probes/ledger/ledger.ts";
import { operationsOf } from "../../../../support/probes/charges/operation-rows.ts";
import { callAsOperator } from "../../../../support/builders/companies/operator.ts";
import { decideByTwo, REASON } from "../../../../support/builders/operations/decide.ts";
import {
  depsWithBank,
  resumeOperation,
} from "../../../../support/builders/operations/operations.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { cancel, refund } from "../../../../support/builders/operations/refund.ts";
import { sharedCompany } from "../../../../support/builders/companies/shared-company.ts";
import {
  givenPaid,
  givenTransaction,
  pay,
} from "../../../../support/builders/charges/transaction.ts";
import { eventsOf } from "../../../../support/probes/webhooks/webhook-rows.ts";
import { requestWithdraw, runPayout } from "../../../../support/builders/withdraws/withdraw.ts";

const BANK_ID = "E0000000020261121120000000000042";
const DECIDED_ALREADY = { status: 409, code: "INVALID_STATE" };

/** A bank that never responds. */
function unresponsiveBank(): FakeBank {
  const bank = new FakeBank();
  bank.onSendPayout = async () => ({ kind: "unknown" });
  bank.onRefund = async () => ({ kind: "unknown" });
  bank.onCancel = async () => ({ kind: "unknown" });
  bank.onFindPayout = async () => ({ kind: "unknown" });
  bank.onFindRefund = async () => ({ kind: "unknown" });
  bank.charge = { kind: "unknown" };
  return bank;
}

const send = (path: string, options: Call): Promise<Answer> =>
  decideByTwo(path, options.body as object, { deps: depsWithBank(unresponsiveBank()) });

/** Two operators decide without the bank: the withdraw as its company sees it then, or the refusal. */
async function resolveWithdraw(company: TestCompany, id: number | string, body: object) {
  const answer = await send(`/companies/${company.id}/withdraws/${id}/decide`, { body });
  return answer.status === 200 ? call(`/api/Withdraw/${id}`, { company }) : answer;
}

/** As `resolveWithdraw`: the operation. */
async function resolveOperation(company: TestCompany, id: string, body: object): Promise<Answer> {
  const answer = await send(`/companies/${company.id}/operations/${id}/decide`, { body });
  if (answer.status !== 200) return answer;
  const [row] = await inAccount(company.id, (_, { storage }) =>
    storage.sql
      .exec(
        "SELECT status AS outcome, failure_reason AS reason FROM operations WHERE operation_id = ?",
        id,
      )
      .toArray(),
  );
  return { ...answer, body: { operationId: id, ...row } };
}

const typesOf = async (company: TestCompany) =>
  (await eventsOf(company)).map((event) => event.type);

/** A withdraw of 10.00 of 50.00 in flight at a bank that never responds. */
async function givenUnansweredWithdraw() {
  const company = await givenCompany({ balance: 5_000 });
  const bank = unresponsiveBank();
  const { body: withdraw } = await requestWithdraw(company);
  await runPayout(company, withdraw.id, bank.registry());
  expect(await accountsOf(company)).toMatchObject({ available: 4_000, payout: 1_000 });
  return { company, bank, withdraw };
}

describe("a withdraw without a response from its provider", () => {
  it("is Paid once the operator confirms it with the bank's id, also on repeats", async () => {
    const { company, bank, withdraw } = await givenUnansweredWithdraw();
    const decision = { outcome: "done", endToEndId: BANK_ID };

    const decided = await resolveWithdraw(company, withdraw.id, decision);

    expect(decided.status).toBe(200);
    expect(decided.body).toMatchObject({ enTransaction: "Paid", endToEndId: BANK_ID });
    expect(await accountsOf(company)).toMatchObject({ available: 4_000, payout: 0 });
    const again = await expectNoSideEffects(company, () =>
      resolveWithdraw(company, withdraw.id, decision),
    );
    await expectProblem(again, DECIDED_ALREADY);
    await runPayout(company, withdraw.id, bank.registry());
    expect(bank.sentPayouts).toHaveLength(1);
    expect((await typesOf(company)).at(-1)).toBe("withdraw.paid");
  });

  it("fails with the operator's reason, and its hold is released", async () => {
    const { company, withdraw } = await givenUnansweredWithdraw();
    const decision = { outcome: "failed", reason: "The bank called." };

    const decided = await resolveWithdraw(company, withdraw.id, decision);

    expect(decided.status).toBe(200);
    expect(decided.body).toMatchObject({ enTransaction: "Failed", endToEndId: null });
    expect(await accountsOf(company)).toMatchObject({ available: 5_000, payout: 0 });
    const again = await expectNoSideEffects(company, () =>
      resolveWithdraw(company, withdraw.id, decision),
    );
    await expectProblem(again, DECIDED_ALREADY);
  });

  it.each([
    ["done", "failed"],
    ["failed", "done"],
  ])("INVALID_STATE: %s, then %s", async (first, second) => {
    const { company, withdraw } = await givenUnansweredWithdraw();
    await resolveWithdraw(company, withdraw.id, { outcome: first });
    const answer = await expectNoSideEffects(company, () =>
      resolveWithdraw(company, withdraw.id, { outcome: second }),
    );
    await expectProblem(answer, { status: 409, code: "INVALID_STATE" });
  });

  it.each(["done", "failed"])(
    "INVALID_STATE: rejects %s for a withdraw that was cancelled or never sent",
    async (outcome) => {
      const company = await givenCompany({ balance: 5_000 });
      const waiting = (await requestWithdraw(company)).body.id;
      const { id: cancelled } = (await requestWithdraw(company)).body;
      await call(`/api/Withdraw/${cancelled}/cancel`, { method: "POST", company });
      for (const id of [waiting, cancelled]) {
        const answer = await expectNoSideEffects(company, () =>
          resolveWithdraw(company, id, { outcome }),
        );
        await expectProblem(answer, { status: 409, code: "INVALID_STATE" });
      }
    },
  );

  it("that was returned fully or in part is Paid and then credited", async () => {
    const part = await givenUnansweredWithdraw();
    const whole = await givenUnansweredWithdraw();

    const inPart = await resolveWithdraw(part.company, part.withdraw.id, {
      outcome: "returned",
      returnedAmount: 300,
    });
    const wholly = await resolveWithdraw(whole.company, whole.withdraw.id, { outcome: "returned" });

    expect(inPart.body).toMatchObject({ enTransaction: "Paid", value: 10, returnedValue: 3 });
    expect(wholly.body).toMatchObject({ enTransaction: "Returned", returnedValue: 10 });
    expect(await accountsOf(part.company)).toMatchObject({ available: 4_300, payout: 0 });
    expect(await accountsOf(whole.company)).toMatchObject({ available: 5_000, payout: 0 });
    expect((await typesOf(part.company)).at(-1)).toBe("withdraw.partially_returned");
  });

  it("NOT_FOUND: rejects an unknown withdraw, an unknown company and another company's withdraw", async () => {
    const { company } = await givenUnansweredWithdraw();
    const other = await givenCompany();
    for (const path of [
      `/companies/${company.id}/withdraws/2/decide`,
      `/companies/${other.id}/withdraws/1/decide`,
      "/companies/99999999/withdraws/1/decide",
    ]) {
      const answer = await expectNoSideEffects(company, () =>
        send(path, { body: { outcome: "failed" } }),
      );
      await expectProblem(answer, { status: 404, code: "NOT_FOUND" });
    }
  });
});

/** A withdraw of 10.00 of 50.00 that the bank has paid. */
async function givenPaidWithdraw() {
  const company = await givenCompany({ balance: 5_000 });
  const { body: withdraw } = await requestWithdraw(company);
  await runPayout(company, withdraw.id, new FakeBank().registry());
  return { company, withdraw };
}

const back = (returnedAmount?: number) => ({ outcome: "returned", returnedAmount });

describe("a withdraw that was paid", () => {
  it("is credited up to the total returned amount, also on repeats", async () => {
    const { company, withdraw } = await givenPaidWithdraw();

    for (const amount of [300, 700]) {
      const decided = await resolveWithdraw(company, withdraw.id, back(amount));
      expect([decided.status, decided.body.returnedValue]).toEqual([200, amount / 100]);
    }

    expect(await accountsOf(company)).toMatchObject({ available: 4_700 });
    const last = await resolveWithdraw(company, withdraw.id, back(1_000));
    expect(last.body).toMatchObject({ enTransaction: "Returned", returnedValue: 10 });
    expect(await accountsOf(company)).toMatchObject({ available: 5_000 });
    const again = await expectNoSideEffects(company, () =>
      resolveWithdraw(company, withdraw.id, { outcome: "returned" }),
    );
    await expectProblem(again, DECIDED_ALREADY);
  });

  it.each([
    ["rejects less than the known returned amount", back(299)],
    ["rejects more than the sent amount", back(1_001)],
    ["rejects a failure of a paid withdraw", { outcome: "failed" }],
  ])("INVALID_STATE: %s", async (_what, decision) => {
    const { company, withdraw } = await givenPaidWithdraw();
    await resolveWithdraw(company, withdraw.id, back(300));
    const answer = await expectNoSideEffects(company, () =>
      resolveWithdraw(company, withdraw.id, decision),
    );
    await expectProblem(answer, { status: 409, code: "INVALID_STATE" });
  });

  it.each([
    ["0 centavos", back(0)],
    ["half a centavo", back(1.5)],
    ["of another outcome", { outcome: "done", returnedAmount: 1 }],
  ])("VALIDATION_FAILED: %s", async (_what, body) => {
    const { company, withdraw } = await givenPaidWithdraw();
    await expectProblem(await resolveWithdraw(company, withdraw.id, body), {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: ["returnedAmount"],
    });
  });
});

/** A refund of 10.00 of 25.00 at a bank that never responds. */
async function givenUnansweredRefund() {
  const company = await givenCompany();
  const bank = unresponsiveBank();
  const deps = depsWithBank(bank);
  const { id } = await givenPaid(company, 2_500);
  const { status, body } = await refund(company, id, 1_000, { deps });
  expect(status).toBe(202);
  const operationId: string = body.data.refunds[0].id;
  expect(await accountsOf(company)).toMatchObject({ available: 1_500, blocked: 1_000 });
  return { company, bank, id: id as string, operationId };
}

describe("a refund without a response from its provider", () => {
  it("is done once the operator confirms it by the id in the transaction", async () => {
    const { company, bank, id, operationId } = await givenUnansweredRefund();

    const decided = await resolveOperation(company, operationId, { outcome: "done" });

    expect(decided.status).toBe(200);
    expect(decided.body).toStrictEqual({ operationId, outcome: "DONE", reason: null });
    const again = await expectNoSideEffects(company, () =>
      resolveOperation(company, operationId, { outcome: "done" }),
    );
    await expectProblem(again, DECIDED_ALREADY);
    expect(await accountsOf(company)).toMatchObject({ available: 1_500, blocked: 0 });
    await expectProblem(await refund(company, id, 1_501), {
      status: 422,
      code: "REFUND_EXCEEDS_PAID",
      extensions: { refundableCents: 1_500 },
    });
    await resumeOperation(company, bank);
    expect(bank.sentRefunds).toHaveLength(1);
    expect(await typesOf(company)).toEqual(["transaction.paid", "transaction.partially_refunded"]);
  });

  it("fails with the operator's reason, and its hold is released", async () => {
    const { company, operationId } = await givenUnansweredRefund();
    const decision = { outcome: "failed", reason: "The bank has lost it." };

    const decided = await resolveOperation(company, operationId, decision);

    expect(decided.body).toStrictEqual({ operationId, outcome: "FAILED", reason: decision.reason });
    expect(await accountsOf(company)).toMatchObject({ available: 2_500, blocked: 0 });
    const again = await resolveOperation(company, operationId, { outcome: "failed" });
    await expectProblem(again, DECIDED_ALREADY);
  });

  it.each([
    ["done", "failed"],
    ["failed", "done"],
  ])("INVALID_STATE: %s, then %s", async (first, second) => {
    const { company, operationId } = await givenUnansweredRefund();
    await resolveOperation(company, operationId, { outcome: first });
    const answer = await expectNoSideEffects(company, () =>
      resolveOperation(company, operationId, { outcome: second }),
    );
    await expectProblem(answer, { status: 409, code: "INVALID_STATE" });
  });

  it("NOT_FOUND: rejects an unknown operation and another company's operation", async () => {
    const { company, operationId } = await givenUnansweredRefund();
    const other = await givenCompany();
    for (const [caller, id] of [
      [company, "nothing"],
      [other, operationId],
    ] as const) {
      const answer = await expectNoSideEffects(company, () =>
        resolveOperation(caller, id, { outcome: "failed" }),
      );
      await expectProblem(answer, { status: 404, code: "NOT_FOUND" });
    }
  });
});

async function givenUnansweredCancel() {
  const company = await givenCompany();
  const { id } = await givenTransaction(company, { amount: 2_500 });
  expect((await cancel(company, id, { deps: depsWithBank(unresponsiveBank()) })).status).toBe(202);
  const [operation] = await operationsOf(company);
  return { company, id: id as string, operationId: operation!.operationId };
}

describe("a cancel without a response from its provider", () => {
  it.each([
    ["done", "DONE", "CANCELLED", ["transaction.cancelled"], null],
    ["failed", "FAILED", "PENDING", [], REASON],
  ])("resolved as %s: it is %s and the charge %s", async (outcome, word, status, types, reason) => {
    const { company, id, operationId } = await givenUnansweredCancel();
    const decided = await resolveOperation(company, operationId, { outcome });
    expect(decided.body).toStrictEqual({ operationId, outcome: word, reason });
    expect((await call(`/api/checkout/status/${id}`)).body.status).toBe(status);
    expect(await typesOf(company)).toEqual(types);
  });

  it("resolved as done after the charge was paid: the cancel fails and the charge stays PAID", async () => {
    const { company, id, operationId } = await givenUnansweredCancel();
    await pay(company, id);
    const decided = await resolveOperation(company, operationId, { outcome: "done" });
    expect([decided.status, decided.body.outcome]).toEqual([200, "FAILED"]);
    expect((await call(`/api/checkout/status/${id}`)).body.status).toBe("PAID");
  });

  it("resolved as done after the charge was paid: a repeat is refused", async () => {
    const { company, id, operationId } = await givenUnansweredCancel();
    await pay(company, id);
    await resolveOperation(company, operationId, { outcome: "done" });
    const again = await expectNoSideEffects(company, () =>
      resolveOperation(company, operationId, { outcome: "done" }),
    );
    await expectProblem(again, DECIDED_ALREADY);
  });
});

it.each([
  ["done", { suspense: 0 }, "DONE"],
  ["failed", { suspense: 900 }, "FAILED"],
])(
  "a return without a response from its provider is resolved as %s",
  async (outcome, after, status) => {
    const company = await givenCompany();
    const { id } = await givenPaid(company, 2_500);
    await pay(company, id, 900);
    const path = `/companies/${company.id}/suspense`;
    const [payment] = (await callAsOperator(path)).body.items;
    const deps = depsWithBank(unresponsiveBank());
    await decideByTwo(`${path}/${payment.paymentId}/return`, {}, { deps });
    const [operation] = await operationsOf(company);

    const decided = await resolveOperation(company, operation!.operationId, { outcome });

    expect(decided.status).toBe(200);
    expect(await accountsOf(company)).toMatchObject(after);
    expect((await callAsOperator(path)).body.items).toMatchObject([{ returnStatus: status }]);
  },
);

describe("VALIDATION_FAILED", () => {
  it.each<[string, object]>([
    ["outcome", {}],
    ["outcome", { outcome: "paid" }],
    ["outcome", { outcome: null }],
    ["reason", { outcome: "failed", reason: 1 }],
    ["reason", { outcome: "failed", reason: " " }],
    ["endToEndId", { outcome: "done", endToEndId: 1 }],
  ])("%s cannot have the body %j", async (field, body) => {
    const company = await sharedCompany();
    for (const answer of [
      await resolveWithdraw(company, 1, body),
      await resolveOperation(company, "nothing", body),
    ]) {
      await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: [field] });
    }
  });

  it.each(["0", "-1", "1.5", "x"])("%s is not a withdraw number", async (id) => {
    const company = await sharedCompany();
    await expectProblem(await resolveWithdraw(company, id, { outcome: "done" }), {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: ["id"],
    });
  });
});
