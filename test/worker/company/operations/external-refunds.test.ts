import { expect, it } from "vitest";
import { withdraw } from "../../../support/builders/commands.ts";
import { companyStub } from "../../../../src/company-client/stub.ts";
import { env, givenCompany, type TestCompany } from "../../../support/builders/company.ts";
import { findingsOf, heldOf } from "../../../support/builders/findings.ts";
import { accountsOf, dumpObject, movementsOf } from "../../../support/builders/ledger.ts";
import {
  answerOperation,
  askRefund,
  askReturn,
  dispute,
  freshEndToEndId,
  givenSettled,
} from "../../../support/builders/object-operations.ts";
import { auditAll } from "../../../support/faults/tamper.ts";
import {
  disputeOfPayment,
  givenSetAside,
  paymentOf,
  refundByOthers,
} from "../../../support/builders/provider-reports.ts";
import { eventsOf } from "../../../support/probes/webhook-rows.ts";

async function givenCredited(amount: number, company?: TestCompany) {
  const owner = company ?? (await givenCompany());
  const transaction = await givenSettled(owner, amount);
  const paymentId = await paymentOf(owner, transaction.id);
  return { company: owner, transaction, paymentId };
}

async function typesOf(company: TestCompany): Promise<string[]> {
  return (await eventsOf(company)).map(({ type }) => type);
}

const chargeOf = (company: TestCompany, id: string) => companyStub(env, company.id).findCharge(id);

