import { expect, it } from "vitest";
import { compose } from "../../../../src/company/compose.ts";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import type { SettlePayment } from "../../../../src/company/charges/command-types.ts";
import type { UnexpectedReason } from "../../../../src/domain/charges/unexpected-payment.ts";
import {
  endCharge,
  settle,
  settleCommand,
  termsOf,
} from "../../../support/builders/charges/charge-commands.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import {
  env,
  givenCompany,
  inAccount,
  waitUntilDrained,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { freshEndToEndId } from "../../../support/builders/operations/object-operations.ts";
import {
  givenUnexpectedPayment,
  reportExternalRefund,
  bookUnexpectedPayment,
} from "../../../support/builders/reconciliation/provider-reports.ts";
import { findingsOf } from "../../../support/probes/contradictions/findings.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";

type Charge = { id: string; amount: number };

async function givenUnassignedPayment() {
  const company = await givenCompany();
  const { id } = await givenTransaction(company, { amount: 2_500 });
  const payment = await givenUnexpectedPayment(company, 2_500);
  return { company, transaction: { id, amount: 2_500 }, payment };
}

/** A charge that a payment is unexpected at, for this reason, another charge, and the payment. */
async function givenOwnAndOther(reason: UnexpectedReason) {
  const company = await givenCompany();
  const { id } = await givenTransaction(company, { amount: 2_500 });
  const other = await givenTransaction(company, { amount: 2_500 });
  const transaction = { id, amount: reason === "WRONG_AMOUNT" ? 2_400 : 2_500 };
  if (reason === "LATE") await endCharge(company, transaction, "cancelled");
  const paymentId = freshEndToEndId();
  const payment = { paymentId, method: "PIX" as const, amount: 2_500, paidAt: Date.now() };
  return { company, transaction, other: { id: other.id, amount: 2_500 }, payment };
}

/** Reports a payment of a charge, of which exactly its amount is due. */
function settleFor(
  company: TestCompany,
  transaction: Charge,
  payment: SettlePayment["payment"],
  more: Pick<SettlePayment, "rules"> = {},
) {
  const command = settleCommand(company, transaction, payment);
  return callsTo(company.id).settlePayment({
    ...command,
    amountDue: transaction.amount,
    ...more,
  });
}

/** Operators decide that an unexpected payment stays as it is. */
function dismiss(company: TestCompany, paymentId: string): Promise<void> {
  return inAccount(company.id, (_, { storage }) =>
    storage.transactionSync(() => {
      const { contradictions } = compose(storage.sql).stores;
      const found = contradictions.findByKey(`payment_set_aside:${paymentId}`);
      const decision = { action: "dismiss", amount: null, transactionId: null } as const;
      const proposal = { ...decision, reason: "Nothing to do.", by: "operator", at: 1 };
      contradictions.decide(found!, proposal, "approver", 2);
    }),
  );
}

/** Credits an unexpected payment to a charge that was made for it. */
function credit(company: TestCompany, paymentId: string, transaction: Charge) {
  return inAccount(company.id, (_, { storage }) =>
    storage.transactionSync(() => {
      const parts = compose(storage.sql);
      parts.stores.ledger.beginCommit();
      return parts.charges.creditFromSuspense(paymentId, termsOf(transaction), Date.now());
    }),
  );
}

it.each([
  ["NO_CHARGE", "kept by the rules and named with its charge later"],
  ["NO_CHARGE", "dismissed by operators and named with its charge later"],
  ["LATE", "credited to its own charge although it came late"],
  ["WRONG_AMOUNT", "credited to its own charge although its amount is another"],
] as const)(
  "another charge of a payment (%s) that was %s opens a contradiction",
  async (reason, how) => {
    const { company, transaction, other, payment } = await givenOwnAndOther(reason);
    if (reason === "NO_CHARGE") await bookUnexpectedPayment(company, payment);
    if (how.startsWith("dismissed")) await dismiss(company, payment.paymentId);
    expect(await settleFor(company, transaction, payment)).toEqual({ kind: "credited" });

    expect(await settleFor(company, other, payment)).toEqual({ kind: "contradiction" });

    expect((await findingsOf(company)).at(-1)).toMatchObject({
      kind: "payment_charge",
      amount: 2_500,
      held: 2_500,
    });
  },
);

it("a payment that a rule credited to a new transaction stays there, whatever charge is named", async () => {
  const { company, transaction, other, payment } = await givenOwnAndOther("NO_CHARGE");
  const asked = await bookUnexpectedPayment(company, payment, { rules: { NO_CHARGE: "credit" } });
  expect(asked).toMatchObject({ kind: "unexpected", followUp: { kind: "credit" } });
  expect(await credit(company, payment.paymentId, transaction)).toEqual({ kind: "credited" });

  expect(await settle(company, other, payment)).toEqual({ kind: "already" });

  expect(await findingsOf(company)).toEqual([]);
});

it("a payment that is kept by the rules stays so however often it is reported, and whatever they say then", async () => {
  const { company, transaction, payment } = await givenOwnAndOther("LATE");
  const report = (LATE: "keep" | "credit") =>
    settleFor(company, transaction, payment, { rules: { LATE } });

  expect(await report("keep")).toEqual({ kind: "unexpected" });
  expect(await report("credit")).toEqual({ kind: "already" });

  expect(await accountsOf(company)).toMatchObject({ suspense: 2_500 });
});

it("a payment whose charge is named later is not credited to it against the rules", async () => {
  const { company, transaction, payment } = await givenOwnAndOther("LATE");
  await bookUnexpectedPayment(company, payment);
  const rules = { LATE: "keep" } as const;

  expect(await settleFor(company, transaction, payment, { rules })).toEqual({ kind: "unexpected" });

  expect(await accountsOf(company)).toMatchObject({ suspense: 2_500 });
});

it("a payment that went back is no payment of a charge that is named later, against the rules too", async () => {
  const { company, transaction, payment } = await givenOwnAndOther("LATE");
  await bookUnexpectedPayment(company, payment);
  await reportExternalRefund(company, payment.paymentId, { amount: 2_500 });
  const rules = { LATE: "keep" } as const;

  expect(await settleFor(company, transaction, payment, { rules })).toEqual({
    kind: "contradiction",
  });
});

it("a payment that went back from its charge is a known one when it is reported again", async () => {
  const { company, transaction, payment } = await givenUnassignedPayment();
  await settle(company, transaction);
  expect(await settle(company, transaction, payment)).toEqual({ kind: "unexpected" });
  await reportExternalRefund(company, payment.paymentId, { amount: 2_500 });

  expect(await settle(company, transaction, payment)).toEqual({ kind: "already" });

  expect(await findingsOf(company)).toMatchObject([{ kind: "payment_set_aside" }]);
});

it("a payment is credited by the method that its charge reports, and shows whose charge it is", async () => {
  const { company, transaction, payment } = await givenUnassignedPayment();
  await settle(company, transaction);
  await settle(company, transaction, payment);
  await waitUntilDrained(company);
  const shown = await env.DB.prepare(
    "SELECT transaction_id FROM unexpected_payments WHERE company_id = ?",
  )
    .bind(company.id)
    .all();
  expect(shown.results).toEqual([{ transaction_id: transaction.id }]);

  const other = await givenUnassignedPayment();
  const slip = { ...other.payment, method: "BOLETO" } as const;
  expect(await settle(other.company, other.transaction, slip)).toEqual({ kind: "credited" });
  expect(await callsTo(other.company.id).findCharge(other.transaction.id)).toMatchObject({
    status: "paid",
    endToEndId: null,
  });
});
