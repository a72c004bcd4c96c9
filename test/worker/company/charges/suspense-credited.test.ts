import { describe, expect, it } from "vitest";
import type { CreditFromSuspenseAnswer } from "../../../../src/company/charges/command-types.ts";
import { compose } from "../../../../src/company/compose.ts";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import { endCharge, settle, termsOf } from "../../../support/builders/charges/charge-commands.ts";
import { withdraw } from "../../../support/builders/withdraws/withdraw-commands.ts";
import {
  givenCompany,
  inAccount,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { findingsOf, heldTotalOf } from "../../../support/probes/contradictions/findings.ts";
import { accountsOf, dumpObject, movementsOf } from "../../../support/probes/ledger/ledger.ts";
import {
  freshEndToEndId,
  reportOperation,
  requestReturn,
  givenSettled,
} from "../../../support/builders/operations/object-operations.ts";
import {
  reportDispute,
  givenUnexpectedPayment,
  reportExternalRefund,
  bookUnexpectedPayment,
} from "../../../support/builders/reconciliation/provider-reports.ts";
import { auditAll } from "../../../support/probes/ledger/audit.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";
import { decideInObject } from "../../../support/builders/operations/decide.ts";

type Charge = { id: string; amount: number };

async function givenUnassignedPayment(amount = 2_500) {
  const company = await givenCompany();
  const { id } = await givenTransaction(company, { amount });
  const payment = await givenUnexpectedPayment(company, amount);
  return { company, transaction: { id, amount }, payment };
}

function credit(
  company: TestCompany,
  paymentId: string,
  transaction: Charge,
): Promise<CreditFromSuspenseAnswer> {
  return inAccount(company.id, (_, { storage }) =>
    storage.transactionSync(() => {
      const parts = compose(storage.sql);
      parts.stores.ledger.beginCommit();
      return parts.charges.creditFromSuspense(paymentId, termsOf(transaction), Date.now());
    }),
  );
}

async function typesOf(company: TestCompany): Promise<string[]> {
  return (await eventsOf(company)).map(({ type }) => type);
}

it("a later report of a payment that goes back leaves its return free to be asked about", async () => {
  const company = await givenCompany();
  const payment = {
    paymentId: freshEndToEndId(),
    method: "PIX" as const,
    amount: 900,
    paidAt: Date.now(),
  };
  const report = (operationId: string) =>
    bookUnexpectedPayment(company, payment, { rules: { NO_CHARGE: "return" }, operationId });
  const begun = await report("0199a000-0000-7000-8000-000000000001");
  expect(begun).toMatchObject({
    kind: "unexpected",
    followUp: { claimed: { kind: "send", id: 1 } },
  });
  await reportOperation(company, { kind: "processing" });

  expect(await report("0199a000-0000-7000-8000-000000000002")).toEqual({ kind: "already" });
  // A repeated call, whose answer was lost, learns again what to send.
  expect(await report("0199a000-0000-7000-8000-000000000001")).toEqual({
    ...begun,
    kind: "already",
  });
  expect(await callsTo(company.id).claimOperation({ companyId: company.id, id: 1 })).toMatchObject({
    kind: "query",
  });
});

it("an unexpected payment is a contradiction until an operator resolves it once", async () => {
  const { company, payment } = await givenUnassignedPayment();

  expect(await bookUnexpectedPayment(company, payment)).toEqual({ kind: "already" });

  expect(await findingsOf(company)).toEqual([
    {
      finding: `payment_set_aside:${payment.paymentId}`,
      kind: "payment_set_aside",
      object: `payment:${payment.paymentId}`,
      amount: 2_500,
      held: 0,
      status: "open",
    },
  ]);
});

it("an unexpected payment that is assigned to its charge later is credited once", async () => {
  const { company, transaction, payment } = await givenUnassignedPayment();

  expect(await settle(company, transaction, payment)).toEqual({ kind: "credited" });
  const before = await dumpObject(company);
  expect(await settle(company, transaction, payment)).toEqual({ kind: "already" });
  expect(await bookUnexpectedPayment(company, payment)).toEqual({ kind: "already" });
  expect(await dumpObject(company)).toBe(before);

  expect(await accountsOf(company)).toMatchObject({
    available: 2_500,
    suspense: 0,
    provider: -2_500,
  });
  expect((await movementsOf(company)).at(-1)).toEqual({
    type: "suspense_credited",
    postings: { suspense: -2_500, available: 2_500 },
  });
  expect(await typesOf(company)).toEqual([
    "payment.unexpected",
    "transaction.paid",
    "payment.credited",
  ]);
  expect(await callsTo(company.id).findCharge(transaction.id)).toMatchObject({
    status: "paid",
    paidAmount: 2_500,
    endToEndId: payment.paymentId,
  });
  expect(await callsTo(company.id).findPaymentInSuspense(payment.paymentId)).toBeNull();
  expect(await findingsOf(company)).toMatchObject([{ status: "decided" }]);
  expect((await auditAll(company, true)).violations).toEqual([]);
});

it("a credit from suspense pays its fee, waits for release and repays debt like any payment", async () => {
  const company = await givenCompany();
  const owing = await givenSettled(company, 500);
  await withdraw(company, { amount: 500 });
  await callsTo(company.id).recordDispute({
    companyId: company.id,
    terms: termsOf(owing),
    report: { id: "c1", kind: "CHARGEBACK", amount: 500, status: "LOST" },
  });
  const { id } = await givenTransaction(company, { amount: 2_000 });
  const payment = await givenUnexpectedPayment(company, 2_000);

  const terms = { fee: { basisPoints: 100, fixed: 30 } };
  await settle(company, { id, amount: 2_000 }, payment, terms);

  expect((await movementsOf(company)).at(-1)).toEqual({
    type: "suspense_credited",
    postings: { suspense: -2_000, fees: 50, debt: 500, available: 1_450 },
  });
  const later = await givenUnexpectedPayment(company, 1_000);
  const { id: waiting } = await givenTransaction(company, { amount: 1_000 });
  await settle(company, { id: waiting, amount: 1_000 }, later, { releaseDays: 1 });
  expect((await movementsOf(company)).at(-1)?.type).toBe("suspense_credited");
  expect((await auditAll(company, true)).violations).toEqual([]);
});

it("a late assignment credits a charge that expired meanwhile", async () => {
  const { company, transaction, payment } = await givenUnassignedPayment();
  await endCharge(company, transaction, "cancelled");

  expect(await settle(company, transaction, payment)).toEqual({ kind: "credited" });
});

it("a payment that is assigned to a paid charge stays unexpected under its charge", async () => {
  const { company, transaction, payment } = await givenUnassignedPayment();
  await settle(company, transaction);

  expect(await settle(company, transaction, payment)).toEqual({ kind: "unexpected" });
  expect(await settle(company, transaction, payment)).toEqual({ kind: "already" });

  expect(await accountsOf(company)).toMatchObject({ available: 2_500, suspense: 2_500 });
  expect(await callsTo(company.id).findPaymentInSuspense(payment.paymentId)).toMatchObject({
    transactionId: transaction.id,
  });
});

it.each(["under way", "done"] as const)(
  "a payment whose return is %s is not credited to its assigned charge",
  async (how) => {
    const { company, transaction, payment } = await givenUnassignedPayment();
    await requestReturn(company, payment.paymentId);
    if (how === "done") await reportOperation(company, { kind: "done" });
    const before = await accountsOf(company);

    expect(await settle(company, transaction, payment)).toEqual({ kind: "contradiction" });
    expect(await settle(company, transaction, payment)).toEqual({ kind: "contradiction" });

    expect(await accountsOf(company)).toEqual(before);
    expect(await typesOf(company)).toEqual([
      "payment.unexpected",
      ...(how === "done" ? ["payment.returned"] : []),
    ]);
    expect((await findingsOf(company)).slice(1)).toMatchObject([
      { kind: "payment_charge", amount: 2_500, held: 0, status: "open" },
    ]);
    if (how === "under way") await reportOperation(company, { kind: "done" });
  },
);

it("a payment whose return was rejected is credited to its assigned charge", async () => {
  const { company, transaction, payment } = await givenUnassignedPayment();
  await requestReturn(company, payment.paymentId);
  await reportOperation(company, { kind: "failed", reason: "the account is closed" });

  expect(await settle(company, transaction, payment)).toEqual({ kind: "credited" });
  expect(await requestReturn(company, payment.paymentId)).toEqual({ kind: "not_found" });
});

it("a payment with a return request of the payer's bank is credited only after its withdrawal", async () => {
  const { company, transaction, payment } = await givenUnassignedPayment();
  await reportDispute(company, payment.paymentId);

  expect(await settle(company, transaction, payment)).toEqual({ kind: "unexpected" });
  expect(await accountsOf(company)).toMatchObject({ suspense: 2_500 });
  await reportDispute(company, payment.paymentId, { status: "WON" });

  expect(await settle(company, transaction, payment)).toEqual({ kind: "credited" });
});

it("an unexpected payment is returned and its contradiction is resolved", async () => {
  const { company, payment } = await givenUnassignedPayment();
  await requestReturn(company, payment.paymentId);
  expect(await findingsOf(company)).toMatchObject([{ status: "open" }]);

  await reportOperation(company, { kind: "done" });

  expect(await findingsOf(company)).toMatchObject([{ status: "decided" }]);
});

it("an operator's credit is rejected when the payment is being returned or the charge is paid", async () => {
  const { company, transaction, payment } = await givenUnassignedPayment();
  const paid = await givenSettled(company, 100);
  const gone = await givenUnexpectedPayment(company, 1_000);
  await reportExternalRefund(company, gone.paymentId);
  const disputed = await givenUnexpectedPayment(company, 1_000);
  await reportDispute(company, disputed.paymentId);

  expect(await credit(company, "E0", transaction)).toEqual({ kind: "not_found" });
  expect(await credit(company, gone.paymentId, transaction)).toEqual({ kind: "returned" });
  expect(await credit(company, disputed.paymentId, transaction)).toEqual({ kind: "disputed" });
  expect(await credit(company, payment.paymentId, paid)).toEqual({
    kind: "not_allowed",
    status: "paid",
  });
  expect(await credit(company, payment.paymentId, transaction)).toEqual({ kind: "credited" });
  expect(await credit(company, payment.paymentId, transaction)).toEqual({ kind: "not_found" });
  await reportDispute(company, disputed.paymentId, { status: "WON" });
});

it("a payment that an operator credited to another charge stays there", async () => {
  const { company, transaction, payment } = await givenUnassignedPayment();
  const { id } = await givenTransaction(company, { amount: 2_500 });
  await credit(company, payment.paymentId, transaction);
  await inAccount(company.id, (_, { storage }) =>
    storage.transactionSync(() => {
      const { contradictions } = compose(storage.sql).stores;
      const found = contradictions.findByKey(`payment_set_aside:${payment.paymentId}`);
      const proposal = {
        action: "credit" as const,
        amount: null,
        transactionId: transaction.id,
        reason: "the payer said so",
        by: "operator",
        at: 1,
      };
      contradictions.decide(found!, proposal, "approver", 2);
    }),
  );

  expect(await settle(company, { id, amount: 2_500 }, payment)).toEqual({ kind: "already" });

  expect(await findingsOf(company)).toHaveLength(1);
});

it("another amount of a known payment opens a contradiction, and the excess is held", async () => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 2_500, { payment: { paymentId: "E1" } });

  const less = { paymentId: "E1", amount: 2_000 };
  expect(await settle(company, transaction, less)).toEqual({ kind: "contradiction" });
  expect(await settle(company, transaction, less)).toEqual({ kind: "contradiction" });
  const more = { paymentId: "E1", amount: 2_700 };
  expect(await settle(company, transaction, more)).toEqual({ kind: "contradiction" });

  expect(await accountsOf(company)).toEqual({ available: 2_500, provider: -2_500 });
  expect(await findingsOf(company)).toMatchObject([
    { finding: "payment_amount:E1:2000", kind: "payment_amount", amount: 500, held: 500 },
    { finding: "payment_amount:E1:2700", kind: "payment_amount", amount: 200, held: 0 },
  ]);
});