it("a refund by other hands leaves the company, and its charge is refunded in part, once", async () => {
  const { company, transaction, paymentId } = await givenCredited(2_500);

  expect(await refundByOthers(company, paymentId)).toEqual({ kind: "recorded" });
  const before = await dumpObject(company);
  expect(await refundByOthers(company, paymentId)).toEqual({ kind: "already" });
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

it("refunds by other hands of a whole payment refund its charge", async () => {
  const { company, transaction, paymentId } = await givenCredited(2_500);

  await refundByOthers(company, paymentId, { id: "D1", amount: 1_000 });
  await refundByOthers(company, paymentId, { id: "D2", amount: 1_500 });

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
  "a refund by other hands that is %s books nothing, and is booked once it is done",
  async (status) => {
    const { company, paymentId } = await givenCredited(2_500);
    const before = await dumpObject(company);

    expect(await refundByOthers(company, paymentId, { status })).toEqual({ kind: "already" });
    expect(await dumpObject(company)).toBe(before);

    expect(await refundByOthers(company, paymentId)).toEqual({ kind: "recorded" });
  },
);

it("a refund by other hands takes the credit that waits, then what is available, and the rest is debt", async () => {
  const company = await givenCompany();
  const terms = { paymentMethod: "BOLETO", releaseDays: 1 } as const;
  const waiting = await givenSettled(company, 1_000, { terms });
  const paid = await givenCredited(900, company);
  await withdraw(company, { amount: 700 });

  await refundByOthers(company, await paymentOf(company, waiting.id), { amount: 1_000 });
  expect(await accountsOf(company)).toMatchObject({ awaiting: 0, available: 200 });

  await refundByOthers(company, paid.paymentId, { amount: 900 });
  expect(await accountsOf(company)).toMatchObject({ available: 0, debt: -700 });
  expect((await auditAll(company, true)).violations).toEqual([]);
});

it("a refund by other hands leaves less to refund", async () => {
  const { company, transaction, paymentId } = await givenCredited(2_500);
  await refundByOthers(company, paymentId, { amount: 2_000 });

  expect(await askRefund(company, transaction, { amount: 501 })).toEqual({
    kind: "exceeds_paid",
    refundable: 500,
  });
});

it("what goes back beyond a payment is written down, and held back from withdraws", async () => {
  const { company, transaction, paymentId } = await givenCredited(2_500);
  await givenSettled(company, 5_000);
  await askRefund(company, transaction, { amount: 2_000 });
  await answerOperation(company, { kind: "done" });

  expect(await refundByOthers(company, paymentId)).toEqual({ kind: "contradiction" });
  expect(await refundByOthers(company, paymentId)).toEqual({ kind: "already" });

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
  expect(await heldOf(company)).toBe(500);
  expect((await auditAll(company, true)).violations).toEqual([]);
});

it("a refund by other hands that is told with another amount, or as not done, is a contradiction", async () => {
  const { company, paymentId } = await givenCredited(2_500);
  await refundByOthers(company, paymentId, { amount: 1_000 });

  expect(await refundByOthers(company, paymentId, { amount: 1_200 })).toEqual({
    kind: "contradiction",
  });
  expect(await refundByOthers(company, paymentId, { status: "FAILED" })).toEqual({
    kind: "contradiction",
  });

  expect(await accountsOf(company)).toMatchObject({ available: 1_500 });
  expect((await findingsOf(company)).map(({ held }) => held)).toEqual([200, 0]);
});

it("a refund of ours that the provider lists as done ends as by its own answer", async () => {
  const { company, transaction, paymentId } = await givenCredited(2_500);
  const operationId = "11111111-2222-4333-8444-555555555555";
  await askRefund(company, transaction, { amount: 1_000, operationId });
  const id = operationId.replaceAll("-", "");

  expect(await refundByOthers(company, paymentId, { id, status: "PROCESSING" })).toEqual({
    kind: "already",
  });
  expect(await refundByOthers(company, paymentId, { id })).toEqual({ kind: "recorded" });
  expect(await refundByOthers(company, paymentId, { id })).toEqual({ kind: "already" });

  expect(await accountsOf(company)).toMatchObject({ available: 1_500, blocked: 0 });
  expect(await chargeOf(company, transaction.id)).toMatchObject({
    refundedAmount: 1_000,
    refunds: [{ id: operationId, status: "DONE" }],
  });
});

it("a refund of ours that is told as done after it failed is held back, for it may have left twice", async () => {
  const { company, transaction, paymentId } = await givenCredited(2_500);
  const operationId = "11111111-2222-4333-8444-666666666666";
  await askRefund(company, transaction, { amount: 1_000, operationId });
  await answerOperation(company, { kind: "failed", reason: "no" });
  const id = operationId.replaceAll("-", "");

  expect(await refundByOthers(company, paymentId, { id })).toEqual({ kind: "contradiction" });
  await answerOperation(company, { kind: "done" });

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

it("a refund of ours that is told as failed after it was done is owed to the company, and holds nothing", async () => {
  const { company, transaction } = await givenCredited(2_500);
  await askRefund(company, transaction, { amount: 1_000 });
  await answerOperation(company, { kind: "done" });

  await answerOperation(company, { kind: "failed", reason: "no" });

  expect(await findingsOf(company)).toMatchObject([
    { kind: "refund_status", amount: 1_000, held: 0, status: "open" },
  ]);
});

it("a refund of ours that the provider lists with another amount stays open, and is written down", async () => {
  const { company, transaction, paymentId } = await givenCredited(2_500);
  const operationId = "11111111-2222-4333-8444-777777777777";
  await askRefund(company, transaction, { amount: 1_000, operationId });
  const id = operationId.replaceAll("-", "");

  expect(await refundByOthers(company, paymentId, { id, amount: 1_300 })).toEqual({
    kind: "contradiction",
  });

  expect(await accountsOf(company)).toMatchObject({ blocked: 1_000 });
  expect(await findingsOf(company)).toMatchObject([{ amount: 1_300, held: 300 }]);
  await answerOperation(company, { kind: "done" });
});

it("a refund of a payment that the company does not know is not found", async () => {
  const company = await givenCompany();

  expect(await refundByOthers(company, freshEndToEndId())).toEqual({ kind: "not_found" });
});

it("money that a dispute took is not taken again where it is told as a refund", async () => {
  const { company, transaction, paymentId } = await givenCredited(2_500);
  await dispute(company, transaction, { id: `${paymentId}:D1`, amount: 1_000, status: "LOST" });

  expect(await refundByOthers(company, paymentId)).toEqual({ kind: "contradiction" });

  expect(await accountsOf(company)).toMatchObject({ available: 1_500 });
  expect(await findingsOf(company)).toMatchObject([{ kind: "refund_status", held: 0 }]);
});

it("money that a refund by other hands took is not taken again where it is told as a dispute", async () => {
  const { company, transaction, paymentId } = await givenCredited(2_500);
  await refundByOthers(company, paymentId);

  const told = { id: `${paymentId}:D1`, amount: 1_000, status: "LOST" } as const;
  expect(await dispute(company, transaction, told)).toEqual({ kind: "contradiction" });

  expect(await accountsOf(company)).toMatchObject({ available: 1_500 });
  expect(await findingsOf(company)).toMatchObject([{ kind: "dispute_status", held: 0 }]);
});

it("a payment set aside that goes back by other hands leaves suspense, and nothing of the company's", async () => {
  const company = await givenCompany({ balance: 5_000 });
  const { paymentId } = await givenSetAside(company, 2_500);

  expect(await refundByOthers(company, paymentId)).toEqual({ kind: "recorded" });
  expect(await accountsOf(company)).toMatchObject({ available: 5_000, suspense: 1_500 });
  expect(await findingsOf(company)).toMatchObject([{ kind: "payment_set_aside", status: "open" }]);

  await refundByOthers(company, paymentId, { id: "D2", amount: 1_500 });
  expect(await accountsOf(company)).toMatchObject({ available: 5_000, suspense: 0 });
  expect(await findingsOf(company)).toMatchObject([{ status: "decided" }]);
  expect(await askReturn(company, paymentId)).toEqual({ kind: "exceeds_paid", refundable: 0 });
  expect((await auditAll(company, true)).violations).toEqual([]);
});

it("the return of a payment set aside gives back what other hands have left of it", async () => {
  const company = await givenCompany();
  const { paymentId } = await givenSetAside(company, 2_500);
  await refundByOthers(company, paymentId);

  expect(await askReturn(company, paymentId)).toMatchObject({ order: { amount: 1_500 } });
  await answerOperation(company, { kind: "done" });

  expect(await accountsOf(company)).toMatchObject({ suspense: 0, provider: 0 });
  expect(await findingsOf(company)).toMatchObject([{ status: "decided" }]);
  expect((await auditAll(company, true)).violations).toEqual([]);
});

it("while our return is under way a refund by other hands is written down, and booked once ours has failed", async () => {
  const company = await givenCompany();
  const { paymentId } = await givenSetAside(company, 2_500);
  await askReturn(company, paymentId);

  expect(await refundByOthers(company, paymentId, { amount: 2_500 })).toEqual({
    kind: "contradiction",
  });
  expect(await accountsOf(company)).toMatchObject({ suspense: 2_500 });
  await answerOperation(company, { kind: "failed", reason: "nothing is left of it" });
  expect(await refundByOthers(company, paymentId, { amount: 2_500 })).toEqual({
    kind: "recorded",
  });

  expect(await accountsOf(company)).toMatchObject({ suspense: 0 });
  expect(await findingsOf(company)).toMatchObject([
    { kind: "payment_set_aside", status: "decided" },
    { kind: "refund_status", held: 0, status: "decided" },
  ]);
});

it("a payment set aside that our return and other hands both gave back has left twice", async () => {
  const company = await givenCompany();
  const { paymentId } = await givenSetAside(company, 2_500);
  await askReturn(company, paymentId);
  await answerOperation(company, { kind: "done" });

  expect(await refundByOthers(company, paymentId)).toEqual({ kind: "contradiction" });

  expect(await accountsOf(company)).toMatchObject({ suspense: 0, provider: 0 });
  expect(await heldOf(company)).toBe(1_000);
});

it("a dispute about a payment set aside takes it out of suspense when it is lost", async () => {
  const company = await givenCompany({ balance: 5_000 });
  const { paymentId } = await givenSetAside(company, 2_500);

  expect(await disputeOfPayment(company, paymentId)).toEqual({ kind: "recorded" });
  expect(await disputeOfPayment(company, paymentId)).toEqual({ kind: "already" });
  expect(await accountsOf(company)).toMatchObject({ available: 5_000, suspense: 2_500 });
  expect(await disputeOfPayment(company, paymentId, { status: "LOST" })).toEqual({
    kind: "recorded",
  });
  expect(await disputeOfPayment(company, paymentId, { status: "OPEN" })).toEqual({
    kind: "already",
  });

  expect(await accountsOf(company)).toMatchObject({ available: 5_000, suspense: 1_500 });
  expect((await auditAll(company, true)).violations).toEqual([]);
});

it("a dispute about a payment set aside that is won leaves it there", async () => {
  const company = await givenCompany();
  const { paymentId } = await givenSetAside(company, 2_500);
  await disputeOfPayment(company, paymentId);

  expect(await disputeOfPayment(company, paymentId, { status: "WON" })).toEqual({
    kind: "recorded",
  });

  expect(await accountsOf(company)).toMatchObject({ suspense: 2_500 });
  expect(await findingsOf(company)).toMatchObject([{ kind: "payment_set_aside", status: "open" }]);
});

it("a dispute about a payment set aside that was lost and is told otherwise is a contradiction", async () => {
  const company = await givenCompany();
  const { paymentId } = await givenSetAside(company, 2_500);
  await disputeOfPayment(company, paymentId, { status: "LOST" });

  expect((await disputeOfPayment(company, paymentId, { status: "WON" })).kind).toBe(
    "contradiction",
  );
  const more = { status: "LOST", amount: 1_200 } as const;
  expect((await disputeOfPayment(company, paymentId, more)).kind).toBe("contradiction");

  expect(await accountsOf(company)).toMatchObject({ suspense: 1_500 });
  expect(await findingsOf(company)).toHaveLength(3);
});

it("a payment that a bank took after our return of it has left twice", async () => {
  const company = await givenCompany();
  const { paymentId } = await givenSetAside(company, 1_000);
  await askReturn(company, paymentId);
  expect((await disputeOfPayment(company, paymentId, { status: "LOST" })).kind).toBe(
    "contradiction",
  );
  expect(await heldOf(company)).toBe(0);
  await answerOperation(company, { kind: "done" });

  expect((await disputeOfPayment(company, paymentId, { status: "LOST" })).kind).toBe(
    "contradiction",
  );

  expect(await accountsOf(company)).toMatchObject({ suspense: 0, provider: 0 });
  expect(await heldOf(company)).toBe(1_000);
});
