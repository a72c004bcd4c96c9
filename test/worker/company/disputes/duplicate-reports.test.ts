import { expect, it } from "vitest";
import { compose } from "../../../../src/company/compose.ts";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import { termsOf } from "../../../support/builders/charges/charge-commands.ts";
import {
  givenCompany,
  inAccount,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { findingsOf, heldTotalOf } from "../../../support/probes/contradictions/findings.ts";
import { accountsOf, dumpObject, movementsOf } from "../../../support/probes/ledger/ledger.ts";
import {
  reportOperation,
  requestReturn,
  dispute,
  freshEndToEndId,
  givenSettled,
  settleCharge,
} from "../../../support/builders/operations/object-operations.ts";
import {
  reportDispute,
  givenUnexpectedPayment,
  paymentOf,
  reportExternalRefund,
} from "../../../support/builders/reconciliation/provider-reports.ts";
import { auditAll } from "../../../support/probes/ledger/audit.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";

const chargeOf = (company: TestCompany, id: string) => callsTo(company.id).findCharge(id);

/** A payment that came for no charge, and that operators credited to one. */
async function givenManuallyCredited(amount: number) {
  const company = await givenCompany();
  const { id } = await givenTransaction(company, { amount });
  const { paymentId } = await givenUnexpectedPayment(company, amount);
  const answer = await inAccount(company.id, (_, { storage }) =>
    storage.transactionSync(() => {
      const parts = compose(storage.sql);
      parts.stores.ledger.beginCommit();
      const known = parts.stores.contradictions.findByKey(`payment_set_aside:${paymentId}`);
      const decision = {
        action: "credit",
        amount: null,
        transactionId: id,
        reason: "It is.",
      } as const;
      const credited = parts.charges.creditFromSuspense(
        paymentId,
        termsOf({ id, amount }),
        Date.now(),
      );
      parts.stores.contradictions.decide(
        known!,
        { ...decision, by: "operator", at: 1 },
        "approver",
        2,
      );
      return credited;
    }),
  );
  if (answer.kind !== "credited") throw new Error(`the payment was ${answer.kind}`);
  return { company, paymentId, transaction: { id, amount } };
}

it("a MED of a payment that operators credited is booked with its charge, without a charge from the provider", async () => {
  const { company, paymentId, transaction } = await givenManuallyCredited(2_500);

  expect(await reportDispute(company, paymentId)).toEqual({ kind: "recorded" });
  expect(await accountsOf(company)).toMatchObject({ available: 1_500, blocked: 1_000 });
  expect(await callsTo(company.id).findDispute(`${paymentId}:M1`)).toMatchObject({
    transactionId: null,
    paymentId,
    status: "OPEN",
  });
  expect(await reportDispute(company, paymentId, { status: "LOST" })).toEqual({
    kind: "recorded",
  });

  expect(await accountsOf(company)).toMatchObject({ available: 1_500, provider: -1_500 });
  expect(await chargeOf(company, transaction.id)).toMatchObject({ refundedAmount: 1_000 });
  expect((await auditAll(company, true)).violations).toEqual([]);
});

it.each(["unpaid", "paid"] as const)(
  "a MED of a payment for a charge that is %s is booked with the charge that was credited",
  async (how) => {
    const company = await givenCompany();
    const credited = await givenSettled(company, 2_500);
    const paymentId = await paymentOf(company, credited.id);
    const { id } = await givenTransaction(company, { amount: 2_500 });
    const named = { id, amount: 2_500 };
    if (how === "paid") await settleCharge(company, named);
    await settleCharge(company, named, { payment: { paymentId } });

    const lost = { id: `${paymentId}:M1`, paymentId, amount: 1_000, status: "LOST" } as const;
    expect(await dispute(company, named, lost)).toEqual({ kind: "recorded" });

    expect(await chargeOf(company, credited.id)).toMatchObject({ refundedAmount: 1_000 });
    if (how === "paid") expect(await chargeOf(company, id)).toMatchObject({ refundedAmount: 0 });
    expect((await auditAll(company, true)).violations).toEqual([]);
  },
);

it("a chargeback of an unpaid charge opens a contradiction and is held until the payment is known", async () => {
  const company = await givenCompany({ balance: 5_000 });
  const { id } = await givenTransaction(company, { amount: 2_500 });
  const transaction = { id, amount: 2_500 };
  const taken = { id: "c1", kind: "CHARGEBACK", status: "LOST" } as const;

  expect(await dispute(company, transaction, taken)).toMatchObject({ kind: "not_allowed" });
  expect(await dispute(company, transaction, taken)).toMatchObject({ kind: "not_allowed" });
  expect(await findingsOf(company)).toMatchObject([
    { kind: "dispute_status", object: id, amount: 2_500, held: 2_500, status: "open" },
  ]);

  await settleCharge(company, transaction);
  expect(await dispute(company, transaction, taken)).toEqual({ kind: "recorded" });
  expect(await findingsOf(company)).toMatchObject([{ status: "decided" }]);
  expect(await accountsOf(company)).toMatchObject({ available: 5_000 });
});

it("a dispute of an unknown payment opens a contradiction", async () => {
  const company = await givenCompany();

  expect((await reportDispute(company, freshEndToEndId(), { status: "LOST" })).kind).toBe(
    "not_found",
  );

  expect(await findingsOf(company)).toMatchObject([{ kind: "dispute_status", held: 1_000 }]);
});

it("a partial return of an unexpected payment debits suspense once, reported as refund then MED", async () => {
  const company = await givenCompany();
  const { paymentId } = await givenUnexpectedPayment(company, 2_500);
  await reportExternalRefund(company, paymentId);

  const med = { id: `${paymentId}:D1`, status: "LOST" } as const;
  expect(await reportDispute(company, paymentId, med)).toEqual({ kind: "contradiction" });

  expect(await accountsOf(company)).toMatchObject({ suspense: 1_500, provider: -1_500 });
  expect((await findingsOf(company)).slice(1)).toMatchObject([{ kind: "dispute_status", held: 0 }]);
});

it("a partial return of an unexpected payment debits suspense once, reported as MED then refund", async () => {
  const company = await givenCompany();
  const { paymentId } = await givenUnexpectedPayment(company, 2_500);
  await reportDispute(company, paymentId, { id: `${paymentId}:D1`, status: "LOST" });

  expect(await reportExternalRefund(company, paymentId)).toEqual({ kind: "contradiction" });

  expect(await accountsOf(company)).toMatchObject({ suspense: 1_500, provider: -1_500 });
  expect((await findingsOf(company)).slice(1)).toMatchObject([{ kind: "refund_status", held: 0 }]);
});

it.each([
  ["OPEN", 0],
  ["WON", 1_000],
] as const)(
  "a dispute that is %s and reported as a done refund holds the part that was not taken or blocked",
  async (status, held) => {
    const company = await givenCompany();
    const transaction = await givenSettled(company, 2_500);
    const paymentId = await paymentOf(company, transaction.id);
    await dispute(company, transaction, { id: `${paymentId}:D1`, amount: 1_000, status });

    expect(await reportExternalRefund(company, paymentId)).toEqual({ kind: "contradiction" });

    expect(await heldTotalOf(company)).toBe(held);
  },
);

it("an external refund that is reported as a larger MED holds the excess", async () => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 2_500);
  const paymentId = await paymentOf(company, transaction.id);
  await reportExternalRefund(company, paymentId);
  const med = { id: `${paymentId}:D1`, amount: 1_400 } as const;

  expect((await dispute(company, transaction, med)).kind).toBe("contradiction");
  expect(await heldTotalOf(company)).toBe(0);
  expect((await dispute(company, transaction, { ...med, status: "LOST" })).kind).toBe(
    "contradiction",
  );

  expect(await heldTotalOf(company)).toBe(400);
});

