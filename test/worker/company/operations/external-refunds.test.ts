import { expect, it } from "vitest";
import { withdraw } from "../../../support/builders/withdraws/withdraw-commands.ts";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import { findingsOf, heldTotalOf } from "../../../support/probes/contradictions/findings.ts";
import { accountsOf, dumpObject, movementsOf } from "../../../support/probes/ledger/ledger.ts";
import {
  reportOperation,
  requestRefund,
  requestReturn,
  dispute,
  freshEndToEndId,
  givenSettled,
} from "../../../support/builders/operations/object-operations.ts";
import { auditAll } from "../../../support/probes/ledger/audit.ts";
import {
  reportDispute,
  givenUnexpectedPayment,
  paymentOf,
  reportExternalRefund,
} from "../../../support/builders/reconciliation/provider-reports.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

async function givenCredited(amount: number, company?: TestCompany) {
  const owner = company ?? (await givenCompany());
  const transaction = await givenSettled(owner, amount);
  const paymentId = await paymentOf(owner, transaction.id);
  return { company: owner, transaction, paymentId };
}

async function typesOf(company: TestCompany): Promise<string[]> {
  return (await eventsOf(company)).map(({ type }) => type);
}

const chargeOf = (company: TestCompany, id: string) => callsTo(company.id).findCharge(id);

it("an external refund debits the company and partly refunds its charge once", async () => {
  const { company, transaction, paymentId } = await givenCredited(2_500);

  expect(await reportExternalRefund(company, paymentId)).toEqual({ kind: "recorded" });
  const before = await dumpObject(company);
  expect(await reportExternalRefund(company, paymentId)).toEqual({ kind: "already" });
  expect(await dumpObject(company)).toBe(before);

  expect(await accountsOf(company)).toMatchObject({ available: 1_500, provider: -1_500 });
  expect((await movementsOf(company)).at(-1)).toEqual({
    type: "refund_external",
    postings: { available: -1_000, provider: 1_000 },
  });
  expect(await typesOf(company)).toEqual(["transaction.paid", "transaction.partially_refunded"]);
  expect(await chargeOf(company, transaction.id)).toMatchObject({
    status: "paid",
    refundedAmount: 1_000,
    refunds: [{ id: `${paymentId}:D1`, amount: 1_000, status: "DONE" }],
  });
  expect((await auditAll(company, true)).violations).toEqual([]);
});

it("external refunds of a whole payment refund its charge", async () => {
  const { company, transaction, paymentId } = await givenCredited(2_500);

  await reportExternalRefund(company, paymentId, { id: "D1", amount: 1_000 });
  await reportExternalRefund(company, paymentId, { id: "D2", amount: 1_500 });

  expect(await accountsOf(company)).toMatchObject({ available: 0, provider: 0 });
  expect(await chargeOf(company, transaction.id)).toMatchObject({
    status: "refunded",
    refundedAmount: 2_500,
    refundReason: "REQUESTED",
  });
  expect(await typesOf(company)).toEqual([
    "transaction.paid",
    "transaction.partially_refunded",
    "transaction.refunded",
  ]);
});

it.each(["PROCESSING", "FAILED"] as const)(
  "an external refund that is %s books nothing, and is booked once it is done",
  async (status) => {
    const { company, paymentId } = await givenCredited(2_500);
    const before = await dumpObject(company);

    expect(await reportExternalRefund(company, paymentId, { status })).toEqual({ kind: "already" });
    expect(await dumpObject(company)).toBe(before);

    expect(await reportExternalRefund(company, paymentId)).toEqual({ kind: "recorded" });
  },
);

it("an external refund takes unreleased credit, then available money, and the rest becomes debt", async () => {
  const company = await givenCompany();
  const terms = { paymentMethod: "BOLETO", releaseDays: 1 } as const;
  const waiting = await givenSettled(company, 1_000, { terms });
  const paid = await givenCredited(900, company);
  await withdraw(company, { amount: 700 });

  await reportExternalRefund(company, await paymentOf(company, waiting.id), { amount: 1_000 });
  expect(await accountsOf(company)).toMatchObject({ awaiting: 0, available: 200 });

  await reportExternalRefund(company, paid.paymentId, { amount: 900 });
  expect(await accountsOf(company)).toMatchObject({ available: 0, debt: -700 });
  expect((await auditAll(company, true)).violations).toEqual([]);
});

