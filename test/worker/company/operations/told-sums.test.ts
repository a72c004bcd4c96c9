import { expect, it } from "vitest";
import type { SettlePayment } from "../../../../src/company/charges/command-types.ts";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import {
  claimOperation,
  dispute,
  givenSettled,
  reportOperation,
  requestRefund,
  requestReturn,
} from "../../../support/builders/operations/object-operations.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { termsOf } from "../../../support/builders/charges/charge-commands.ts";
import { decide as decidePayment } from "../../../support/builders/charges/unexpected.ts";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import { decide } from "../../../support/builders/reconciliation/decisions.ts";
import {
  givenUnexpectedPayment,
  paymentOf,
  reportExternalRefund,
} from "../../../support/builders/reconciliation/provider-reports.ts";
import { findingsOf, heldTotalOf } from "../../../support/probes/contradictions/findings.ts";
import { auditAll } from "../../../support/probes/ledger/audit.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";

const FAILED = { kind: "failed", reason: "As decided." } as const;

/** A paid charge of 2,500 with a refund of ours that failed here; `told`: the sum that its provider told before. */
async function givenFailedRefund(amount: number, told: number | null = null) {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 2_500);
  const paymentId = await paymentOf(company, transaction.id);
  await requestRefund(company, transaction, { amount });
  await claimOperation(company);
  if (told !== null) await tellSum(company, paymentId, told);
  await reportOperation(company, FAILED);
  return { company, transaction, paymentId };
}

/** Two operators decide about the newest finding that is open. */
async function decideNewest(company: TestCompany, decision: object): Promise<void> {
  const findings = await findingsOf(company);
  const number = findings.findLastIndex(({ status }) => status === "open") + 1;
  const answer = await decide(`${company.id}-${number}`, { reason: "Seen.", ...decision });
  expect(answer.status, answer.text).toBe(200);
}

/** The provider tells what went back of a payment in all. */
function tellSum(company: TestCompany, paymentId: string, amount: number) {
  return reportExternalRefund(company, paymentId, { id: "sum", isSum: true, amount });
}

/** The provider names the charge of a payment, which stays in suspense: it is not what was due. */
async function nameCharge(company: TestCompany, payment: SettlePayment["payment"]): Promise<void> {
  const { id } = await givenTransaction(company, { amount: 3_000 });
  const terms = termsOf({ id, amount: 3_000 });
  const rules = { WRONG_AMOUNT: "keep" } as const;
  const told = { companyId: company.id, terms, payment, amountDue: 3_000, rules };
  expect(await callsTo(company.id).settlePayment(told)).toEqual({ kind: "unexpected" });
}

/** What left the company, and what it cannot withdraw. */
async function goneOf(company: TestCompany) {
  const { provider } = await accountsOf(company);
  return { gone: 2_500 + (provider ?? 0), held: await heldTotalOf(company) };
}

it.each([
  ["is open", null, { gone: 1_500, held: 1_000 }],
  ["was corrected", { action: "correct", amount: -1_000 }, { gone: 2_500, held: 0 }],
  ["was dismissed", { action: "dismiss" }, { gone: 2_500, held: 0 }],
])(
  "a refund that failed here and was done is not taken again by the sum: its finding %s",
  async (_, decision, expected) => {
    const { company, paymentId } = await givenFailedRefund(1_000);
    await reportOperation(company, { kind: "done" });
    if (decision !== null) await decideNewest(company, decision);

    for (const amount of [1_000, 2_500, 2_500]) await tellSum(company, paymentId, amount);

    expect(await goneOf(company)).toEqual(expected);
    expect((await auditAll(company, true)).violations).toEqual([]);
  },
);

it.each([
  ["nothing where the payment had not so much left", 2_000, 2_000, 0],
  ["it where it may have gone beside", 500, 500, 500],
  ["it where no sum has so much", 2_000, 1_000, 2_000],
])("a refund that was done after its sum was taken holds %s", async (_, ours, sum, held) => {
  const { company, paymentId } = await givenFailedRefund(ours);
  await tellSum(company, paymentId, sum);

  await reportOperation(company, { kind: "done" });

  expect(await goneOf(company)).toEqual({ gone: sum, held });
  expect((await findingsOf(company)).map(({ amount }) => amount)).toEqual(held === 0 ? [] : [held]);
});

