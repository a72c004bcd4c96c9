import { expect, it } from "vitest";
import { partsOf } from "../../../../src/company/compose.ts";
import type { PayoutReport } from "../../../../src/company/commands.ts";
import {
  backTo,
  claim,
  FAILED,
  PAID,
  report,
  RETURNED,
  withdraw,
} from "../../../support/builders/commands.ts";
import { givenCompany, inAccount } from "../../../support/builders/company.ts";
import { contradictionsOf } from "../../../support/builders/contradictions.ts";
import { accountsOf, dumpObject } from "../../../support/builders/ledger.ts";
import { auditAll } from "../../../support/faults/tamper.ts";

/** A withdraw of 20.00 out of 50.00, with what its bank said of it. */
async function givenWithdraw(...reports: PayoutReport[]) {
  const company = await givenCompany({ balance: 5_000 });
  await withdraw(company, { amount: 2_000 });
  await claim(company);
  for (const each of reports) await report(company, each);
  return company;
}

it.each([backTo(2_500), { ...RETURNED, returnedAmount: 2_500 } as PayoutReport])(
  "of more than was sent that is said to be back ($kind), what was sent is booked, and the rest written down",
  async (late) => {
    const company = await givenWithdraw(PAID);

    expect(await report(company, late)).toEqual({ kind: "contradiction", status: "Returned" });
    const before = await dumpObject(company);
    expect(await report(company, late)).toEqual({ kind: "contradiction", status: "Returned" });
    expect(await dumpObject(company)).toBe(before);

    expect(await accountsOf(company)).toMatchObject({ available: 5_000, payout: 0 });
    expect(await contradictionsOf(company)).toMatchObject([
      { finding: "payout_status:withdraw:1:beyond:2500", amount: 500, held: 0, status: "open" },
    ]);
    expect((await auditAll(company, true)).violations).toEqual([]);
  },
);

it.each([
  { paid: 2_300, amount: 300, held: 300 },
  { paid: 1_900, amount: 100, held: 0 },
])(
  "paid with $paid instead of 2000 it is Paid, and a person is told of the difference once",
  async ({ paid, amount, held }) => {
    const other = { ...PAID, amount: paid } as PayoutReport;
    const company = await givenWithdraw(other);
    await report(company, other);

    expect(await accountsOf(company)).toMatchObject({ available: 3_000, payout: 0 });
    expect(await contradictionsOf(company)).toMatchObject([
      { finding: `payout_status:withdraw:1:amount:${paid}`, amount, held, status: "open" },
    ]);
    const beyond = { amount: 3_001 - held, idempotencyKey: "wd_rest" };
    expect(await withdraw(company, beyond)).toMatchObject({ kind: "insufficient_balance", held });
    expect((await auditAll(company, true)).violations).toEqual([]);
  },
);

it("what a correction gave back of a paid withdraw that was told as failed is not credited again", async () => {
  const company = await givenWithdraw(PAID, backTo(500), FAILED);
  await inAccount(company.id, (_, { storage }) =>
    storage.transactionSync(() => {
      const { stores, decisions } = partsOf(storage.sql);
      stores.ledger.begin();
      const { number } = stores.contradictions.ofFinding("payout_status:withdraw:1:Failed")!;
      const decision = {
        action: "correct",
        amount: 1_500,
        transactionId: null,
        reason: "It is.",
      } as const;
      const said = {
        companyId: company.id,
        credentialsVersion: 1,
        number,
        decision,
        terms: null,
        operationId: "",
      };
      decisions.decide({ ...said, by: "operator" }, 1);
      return decisions.decide({ ...said, by: "approver" }, 2);
    }),
  );
  expect(await accountsOf(company)).toMatchObject({ available: 5_000 });

  expect((await report(company, RETURNED)).kind).toBe("contradiction");
  expect((await report(company, PAID)).kind).toBe("recorded");

  expect(await accountsOf(company)).toMatchObject({ available: 5_000 });
  expect((await contradictionsOf(company)).slice(1)).toMatchObject([{ held: 0, status: "open" }]);
});

it("that it failed before anybody sent it hides not that it failed after it was paid", async () => {
  const company = await givenCompany({ balance: 5_000 });
  await withdraw(company, { amount: 2_000 });
  await report(company, FAILED);
  await claim(company);
  await report(company, PAID);

  await report(company, FAILED);

  expect(await contradictionsOf(company)).toMatchObject([
    { finding: "payout_status:withdraw:1:unsent:Failed" },
    { finding: "payout_status:withdraw:1:Failed" },
  ]);
});