it("an external refund reduces the refundable amount", async () => {
  const { company, transaction, paymentId } = await givenCredited(2_500);
  await reportExternalRefund(company, paymentId, { amount: 2_000 });

  expect(await requestRefund(company, transaction, { amount: 501 })).toEqual({
    kind: "exceeds_paid",
    refundable: 500,
  });
});

it("an external refund beyond its payment opens a contradiction and is held from withdraws", async () => {
  const { company, transaction, paymentId } = await givenCredited(2_500);
  await givenSettled(company, 5_000);
  await requestRefund(company, transaction, { amount: 2_000 });
  await reportOperation(company, { kind: "done" });

  expect(await reportExternalRefund(company, paymentId)).toEqual({ kind: "contradiction" });
  expect(await reportExternalRefund(company, paymentId)).toEqual({ kind: "already" });

  expect(await accountsOf(company)).toMatchObject({ available: 5_000, provider: -5_000 });
  expect(await findingsOf(company)).toEqual([
    {
      finding: `refund_status:${paymentId}:D1:beyond`,
      kind: "refund_status",
      object: `payment:${paymentId}`,
      amount: 1_000,
      held: 500,
      status: "open",
    },
  ]);
  expect(await heldTotalOf(company)).toBe(500);
  expect((await auditAll(company, true)).violations).toEqual([]);
});

it("an external refund with another amount or status opens a contradiction", async () => {
  const { company, paymentId } = await givenCredited(2_500);
  await reportExternalRefund(company, paymentId, { amount: 1_000 });

  expect(await reportExternalRefund(company, paymentId, { amount: 1_200 })).toEqual({
    kind: "contradiction",
  });
  expect(await reportExternalRefund(company, paymentId, { status: "FAILED" })).toEqual({
    kind: "contradiction",
  });

  expect(await accountsOf(company)).toMatchObject({ available: 1_500 });
  expect((await findingsOf(company)).map(({ held }) => held)).toEqual([200, 0]);
});

it("our refund ends by the provider's list as by its response", async () => {
  const { company, transaction, paymentId } = await givenCredited(2_500);
  const operationId = "11111111-2222-4333-8444-555555555555";
  await requestRefund(company, transaction, { amount: 1_000, operationId });
  const id = operationId.replaceAll("-", "");

  expect(await reportExternalRefund(company, paymentId, { id, status: "PROCESSING" })).toEqual({
    kind: "already",
  });
  expect(await reportExternalRefund(company, paymentId, { id })).toEqual({ kind: "recorded" });
  expect(await reportExternalRefund(company, paymentId, { id })).toEqual({ kind: "already" });

  expect(await accountsOf(company)).toMatchObject({ available: 1_500, blocked: 0 });
  expect(await chargeOf(company, transaction.id)).toMatchObject({
    refundedAmount: 1_000,
    refunds: [{ id: operationId, status: "DONE" }],
  });
});

it("our failed refund that is reported as done is held, since it may have been paid twice", async () => {
  const { company, transaction, paymentId } = await givenCredited(2_500);
  const operationId = "11111111-2222-4333-8444-666666666666";
  await requestRefund(company, transaction, { amount: 1_000, operationId });
  await reportOperation(company, { kind: "failed", reason: "no" });
  const id = operationId.replaceAll("-", "");

  expect(await reportExternalRefund(company, paymentId, { id })).toEqual({ kind: "contradiction" });
  await reportOperation(company, { kind: "done" });

  expect(await accountsOf(company)).toMatchObject({ available: 2_500, blocked: 0 });
  expect(await findingsOf(company)).toEqual([
    {
      finding: `refund_status:operation:${operationId}:DONE`,
      kind: "refund_status",
      object: `operation:${operationId}`,
      amount: 1_000,
      held: 1_000,
      status: "open",
    },
  ]);
});

