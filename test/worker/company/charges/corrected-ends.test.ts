import { expect, it } from "vitest";
import { FROM_THE_START } from "../../../../src/domain/access/standing.ts";
import {
  AMOUNT,
  callEnded,
  decide,
  givenPaid,
  PAYMENT_ID,
} from "../../../support/builders/charges/paid-ends.ts";
import { settle } from "../../../support/builders/charges/charge-commands.ts";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import { CURRENT_VERSION } from "../../../support/builders/companies/credentials.ts";
import {
  claimOperation,
  dispute,
  givenSettled,
  reportOperation,
  requestRefund,
} from "../../../support/builders/operations/object-operations.ts";
import { reportExternalRefund } from "../../../support/builders/reconciliation/provider-reports.ts";
import { findingsOf, heldTotalOf } from "../../../support/probes/contradictions/findings.ts";
import { auditAll } from "../../../support/probes/ledger/audit.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";

/** A paid charge that its house called ended, of which operators took an amount (centavos). */
async function givenCorrected(amount: number) {
  const given = await givenPaid();
  await callEnded(given.company, given.charge);
  await decide(given.company, { action: "correct", amount: -amount });
  return given;
}

it.each([
  ["of all of it", 2_500, [2_500]],
  ["of a part, told at once", 1_000, [2_500]],
  ["of a part, told bit by bit", 1_000, [1_800, 2_500]],
])(
  "a sum of all of the payment shows what operators took as refunded: a correction %s",
  async (_, corrected, sums) => {
    const { company, charge } = await givenCorrected(corrected);

    for (const amount of [...sums, 2_500])
      await reportExternalRefund(company, PAYMENT_ID, { isSum: true, amount });

    expect(await accountsOf(company)).toMatchObject({ available: 0, provider: 0 });
    expect(await callsTo(company.id).findCharge(charge.id)).toMatchObject({
      status: "refunded",
      refundedAmount: AMOUNT,
    });
    expect(await findingsOf(company)).toHaveLength(sums.length);
    expect((await auditAll(company, true)).violations).toEqual([]);
  },
);

it.each([
  ["in the same report", ["paid", "refunded"], 2],
  ["later", ["refunded", "paid"], 1],
])(
  "a payment that a refunded charge's house repeats is given to nobody again: %s",
  async (_, told, findings) => {
    const { company, charge } = await givenCorrected(AMOUNT);

    for (const word of told)
      await (word === "paid"
        ? settle(company, charge)
        : reportExternalRefund(company, PAYMENT_ID, { isSum: true, amount: AMOUNT }));

    const found = await findingsOf(company);
    expect(found).toHaveLength(findings);
    expect(found.every(({ status }: any) => status === "decided")).toBe(true);
  },
);

it("a sum of all of the payment leaves the charge paid while a refund of it may fail", async () => {
  const { company, charge } = await givenPaid();
  await requestRefund(company, charge, { amount: 1_000 });
  await claimOperation(company);
  await callEnded(company, charge);
  await decide(company, { action: "correct", amount: -1_500 });
  const sum = { isSum: true as const, amount: AMOUNT };
  await reportExternalRefund(company, PAYMENT_ID, sum);
  const untouched = { status: "paid", refundedAmount: 0 };
  expect(await callsTo(company.id).findCharge(charge.id)).toMatchObject(untouched);

  await reportOperation(company, { kind: "failed", reason: "Its charge had ended." });
  await reportExternalRefund(company, PAYMENT_ID, sum);

  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 0, provider: 0 });
  expect(await callsTo(company.id).findCharge(charge.id)).toMatchObject({ status: "refunded" });
});

it.each([
  ["all of it", 2_500, 2_500, 0],
  ["a part of it", 1_000, 2_500, 1_500],
  ["what else is left", 1_000, 1_500, 1_500],
])(
  "a refund of ours that was done after all takes nothing that a correction took: %s",
  async (_, corrected, refunded, left) => {
    const { company, charge } = await givenPaid();
    await requestRefund(company, charge, { amount: refunded });
    await reportOperation(company, { kind: "failed", reason: "Nobody answers." });
    await callEnded(company, charge);
    await decide(company, { action: "correct", amount: -corrected });

    for (let times = 0; times < 2; times++) await reportOperation(company, { kind: "done" });

    expect(await heldTotalOf(company)).toBe(left);
    expect(await findingsOf(company)).toHaveLength(left === 0 ? 1 : 2);
  },
);

