import { expect, it } from "vitest";
import { settle } from "../../../support/builders/charges/charge-commands.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import {
  AMOUNT,
  callEnded,
  decide,
  givenPaid,
  PAYMENT_ID,
} from "../../../support/builders/charges/paid-ends.ts";
import {
  claimOperation,
  dispute,
  reportOperation,
  requestRefund,
} from "../../../support/builders/operations/object-operations.ts";
import { reportExternalRefund } from "../../../support/builders/reconciliation/provider-reports.ts";
import { tamper } from "../../../support/faults/tamper.ts";
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

type Given = Awaited<ReturnType<typeof givenCorrected>>;

/** Operators give back an amount (centavos) by the finding of a number. */
async function giveBack({ company }: Given, amount: number, number = 2) {
  return decide(company, { action: "correct", amount }, null, number);
}

const BACK = {
  refund: ({ company }: Given) => reportExternalRefund(company, PAYMENT_ID, { amount: 1_000 }),
  chargeback: ({ company, charge }: Given) =>
    dispute(company, charge, { kind: "CHARGEBACK", status: "LOST", amount: 1_000 }),
};

it.each([
  ["a refund before it", "refund", true],
  ["a refund after it", "refund", false],
  ["a chargeback before it", "chargeback", true],
  ["a chargeback after it", "chargeback", false],
] as const)(
  "of a payment that its house calls paid again nothing is given back that went back: %s",
  async (_, told, isBefore) => {
    const given = await givenCorrected(AMOUNT);
    if (isBefore) await BACK[told](given);
    await settle(given.company, given.charge);
    if (!isBefore) await BACK[told](given);

    expect(await giveBack(given, 1_501)).toEqual({
      kind: "not_possible",
      reason: expect.any(String),
      givable: 1_500,
    });
    expect(await accountsOf(given.company)).toMatchObject({ available: 0 });

    expect(await giveBack(given, 1_500)).toMatchObject({ kind: "decided" });
    expect(await accountsOf(given.company)).toMatchObject({ available: 1_500 });
    expect((await auditAll(given.company, true)).violations).toEqual([]);
  },
);

/** As `givenCorrected`; a refund of ours of all else was under way when some of what operators took went back. */
async function givenCoveredBesideRefund() {
  const given = await givenCorrected(1_000);
  await requestRefund(given.company, given.charge, { amount: 1_500 });
  await claimOperation(given.company);
  await BACK.refund(given);
  await settle(given.company, given.charge);
  return given;
}

it("what covered a refund beside one of ours is not given back once ours failed", async () => {
  const given = await givenCoveredBesideRefund();
  expect(await giveBack(given, 1)).toMatchObject({ kind: "not_possible", givable: 0 });

  await reportOperation(given.company, { kind: "failed", reason: "Its charge had ended." });

  // The hold of 1,500 is free again: all of what is left of the payment.
  expect(await accountsOf(given.company)).toMatchObject({ available: 1_500, blocked: 0 });
  expect(await giveBack(given, 1)).toMatchObject({ kind: "not_possible", givable: 0 });
});

it("what covered a refund beside one of ours covers no other one once ours failed", async () => {
  const given = await givenCoveredBesideRefund();
  await reportOperation(given.company, { kind: "failed", reason: "Its charge had ended." });

  await reportExternalRefund(given.company, PAYMENT_ID, { id: "D2", amount: 1_500 });

  expect(await accountsOf(given.company)).toMatchObject({ available: 0, provider: 0 });
  expect((await auditAll(given.company, true)).violations).toEqual([]);
});

/** Operators took all, 10.00 of it went back, and they gave back the rest: all that the house has. */
async function givenRestGivenBack(told: keyof typeof BACK) {
  const given = await givenCorrected(AMOUNT);
  await BACK[told](given);
  await settle(given.company, given.charge);
  expect(await giveBack(given, 1_500)).toMatchObject({ kind: "decided" });
  return given;
}

