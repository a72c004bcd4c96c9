import { expect, it } from "vitest";
import type { CreditSuspendedAnswer } from "../../../../src/company/commands.ts";
import { partsOf } from "../../../../src/company/compose.ts";
import { companyStub } from "../../../../src/company-client/stub.ts";
import { end, settle, termsOf, withdraw } from "../../../support/builders/commands.ts";
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
  givenSettled,
} from "../../../support/builders/object-operations.ts";
import {
  disputeOfPayment,
  givenSetAside,
  refundByOthers,
  suspend,
} from "../../../support/builders/provider-reports.ts";
import { auditAll } from "../../../support/faults/tamper.ts";
import { givenTransaction } from "../../../support/builders/transaction.ts";
import { eventsOf } from "../../../support/probes/webhook-rows.ts";

type Charge = { id: string; amount: number };

async function givenNameless(amount = 2_500) {
  const company = await givenCompany();
  const { id } = await givenTransaction(company, { amount });
  const payment = await givenSetAside(company, amount);
  return { company, transaction: { id, amount }, payment };
}

function credit(
  company: TestCompany,
  paymentId: string,
  transaction: Charge,
): Promise<CreditSuspendedAnswer> {
  return inAccount(company.id, (_, { storage }) =>
    storage.transactionSync(() => {
      const parts = partsOf(storage.sql);
      parts.stores.ledger.begin();
      return parts.charges.creditSuspended(paymentId, termsOf(transaction), Date.now());
    }),
  );
}

async function typesOf(company: TestCompany): Promise<string[]> {
  return (await eventsOf(company)).map(({ type }) => type);
}

