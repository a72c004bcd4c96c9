import { expect, it } from "vitest";
import { decide } from "../../../support/builders/charges/paid-ends.ts";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import {
  claimOperation,
  dispute,
  givenSettled,
  reportOperation,
  requestRefund,
} from "../../../support/builders/operations/object-operations.ts";
import {
  paymentOf,
  reportExternalRefund,
} from "../../../support/builders/reconciliation/provider-reports.ts";
import { findingsOf, heldTotalOf } from "../../../support/probes/contradictions/findings.ts";
import { auditAll } from "../../../support/probes/ledger/audit.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";

/** A paid charge of 2,500 of which its house tells sums that went back, each twice, as its lists do. */
async function givenTold(...sums: number[]) {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 2_500);
  const paymentId = await paymentOf(company, transaction.id);
  const tell = async (amount: number) => {
    for (let times = 0; times < 2; times++)
      await reportExternalRefund(company, paymentId, { isSum: true, amount });
  };
  for (const sum of sums) await tell(sum);
  const correct = (number: number, amount: number) =>
    decide(company, { action: "correct", amount }, null, number);
  const told = async () =>
    (await findingsOf(company)).map(({ finding, status, amount, held }) => {
      return [finding.slice(`refund_status:${paymentId}:`.length), status, amount, held];
    });
  const refund = async (amount: number) => {
    await requestRefund(company, transaction, { amount });
    await reportOperation(company, { kind: "done" });
  };
  const available = async () => (await accountsOf(company))["available"];
  return { company, transaction, paymentId, tell, correct, refund, told, available };
}

it("a sum that falls is told once, and what it had more may be given back", async () => {
  const { company, correct, told, available } = await givenTold(1_500, 1_200);
  expect(await told()).toEqual([["sum-1200:fell", "open", 300, 0]]);
  expect(await available()).toBe(1_000);

  expect(await correct(1, 301)).toMatchObject({ kind: "not_possible" });
  expect(await correct(1, 300)).toMatchObject({ kind: "decided" });
  expect(await available()).toBe(1_300);
  expect((await auditAll(company, true)).violations).toEqual([]);
});

it("a sum that rises again ends what was told of its fall", async () => {
  const { tell, told, available } = await givenTold(1_500, 1_200, 1_500);
  expect(await told()).toEqual([["sum-1200:fell", "decided", 300, 0]]);

  await tell(1_200);
  expect((await told()).slice(1)).toEqual([["sum-1200:fell:2", "open", 300, 0]]);
  await tell(1_800);
  expect((await told()).slice(1)).toEqual([["sum-1200:fell:2", "decided", 300, 0]]);
  expect(await available()).toBe(700);
});

it("a sum that falls and rises again and again ends with one fall that operators are asked about", async () => {
  const { tell, told } = await givenTold(1_500);
  for (let times = 0; times < 6; times++) {
    await tell(1_200);
    await tell(1_500);
  }
  const statuses = (await told()).map(([, status]) => status);
  expect(statuses).toEqual(["decided", "decided", "decided", "open"]);
});

it("what was given back for a sum that fell is held once it rises again, until it is taken", async () => {
  const { company, tell, correct, told, available } = await givenTold(1_500, 1_200);
  await correct(1, 300);

  await tell(1_500);

  expect((await told()).slice(1)).toEqual([["sum-1500:fell", "open", 300, 300]]);
  expect(await correct(2, -301)).toMatchObject({ kind: "not_possible" });
  expect(await correct(2, -300)).toMatchObject({ kind: "decided" });
  expect(await available()).toBe(1_000);
  expect(await heldTotalOf(company)).toBe(0);
});

it("sums that fall one after another give back in all what the last one lacks", async () => {
  const { tell, correct, told, available } = await givenTold(1_500, 1_200);
  await correct(1, 300);
  await tell(1_100);
  expect((await told()).slice(1)).toEqual([["sum-1100:fell", "open", 100, 0]]);
  await correct(2, 100);
  expect(await available()).toBe(1_400);
});

it("what a sum had beyond its payment is free once it falls", async () => {
  const { company, tell, told } = await givenTold(3_000);
  expect(await told()).toEqual([["sum-3000:beyond", "open", 3_000, 500]]);

  await tell(2_500);

  expect(await told()).toEqual([["sum-3000:beyond", "decided", 3_000, 500]]);
  expect(await heldTotalOf(company)).toBe(0);
});

it("what a failed refund of ours left unexplained is free once the sum falls to what is booked", async () => {
  const { company, transaction, tell, available } = await givenTold();
  await requestRefund(company, transaction, { amount: 1_000 });
  await claimOperation(company);
  await tell(1_500);
  await reportOperation(company, { kind: "failed", reason: "As decided." });
  expect(await heldTotalOf(company)).toBe(1_000);
  await tell(600);
  expect(await heldTotalOf(company)).toBe(1_000);

  await tell(500);

  expect(await heldTotalOf(company)).toBe(0);
  expect(await available()).toBe(2_000);
  // It is booked where the house comes back to it.
  await tell(1_500);
  expect(await available()).toBe(1_000);
});

it("a sum of before a refund of ours is no fall", async () => {
  const { refund, tell, told } = await givenTold(300);
  await refund(500);
  await tell(300);
  expect(await told()).toEqual([]);
});

it("a refund of ours that a fallen sum has by now does not hide its fall", async () => {
  const { tell, refund, correct, told, available } = await givenTold(1_500, 1_200);
  await refund(500);
  await tell(1_700);
  expect((await told()).slice(1)).toEqual([["sum-1700:fell", "open", 300, 0]]);

  expect(await correct(2, 301)).toMatchObject({ kind: "not_possible" });
  expect(await correct(2, 300)).toMatchObject({ kind: "decided" });
  expect(await available()).toBe(800);
});

it("a refund of ours does not ask back what was given for a fall, but the rest of the sum does", async () => {
  const { company, tell, refund, correct, told } = await givenTold(1_500, 1_200);
  await correct(1, 300);
  await refund(500);
  await tell(1_200);
  await tell(1_700);
  expect((await told()).slice(1)).toEqual([["sum-1700:fell", "decided", 0, 0]]);
  expect(await heldTotalOf(company)).toBe(0);

  await tell(1_600);
  expect((await told()).slice(2)).toEqual([["sum-1600:fell", "open", 100, 0]]);
  await tell(2_000);
  expect((await told()).slice(3)).toEqual([["sum-2000:fell", "open", 300, 300]]);
  expect(await correct(4, -300)).toMatchObject({ kind: "decided" });
});

it("a fall before a lost dispute is over by what the house gave back since", async () => {
  const { company, transaction, tell, told } = await givenTold(1_000, 700);
  const charge = { id: transaction.id, amount: 2_500 };
  await dispute(company, charge, { kind: "CHARGEBACK", status: "LOST", amount: 1_000 });
  await tell(1_300);
  expect(await told()).toEqual([["sum-700:fell", "decided", 300, 0]]);
});
