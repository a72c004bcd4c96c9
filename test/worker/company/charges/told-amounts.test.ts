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
  reportOperation,
  requestRefund,
} from "../../../support/builders/operations/object-operations.ts";
import { reportExternalRefund } from "../../../support/builders/reconciliation/provider-reports.ts";
import { findingsOf, heldTotalOf } from "../../../support/probes/contradictions/findings.ts";
import { auditAll } from "../../../support/probes/ledger/audit.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";

type Given = Awaited<ReturnType<typeof givenPaid>>;

const LESS = `payment_amount:${PAYMENT_ID}:2400`;
const AS_BOOKED = `payment_amount:${PAYMENT_ID}:${AMOUNT}`;

/** The house tells an amount (centavos) of the payment, twice, as its lists do. */
async function tell({ company, charge }: Given, amount: number, account?: string) {
  for (let times = 0; times < 2; times++)
    await settle(company, charge, { amount, ...(account === undefined ? {} : { account }) });
}

/** Two operators correct by an amount (centavos), or dismiss at 0, the finding of a number. */
function correct({ company }: Given, amount: number, number = 1) {
  const decision = amount === 0 ? { action: "dismiss" as const } : { action: "correct" as const };
  return decide(company, { ...decision, amount: amount === 0 ? null : amount }, null, number);
}

/** The finding of each told amount, and whether it is open. */
async function toldOf({ company }: Given) {
  const findings = await findingsOf(company);
  return findings.map(({ finding, status, amount }) => [finding, status, amount]);
}

const refundedInAll = ({ company }: Given, amount: number) =>
  reportExternalRefund(company, PAYMENT_ID, { isSum: true, amount });

it("another amount is over once the house tells the booked one again, and news if it comes back", async () => {
  const given = await givenPaid();
  await tell(given, 2_400);
  expect(await heldTotalOf(given.company)).toBe(100);

  await tell(given, AMOUNT);
  expect(await toldOf(given)).toEqual([[LESS, "decided", 100]]);
  expect(await heldTotalOf(given.company)).toBe(0);

  await tell(given, 2_400);
  expect(await toldOf(given)).toEqual([
    [LESS, "decided", 100],
    [`${LESS}:2`, "open", 100],
  ]);
});

it.each([
  ["a lower amount", 2_400, -100, 0],
  ["a higher one", 2_600, 100, 100],
])(
  "operators are asked about what they booked for %s once the house tells the booked one again",
  async (_, told, booked, held) => {
    const given = await givenPaid();
    await tell(given, told);
    await correct(given, booked);

    await tell(given, AMOUNT);

    expect((await toldOf(given)).slice(1)).toEqual([[AS_BOOKED, "open", 100]]);
    expect(await heldTotalOf(given.company)).toBe(held);
    expect(await correct(given, booked, 2)).toMatchObject({ kind: "not_possible" });
    expect(await correct(given, -booked, 2)).toMatchObject({ kind: "decided" });
    expect(await accountsOf(given.company)).toMatchObject({ available: AMOUNT });
    await tell(given, AMOUNT);
    expect(await toldOf(given)).toHaveLength(2);
    expect((await auditAll(given.company, true)).violations).toEqual([]);
  },
);

it("a dismissed amount is asked about again once the house told the booked one in between", async () => {
  const given = await givenPaid();
  await tell(given, 2_400);
  await correct(given, 0);
  await tell(given, 2_400);
  expect(await toldOf(given)).toHaveLength(1);

  await tell(given, AMOUNT);
  expect((await toldOf(given)).slice(1)).toEqual([[AS_BOOKED, "decided", 0]]);
  await tell(given, 2_400);

  expect(await toldOf(given)).toEqual([
    [LESS, "decided", 100],
    [AS_BOOKED, "decided", 0],
    [`${LESS}:2`, "open", 100],
  ]);
});

