import { expect, it } from "vitest";
import { partsOf } from "../../../../src/company/compose.ts";
import { companyStub } from "../../../../src/company-client/stub.ts";
import { termsOf } from "../../../support/builders/commands.ts";
import {
  env,
  givenCompany,
  inAccount,
  type TestCompany,
} from "../../../support/builders/company.ts";
import { findingsOf, heldOf } from "../../../support/builders/findings.ts";
import { accountsOf, dumpObject, movementsOf } from "../../../support/builders/ledger.ts";
import {
  answerOperation,
  askReturn,
  dispute,
  freshEndToEndId,
  givenSettled,
  settleOn,
} from "../../../support/builders/object-operations.ts";
import {
  disputeOfPayment,
  givenSetAside,
  paymentOf,
  refundByOthers,
} from "../../../support/builders/provider-reports.ts";
import { auditAll } from "../../../support/faults/tamper.ts";
import { givenTransaction } from "../../../support/builders/transaction.ts";

const chargeOf = (company: TestCompany, id: string) => companyStub(env, company.id).findCharge(id);

/** A payment that came for no charge, and that operators credited to one. */
async function givenCreditedByDecision(amount: number) {
  const company = await givenCompany();
  const { id } = await givenTransaction(company, { amount });
  const { paymentId } = await givenSetAside(company, amount);
  const answer = await inAccount(company.id, (_, { storage }) =>
    storage.transactionSync(() => {
      const parts = partsOf(storage.sql);
      parts.stores.ledger.begin();
      const known = parts.stores.contradictions.ofFinding(`payment_set_aside:${paymentId}`);
      const decision = {
        action: "credit",
        amount: null,
        transactionId: id,
        reason: "It is.",
      } as const;
      const credited = parts.charges.creditSuspended(
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

it("a MED of a payment that operators credited is booked with its charge, though its provider names none", async () => {
  const { company, paymentId, transaction } = await givenCreditedByDecision(2_500);

  expect(await disputeOfPayment(company, paymentId)).toEqual({ kind: "recorded" });
  expect(await accountsOf(company)).toMatchObject({ available: 1_500, blocked: 1_000 });
  expect(await companyStub(env, company.id).findDispute(`${paymentId}:M1`)).toMatchObject({
    transactionId: null,
    paymentId,
    status: "OPEN",
  });
  expect(await disputeOfPayment(company, paymentId, { status: "LOST" })).toEqual({
    kind: "recorded",
  });

  expect(await accountsOf(company)).toMatchObject({ available: 1_500, provider: -1_500 });
  expect(await chargeOf(company, transaction.id)).toMatchObject({ refundedAmount: 1_000 });
  expect((await auditAll(company, true)).violations).toEqual([]);
});

it.each(["unpaid", "paid"] as const)(
  "a MED of a payment that its provider names for another charge, which is %s, is booked with the one it was credited to",
  async (how) => {
    const company = await givenCompany();
    const credited = await givenSettled(company, 2_500);
    const paymentId = await paymentOf(company, credited.id);
    const { id } = await givenTransaction(company, { amount: 2_500 });
    const named = { id, amount: 2_500 };
    if (how === "paid") await settleOn(company, named);
    await settleOn(company, named, { payment: { paymentId } });

    const lost = { id: `${paymentId}:M1`, paymentId, amount: 1_000, status: "LOST" } as const;
    expect(await dispute(company, named, lost)).toEqual({ kind: "recorded" });

    expect(await chargeOf(company, credited.id)).toMatchObject({ refundedAmount: 1_000 });
    if (how === "paid") expect(await chargeOf(company, id)).toMatchObject({ refundedAmount: 0 });
    expect((await auditAll(company, true)).violations).toEqual([]);
  },
);

it("a chargeback of a charge that nobody paid is written down, and what it took is held until the payment is known", async () => {
  const company = await givenCompany({ balance: 5_000 });
  const { id } = await givenTransaction(company, { amount: 2_500 });
  const transaction = { id, amount: 2_500 };
  const taken = { id: "c1", kind: "CHARGEBACK", status: "LOST" } as const;

  expect(await dispute(company, transaction, taken)).toMatchObject({ kind: "not_allowed" });
  expect(await dispute(company, transaction, taken)).toMatchObject({ kind: "not_allowed" });
  expect(await findingsOf(company)).toMatchObject([
    { kind: "dispute_status", object: id, amount: 2_500, held: 2_500, status: "open" },
  ]);

  await settleOn(company, transaction);
  expect(await dispute(company, transaction, taken)).toEqual({ kind: "recorded" });
  expect(await findingsOf(company)).toMatchObject([{ status: "decided" }]);
  expect(await accountsOf(company)).toMatchObject({ available: 5_000 });
});

it("a dispute of a payment that nobody knows is written down", async () => {
  const company = await givenCompany();

  expect((await disputeOfPayment(company, freshEndToEndId(), { status: "LOST" })).kind).toBe(
    "not_found",
  );

  expect(await findingsOf(company)).toMatchObject([{ kind: "dispute_status", held: 1_000 }]);
});

it("what of a payment set aside went back once leaves suspense once, told as a refund and then as a MED", async () => {
  const company = await givenCompany();
  const { paymentId } = await givenSetAside(company, 2_500);
  await refundByOthers(company, paymentId);

  const med = { id: `${paymentId}:D1`, status: "LOST" } as const;
  expect(await disputeOfPayment(company, paymentId, med)).toEqual({ kind: "contradiction" });

  expect(await accountsOf(company)).toMatchObject({ suspense: 1_500, provider: -1_500 });
  expect((await findingsOf(company)).slice(1)).toMatchObject([{ kind: "dispute_status", held: 0 }]);
});

it("what of a payment set aside went back once leaves suspense once, told as a MED and then as a refund", async () => {
  const company = await givenCompany();
  const { paymentId } = await givenSetAside(company, 2_500);
  await disputeOfPayment(company, paymentId, { id: `${paymentId}:D1`, status: "LOST" });

  expect(await refundByOthers(company, paymentId)).toEqual({ kind: "contradiction" });

  expect(await accountsOf(company)).toMatchObject({ suspense: 1_500, provider: -1_500 });
  expect((await findingsOf(company)).slice(1)).toMatchObject([{ kind: "refund_status", held: 0 }]);
});

it.each([
  ["OPEN", 0],
  ["WON", 1_000],
] as const)(
  "a dispute that is %s and is told as a refund that is done holds what was not taken or blocked of it",
  async (status, held) => {
    const company = await givenCompany();
    const transaction = await givenSettled(company, 2_500);
    const paymentId = await paymentOf(company, transaction.id);
    await dispute(company, transaction, { id: `${paymentId}:D1`, amount: 1_000, status });

    expect(await refundByOthers(company, paymentId)).toEqual({ kind: "contradiction" });

    expect(await heldOf(company)).toBe(held);
  },
);

it("a refund by other hands that is told as a MED of more holds what the bank took more", async () => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 2_500);
  const paymentId = await paymentOf(company, transaction.id);
  await refundByOthers(company, paymentId);
  const med = { id: `${paymentId}:D1`, amount: 1_400 } as const;

  expect((await dispute(company, transaction, med)).kind).toBe("contradiction");
  expect(await heldOf(company)).toBe(0);
  expect((await dispute(company, transaction, { ...med, status: "LOST" })).kind).toBe(
    "contradiction",
  );

  expect(await heldOf(company)).toBe(400);
});

it.each([400, 3_000])(
  "a chargeback that is said to be reversed by another amount (%i) gives nothing back until a person decides",
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

it("a return that is told as done after it failed is held, where its payment was credited meanwhile", async () => {
  const company = await givenCompany();
  const { id } = await givenTransaction(company, { amount: 2_500 });
  const { paymentId } = await givenSetAside(company, 2_500);
  await askReturn(company, paymentId);
  await answerOperation(company, { kind: "failed", reason: "the account is closed" });
  await settleOn(company, { id, amount: 2_500 }, { payment: { paymentId } });

  expect((await answerOperation(company, { kind: "done" })).kind).toBe("contradiction");

  expect(await accountsOf(company)).toMatchObject({ available: 2_500 });
  expect(await heldOf(company)).toBe(2_500);
});

it("a return that is told as done after it failed is booked, where its money still stands apart", async () => {
  const company = await givenCompany();
  const { paymentId } = await givenSetAside(company, 2_500);
  await askReturn(company, paymentId);
  await answerOperation(company, { kind: "failed", reason: "the account is closed" });

  expect((await answerOperation(company, { kind: "done" })).kind).toBe("recorded");
  const before = await dumpObject(company);
  expect((await answerOperation(company, { kind: "done" })).kind).toBe("recorded");
  expect(await dumpObject(company)).toBe(before);

  expect(await accountsOf(company)).toMatchObject({ suspense: 0, provider: 0 });
  expect(await findingsOf(company)).toMatchObject([{ status: "decided" }]);
});

it("a payment set aside that its payer's bank asks back is not returned as well", async () => {
  const company = await givenCompany();
  const { paymentId } = await givenSetAside(company, 1_000);
  await disputeOfPayment(company, paymentId);

  expect(await askReturn(company, paymentId)).toEqual({ kind: "disputed" });
  await disputeOfPayment(company, paymentId, { status: "WON" });
  expect((await askReturn(company, paymentId)).kind).toBe("send");

  await answerOperation(company, { kind: "done" });
  expect((await movementsOf(company)).at(-1)?.type).toBe("suspense_returned");
});