const REST = {
  refund: ({ company }: Given) =>
    reportExternalRefund(company, PAYMENT_ID, { id: "D2", amount: 1_500 }),
  sum: ({ company }: Given) =>
    reportExternalRefund(company, PAYMENT_ID, { isSum: true, amount: AMOUNT }),
  chargeback: ({ company, charge }: Given) =>
    dispute(company, charge, { id: "CB2", kind: "CHARGEBACK", status: "LOST", amount: 1_500 }),
};

it.each(
  (["refund", "chargeback"] as const).flatMap((first) =>
    (["refund", "sum", "chargeback"] as const).map((then) => [first, then] as const),
  ),
)("what covered a %s does not cover a later %s", async (first, then) => {
  const given = await givenRestGivenBack(first);

  await REST[then](given);

  expect(await accountsOf(given.company)).toMatchObject({ available: 0, provider: 0 });
  expect(await callsTo(given.company.id).findCharge(given.charge.id)).toMatchObject({
    status: "refunded",
  });
  expect((await auditAll(given.company, true)).violations).toEqual([]);
});

it.each(["refund", "chargeback"] as const)(
  "what operators gave back beside a %s may be refunded",
  async (told) => {
    const { company, charge } = await givenRestGivenBack(told);
    expect(await requestRefund(company, charge, { amount: 1_501 })).toEqual({
      kind: "exceeds_paid",
      refundable: 1_500,
    });
    expect(await requestRefund(company, charge, { amount: 1_500 })).toMatchObject({ kind: "send" });
  },
);

it.each(["refund", "chargeback"] as const)(
  "what operators gave back beside a %s they take again at another end",
  async (told) => {
    const given = await givenRestGivenBack(told);
    await callEnded(given.company, given.charge);
    expect(await giveBack(given, -1_501, 3)).toMatchObject({ kind: "not_possible" });
    expect(await giveBack(given, -1_500, 3)).toMatchObject({ kind: "decided" });
    expect(await accountsOf(given.company)).toMatchObject({ available: 0 });

    await settle(given.company, given.charge);
    expect(await giveBack(given, 1_501, 4)).toMatchObject({ givable: 1_500 });
    expect(await giveBack(given, 1_500, 4)).toMatchObject({ kind: "decided" });
  },
);

it("a sum that was told before has its part of what operators took", async () => {
  const given = await givenCorrected(AMOUNT);
  const tell = (amount: number) =>
    reportExternalRefund(given.company, PAYMENT_ID, { isSum: true, amount });
  await tell(1_000);
  await settle(given.company, given.charge);

  expect(await giveBack(given, 1_501, 3)).toMatchObject({ givable: 1_500 });
  expect(await giveBack(given, 1_500, 3)).toMatchObject({ kind: "decided" });
  await tell(1_000);
  expect(await accountsOf(given.company)).toMatchObject({ available: 1_500 });

  await tell(AMOUNT);
  expect(await accountsOf(given.company)).toMatchObject({ available: 0, provider: 0 });
  expect((await auditAll(given.company, true)).violations).toEqual([]);
});

it("a sum that a refund of ours explains leaves all that operators took", async () => {
  const given = await givenPaid();
  await requestRefund(given.company, given.charge, { amount: 1_000 });
  await reportOperation(given.company, { kind: "done" });
  await callEnded(given.company, given.charge);
  await decide(given.company, { action: "correct", amount: -1_500 });
  await reportExternalRefund(given.company, PAYMENT_ID, { isSum: true, amount: 1_000 });
  await settle(given.company, given.charge);

  expect(await giveBack(given, 1_500)).toMatchObject({ kind: "decided" });
});

/** A refund of ours of 20.00 was done after all, of which 5.00 were of the 10.00 that operators took. */
async function givenDoneAfterAll() {
  const given = await givenPaid();
  await requestRefund(given.company, given.charge, { amount: 2_000 });
  await reportOperation(given.company, { kind: "failed", reason: "Nobody answers." });
  await callEnded(given.company, given.charge);
  await decide(given.company, { action: "correct", amount: -1_000 });
  for (let times = 0; times < 2; times++) await reportOperation(given.company, { kind: "done" });
  expect(await heldTotalOf(given.company)).toBe(1_500);
  return given;
}

