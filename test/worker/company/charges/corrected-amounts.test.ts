import { expect, it } from "vitest";
import { settle } from "../../../support/builders/charges/charge-commands.ts";
import {
  AMOUNT,
  callEnded,
  decide,
  givenPaid,
  PAYMENT_ID,
} from "../../../support/builders/charges/paid-ends.ts";
import { inAccount } from "../../../support/builders/companies/company.ts";
import {
  dispute,
  givenSettled,
  reportOperation,
  requestRefund,
} from "../../../support/builders/operations/object-operations.ts";
import { reportExternalRefund } from "../../../support/builders/reconciliation/provider-reports.ts";
import { heldTotalOf } from "../../../support/probes/contradictions/findings.ts";
import { auditAll } from "../../../support/probes/ledger/audit.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";

type Given = Awaited<ReturnType<typeof givenPaid>>;

/** The house tells 1.00 less of a payment, which operators take. */
async function takeRest({ company, charge }: Given, number = 1) {
  await settle(company, charge, { amount: 2_400 });
  return decide(company, { action: "correct", amount: -100 }, null, number);
}

async function givenLess(): Promise<Given> {
  const given = await givenPaid();
  await takeRest(given);
  return given;
}

const sum = (amount: number) => (given: Given) =>
  reportExternalRefund(given.company, PAYMENT_ID, { isSum: true, amount });

it.each([
  ["a sum of all of it", [sum(2_500)]],
  ["a sum of what the house told", [sum(2_400)]],
  ["sums bit by bit", [sum(1_000), sum(2_400), sum(2_500)]],
  [
    "a refund at its house",
    [({ company }: Given) => reportExternalRefund(company, PAYMENT_ID, { amount: AMOUNT })],
  ],
  [
    "a chargeback",
    [
      ({ company, charge }: Given) =>
        dispute(company, charge, { kind: "CHARGEBACK", status: "LOST", amount: AMOUNT }),
    ],
  ],
])("what operators took for a lower amount is not taken again: %s", async (_, told) => {
  const given = await givenLess();
  await settle(given.company, given.charge);

  for (const tell of told) await tell(given);

  const accounts = await accountsOf(given.company);
  expect(accounts).toMatchObject({ available: 0, provider: 0 });
  expect(accounts["debt"] ?? 0).toBe(0);
  expect((await auditAll(given.company, true)).violations).toEqual([]);
});

it("a part that goes back is taken in full", async () => {
  const given = await givenLess();
  await sum(1_000)(given);
  expect(await accountsOf(given.company)).toMatchObject({ available: 1_400 });
});

it("what of a sum operators had taken is added up where it comes in parts", async () => {
  const { company, charge } = await givenLess();
  await requestRefund(company, charge, { amount: 500 });
  await sum(2_450)({ company, charge });
  await reportOperation(company, { kind: "failed", reason: "Nobody answers." });

  await sum(2_450)({ company, charge });

  const rows = await inAccount(company.id, (_, { storage }) =>
    storage.sql.exec("SELECT booked, covered FROM external_refunds").toArray(),
  );
  expect(rows).toEqual([{ booked: 2_450, covered: 50 }]);
  expect(await accountsOf(company)).toMatchObject({ available: 0 });
});

it("what operators took for a lower amount is no more to be refunded", async () => {
  const { company, charge } = await givenLess();
  await givenSettled(company, 5_000);
  const beyond = await requestRefund(company, charge, { amount: 2_401 });
  expect(beyond).toEqual({ kind: "exceeds_paid", refundable: 2_400 });
});

it("what operators took for a lower amount is not taken at the charge's end", async () => {
  const { company, charge } = await givenLess();
  await callEnded(company, charge);
  const beyond = await decide(company, { action: "correct", amount: -2_401 }, null, 2);
  expect(beyond).toMatchObject({ kind: "not_possible" });
  await decide(company, { action: "correct", amount: -2_400 }, null, 2);
  expect(await accountsOf(company)).toMatchObject({ available: 0, provider: 0 });
});

it("a refund of ours that was done after all holds nothing that operators took", async () => {
  const given = await givenPaid();
  await requestRefund(given.company, given.charge, { amount: AMOUNT });
  await reportOperation(given.company, { kind: "failed", reason: "Nobody answers." });
  await takeRest(given);

  await reportOperation(given.company, { kind: "done" });

  expect(await heldTotalOf(given.company)).toBe(2_400);
});
