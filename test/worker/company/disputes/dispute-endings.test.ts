import { expect, it } from "vitest";
import { compose } from "../../../../src/company/compose.ts";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import { settle } from "../../../support/builders/charges/charge-commands.ts";
import { withdraw } from "../../../support/builders/withdraws/withdraw-commands.ts";
import {
  givenCompany,
  inAccount,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import {
  paymentOf,
  reportExternalRefund,
} from "../../../support/builders/reconciliation/provider-reports.ts";
import { findingsOf, heldTotalOf } from "../../../support/probes/contradictions/findings.ts";
import { accountsOf, dumpObject, movementsOf } from "../../../support/probes/ledger/ledger.ts";
import {
  reportOperation,
  requestRefund,
  dispute,
  freshEndToEndId,
  givenSettled,
} from "../../../support/builders/operations/object-operations.ts";
import { auditAll } from "../../../support/probes/ledger/audit.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

const CHARGEBACK = { kind: "CHARGEBACK", status: "LOST" } as const;
const REVERSED = { kind: "CHARGEBACK", status: "WON" } as const;

const chargeOf = (company: TestCompany, id: string) => callsTo(company.id).findCharge(id);

function rechecksOf(company: TestCompany): Promise<string[]> {
  return inAccount(company.id, (_, { storage }) =>
    storage.sql
      .exec<{ subject: string }>("SELECT subject FROM rechecks WHERE kind = 'dispute'")
      .toArray()
      .map(({ subject }) => subject),
  );
}

it("a chargeback that is reversed gives the company its money back, and the charge is paid again", async () => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 2_500);
  await dispute(company, transaction, CHARGEBACK);
  expect(await chargeOf(company, transaction.id)).toMatchObject({ status: "refunded" });

  expect(await dispute(company, transaction, REVERSED)).toEqual({ kind: "recorded" });
  const before = await dumpObject(company);
  expect(await dispute(company, transaction, REVERSED)).toEqual({ kind: "already" });
  expect(await dumpObject(company)).toBe(before);

  expect((await movementsOf(company)).at(-1)).toEqual({
    type: "chargeback_reversed",
    postings: { provider: -2_500, available: 2_500 },
  });
  expect(await chargeOf(company, transaction.id)).toMatchObject({
    status: "paid",
    refundedAmount: 0,
    refundReason: null,
  });
  const told = (await eventsOf(company)).map(({ type, body }) => [type, body.data.previousStatus]);
  expect(told).toEqual([
    ["transaction.paid", "WAITING_PAYMENT"],
    ["dispute.lost", null],
    ["transaction.refunded", "PAID"],
    ["dispute.won", "lost"],
    ["transaction.chargeback_reversed", "REFUNDED"],
  ]);
  expect(await findingsOf(company)).toEqual([]);
  expect((await auditAll(company, true)).violations).toEqual([]);
});

it("a reversed chargeback repays what the company owes first", async () => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 2_500);
  await withdraw(company, { amount: 2_000 });
  await dispute(company, transaction, CHARGEBACK);
  expect(await accountsOf(company)).toMatchObject({ available: 0, debt: -2_000 });

  await dispute(company, transaction, REVERSED);

  expect(await accountsOf(company)).toMatchObject({ available: 500 });
  expect((await movementsOf(company)).at(-1)?.postings).toEqual({
    provider: -2_500,
    debt: 2_000,
    available: 500,
  });
});

it("other refunds of a payment stay refunded when its chargeback is reversed", async () => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 2_500);
  await requestRefund(company, transaction, { amount: 1_000 });
  await reportOperation(company, { kind: "done" });
  await dispute(company, transaction, { ...CHARGEBACK, amount: 1_500 });

  await dispute(company, transaction, { ...REVERSED, amount: 1_500 });

  expect(await chargeOf(company, transaction.id)).toMatchObject({
    status: "paid",
    refundedAmount: 1_000,
    refundReason: null,
  });
  expect(await requestRefund(company, transaction)).toMatchObject({ order: { amount: 1_500 } });
  await reportOperation(company, { kind: "done" }, 2);
  expect(await chargeOf(company, transaction.id)).toMatchObject({ status: "refunded" });
});

it("refunds at the PSP stay refunded when the chargeback of their payment is reversed", async () => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 2_500);
  await reportExternalRefund(company, await paymentOf(company, transaction.id), { amount: 1_000 });
  await dispute(company, transaction, { ...CHARGEBACK, amount: 1_500 });

  await dispute(company, transaction, { ...REVERSED, amount: 1_500 });

  expect(await accountsOf(company)).toMatchObject({ available: 1_500, provider: -1_500 });
  expect(await chargeOf(company, transaction.id)).toMatchObject({
    status: "paid",
    refundedAmount: 1_000,
    refundReason: null,
  });
  expect(await requestRefund(company, transaction)).toMatchObject({ order: { amount: 1_500 } });
  await reportOperation(company, { kind: "done" });
});