it("a payment set aside is a contradiction until a person ends it, once", async () => {
  const { company, payment } = await givenNameless();

  expect(await suspend(company, payment)).toEqual({ kind: "already" });

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

it("a payment set aside that is named for its charge later is credited to it, once", async () => {
  const { company, transaction, payment } = await givenNameless();

  expect(await settle(company, transaction, payment)).toEqual({ kind: "credited" });
  const before = await dumpObject(company);
  expect(await settle(company, transaction, payment)).toEqual({ kind: "already" });
  expect(await suspend(company, payment)).toEqual({ kind: "already" });
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
  expect(await typesOf(company)).toEqual(["transaction.paid"]);
  expect(await companyStub(env, company.id).findCharge(transaction.id)).toMatchObject({
    status: "paid",
    paidAmount: 2_500,
    endToEndId: payment.paymentId,
  });
  expect(await companyStub(env, company.id).suspendedPayment(payment.paymentId)).toBeNull();
  expect(await findingsOf(company)).toMatchObject([{ status: "decided" }]);
  expect((await auditAll(company, true)).violations).toEqual([]);
});

it("what is credited from suspense pays its fee, waits for its day and repays debt as any payment", async () => {
  const company = await givenCompany();
  const owing = await givenSettled(company, 500);
  await withdraw(company, { amount: 500 });
  await companyStub(env, company.id).recordDispute({
    companyId: company.id,
    terms: termsOf(owing),
    report: { id: "c1", kind: "CHARGEBACK", amount: 500, status: "LOST" },
  });
  const { id } = await givenTransaction(company, { amount: 2_000 });
  const payment = await givenSetAside(company, 2_000);

  const terms = { fee: { basisPoints: 100, fixed: 30 } };
  await settle(company, { id, amount: 2_000 }, payment, terms);

  expect((await movementsOf(company)).at(-1)).toEqual({
    type: "suspense_credited",
    postings: { suspense: -2_000, fees: 50, debt: 500, available: 1_450 },
  });
  const later = await givenSetAside(company, 1_000);
  const { id: waiting } = await givenTransaction(company, { amount: 1_000 });
  await settle(company, { id: waiting, amount: 1_000 }, later, { releaseDays: 1 });
  expect((await movementsOf(company)).at(-1)?.type).toBe("suspense_credited");
  expect((await auditAll(company, true)).violations).toEqual([]);
});

it("a late name credits a charge that has expired meanwhile: money that comes late is money", async () => {
  const { company, transaction, payment } = await givenNameless();
  await end(company, transaction, "cancelled");

  expect(await settle(company, transaction, payment)).toEqual({ kind: "credited" });
});

it("a payment that is named for a charge that was paid already stays set aside under its name", async () => {
  const { company, transaction, payment } = await givenNameless();
  await settle(company, transaction);

  expect(await settle(company, transaction, payment)).toEqual({ kind: "suspended" });
  expect(await settle(company, transaction, payment)).toEqual({ kind: "already" });

  expect(await accountsOf(company)).toMatchObject({ available: 2_500, suspense: 2_500 });
  expect(await companyStub(env, company.id).suspendedPayment(payment.paymentId)).toMatchObject({
    transactionId: transaction.id,
  });
});

it.each(["under way", "done"] as const)(
  "a payment whose return is %s is not credited to the charge that it is named for",
  async (how) => {
    const { company, transaction, payment } = await givenNameless();
    await askReturn(company, payment.paymentId);
    if (how === "done") await answerOperation(company, { kind: "done" });
    const before = await accountsOf(company);

    expect(await settle(company, transaction, payment)).toEqual({ kind: "contradiction" });
    expect(await settle(company, transaction, payment)).toEqual({ kind: "contradiction" });

    expect(await accountsOf(company)).toEqual(before);
    expect(await typesOf(company)).toEqual([]);
    expect((await findingsOf(company)).slice(1)).toMatchObject([
      { kind: "payment_charge", amount: 2_500, held: 0, status: "open" },
    ]);
    if (how === "under way") await answerOperation(company, { kind: "done" });
  },
);

it("a payment whose return was refused is credited to the charge that it is named for", async () => {
  const { company, transaction, payment } = await givenNameless();
  await askReturn(company, payment.paymentId);
  await answerOperation(company, { kind: "failed", reason: "the account is closed" });

  expect(await settle(company, transaction, payment)).toEqual({ kind: "credited" });
  expect(await askReturn(company, payment.paymentId)).toEqual({ kind: "not_found" });
});

it("a payment that its payer's bank asks back is credited only once the bank gives up", async () => {
  const { company, transaction, payment } = await givenNameless();
  await disputeOfPayment(company, payment.paymentId);

  expect(await settle(company, transaction, payment)).toEqual({ kind: "suspended" });
  expect(await accountsOf(company)).toMatchObject({ suspense: 2_500 });
  await disputeOfPayment(company, payment.paymentId, { status: "WON" });

  expect(await settle(company, transaction, payment)).toEqual({ kind: "credited" });
});

it("a payment set aside is returned, and its contradiction ends with it", async () => {
  const { company, payment } = await givenNameless();
  await askReturn(company, payment.paymentId);
  expect(await findingsOf(company)).toMatchObject([{ status: "open" }]);

  await answerOperation(company, { kind: "done" });

  expect(await findingsOf(company)).toMatchObject([{ status: "decided" }]);
});

it("an operator's credit is refused where the payment goes back, is asked back, or the charge is paid", async () => {
  const { company, transaction, payment } = await givenNameless();
  const paid = await givenSettled(company, 100);
  const gone = await givenSetAside(company, 1_000);
  await refundByOthers(company, gone.paymentId);
  const disputed = await givenSetAside(company, 1_000);
  await disputeOfPayment(company, disputed.paymentId);

  expect(await credit(company, "E0", transaction)).toEqual({ kind: "not_found" });
  expect(await credit(company, gone.paymentId, transaction)).toEqual({ kind: "returned" });
  expect(await credit(company, disputed.paymentId, transaction)).toEqual({ kind: "disputed" });
  expect(await credit(company, payment.paymentId, paid)).toEqual({
    kind: "not_allowed",
    status: "paid",
  });
  expect(await credit(company, payment.paymentId, transaction)).toEqual({ kind: "credited" });
  expect(await credit(company, payment.paymentId, transaction)).toEqual({ kind: "not_found" });
  await disputeOfPayment(company, disputed.paymentId, { status: "WON" });
});

it("a payment that an operator credited to another charge than its provider names stays there", async () => {
  const { company, transaction, payment } = await givenNameless();
  const { id } = await givenTransaction(company, { amount: 2_500 });
  await credit(company, payment.paymentId, transaction);
  await inAccount(company.id, (_, { storage }) =>
    storage.transactionSync(() => {
      const { contradictions } = partsOf(storage.sql).stores;
      const found = contradictions.ofFinding(`payment_set_aside:${payment.paymentId}`);
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

it("another amount under a known payment is written down, and what was credited too much is held", async () => {
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

it("another amount of a payment set aside is written down, and nothing is credited", async () => {
  const { company, transaction, payment } = await givenNameless();

  const less = { ...payment, amount: 1_000 };
  expect(await suspend(company, less)).toEqual({ kind: "contradiction" });
  expect(await settle(company, transaction, less)).toEqual({ kind: "contradiction" });

  expect(await accountsOf(company)).toMatchObject({ suspense: 2_500 });
  expect(await heldOf(company)).toBe(0);
});

it("another charge under a known payment is written down, and its amount is held", async () => {
  const company = await givenCompany();
  await givenSettled(company, 2_500, { payment: { paymentId: "E1" } });
  const { id } = await givenTransaction(company, { amount: 2_500 });

  const same = { paymentId: "E1", amount: 2_500 };
  expect(await settle(company, { id, amount: 2_500 }, same)).toEqual({ kind: "contradiction" });

  expect(await findingsOf(company)).toMatchObject([
    { finding: `payment_charge:E1:${id}`, kind: "payment_charge", amount: 2_500, held: 2_500 },
  ]);
});
