import { expect, it } from "vitest";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import { settle, termsOf } from "../../../support/builders/charges/charge-commands.ts";
import {
  AMOUNT,
  callEnded,
  decide,
  givenPaid,
  PAYMENT_ID,
} from "../../../support/builders/charges/paid-ends.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import {
  claimOperation,
  dispute,
  reportOperation,
  requestRefund,
} from "../../../support/builders/operations/object-operations.ts";
import {
  givenUnexpectedPayment,
  reportExternalRefund,
} from "../../../support/builders/reconciliation/provider-reports.ts";
import { findingsOf } from "../../../support/probes/contradictions/findings.ts";
import { auditAll } from "../../../support/probes/ledger/audit.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";

/** A chargeback whose house names no amount. */
const REST = { kind: "CHARGEBACK", isOfRest: true } as const;
const LOST = { ...REST, status: "LOST" } as const;
const ENDED = `payment_amount:${PAYMENT_ID}:ended`;

it("a charge that was credited with a payment that came without it may end at its house", async () => {
  const company = await givenCompany();
  const { id } = await givenTransaction(company, { amount: AMOUNT });
  const charge = { id, amount: AMOUNT };
  await givenUnexpectedPayment(company, AMOUNT);
  const credited = await decide(company, { action: "credit", transactionId: id }, termsOf(charge));
  expect(credited).toMatchObject({ kind: "decided" });

  await callEnded(company, charge);

  expect(await findingsOf(company)).toMatchObject([{ kind: "payment_set_aside" }]);
});

it("a charge's own payment of another amount, credited by a person, is doubted where its house calls it ended", async () => {
  const company = await givenCompany();
  const { id } = await givenTransaction(company, { amount: AMOUNT });
  const charge = { id, amount: AMOUNT };
  const payment = { paymentId: PAYMENT_ID, method: "PIX", amount: 2_000, paidAt: 1 } as const;
  const rules = { WRONG_AMOUNT: "keep" } as const;
  const terms = termsOf(charge);
  const command = { companyId: company.id, terms, payment, amountDue: AMOUNT, rules };
  expect((await callsTo(company.id).settlePayment(command)).kind).toBe("unexpected");
  const credited = await decide(company, { action: "credit", transactionId: id }, termsOf(charge));
  expect(credited).toMatchObject({ kind: "decided" });

  await callEnded(company, charge);

  expect(await findingsOf(company)).toMatchObject([
    { kind: "payment_set_aside" },
    { finding: ENDED, amount: 2_000, status: "open" },
  ]);
});

it("a word of the end is over once the house says paid again, and a later one is another", async () => {
  const { company, charge } = await givenPaid();
  await callEnded(company, charge);
  await settle(company, charge);
  expect(await findingsOf(company)).toMatchObject([{ finding: ENDED, status: "decided" }]);

  await callEnded(company, charge);
  await callEnded(company, charge, "failed");

  expect(await findingsOf(company)).toMatchObject([
    { finding: ENDED, status: "decided" },
    { finding: `${ENDED}:2`, status: "open", amount: AMOUNT },
  ]);
});

it("another word of the end is told after what operators decided, each once", async () => {
  const { company, charge } = await givenPaid();
  await callEnded(company, charge);
  await decide(company, { action: "dismiss" });

  await callEnded(company, charge, "failed");
  expect(await findingsOf(company)).toMatchObject([
    { finding: ENDED, status: "decided" },
    { finding: `${ENDED}:2`, status: "open" },
  ]);
  await decide(company, { action: "dismiss" }, null, 2);
  for (const to of ["failed", "cancelled"] as const) await callEnded(company, charge, to);

  expect(await findingsOf(company)).toHaveLength(2);
});

it("a house that says paid again asks operators once about what they took", async () => {
  const { company, charge } = await givenPaid();
  await callEnded(company, charge);
  await decide(company, { action: "correct", amount: -1_000 });

  for (let times = 0; times < 2; times++) await settle(company, charge);
  expect(await findingsOf(company)).toMatchObject([
    { finding: ENDED, status: "decided" },
    { kind: "payment_amount", amount: 1_000, held: 0, status: "open" },
  ]);

  const given = await decide(company, { action: "correct", amount: 1_000 }, null, 2);
  expect(given).toMatchObject({ kind: "decided" });
  await dispute(company, charge, LOST);
  expect(await accountsOf(company)).toMatchObject({ available: 0, provider: 0 });
});

