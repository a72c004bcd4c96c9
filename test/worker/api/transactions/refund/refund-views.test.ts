import { expect, it } from "vitest";
import { call } from "../../../../support/builders/requests/api.ts";
import { givenCompany, type TestCompany } from "../../../../support/builders/companies/company.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { FakeBank } from "../../../../support/fakes/fake-bank.ts";
import { FULL_REQUEST } from "../../../../support/builders/requests/full-request.ts";
import { depsWithBank } from "../../../../support/builders/operations/operations.ts";
import { cancel, refund } from "../../../../support/builders/operations/refund.ts";
import { anyTime, anyTimeWithOffset, anyUuid } from "../../../../support/probes/http/matchers.ts";
import {
  givenPaid,
  givenTransaction,
  pay,
} from "../../../../support/builders/charges/transaction.ts";
import { deliveriesOf, eventsOf } from "../../../../support/probes/webhooks/webhook-rows.ts";

const BY_APPLICATION = {
  requestedBy: { kind: "application", id: expect.stringMatching(/^app_test_/), name: "default" },
  approval: "none",
  decidedBy: null,
};
const REFUND = "POST /api/v1/transactions/{id}/refund";
const CANCEL = "POST /api/v1/transactions/{id}/cancel";

const detailOf = (company: TestCompany, id: string) =>
  call(`/api/Transaction/transactionByTransactionId/${id}`, { company });

async function listStatusesOf(company: TestCompany, id: string): Promise<string[]> {
  const [list, search, checkout] = await Promise.all([
    call("/api/Transaction/company/transactions", { company }),
    call(`/api/v1/transactions?ids=${id}`, { company }),
    call(`/api/checkout/status/${id}`),
  ]);
  return [list.body.res.items[0].status, search.body.items[0].status, checkout.body.status];
}

it("the response has the shape of a create and only the refund's changes", async () => {
  const company = await givenCompany();
  const created = await givenTransaction(company, FULL_REQUEST);
  const paid = (await pay(company, created.id)).body.data;

  const answer = await refund(company, created.id, 345);

  expect(answer.body).toStrictEqual({
    status: 200,
    message: expect.stringMatching(/\S/),
    data: {
      ...paid,
      refundedAmount: 345,
      updatedAt: anyTime,
      refunds: [
        { id: anyUuid, amount: 345, status: "DONE", createdAt: anyTime, ...BY_APPLICATION },
      ],
    },
  });
});

it("a partly refunded transaction stays PAID in every view, a fully refunded one is REFUNDED", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 2_500);

  await refund(company, id, 1_000);
  expect((await detailOf(company, id)).body).toMatchObject({
    enStatusTransaction: "Paid",
    value: 2_500,
    updateDate: anyTimeWithOffset,
  });
  expect(await listStatusesOf(company, id)).toEqual(["PAID", "PAID", "PAID"]);

  const { body } = await refund(company, id);
  const detail = (await detailOf(company, id)).body;
  expect(detail).toMatchObject({ enStatusTransaction: "Refunded", value: 2_500 });
  expect(Date.parse(detail.updateDate)).toBe(Date.parse(body.data.updatedAt));
  expect(await listStatusesOf(company, id)).toEqual(["REFUNDED", "REFUNDED", "REFUNDED"]);
});

it("the search finds it by its status", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 2_500);
  await givenPaid(company, 100);
  await refund(company, id);
  for (const [status, found] of [
    ["REFUNDED", [1]],
    ["PAID", [2]],
  ] as const) {
    const { body } = await call(`/api/v1/transactions?status=${status}`, { company });
    expect(body.items.map((item: any) => item.id)).toEqual(found);
  }
});

it("each refund announces the transaction's state after it, in order, to both targets", async () => {
  const company = await givenCompany({ webhookUrl: "https://loja.example.com/all" });
  const { id } = await givenTransaction(company, FULL_REQUEST);
  await pay(company, id);
  const first = await refund(company, id, 345);
  const second = await refund(company, id);

  const events = await eventsOf(company);

  expect(events.map((event) => [event.companySequence, event.sequence, event.type])).toEqual([
    [1, 1, "transaction.paid"],
    [2, 2, "transaction.partially_refunded"],
    [3, 3, "transaction.refunded"],
  ]);
  for (const [event, answer] of [
    [events[1], first],
    [events[2], second],
  ] as const) {
    expect(event?.body).toStrictEqual({
      type: event?.type,
      timestamp: answer.body.data.updatedAt,
      sequence: event?.sequence,
      data: { ...answer.body.data, previousStatus: "PAID" },
    });
  }
  expect(second.body.data.refunds).toEqual([
    first.body.data.refunds[0],
    { id: anyUuid, amount: 12_000, status: "DONE", createdAt: anyTime, ...BY_APPLICATION },
  ]);
  expect(await deliveriesOf(company)).toHaveLength(6);
});

it("every response of a refund and a cancel matches the OpenAPI document", async () => {
  const company = await givenCompany();
  const silent = new FakeBank();
  silent.onRefund = async () => ({ kind: "unknown" });
  silent.onCancel = async () => ({ kind: "unknown" });
  const refusing = new FakeBank();
  refusing.onRefund = async () => ({ kind: "failed", reason: "no" });
  const { id: paid } = await givenPaid(company, 2_500);
  const { id: waiting } = await givenTransaction(company, FULL_REQUEST);
  const answers: [number, string, ReturnType<typeof refund>][] = [
    [202, REFUND, refund(company, paid, 100, { deps: depsWithBank(silent) })],
    [202, CANCEL, cancel(company, waiting, { deps: depsWithBank(silent) })],
  ];
  for (const [status, name, pending] of answers) {
    const answer = await pending;
    expect(answer.status).toBe(status);
    await expectDocumented(name, answer);
  }
  const refused = await refund(company, paid, 100, { deps: depsWithBank(refusing) });
  expect(refused.status).toBe(422);
  await expectDocumented(REFUND, refused);
  const done = await refund(company, paid);
  expect(done.status).toBe(200);
  await expectDocumented(REFUND, done);
  const cancelled = await cancel(company, waiting);
  expect(cancelled.status).toBe(200);
  await expectDocumented(CANCEL, cancelled);
  await expectDocumented(CANCEL, await cancel(company, waiting));
});