it("our completed refund that is reported as failed is owed to the company and holds nothing", async () => {
  const { company, transaction } = await givenCredited(2_500);
  await requestRefund(company, transaction, { amount: 1_000 });
  await reportOperation(company, { kind: "done" });

  await reportOperation(company, { kind: "failed", reason: "no" });

  expect(await findingsOf(company)).toMatchObject([
    { kind: "refund_status", amount: 1_000, held: 0, status: "open" },
  ]);
});

it("our refund that is listed with another amount stays open and opens a contradiction", async () => {
  const { company, transaction, paymentId } = await givenCredited(2_500);
  const operationId = "11111111-2222-4333-8444-777777777777";
  await requestRefund(company, transaction, { amount: 1_000, operationId });
  const id = operationId.replaceAll("-", "");

  expect(await reportExternalRefund(company, paymentId, { id, amount: 1_300 })).toEqual({
    kind: "contradiction",
  });

  expect(await accountsOf(company)).toMatchObject({ blocked: 1_000 });
  expect(await findingsOf(company)).toMatchObject([{ amount: 1_300, held: 300 }]);
  await reportOperation(company, { kind: "done" });
});

it("an external refund of an unknown payment is not found", async () => {
  const company = await givenCompany();

  expect(await reportExternalRefund(company, freshEndToEndId())).toEqual({ kind: "not_found" });
});

it("money that a dispute took is not taken again when it is reported as a refund", async () => {
  const { company, transaction, paymentId } = await givenCredited(2_500);
  await dispute(company, transaction, { id: `${paymentId}:D1`, amount: 1_000, status: "LOST" });

  expect(await reportExternalRefund(company, paymentId)).toEqual({ kind: "contradiction" });

  expect(await accountsOf(company)).toMatchObject({ available: 1_500 });
  expect(await findingsOf(company)).toMatchObject([{ kind: "refund_status", held: 0 }]);
});

it("money that an external refund took is not taken again when it is reported as a dispute", async () => {
  const { company, transaction, paymentId } = await givenCredited(2_500);
  await reportExternalRefund(company, paymentId);

  const told = { id: `${paymentId}:D1`, amount: 1_000, status: "LOST" } as const;
  expect(await dispute(company, transaction, told)).toEqual({ kind: "contradiction" });

  expect(await accountsOf(company)).toMatchObject({ available: 1_500 });
  expect(await findingsOf(company)).toMatchObject([{ kind: "dispute_status", held: 0 }]);
});

it("an external refund of an unexpected payment debits suspense and not the company", async () => {
  const company = await givenCompany({ balance: 5_000 });
  const { paymentId } = await givenUnexpectedPayment(company, 2_500);

  expect(await reportExternalRefund(company, paymentId)).toEqual({ kind: "recorded" });
  expect(await accountsOf(company)).toMatchObject({ available: 5_000, suspense: 1_500 });
  expect(await findingsOf(company)).toMatchObject([{ kind: "payment_set_aside", status: "open" }]);

  await reportExternalRefund(company, paymentId, { id: "D2", amount: 1_500 });
  expect(await accountsOf(company)).toMatchObject({ available: 5_000, suspense: 0 });
  expect(await findingsOf(company)).toMatchObject([{ status: "decided" }]);
  expect(await requestReturn(company, paymentId)).toEqual({
    kind: "not_possible",
    reason: "The payment cannot be returned",
  });
  expect((await auditAll(company, true)).violations).toEqual([]);
});

it("the return of an unexpected payment returns the amount that external refunds left", async () => {
  const company = await givenCompany();
  const { paymentId } = await givenUnexpectedPayment(company, 2_500);
  await reportExternalRefund(company, paymentId);

  expect(await requestReturn(company, paymentId)).toMatchObject({ order: { amount: 1_500 } });
  await reportOperation(company, { kind: "done" });

  expect(await accountsOf(company)).toMatchObject({ suspense: 0, provider: 0 });
  expect(await findingsOf(company)).toMatchObject([{ status: "decided" }]);
  expect((await auditAll(company, true)).violations).toEqual([]);
});