it.each([
  ["a part that was corrected", 1_000, 1_000, 1_500],
  ["more than was corrected", 1_000, 1_800, 700],
])(
  "a sum that the house tells after a correction is told once to operators: %s",
  async (_, corrected, sum, left) => {
    const { company, charge } = await givenPaid();
    await callEnded(company, charge);
    await decide(company, { action: "correct", amount: -corrected });

    for (let times = 0; times < 2; times++)
      await reportExternalRefund(company, PAYMENT_ID, { isSum: true, amount: sum });

    expect(await accountsOf(company)).toMatchObject({ available: left });
    expect(await findingsOf(company)).toMatchObject([
      { finding: ENDED, status: "decided" },
      { kind: "refund_status", amount: sum, held: 0, status: "open" },
    ]);
    for (const amount of [-500, 500])
      expect(await decide(company, { action: "correct", amount }, null, 2)).toEqual({
        kind: "not_possible",
        reason: expect.stringContaining("counted nowhere"),
      });
    expect(await accountsOf(company)).toMatchObject({ available: left });
    expect(await decide(company, { action: "dismiss" }, null, 2)).toMatchObject({
      kind: "decided",
    });
  },
);

it("a refund that the house lists after a correction is seen, and takes no more than is left", async () => {
  const { company, charge } = await givenPaid();
  await callEnded(company, charge);
  await decide(company, { action: "correct", amount: -2_000 });

  for (let times = 0; times < 2; times++)
    await reportExternalRefund(company, PAYMENT_ID, { amount: 2_500 });

  expect(await accountsOf(company)).toMatchObject({ available: 0, provider: 0 });
  expect(await callsTo(company.id).findCharge(charge.id)).toMatchObject({ status: "refunded" });
  expect((await auditAll(company, true)).violations).toEqual([]);
});

it("what operators decided of the end is told no second time", async () => {
  const { company, charge } = await givenPaid();
  await callEnded(company, charge);
  expect(await decide(company, { action: "dismiss" })).toMatchObject({ kind: "decided" });

  await callEnded(company, charge);

  expect(await findingsOf(company)).toMatchObject([{ finding: ENDED, status: "decided" }]);
});

it("is over once all of the payment went back, so that none of it is taken twice", async () => {
  const { company, charge } = await givenPaid();
  await callEnded(company, charge);

  await reportExternalRefund(company, PAYMENT_ID, { isSum: true, amount: AMOUNT });

  expect(await findingsOf(company)).toMatchObject([{ finding: ENDED, status: "decided" }]);
  const corrected = await decide(company, { action: "correct", amount: -AMOUNT });
  expect(corrected).toMatchObject({ kind: "not_possible" });
  expect(await accountsOf(company)).toMatchObject({ available: 0, provider: 0 });
});

it("a correction takes at most what went back neither yet nor is about to", async () => {
  const { company, charge } = await givenPaid();
  await callEnded(company, charge);
  await reportExternalRefund(company, PAYMENT_ID, { amount: 1_000 });
  await requestRefund(company, charge, { amount: 500 });

  const beyond = await decide(company, { action: "correct", amount: -1_001 });
  expect(beyond).toMatchObject({ kind: "not_possible" });

  const within = await decide(company, { action: "correct", amount: -1_000 });
  expect(within).toMatchObject({ kind: "decided" });
  expect(await accountsOf(company)).toMatchObject({ blocked: 500 });
});

it("is told while a refund of all of it waits, which the house may refuse for that", async () => {
  const { company, charge } = await givenPaid();
  await requestRefund(company, charge);
  await callEnded(company, charge);

  await reportOperation(company, { kind: "failed", reason: "It says canceled of the charge." });

  expect(await findingsOf(company)).toMatchObject([
    { finding: ENDED, status: "open", amount: AMOUNT },
  ]);
});

