import { expect, it } from "vitest";
import { call } from "../../../support/builders/requests/api.ts";
import {
  givenCompany,
  type TestCompany,
  waitUntilDrained,
} from "../../../support/builders/companies/company.ts";
import { settle } from "../../../support/builders/charges/charge-commands.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { recordingNotifier } from "../../../support/fakes/recording-notifier.ts";
import { replaceInObject } from "../../../support/faults/object.ts";
import { depsWithBank } from "../../../support/builders/operations/operations.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";
import { balanceOf } from "../../../support/probes/ledger/balance.ts";
import { requestWithdraw, runPayout } from "../../../support/builders/withdraws/withdraw.ts";

const cancel = (company: TestCompany, id: number | string, key?: string) =>
  call(`/api/Withdraw/${id}/cancel`, {
    method: "POST",
    company,
    headers: key === undefined ? {} : { "Idempotency-Key": key },
  });

async function givenAwaiting() {
  const company = await givenCompany({ balance: 5_000 });
  const { body } = await requestWithdraw(company, { amount: 2_000 });
  return { company, withdraw: body };
}

it.each([
  ["sandbox", []],
  ["live", [1]],
] as const)(
  "a withdraw of a %s company sends the payout wake-ups %j at once",
  async (mode, expected) => {
    const company = await givenCompany({ mode, clock: new TestClock() });
    const deps = depsWithBank(new FakeBank());
    await settle(company, await givenTransaction(company, { amount: 5_000 }, { deps }));
    const notifier = recordingNotifier();
    await replaceInObject(company, { notifier });
    expect((await requestWithdraw(company, {}, { deps })).status).toBe(201);
    await waitUntilDrained(company);
    expect(notifier.withdrawIds).toEqual(expected);
  },
);

it("a withdraw that is Awaiting can be cancelled, and its money is available again", async () => {
  const { company, withdraw } = await givenAwaiting();

  const answer = await cancel(company, withdraw.id);

  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    ...withdraw,
    enTransaction: "Cancelled",
    updatedAt: expect.any(String),
  });
  expect((await balanceOf(company)).accBalance).toBe(50);
  const events = await eventsOf(company);
  expect(events.map((event) => event.type)).toEqual(["transaction.paid", "withdraw.cancelled"]);
  expect(events[1]?.body.data).toMatchObject({
    enTransaction: "Cancelled",
    previousStatus: "Awaiting",
  });
});

it("a cancelled withdraw is never sent", async () => {
  const { company, withdraw } = await givenAwaiting();
  await cancel(company, withdraw.id);

  await runPayout(company, withdraw.id);

  const { body } = await call(`/api/Withdraw/${withdraw.id}`, { company });
  expect(body.enTransaction).toBe("Cancelled");
  expect((await balanceOf(company)).accBalance).toBe(50);
});

it("INVALID_STATE: rejects a withdraw that is Paid or already cancelled", async () => {
  const { company, withdraw } = await givenAwaiting();
  await runPayout(company, withdraw.id);
  await expectProblem(await cancel(company, withdraw.id), { status: 409, code: "INVALID_STATE" });

  const other = await requestWithdraw(company, { amount: 1_000 });
  await cancel(company, other.body.id);
  await expectProblem(await cancel(company, other.body.id), { status: 409, code: "INVALID_STATE" });
  expect((await balanceOf(company)).accBalance).toBe(30);
});

it("the same key cancels once and returns the same response", async () => {
  const { company, withdraw } = await givenAwaiting();
  const first = await cancel(company, withdraw.id, "cancel_1");
  const second = await cancel(company, withdraw.id, '"cancel_1"');
  expect(second.status).toBe(200);
  expect(second.body).toEqual(first.body);
  expect(second.headers.get("Idempotent-Replayed")).toBe("true");
  expect((await balanceOf(company)).accBalance).toBe(50);
});

it("IDEMPOTENCY_KEY_REUSED: rejects a key that cancelled another withdraw", async () => {
  const { company, withdraw } = await givenAwaiting();
  const other = await requestWithdraw(company, { amount: 1_000 });
  await cancel(company, withdraw.id, "cancel_1");
  await expectProblem(await cancel(company, other.body.id, "cancel_1"), {
    status: 409,
    code: "IDEMPOTENCY_KEY_REUSED",
  });
  const { body } = await call(`/api/Withdraw/${other.body.id}`, { company });
  expect(body.enTransaction).toBe("Awaiting");
});

it.each([2, 0, "abc"])("NOT_FOUND: rejects withdraw %s", async (id) => {
  const { company } = await givenAwaiting();
  await expectProblem(await cancel(company, id), { status: 404, code: "NOT_FOUND" });
});

it("every race of a cancel and a claim has one legal outcome", async () => {
  const company = await givenCompany({ balance: 20_000 });
  for (let round = 0; round < 10; round++) {
    const { body } = await requestWithdraw(company, { amount: 2_000 });
    const before = (await balanceOf(company)).accBalance;
    const [cancelled] = await Promise.all([cancel(company, body.id), runPayout(company, body.id)]);
    const after = (await call(`/api/Withdraw/${body.id}`, { company })).body.enTransaction;
    expect(after).toBe(cancelled.status === 200 ? "Cancelled" : "Paid");
    const gained = Math.round(((await balanceOf(company)).accBalance - before) * 100);
    expect(gained).toBe(cancelled.status === 200 ? 2_000 : 0);
  }
});