it("an external refund during our return is booked at once, and our return that failed leaves nothing to decide", async () => {
  const company = await givenCompany();
  const { paymentId } = await givenUnexpectedPayment(company, 2_500);
  await requestReturn(company, paymentId);

  expect(await reportExternalRefund(company, paymentId, { amount: 2_500 })).toEqual({
    kind: "recorded",
  });
  expect(await accountsOf(company)).toMatchObject({ suspense: 0, provider: 0 });
  await reportOperation(company, { kind: "failed", reason: "nothing is left of it" });
  expect(await reportExternalRefund(company, paymentId, { amount: 2_500 })).toEqual({
    kind: "already",
  });

  expect(await accountsOf(company)).toMatchObject({ suspense: 0, provider: 0 });
  expect(await findingsOf(company)).toMatchObject([
    { kind: "payment_set_aside", status: "decided" },
  ]);
});

it("an unexpected payment that was returned by us and externally was paid out twice", async () => {
  const company = await givenCompany();
  const { paymentId } = await givenUnexpectedPayment(company, 2_500);
  await requestReturn(company, paymentId);
  await reportOperation(company, { kind: "done" });

  expect(await reportExternalRefund(company, paymentId)).toEqual({ kind: "contradiction" });

  expect(await accountsOf(company)).toMatchObject({ suspense: 0, provider: 0 });
  expect(await heldTotalOf(company)).toBe(1_000);
});

it("a lost dispute of an unexpected payment debits suspense", async () => {
  const company = await givenCompany({ balance: 5_000 });
  const { paymentId } = await givenUnexpectedPayment(company, 2_500);

  expect(await reportDispute(company, paymentId)).toEqual({ kind: "recorded" });
  expect(await reportDispute(company, paymentId)).toEqual({ kind: "already" });
  expect(await accountsOf(company)).toMatchObject({ available: 5_000, suspense: 2_500 });
  expect(await reportDispute(company, paymentId, { status: "LOST" })).toEqual({
    kind: "recorded",
  });
  expect(await reportDispute(company, paymentId, { status: "OPEN" })).toEqual({
    kind: "already",
  });

  expect(await accountsOf(company)).toMatchObject({ available: 5_000, suspense: 1_500 });
  expect((await auditAll(company, true)).violations).toEqual([]);
});

it("a won dispute of an unexpected payment leaves it in suspense", async () => {
  const company = await givenCompany();
  const { paymentId } = await givenUnexpectedPayment(company, 2_500);
  await reportDispute(company, paymentId);

  expect(await reportDispute(company, paymentId, { status: "WON" })).toEqual({
    kind: "recorded",
  });

  expect(await accountsOf(company)).toMatchObject({ suspense: 2_500 });
  expect(await findingsOf(company)).toMatchObject([{ kind: "payment_set_aside", status: "open" }]);
});

it("a lost dispute of an unexpected payment with a conflicting report opens a contradiction", async () => {
  const company = await givenCompany();
  const { paymentId } = await givenUnexpectedPayment(company, 2_500);
  await reportDispute(company, paymentId, { status: "LOST" });

  expect((await reportDispute(company, paymentId, { status: "WON" })).kind).toBe("contradiction");
  const more = { status: "LOST", amount: 1_200 } as const;
  expect((await reportDispute(company, paymentId, more)).kind).toBe("contradiction");

  expect(await accountsOf(company)).toMatchObject({ suspense: 1_500 });
  expect(await findingsOf(company)).toHaveLength(3);
});

it("a payment that the bank took after our return was paid out twice", async () => {
  const company = await givenCompany();
  const { paymentId } = await givenUnexpectedPayment(company, 1_000);
  await requestReturn(company, paymentId);
  expect((await reportDispute(company, paymentId, { status: "LOST" })).kind).toBe("recorded");
  expect(await accountsOf(company)).toMatchObject({ suspense: 0, provider: 0 });
  await reportOperation(company, { kind: "done" });

  expect((await reportDispute(company, paymentId, { status: "LOST" })).kind).toBe("already");

  expect(await accountsOf(company)).toMatchObject({ suspense: 0, provider: 0 });
  expect(await heldTotalOf(company)).toBe(1_000);
});