it("another chargeback of a payment stays taken when the first one is reversed", async () => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 2_500);
  await dispute(company, transaction, { ...CHARGEBACK, id: "c1", amount: 1_500 });
  await dispute(company, transaction, { ...CHARGEBACK, id: "c2", amount: 1_000 });

  await dispute(company, transaction, { ...REVERSED, id: "c1", amount: 1_500 });

  expect(await accountsOf(company)).toMatchObject({ available: 1_500 });
  expect(await chargeOf(company, transaction.id)).toMatchObject({
    status: "paid",
    refundedAmount: 1_000,
  });
});

it("a charge whose other refunds exceed its payment stays refunded by the payment's amount", async () => {
  const company = await givenCompany({ balance: 5_000 });
  const transaction = await givenSettled(company, 2_500);
  await requestRefund(company, transaction);
  await dispute(company, transaction, { ...CHARGEBACK, id: "c1" });
  await dispute(company, transaction, { ...CHARGEBACK, id: "c2", amount: 1_000 });
  await reportOperation(company, { kind: "done" });

  await dispute(company, transaction, { ...REVERSED, id: "c1" });

  expect(await chargeOf(company, transaction.id)).toMatchObject({
    status: "refunded",
    refundedAmount: 2_500,
  });
});

it("a charge whose chargeback and refund exceeded its payment stays refunded by the refund", async () => {
  const company = await givenCompany({ balance: 5_000 });
  const transaction = await givenSettled(company, 2_500);
  await requestRefund(company, transaction);
  await dispute(company, transaction, CHARGEBACK);
  await reportOperation(company, { kind: "done" });

  expect(await dispute(company, transaction, REVERSED)).toEqual({ kind: "recorded" });

  expect(await chargeOf(company, transaction.id)).toMatchObject({
    status: "refunded",
    refundedAmount: 2_500,
  });
  expect((await auditAll(company, true)).violations).toEqual([]);
});

it("a payment of a refunded charge is unexpected, since only a reversal makes it paid again", async () => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 2_500);
  await dispute(company, transaction, CHARGEBACK);

  expect(await settle(company, transaction, { paymentId: freshEndToEndId() })).toEqual({
    kind: "unexpected",
  });
});

it("a lost MED that is reported as won opens a contradiction, since the payer has the money", async () => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 2_500);
  await dispute(company, transaction);
  await dispute(company, transaction, { status: "LOST" });

  expect(await dispute(company, transaction, { status: "WON" })).toEqual({ kind: "contradiction" });

  expect(await accountsOf(company)).toMatchObject({ available: 0, provider: 0 });
  expect(await findingsOf(company)).toMatchObject([
    { kind: "dispute_status", object: transaction.id, amount: 2_500, held: 0, status: "open" },
  ]);
});

it("a won MED that is reported as lost is booked and opens a contradiction", async () => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 2_500);
  await dispute(company, transaction);
  await dispute(company, transaction, { status: "WON" });

  expect(await dispute(company, transaction, { status: "LOST" })).toEqual({
    kind: "contradiction",
  });
  expect(await dispute(company, transaction, { status: "LOST" })).toEqual({ kind: "already" });

  expect(await accountsOf(company)).toMatchObject({ available: 0, provider: 0 });
  expect(await chargeOf(company, transaction.id)).toMatchObject({
    status: "refunded",
    refundReason: "MED",
  });
  expect(await findingsOf(company)).toMatchObject([{ kind: "dispute_status", held: 0 }]);
  expect((await auditAll(company, true)).violations).toEqual([]);
});

it("another amount of a lost dispute opens a contradiction that holds the extra amount", async () => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 2_500);
  await dispute(company, transaction, { status: "LOST", amount: 1_000 });

  expect((await dispute(company, transaction, { status: "LOST", amount: 1_400 })).kind).toBe(
    "contradiction",
  );
  expect((await dispute(company, transaction, { status: "LOST", amount: 700 })).kind).toBe(
    "contradiction",
  );

  expect(await accountsOf(company)).toMatchObject({ available: 1_500 });
  expect(await findingsOf(company)).toMatchObject([
    { amount: 400, held: 400 },
    { amount: 300, held: 0 },
  ]);
  expect(await heldTotalOf(company)).toBe(400);
});

it("an open dispute of a PSP is polled until it ends, one of the sandbox is not", async () => {
  const company = await givenCompany();
  const terms = { account: "sandbox" };
  const atPsp = await givenSettled(company, 2_500);
  const atSandbox = await givenSettled(company, 2_500, { terms });
  await dispute(company, atPsp, { id: "d1" });
  await dispute(company, atSandbox, { id: "d2" });
  expect(await rechecksOf(company)).toEqual(["d1"]);

  await dispute(company, atPsp, { id: "d1", status: "WON" });

  expect(await rechecksOf(company)).toEqual([]);
  await dispute(company, atSandbox, { id: "d2", status: "WON" });
});

it("a refund goes to the account that received its payment", async () => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 2_500, { payment: { account: "second" } });

  expect(await requestRefund(company, transaction)).toMatchObject({ order: { account: "second" } });
  await reportOperation(company, { kind: "done" });
  const kept = await inAccount(company.id, (_, { storage }) => {
    const { charges, operations } = compose(storage.sql).stores;
    return [charges.require(transaction.id).account, operations.find(1)?.account];
  });
  expect(kept).toEqual(["second", "second"]);
});