it("is over once that refund is done", async () => {
  const { company, charge } = await givenPaid();
  await requestRefund(company, charge);
  await callEnded(company, charge);

  await reportOperation(company, { kind: "done" });

  expect(await findingsOf(company)).toMatchObject([{ finding: ENDED, status: "decided" }]);
});

it("what a correction took is not taken again by the sum that the house tells later", async () => {
  const { company, charge } = await givenPaid();
  await callEnded(company, charge);
  const corrected = await decide(company, { action: "correct", amount: -AMOUNT });
  expect(corrected).toMatchObject({ kind: "decided" });

  await reportExternalRefund(company, PAYMENT_ID, { isSum: true, amount: AMOUNT });

  expect(await accountsOf(company)).toMatchObject({ available: 0, provider: 0 });
});

it.each([
  ["all of it", 2_500, 0],
  ["a part of it", 1_000, 0],
  ["what a refund had left", 1_500, 1_000],
])(
  "a chargeback that is lost takes nothing that a correction took: %s",
  async (_, corrected, refunded) => {
    const { company, charge } = await givenPaid();
    if (refunded > 0) await reportExternalRefund(company, PAYMENT_ID, { amount: refunded });
    await callEnded(company, charge);
    await decide(company, { action: "correct", amount: -corrected });

    for (let times = 0; times < 2; times++) await dispute(company, charge, LOST);

    expect(await accountsOf(company)).toMatchObject({ available: 0, provider: 0 });
    expect(await callsTo(company.id).findCharge(charge.id)).toMatchObject({
      status: "refunded",
      refundReason: "CHARGEBACK",
    });
    expect((await auditAll(company, true)).violations).toEqual([]);
  },
);

it("an open chargeback whose money a correction took blocks nothing once it is lost", async () => {
  const { company, charge } = await givenPaid();
  await dispute(company, charge, REST);
  await callEnded(company, charge);
  await decide(company, { action: "correct", amount: -AMOUNT });

  await dispute(company, charge, LOST);

  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 0, provider: 0 });
});

it("a chargeback of what a correction took is given back by operators alone", async () => {
  const { company, charge } = await givenPaid();
  await callEnded(company, charge);
  await decide(company, { action: "correct", amount: -AMOUNT });
  await dispute(company, charge, LOST);

  const won = await dispute(company, charge, { ...LOST, status: "WON" });

  expect(won).toEqual({ kind: "contradiction" });
  expect(await accountsOf(company)).toMatchObject({ available: 0, provider: 0 });
});

it("a chargeback that a refund decides takes nothing that a correction took", async () => {
  const { company, charge } = await givenPaid();
  await requestRefund(company, charge, { amount: 1_000 });
  await claimOperation(company);
  await callEnded(company, charge);
  await decide(company, { action: "correct", amount: -1_500 });
  await dispute(company, charge, LOST);

  await reportOperation(company, { kind: "failed", reason: "It was charged back." });

  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 0, provider: 0 });
  expect((await auditAll(company, true)).violations).toEqual([]);
});

it("a correction leaves what is held for a refund that was done after it had failed", async () => {
  const { company, charge } = await givenPaid();
  await requestRefund(company, charge, { amount: 500 });
  await reportOperation(company, { kind: "failed", reason: "Nobody answers." });
  await reportOperation(company, { kind: "done" });
  await callEnded(company, charge);
  const number = 2;

  const beyond = await decide(company, { action: "correct", amount: -2_001 }, null, number);
  expect(beyond).toMatchObject({ kind: "not_possible" });

  const within = await decide(company, { action: "correct", amount: -2_000 }, null, number);
  expect(within).toMatchObject({ kind: "decided" });
});

it("another account that repeats the payment takes no word of its house back", async () => {
  const { company, charge } = await givenPaid();
  await callEnded(company, charge);

  await settle(company, charge, { account: "another" });

  expect(await findingsOf(company)).toMatchObject([{ finding: ENDED, status: "open" }]);
});