it("what covered a refund of ours that was done after all is not given back", async () => {
  const given = await givenDoneAfterAll();
  await settle(given.company, given.charge);

  expect(await giveBack(given, 501, 3)).toMatchObject({ givable: 500 });
  expect(await giveBack(given, 500, 3)).toMatchObject({ kind: "decided" });
});

it("what covered a refund of ours that was done after all is neither left nor refunded", async () => {
  const given = await givenDoneAfterAll();
  const more = await requestRefund(given.company, given.charge, { amount: 1_501 });
  expect(more).toEqual({ kind: "exceeds_paid", refundable: 1_500 });

  await callEnded(given.company, given.charge, "failed");
  expect(await giveBack(given, -1, 3)).toMatchObject({ kind: "not_possible" });
});

it("a refund of ours that was told before its cover was stored covers nothing when told again", async () => {
  const given = await givenDoneAfterAll();
  await tamper(given.company, "UPDATE operations SET covered = NULL");
  await reportOperation(given.company, { kind: "done" });
  await settle(given.company, given.charge);

  expect(await giveBack(given, 1_000, 3)).toMatchObject({ kind: "decided" });
});

it("a chargeback that took all of its amount is reversed beside what operators took", async () => {
  const given = await givenCorrected(1_000);
  const report = (status: "LOST" | "WON") =>
    dispute(given.company, given.charge, { kind: "CHARGEBACK", status, amount: 1_500 });
  await report("LOST");
  expect(await accountsOf(given.company)).toMatchObject({ available: 0 });

  expect(await report("WON")).toMatchObject({ kind: "recorded" });

  expect(await accountsOf(given.company)).toMatchObject({ available: 1_500 });
  expect((await auditAll(given.company, true)).violations).toEqual([]);
});

it.each([
  ["refund", "external_refunds"],
  ["chargeback", "disputes"],
] as const)(
  "a %s from before its cover was stored counts as it did: what is left limits it",
  async (told, table) => {
    const given = await givenCorrected(AMOUNT);
    await BACK[told](given);
    await tamper(given.company, `UPDATE ${table} SET covered = NULL`);
    await settle(given.company, given.charge);

    expect(await giveBack(given, 1_501)).toMatchObject({ givable: 1_500 });
  },
);

it("what is left beside a refund of ours under way limits a give-back from before, too", async () => {
  const given = await givenCoveredBesideRefund();
  await tamper(given.company, "UPDATE external_refunds SET covered = NULL");

  expect(await giveBack(given, 1)).toMatchObject({ kind: "not_possible", givable: 0 });
});

it("what operators took where its house named another charge is not taken again", async () => {
  const given = await givenPaid();
  const { company, charge } = given;
  const other = await givenTransaction(company, { amount: AMOUNT });
  await settle(company, { id: other.id, amount: AMOUNT });
  expect(await findingsOf(company)).toMatchObject([{ kind: "payment_charge", held: AMOUNT }]);
  await decide(company, { action: "correct", amount: -AMOUNT });
  expect(await requestRefund(company, charge)).toMatchObject({ kind: "exceeds_paid" });

  await reportExternalRefund(company, PAYMENT_ID, { amount: AMOUNT });

  const accounts = await accountsOf(company);
  expect(accounts).toMatchObject({ available: 0, provider: 0 });
  expect(accounts["debt"] ?? 0).toBe(0);
  expect((await auditAll(company, true)).violations).toEqual([]);
});

it("a word of the end gives back no more than operators took", async () => {
  const given = await givenCorrected(1_000);
  await callEnded(given.company, given.charge, "failed");

  expect(await giveBack(given, 1_001)).toMatchObject({ kind: "not_possible" });
  expect(await giveBack(given, 1_000)).toMatchObject({ kind: "decided" });
  expect(await accountsOf(given.company)).toMatchObject({ available: AMOUNT });
});
