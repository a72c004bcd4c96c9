import { expect, it } from "vitest";
import { settle } from "../../../support/builders/charges/charge-commands.ts";
import {
  AMOUNT,
  callEnded,
  decide,
  givenPaid,
  PAYMENT_ID,
} from "../../../support/builders/charges/paid-ends.ts";
import { reportExternalRefund } from "../../../support/builders/reconciliation/provider-reports.ts";
import { findingsOf } from "../../../support/probes/contradictions/findings.ts";
import { auditAll } from "../../../support/probes/ledger/audit.ts";
import { accountsOf, dumpObject } from "../../../support/probes/ledger/ledger.ts";

const ENDED = `payment_amount:${PAYMENT_ID}:ended`;
const PAID_AGAIN = `payment_amount:${PAYMENT_ID}:paid_again`;

/** A paid charge whose house said ended, then paid again; operators took of it in between (centavos). */
async function givenPaidAgain(corrected: number) {
  const given = await givenPaid();
  const { company, charge } = given;
  await callEnded(company, charge);
  const amount = corrected === 0 ? null : -corrected;
  await decide(company, { action: amount === null ? "dismiss" : "correct", amount });
  await settle(company, charge);
  return given;
}

it.each([
  ["took all of it", AMOUNT, "open"],
  ["took a part", 1_000, "open"],
  ["took nothing, and are asked nothing", 0, "decided"],
])(
  "a house that says ended once more after it said paid again is told anew: operators %s",
  async (_, corrected, status) => {
    const { company, charge } = await givenPaidAgain(corrected);
    expect(await findingsOf(company)).toMatchObject([
      { finding: ENDED, status: "decided" },
      { finding: PAID_AGAIN, amount: corrected, held: 0, status },
    ]);

    for (let times = 0; times < 2; times++) await callEnded(company, charge);

    expect(await findingsOf(company)).toMatchObject([
      { finding: ENDED, status: "decided" },
      { finding: PAID_AGAIN, status: "decided" },
      { finding: `${ENDED}:2`, status: "open" },
    ]);
    expect(await accountsOf(company)).toMatchObject({ available: AMOUNT - corrected });
  },
);

it("each change of mind is told once, and asks only about what was not given back", async () => {
  const { company, charge } = await givenPaidAgain(2_000);
  await decide(company, { action: "correct", amount: 1_500 }, null, 2);
  await callEnded(company, charge);
  await decide(company, { action: "correct", amount: -1_000 }, null, 3);

  for (let times = 0; times < 2; times++) await settle(company, charge);

  const told = await findingsOf(company);
  expect(told).toHaveLength(4);
  expect(told[3]).toMatchObject({ finding: `${PAID_AGAIN}:2`, amount: 1_500, status: "open" });

  const beyond = await decide(company, { action: "correct", amount: 1_501 }, null, 4);
  expect(beyond).toMatchObject({ kind: "not_possible" });
  const given = await decide(company, { action: "correct", amount: 1_500 }, null, 4);
  expect(given).toMatchObject({ kind: "decided" });
  await settle(company, charge);
  expect(await findingsOf(company)).toHaveLength(4);
  expect(await accountsOf(company)).toMatchObject({ available: AMOUNT });
});

it("what was given back at each change of mind is taken by a refund of all of it", async () => {
  const { company, charge } = await givenPaidAgain(2_000);
  await decide(company, { action: "correct", amount: 1_500 }, null, 2);
  await callEnded(company, charge);
  await decide(company, { action: "correct", amount: -1_000 }, null, 3);
  await settle(company, charge);
  await decide(company, { action: "correct", amount: 700 }, null, 4);
  expect(await accountsOf(company)).toMatchObject({ available: 1_700 });

  for (let times = 0; times < 2; times++)
    await reportExternalRefund(company, PAYMENT_ID, { isSum: true, amount: AMOUNT });

  expect(await accountsOf(company)).toMatchObject({ available: 0, provider: 0 });
  const found = await findingsOf(company);
  expect(found).toHaveLength(4);
  expect((await auditAll(company, true)).violations).toEqual([]);
});

it("what is open of either word is over once all of the payment went back", async () => {
  const { company, charge } = await givenPaidAgain(1_000);
  await callEnded(company, charge);
  await settle(company, charge);

  await reportExternalRefund(company, PAYMENT_ID, { isSum: true, amount: AMOUNT });

  const found = await findingsOf(company);
  expect(found.map(({ finding }) => finding)).toEqual([
    ENDED,
    PAID_AGAIN,
    `${ENDED}:2`,
    `${PAID_AGAIN}:2`,
  ]);
  expect(found.every(({ status }) => status === "decided")).toBe(true);
  expect(await accountsOf(company)).toMatchObject({ available: 0, provider: 0 });
});

it.each([
  ["they are never asked", 0, 4],
  ["they took some of it", 1_000, 9],
])(
  "a house that changes its mind again and again while operators decide nothing: %s",
  async (_, corrected, findings) => {
    const { company, charge } = await givenPaid();
    if (corrected > 0) {
      await callEnded(company, charge);
      await decide(company, { action: "correct", amount: -corrected });
      await settle(company, charge);
    }
    const change = async () => {
      await callEnded(company, charge);
      await settle(company, charge);
    };
    for (let times = 0; times < 5; times++) await change();
    const before = await dumpObject(company);

    for (let times = 0; times < 45; times++) await change();

    const found = await findingsOf(company);
    expect(found).toHaveLength(findings);
    expect(found.at(-1)).toMatchObject({ status: "open" });
    // Nothing is written any more: neither findings nor operators' events.
    expect(await dumpObject(company)).toBe(before);

    await decide(company, { action: "dismiss" }, null, findings);
    for (let times = 0; times < 2; times++) await change();
    expect((await findingsOf(company)).length).toBeGreaterThan(findings);
  },
);