it("amounts that follow each other take in all what the last one lacks", async () => {
  const given = await givenPaid();
  await tell(given, 2_400);
  await correct(given, -100);
  await tell(given, 2_300);
  await tell(given, 2_200);
  expect((await toldOf(given)).slice(1)).toEqual([
    [`payment_amount:${PAYMENT_ID}:2300`, "decided", 100],
    [`payment_amount:${PAYMENT_ID}:2200`, "open", 200],
  ]);
  expect(await heldTotalOf(given.company)).toBe(200);

  expect(await correct(given, -201, 3)).toMatchObject({ kind: "not_possible" });
  expect(await correct(given, -200, 3)).toMatchObject({ kind: "decided" });
  expect(await accountsOf(given.company)).toMatchObject({ available: 2_200 });
});

it("another account's amount is not over by what the payment's own house tells as ever", async () => {
  const given = await givenPaid();
  await tell(given, 2_400, "pix-list");
  await tell(given, AMOUNT);
  expect(await toldOf(given)).toEqual([[LESS, "open", 100]]);
  await tell(given, 2_300);
  await tell(given, AMOUNT);
  expect((await toldOf(given)).map(([, status]) => status)).toEqual(["open", "decided"]);
  await tell(given, AMOUNT, "pix-list");
  expect((await toldOf(given))[0]).toEqual([LESS, "decided", 100]);
});

it("of a higher amount only what is not given yet is given, whatever was taken at the end", async () => {
  const given = await givenPaid();
  await tell(given, 2_400);
  await correct(given, -100);
  await tell(given, 2_600, "pix-list");
  await tell(given, AMOUNT);
  await correct(given, 100, 3);
  await callEnded(given.company, given.charge);
  await correct(given, -2_000, 4);

  expect(await correct(given, 200, 2)).toMatchObject({ kind: "not_possible", givable: 100 });
  expect(await correct(given, 100, 2)).toMatchObject({ kind: "decided" });
});

it("of a payment no more is taken for its amount than is left of it", async () => {
  const given = await givenPaid();
  await tell(given, 1_000);
  await refundedInAll(given, 2_000);

  const answer = await correct(given, -501);
  expect(answer).toMatchObject({ kind: "not_possible", takable: 500 });
  expect(await accountsOf(given.company)).toMatchObject({ available: 500 });
  expect(await correct(given, -500)).toMatchObject({ kind: "decided" });
});

it("nothing is given back for the booked amount that went back to the payer", async () => {
  const given = await givenPaid();
  await tell(given, 2_000);
  await correct(given, -500);
  await refundedInAll(given, 2_300);
  expect(await accountsOf(given.company)).toMatchObject({ available: 0 });
  await tell(given, AMOUNT);

  expect(await correct(given, 201, 2)).toMatchObject({ kind: "not_possible", givable: 200 });
  expect(await correct(given, 200, 2)).toMatchObject({ kind: "decided" });
});

it("what was given back for the end is not given again for the amount", async () => {
  const given = await givenPaid();
  await tell(given, 2_000);
  await correct(given, -500);
  await callEnded(given.company, given.charge);
  await correct(given, -2_000, 2);
  await reportExternalRefund(given.company, PAYMENT_ID, { amount: 400 });
  await tell(given, AMOUNT);
  expect((await toldOf(given)).slice(2).map(([, ...told]) => told)).toEqual([
    ["open", 500],
    ["open", 2_000],
  ]);
  const [asBooked, paidAgain] = [3, 4];

  // What went back is of what was taken at the end.
  const tooMuch = { kind: "not_possible", givable: 1_600 };
  expect(await correct(given, 1_601, paidAgain)).toMatchObject(tooMuch);
  expect(await correct(given, 1_600, paidAgain)).toMatchObject({ kind: "decided" });
  expect(await correct(given, 500, asBooked)).toMatchObject({ kind: "decided" });
  expect(await accountsOf(given.company)).toMatchObject({ available: 2_100 });
});