it("another amount of an unexpected payment opens a contradiction and credits nothing", async () => {
  const { company, transaction, payment } = await givenUnassignedPayment();

  const less = { ...payment, amount: 1_000 };
  expect(await bookUnexpectedPayment(company, less)).toEqual({ kind: "contradiction" });
  expect(await settle(company, transaction, less)).toEqual({ kind: "contradiction" });

  expect(await accountsOf(company)).toMatchObject({ suspense: 2_500 });
  expect(await heldTotalOf(company)).toBe(0);
});

it("another charge of a known payment opens a contradiction and its amount is held", async () => {
  const company = await givenCompany();
  await givenSettled(company, 2_500, { payment: { paymentId: "E1" } });
  const { id } = await givenTransaction(company, { amount: 2_500 });

  const same = { paymentId: "E1", amount: 2_500 };
  expect(await settle(company, { id, amount: 2_500 }, same)).toEqual({ kind: "contradiction" });

  expect(await findingsOf(company)).toMatchObject([
    { finding: `payment_charge:E1:${id}`, kind: "payment_charge", amount: 2_500, held: 2_500 },
  ]);
});

describe("a payment whose return is pending", () => {
  it("is gone once its payer's bank took it, and is not creditable after the return was refused", async () => {
    const { company, transaction, payment } = await givenUnassignedPayment(1_000);
    await requestReturn(company, payment.paymentId);

    const lost = await reportDispute(company, payment.paymentId, { status: "LOST" });
    expect(lost).toEqual({ kind: "recorded" });
    expect(await accountsOf(company)).toMatchObject({ suspense: 0, provider: 0 });
    await reportOperation(company, { kind: "failed", reason: "nothing is left of it" });

    expect(await accountsOf(company)).toMatchObject({ suspense: 0, provider: 0 });
    expect(await credit(company, payment.paymentId, transaction)).toEqual({ kind: "returned" });
    await settle(company, transaction, payment);
    expect(await accountsOf(company)).toMatchObject({ suspense: 0, provider: 0 });
    expect(await auditAll(company)).toMatchObject({ done: true, violations: [] });
  });

  it("and that its payer's bank asks back stays blocked after the return was refused, until the bank decides", async () => {
    const { company, transaction, payment } = await givenUnassignedPayment(1_000);
    await requestReturn(company, payment.paymentId);
    await reportDispute(company, payment.paymentId, { status: "OPEN" });
    await reportOperation(company, { kind: "failed", reason: "it is disputed" });

    expect(await credit(company, payment.paymentId, transaction)).toEqual({ kind: "disputed" });
    await reportDispute(company, payment.paymentId, { status: "LOST" });
    expect(await credit(company, payment.paymentId, transaction)).toEqual({ kind: "returned" });
    expect(await accountsOf(company)).toMatchObject({ suspense: 0, provider: 0 });
  });

  it("of which the bank took a part keeps the rest, which operators decide", async () => {
    const { company, transaction, payment } = await givenUnassignedPayment(2_500);
    await requestReturn(company, payment.paymentId);
    await reportDispute(company, payment.paymentId, { status: "LOST", amount: 1_000 });
    await reportOperation(company, { kind: "failed", reason: "more than is left of it" });

    expect(await accountsOf(company)).toMatchObject({ suspense: 1_500, provider: -1_500 });
    expect(await credit(company, payment.paymentId, transaction)).toEqual({ kind: "returned" });
    expect(await auditAll(company)).toMatchObject({ done: true, violations: [] });
  });
});

it("a return by operators that failed is shown to them again, each time, and a credit ends the last one", async () => {
  const { company, transaction, payment } = await givenUnassignedPayment();
  const decideReturn = async (number: number) => {
    const decision = { amount: null, transactionId: null, reason: "As asked" };
    const answer = await decideInObject(company, {
      kind: "contradiction",
      number,
      decision: { ...decision, action: "return" },
      terms: null,
    });
    expect(answer.kind).toBe("decided");
  };
  for (const times of [1, 2]) {
    await decideReturn(times);
    await reportOperation(company, { kind: "failed", reason: "refused" }, times);
    expect(await findingsOf(company)).toMatchObject([
      ...Array.from({ length: times }, () => ({ kind: "payment_set_aside", status: "decided" })),
      { kind: "payment_set_aside", status: "open", amount: 2_500 },
    ]);
  }
  await settle(company, transaction, payment);
  expect((await findingsOf(company)).map(({ status }) => status)).toEqual(Array(3).fill("decided"));
  expect(await accountsOf(company)).toMatchObject({ available: 2_500, suspense: 0 });
});
