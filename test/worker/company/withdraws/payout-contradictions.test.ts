import { expect, it } from "vitest";
import { compose } from "../../../../src/company/compose.ts";
import type { PayoutReport } from "../../../../src/company/withdraws/command-types.ts";
import {
  returnedReport,
  claimPayout,
  FAILED,
  PAID,
  reportPayout,
  RETURNED,
  withdraw,
} from "../../../support/builders/withdraws/withdraw-commands.ts";
import { decisionOf } from "../../../support/builders/operations/decide.ts";
import { givenCompany, inAccount } from "../../../support/builders/companies/company.ts";
import { contradictionsOf } from "../../../support/probes/contradictions/contradictions.ts";
import { accountsOf, dumpObject } from "../../../support/probes/ledger/ledger.ts";
import { auditAll } from "../../../support/probes/ledger/audit.ts";

/** A withdraw of 20.00 out of 50.00, with what its bank said of it. */
async function givenWithdraw(...reports: PayoutReport[]) {
  const company = await givenCompany({ balance: 5_000 });
  await withdraw(company, { amount: 2_000 });
  await claimPayout(company);
  for (const each of reports) await reportPayout(company, each);
  return company;
}

it.each([returnedReport(2_500), { ...RETURNED, returnedAmount: 2_500 } as PayoutReport])(
  "a return above the sent amount ($kind) books the sent amount and opens a contradiction",
  async (late) => {
    const company = await givenWithdraw(PAID);

    expect(await reportPayout(company, late)).toEqual({
      kind: "contradiction",
      status: "Returned",
    });
    const before = await dumpObject(company);
    expect(await reportPayout(company, late)).toEqual({
      kind: "contradiction",
      status: "Returned",
    });
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
  "a payment of $paid instead of 2000 is Paid and opens one contradiction",
  async ({ paid, amount, held }) => {
    const other = { ...PAID, amount: paid } as PayoutReport;
    const company = await givenWithdraw(other);
    await reportPayout(company, other);

    expect(await accountsOf(company)).toMatchObject({ available: 3_000, payout: 0 });
    expect(await contradictionsOf(company)).toMatchObject([
      { finding: `payout_status:withdraw:1:amount:${paid}`, amount, held, status: "open" },
    ]);
    const beyond = { amount: 3_001 - held, idempotencyKey: "wd_rest" };
    expect(await withdraw(company, beyond)).toMatchObject({ kind: "insufficient_balance", held });
    expect((await auditAll(company, true)).violations).toEqual([]);
  },
);

it("a correction of a paid withdraw that was reported as failed is not credited again", async () => {
  const company = await givenWithdraw(PAID, returnedReport(500), FAILED);
  await inAccount(company.id, (_, { storage }) =>
    storage.transactionSync(() => {
      const { stores, operators } = compose(storage.sql);
      stores.ledger.beginCommit();
      const { number } = stores.contradictions.findByKey("payout_status:withdraw:1:Failed")!;
      const decision = {
        action: "correct",
        amount: 1_500,
        transactionId: null,
        reason: "It is.",
      } as const;
      const effect = { kind: "contradiction", number, decision, terms: null } as const;
      const command = { companyId: company.id, credentialsVersion: 1, effect };
      return operators.decide({ ...command, decision: decisionOf(), attempt: "1" }, 2);
    }),
  );
  expect(await accountsOf(company)).toMatchObject({ available: 5_000 });

  expect((await reportPayout(company, RETURNED)).kind).toBe("contradiction");
  expect((await reportPayout(company, PAID)).kind).toBe("recorded");

  expect(await accountsOf(company)).toMatchObject({ available: 5_000 });
  expect((await contradictionsOf(company)).slice(1)).toMatchObject([{ held: 0, status: "open" }]);
});

it("a failure report before sending does not hide a failure report after payment", async () => {
  const company = await givenCompany({ balance: 5_000 });
  await withdraw(company, { amount: 2_000 });
  await reportPayout(company, FAILED);
  await claimPayout(company);
  await reportPayout(company, PAID);

  await reportPayout(company, FAILED);

  expect(await contradictionsOf(company)).toMatchObject([
    { finding: "payout_status:withdraw:1:unsent:Failed" },
    { finding: "payout_status:withdraw:1:Failed" },
  ]);
});