it("what a sum explains by the end is given back for the amount all the same", async () => {
  const given = await givenPaid();
  await tell(given, 2_000);
  await correct(given, -500);
  await callEnded(given.company, given.charge);
  await correct(given, -2_000, 2);
  await refundedInAll(given, 2_000);
  await tell(given, AMOUNT);
  const asBooked = (await toldOf(given)).findIndex(([finding]) => finding === AS_BOOKED) + 1;

  expect(await correct(given, 501, asBooked)).toMatchObject({ kind: "not_possible" });
  expect(await correct(given, 500, asBooked)).toMatchObject({ kind: "decided" });
  expect(await accountsOf(given.company)).toMatchObject({ available: 500 });
});

it("what is open of a payment's amount is over once all of it went back, but for more than that", async () => {
  const given = await givenPaid();
  await tell(given, 2_400);
  await tell(given, 2_600, "pix-list");
  await refundedInAll(given, AMOUNT);
  expect((await toldOf(given)).map(([, status]) => status)).toEqual(["decided", "open"]);
  expect(await heldTotalOf(given.company)).toBe(0);

  await tell(given, 2_400);
  expect(await toldOf(given)).toHaveLength(2);
  expect(await heldTotalOf(given.company)).toBe(0);
});

it("what was given for a higher amount is asked back though all of the payment went back", async () => {
  const given = await givenPaid();
  await tell(given, 2_600);
  await correct(given, 100);
  await refundedInAll(given, AMOUNT);
  await tell(given, AMOUNT);
  expect((await toldOf(given)).slice(1)).toEqual([[AS_BOOKED, "open", 100]]);
  expect(await correct(given, -100, 2)).toMatchObject({ kind: "decided" });
  expect(await accountsOf(given.company)).toMatchObject({ available: 0 });
});

it("a house that tells less again after it called the charge ended is asked about that, too", async () => {
  const given = await givenPaid();
  await tell(given, 2_400);
  await correct(given, -100);
  await callEnded(given.company, given.charge);
  await correct(given, -2_400, 2);
  await tell(given, 2_400);
  expect((await toldOf(given)).map(([finding]) => finding)).toContainEqual(
    expect.stringContaining(":paid_again"),
  );
  expect(await correct(given, 2_400, 3)).toMatchObject({ kind: "decided" });
  expect(await accountsOf(given.company)).toMatchObject({ available: 2_400 });
});

it("what a house did not get is not given back with the rest, whoever takes it when", async () => {
  const given = await givenPaid();
  await callEnded(given.company, given.charge);
  await correct(given, -2_224);
  await tell(given, 2_100);
  // 276 of the 400 are left.
  expect(await correct(given, -400, 2)).toMatchObject({ kind: "not_possible", takable: 276 });
  expect(await correct(given, -276, 2)).toMatchObject({ kind: "decided" });
  expect(await correct(given, 2_224, 3)).toMatchObject({ kind: "not_possible", givable: 2_100 });
  expect(await correct(given, 2_100, 3)).toMatchObject({ kind: "decided" });
  expect(await accountsOf(given.company)).toMatchObject({ available: 2_100 });
});

it("a refund of ours under way covers nothing of what its house did not get", async () => {
  const given = await givenPaid();
  const { company, charge } = given;
  await tell(given, 2_100);
  await requestRefund(company, charge, { amount: 991 });
  await claimOperation(company);
  await correct(given, -400);
  await reportExternalRefund(company, PAYMENT_ID, { amount: 2_100 });
  await reportOperation(company, { kind: "failed", reason: "x" });
  expect(await accountsOf(company)).toMatchObject({ available: 0 });
});

it("a house that flips between two amounts ends with one that operators are asked about", async () => {
  const given = await givenPaid();
  for (let times = 0; times < 10; times++) {
    await tell(given, 2_400);
    await tell(given, AMOUNT);
  }
  expect((await toldOf(given)).map(([, status]) => status)).toEqual([
    "decided",
    "decided",
    "decided",
    "open",
  ]);
  expect(await heldTotalOf(given.company)).toBe(100);

  await correct(given, 0, 4);
  await tell(given, 2_400);
  expect(await toldOf(given)).toHaveLength(4);
});
