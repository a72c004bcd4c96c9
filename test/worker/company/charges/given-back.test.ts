import { expect, it } from "vitest";
import { settle } from "../../../support/builders/charges/charge-commands.ts";
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

it("nothing is given back that a refund of ours under way may have, until it fails", async () => {
  const given = await givenCorrected(1_000);
  await requestRefund(given.company, given.charge, { amount: 1_500 });
  await claimOperation(given.company);
  await BACK.refund(given);
  await settle(given.company, given.charge);
  expect(await giveBack(given, 1)).toMatchObject({ kind: "not_possible" });

  await reportOperation(given.company, { kind: "failed", reason: "Its charge had ended." });

  // The hold of 1,500 is free again: all of what is left of the payment.
  expect(await accountsOf(given.company)).toMatchObject({ available: 1_500, blocked: 0 });
});

it("a word of the end gives back no more than operators took", async () => {
  const given = await givenCorrected(1_000);
  await callEnded(given.company, given.charge, "failed");

  expect(await giveBack(given, 1_001)).toMatchObject({ kind: "not_possible" });
  expect(await giveBack(given, 1_000)).toMatchObject({ kind: "decided" });
  expect(await accountsOf(given.company)).toMatchObject({ available: AMOUNT });
});