it("what a told sum has is held once our refund that explained it failed, and booked when it is told again", async () => {
  const { company, paymentId } = await givenFailedRefund(1_000, 1_500);
  expect(await goneOf(company)).toEqual({ gone: 500, held: 1_000 });
  // It was told before, and says nothing of the rest.
  await tellSum(company, paymentId, 1_200);
  expect(await goneOf(company)).toEqual({ gone: 500, held: 1_000 });

  for (let time = 0; time < 2; time++) await tellSum(company, paymentId, 1_500);

  expect(await goneOf(company)).toEqual({ gone: 1_500, held: 0 });
  expect((await auditAll(company, true)).violations).toEqual([]);
});

it("a told sum that operators took from the company is taken neither again nor for its refund that was done", async () => {
  const { company, paymentId } = await givenFailedRefund(1_000, 1_000);
  await decideNewest(company, { action: "correct", amount: -1_000 });
  expect(await goneOf(company)).toEqual({ gone: 1_000, held: 0 });

  await reportOperation(company, { kind: "done" });
  await tellSum(company, paymentId, 1_000);

  expect(await goneOf(company)).toEqual({ gone: 1_000, held: 0 });
});

it("a chargeback takes all that is left while a refund that was done after all is undecided", async () => {
  const { company, transaction } = await givenFailedRefund(1_000);
  await reportOperation(company, { kind: "done" });

  const lost = { kind: "CHARGEBACK", isOfRest: true, status: "LOST" } as const;
  await dispute(company, transaction, lost);

  expect(await goneOf(company)).toEqual({ gone: 2_500, held: 1_000 });
});

it("a told sum is held once where the refund that explained it was done after all", async () => {
  const { company, paymentId } = await givenFailedRefund(1_000, 1_000);

  await reportOperation(company, { kind: "done" });

  expect(await goneOf(company)).toEqual({ gone: 0, held: 1_000 });
  await tellSum(company, paymentId, 2_500);
  expect(await goneOf(company)).toEqual({ gone: 1_500, held: 1_000 });
});

it.each([
  ["before its charge was known", 1],
  ["after it", 2],
])(
  "a sum takes nothing again for a return that failed and was done %s, however many failed since",
  async (_, done) => {
    const company = await givenCompany({ balance: 5_000 });
    const payment = await givenUnexpectedPayment(company, 2_500);
    const { paymentId } = payment;
    for (let id = 1; id <= 3; id++) {
      await requestReturn(company, paymentId);
      await reportOperation(company, FAILED, id);
      if (id === 1) await nameCharge(company, payment);
    }
    await reportOperation(company, { kind: "done" }, done);
    expect(await heldTotalOf(company)).toBe(2_500);

    await tellSum(company, paymentId, 2_500);

    expect(await accountsOf(company)).toMatchObject({ available: 5_000, suspense: 2_500 });
    expect(await heldTotalOf(company)).toBe(2_500);
  },
);

it("a payment in suspense whose sum nothing explains is not credited, and the sum is of its charge afterwards", async () => {
  const company = await givenCompany();
  const { paymentId } = await givenUnexpectedPayment(company, 2_500);
  await requestReturn(company, paymentId);
  await tellSum(company, paymentId, 2_500);
  await reportOperation(company, FAILED);
  const { id } = await givenTransaction(company, { amount: 2_500 });
  const credit = () => decidePayment(company, paymentId, "credit", { body: { transactionId: id } });
  expect((await credit()).status).toBe(409);
  expect(await heldTotalOf(company)).toBe(0);
  await decideNewest(company, { action: "dismiss" });
  expect((await credit()).status).toBe(200);

  await tellSum(company, paymentId, 2_500);

  expect(await callsTo(company.id).findCharge(id)).toMatchObject({
    status: "refunded",
    refunds: [{ amount: 2_500, status: "DONE" }],
  });
  expect((await auditAll(company, true)).violations).toEqual([]);
});

it("a refund that comes with an id after a sum took it is not taken again", async () => {
  const { company, transaction, paymentId } = await givenFailedRefund(1_000);
  await tellSum(company, paymentId, 2_500);

  for (const [id, amount] of [
    ["D1", 2_000],
    ["D2", 500],
    ["D2", 500],
  ] as const)
    expect(await reportExternalRefund(company, paymentId, { id, amount })).toEqual({
      kind: "already",
    });
  expect(await findingsOf(company)).toEqual([]);

  // The sum has no more than those.
  await reportExternalRefund(company, paymentId, { id: "D3", amount: 500 });
  expect(await goneOf(company)).toEqual({ gone: 2_500, held: 500 });
  expect(await callsTo(company.id).findCharge(transaction.id)).toMatchObject({
    refunds: [{ status: "FAILED" }, { amount: 2_500, status: "DONE" }],
  });
});