it("a second refund of ours that was done after all takes what the first left", async () => {
  const { company, charge } = await givenPaid();
  for (const [id, amount] of [
    [1, 1_500],
    [2, 1_000],
  ] as const) {
    await requestRefund(company, charge, { amount });
    await reportOperation(company, { kind: "failed", reason: "Nobody answers." }, id);
  }
  await callEnded(company, charge);
  await decide(company, { action: "correct", amount: -1_000 });

  for (const id of [1, 2]) await reportOperation(company, { kind: "done" }, id);

  expect(await heldTotalOf(company)).toBe(1_500);
});

it("what operators took is no more to be refunded", async () => {
  const { company, charge } = await givenCorrected(1_500);
  await givenSettled(company, 5_000);

  const beyond = await requestRefund(company, charge, { amount: 1_001 });
  expect(beyond).toEqual({ kind: "exceeds_paid", refundable: 1_000 });

  expect(await requestRefund(company, charge)).toMatchObject({ kind: "send" });
  expect(await accountsOf(company)).toMatchObject({ blocked: 1_000 });
  const more = await requestRefund(company, charge, { amount: 1 });
  expect(more).toEqual({ kind: "exceeds_paid", refundable: 0 });
});

it.each([
  ["a refund that its house lists", "refund"],
  ["a chargeback", "chargeback"],
] as const)(
  "%s takes nothing that a correction and a refund of ours under way have together",
  async (_, told) => {
    const { company, charge } = await givenCorrected(1_000);
    await requestRefund(company, charge, { amount: 1_500 });
    await claimOperation(company);

    if (told === "refund") await reportExternalRefund(company, PAYMENT_ID, { amount: 1_000 });
    else await dispute(company, charge, { kind: "CHARGEBACK", status: "LOST", amount: 1_000 });
    expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 1_500 });
    expect((await accountsOf(company))["debt"] ?? 0).toBe(0);

    await reportOperation(company, { kind: "done" });
    expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 0, provider: 0 });
    expect(await callsTo(company.id).findCharge(charge.id)).toMatchObject({ status: "refunded" });
    expect((await auditAll(company, true)).violations).toEqual([]);
  },
);

it("operators give back of what they took, although more went back than was left", async () => {
  const { company, charge } = await givenCorrected(1_000);
  await reportExternalRefund(company, PAYMENT_ID, { amount: 2_000 });
  await callEnded(company, charge, "failed");

  const given = await decide(company, { action: "correct", amount: 400 }, null, 2);

  expect(given).toMatchObject({ kind: "decided" });
  expect(await accountsOf(company)).toMatchObject({ available: 400 });
});

it("what operators gave back after another word of the end is taken by a refund", async () => {
  const { company, charge } = await givenCorrected(1_000);
  await callEnded(company, charge, "failed");
  await decide(company, { action: "correct", amount: 400 }, null, 2);

  await reportExternalRefund(company, PAYMENT_ID, { amount: 2_500 });

  expect(await accountsOf(company)).toMatchObject({ available: 0, provider: 0 });
});

it("a refund that waited is not approved once what is left beside a correction went back", async () => {
  const { company, charge } = await givenPaid();
  const operationId = crypto.randomUUID();
  const limits = { approvalAbove: 0 };
  const asked = await requestRefund(company, charge, { amount: 1_000, operationId, limits });
  expect(asked).toMatchObject({ kind: "waiting" });
  await callEnded(company, charge);
  await decide(company, { action: "correct", amount: -1_500 });
  await givenSettled(company, 5_000);
  await reportExternalRefund(company, PAYMENT_ID, { amount: 1_500 });
  // It was not sent: what it is to give back is left.
  expect(await accountsOf(company)).toMatchObject({ available: 4_000, blocked: 1_000 });

  const approved = await callsTo(company.id).decideExit({
    companyId: company.id,
    credentialsVersion: CURRENT_VERSION,
    operationId,
    decision: "approve",
    decidedBy: { kind: "application", id: "app_other", name: "Other" },
    standing: FROM_THE_START,
    ownLimit: null,
    coolDownMs: 0,
    reason: null,
    idempotencyKey: "approve",
    requestHash: "approve",
  });

  expect(approved).toMatchObject({ kind: "not_possible" });
});