it.each([400, 3_000])(
  "a reversal with another amount (%i) credits nothing until an operator decides",
  async (amount) => {
    const company = await givenCompany();
    const transaction = await givenSettled(company, 2_500);
    await dispute(company, transaction, { kind: "CHARGEBACK", status: "LOST" });
    const reversed = { kind: "CHARGEBACK", status: "WON", amount } as const;

    expect(await dispute(company, transaction, reversed)).toEqual({ kind: "contradiction" });
    const before = await dumpObject(company);
    expect(await dispute(company, transaction, reversed)).toEqual({ kind: "contradiction" });
    expect(await dumpObject(company)).toBe(before);

    expect(await accountsOf(company)).toMatchObject({ available: 0, provider: 0 });
    expect(await findingsOf(company)).toMatchObject([{ kind: "dispute_status", amount, held: 0 }]);
  },
);

it("a failed return that is reported as done is held when its payment was credited meanwhile", async () => {
  const company = await givenCompany();
  const { id } = await givenTransaction(company, { amount: 2_500 });
  const { paymentId } = await givenUnexpectedPayment(company, 2_500);
  await requestReturn(company, paymentId);
  await reportOperation(company, { kind: "failed", reason: "the account is closed" });
  await settleCharge(company, { id, amount: 2_500 }, { payment: { paymentId } });

  expect((await reportOperation(company, { kind: "done" })).kind).toBe("contradiction");

  expect(await accountsOf(company)).toMatchObject({ available: 2_500 });
  expect(await heldTotalOf(company)).toBe(2_500);
});

