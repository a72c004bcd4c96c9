import { expect, it } from "vitest";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import {
  claimOperation,
  givenSettled,
  reportOperation,
  requestRefund,
} from "../../../support/builders/operations/object-operations.ts";
import { decide } from "../../../support/builders/reconciliation/decisions.ts";
import {
  paymentOf,
  reportExternalRefund,
} from "../../../support/builders/reconciliation/provider-reports.ts";
import { heldTotalOf } from "../../../support/probes/contradictions/findings.ts";
import { auditAll } from "../../../support/probes/ledger/audit.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";

/** A paid charge of 2,500 with a refund of ours that has failed here. */
async function givenFailedRefund(amount: number) {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 2_500);
  const paymentId = await paymentOf(company, transaction.id);
  await requestRefund(company, transaction, { amount });
  await claimOperation(company);
  await reportOperation(company, { kind: "failed", reason: "As decided." });
  return { company, transaction, paymentId };
}

/** The provider tells what went back of a payment in all. */
function tellSum(company: TestCompany, paymentId: string, amount: number) {
  return reportExternalRefund(company, paymentId, { id: "sum", isSum: true, amount });
}

/** What left the company, and what it cannot withdraw. */
async function goneOf(company: TestCompany) {
  const { provider } = await accountsOf(company);
  return { gone: 2_500 + (provider ?? 0), held: await heldTotalOf(company) };
}

it.each([
  ["is open", null, { gone: 1_500, held: 1_000 }],
  ["was corrected", { action: "correct", amount: -1_000 }, { gone: 2_500, held: 0 }],
  ["was dismissed", { action: "dismiss" }, { gone: 2_500, held: 0 }],
])(
  "a refund that failed here and was done is not taken again by the sum: its finding %s",
  async (_, decision, expected) => {
    const { company, paymentId } = await givenFailedRefund(1_000);
    await reportOperation(company, { kind: "done" });
    if (decision !== null) {
      const answer = await decide(`${company.id}-1`, { reason: "Seen.", ...decision });
      expect(answer.status, answer.text).toBe(200);
    }

    for (const amount of [1_000, 2_500, 2_500]) await tellSum(company, paymentId, amount);

    expect(await goneOf(company)).toEqual(expected);
    expect((await auditAll(company, true)).violations).toEqual([]);
  },
);

it.each([
  ["nothing where the payment had not so much left", 2_000, 2_000, 0],
  ["it where it may have gone beside", 500, 500, 500],
  ["it where no sum has so much", 2_000, 1_000, 2_000],
])("a refund that was done after its sum was taken holds %s", async (_, ours, sum, held) => {
  const { company, paymentId } = await givenFailedRefund(ours);
  await tellSum(company, paymentId, sum);

  await reportOperation(company, { kind: "done" });

  expect(await goneOf(company)).toEqual({ gone: sum, held });
});