it("a failed return that is reported as done is booked while its money is still in suspense", async () => {
  const company = await givenCompany();
  const { paymentId } = await givenUnexpectedPayment(company, 2_500);
  await requestReturn(company, paymentId);
  await reportOperation(company, { kind: "failed", reason: "the account is closed" });

  expect((await reportOperation(company, { kind: "done" })).kind).toBe("recorded");
  const before = await dumpObject(company);
  expect((await reportOperation(company, { kind: "done" })).kind).toBe("recorded");
  expect(await dumpObject(company)).toBe(before);

  expect(await accountsOf(company)).toMatchObject({ suspense: 0, provider: 0 });
  expect(await findingsOf(company)).toMatchObject([{ status: "decided" }]);
});

it("a failed return that is reported as done is held while a second return is under way", async () => {
  const company = await givenCompany();
  const { paymentId } = await givenUnexpectedPayment(company, 2_500);
  await requestReturn(company, paymentId);
  await reportOperation(company, { kind: "failed", reason: "the account is closed" });
  await requestReturn(company, paymentId);

  expect((await reportOperation(company, { kind: "done" })).kind).toBe("contradiction");

  expect(await accountsOf(company)).toMatchObject({ suspense: 2_500 });
  expect(await heldTotalOf(company)).toBe(2_500);
  expect((await reportOperation(company, { kind: "done" }, 2)).kind).toBe("recorded");
  expect(await accountsOf(company)).toMatchObject({ suspense: 0, provider: 0 });
});

it("a failed return that is reported as done is held when part of its payment went back meanwhile", async () => {
  const company = await givenCompany();
  const { paymentId } = await givenUnexpectedPayment(company, 2_500);
  await requestReturn(company, paymentId);
  await reportOperation(company, { kind: "failed", reason: "the account is closed" });
  await reportExternalRefund(company, paymentId);

  expect((await reportOperation(company, { kind: "done" })).kind).toBe("contradiction");

  expect(await accountsOf(company)).toMatchObject({ suspense: 1_500 });
  expect(await heldTotalOf(company)).toBe(2_500);
});

it("an unexpected payment with a return request of the payer's bank is not returned as well", async () => {
  const company = await givenCompany();
  const { paymentId } = await givenUnexpectedPayment(company, 1_000);
  await reportDispute(company, paymentId);

  expect(await requestReturn(company, paymentId)).toEqual({
    kind: "not_possible",
    reason: "The payer's bank disputes this payment",
  });
  await reportDispute(company, paymentId, { status: "WON" });
  expect((await requestReturn(company, paymentId)).kind).toBe("send");

  await reportOperation(company, { kind: "done" });
  expect((await movementsOf(company)).at(-1)?.type).toBe("suspense_returned");
});
